#include "cli/learning/item_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"

namespace dshn::cli {
namespace {

constexpr Index kNamesShown = 3;

std::string known_names(const Names& names, Index count, const std::string& wanted) {
  if (count == 0) return "there are none";
  if (names.implicit()) return fmt::format("they are named 0 to {}", count - 1);
  std::vector<std::string> all;
  for (Index i = 0; i < count; ++i) all.push_back(names[i].text);
  const std::vector<std::string> close = nearest_few(wanted, all, kNamesShown);
  if (!close.empty()) return fmt::format("the nearest names are {}", fmt::join(close, ", "));
  all.resize(std::min(count, kNamesShown));
  return fmt::format("the first are named {}", fmt::join(all, ", "));
}

}  // namespace

Index find_item(const data::Dataset& dataset, const std::string& name) {
  const Hypergraph& h = dataset.hypergraph;
  const bool nodes = dataset.task == data::Task::node_classification;
  const Names& names = nodes ? h.node_names() : h.edge_names();
  std::optional<Index> word;
  for (Index i = 0; i < dataset.item_count(); ++i) {
    const Name own = names[i];
    if (own.is_integer && own.text == name) return i;
    if (!own.is_integer && (own.text == name || names.quoted(i) == name) && !word) word = i;
  }
  if (word) return *word;
  throw UsageError(fmt::format("{}: there is no {} '{}'; {}", dataset.name, data::item_word(dataset.task),
                               name, known_names(names, dataset.item_count(), name)));
}

}  // namespace dshn::cli
