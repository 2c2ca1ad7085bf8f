#include "cli/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace dshn::cli {
namespace {

struct Advice {
  std::string_view topic;
  const char* text;  // {} stands for the subject of the error
};

/// One line for every topic that a library room names; a test compares the two.
constexpr std::array kAdvice{
    Advice{"cell-data-changed", "use another --out, or remove the file to have the cell made again"},
    Advice{"damaged-result", "remove the file to have it made again"},
    Advice{"data-changed",
           "name it by --data to use the run's models on it, or train again into another --out"},
    Advice{"device-full", "or use fewer --jobs"},
    Advice{"empty-space", "add --space name=v1,v2,..."},
    Advice{"fixed-and-searched", "give it to --set or to --space, not to both"},
    Advice{"folder-taken", "choose another --out"},
    Advice{"incidence-weights", "--incidence-weights=ignore does without weights of incidences and arcs"},
    Advice{"large-grid", "narrow it with --set and --space, or use another --sampler"},
    Advice{"many-classes", "--target numbers predicts numbers, --target labels any of several labels"},
    Advice{"member-weights", "--columns incidence_weight=NAME says that a column has the weights of members"},
    Advice{"missing-direction", "--missing-direction=tail or undirected says how to read it"},
    Advice{"no-labels",
           "--labels FILE has them by id, --label-attribute NAME says which attribute of HIF they are"},
    Advice{"not-fetched", "get it with: dshn data fetch {}"},
    Advice{"repeated-member", "--on-conflict=keep-tail or keep-head keeps one role"},
    Advice{"run-there", "add --resume to go on with it or --force to replace it, or choose another --out"},
    Advice{"search-seeds", "report others, say --seed 100, or choose on others with --search-seed"},
    Advice{"server-study-data-changed", "start a new study under another --study-name"},
    Advice{"study-data-changed", "start a new study in another --out"},
    Advice{"unfinished-run", "go on with: dshn train --resume --out {}"},
    Advice{"unknown-columns", "--columns hyperedge=NAME,node=NAME says which is what"},
    Advice{"unknown-data", "'dshn data list' names the built-in ones"},
    Advice{"unknown-experiment", "'dshn reproduce --list' names them all"},
    Advice{"unknown-option", "--help-model lists them"},
};

}  // namespace

std::string advised(const Error& error) {
  const auto* const found = std::ranges::find(kAdvice, error.topic().id, &Advice::topic);
  if (found == kAdvice.end()) return error.what();
  return fmt::format("{}; {}", error.what(), fmt::format(fmt::runtime(found->text), error.topic().subject));
}

}  // namespace dshn::cli
