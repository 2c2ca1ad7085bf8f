#include "experiments/data_check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::experiments {
namespace {

Assignments digests_today(const Recipe& recipe, const Cell& cell) {
  if (!data::is_here(cell.data)) return {};
  train::Settings settings;
  settings.data = cell.data;
  settings.seed = recipe.seed;
  return data::named_digests(*recipe.shelf->open(cell.data, train::open_options(settings)));
}

}  // namespace

void add_digests(nlohmann::ordered_json& document, const Recipe& recipe, const Cell& cell) {
  if (const Assignments digests = digests_today(recipe, cell); !digests.empty())
    document["digests"] = digests;
}

void check_data(const nlohmann::ordered_json& stored, const Recipe& recipe, const Cell& cell) {
  if (!stored.contains("digests")) return;
  const std::string what =
      data::difference(stored["digests"].get<Assignments>(), digests_today(recipe, cell));
  if (what.empty()) return;
  throw InvalidInput(
      fmt::format("{}: {} since the cell {} was made", recipe.folder.string(), what, cell.id()),
      Topic{"cell-data-changed"});
}

}  // namespace dshn::experiments
