// The paper's table 'Statistics of the datasets', ours beside it.
#include <algorithm>

#include "dshn/data/catalog.hpp"
#include "dshn/data/measure.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

void add_row(ordered_json& document, const data::Entry& entry, const char* whose,
             const data::StatisticsRow& row) {
  document["rows"].push_back({{"data", entry.name},
                              {"whose", whose},
                              {"nodes", row.nodes},
                              {"features", or_null(row.features)},
                              {"hyperedges", row.hyperedges},
                              {"classes", row.classes},
                              {"avg_hyperedge_size", or_null(row.avg_hyperedge_size)},
                              {"avg_node_degree", or_null(row.avg_node_degree)},
                              {"ce_homophily", or_null(row.ce_homophily)}});
}

void statistics_rows(const ReproductionRequest& request, ordered_json& document) {
  document["columns"] = {text_column("data", "data"),
                         text_column("whose", "whose"),
                         number_column("nodes", "nodes"),
                         number_column("features", "features"),
                         number_column("hyperedges", "hyperedges"),
                         number_column("classes", "classes"),
                         number_column("avg_hyperedge_size", "avg size"),
                         number_column("avg_node_degree", "avg degree"),
                         number_column("ce_homophily", "CE homophily", 4)};
  document["rows"] = ordered_json::array();
  for (const data::Entry& entry : data::registry()) {
    const std::string name(entry.name);
    if (!request.data.empty() &&
        std::find(request.data.begin(), request.data.end(), name) == request.data.end())
      continue;
    if (data::is_here(name))
      add_row(document, entry, "ours", data::measure(*request.recipe.shelf->open(name)));
    else
      document["missing"].push_back(missing_line(name));
    if (entry.paper && has_paper_results(name)) add_row(document, entry, "paper", *entry.paper);
  }
}

}  // namespace

Reproduction statistics_entry() {
  return {.name = "statistics",
          .title = "Statistics of the data sets",
          .summary = "sizes, degrees and homophily of every data set",
          .rows = statistics_rows};
}

}  // namespace dshn::experiments
