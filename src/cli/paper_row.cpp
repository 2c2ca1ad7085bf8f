#include "cli/paper_row.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/text.hpp"

namespace dshn::cli {

std::vector<Figure> figures(const data::StatisticsRow& row) {
  return {{"n_nodes", "nodes", row.nodes, 0},
          {"n_features", "features", row.features, 0},
          {"n_hyperedges", "hyperedges", row.hyperedges, 0},
          {"n_classes", "classes", row.classes, 0},
          {"avg_hyperedge_size", "avg size", row.avg_hyperedge_size, 2},
          {"avg_node_degree", "avg degree", row.avg_node_degree, 2},
          {"ce_homophily", "CE homophily", row.ce_homophily, 4}};
}

std::string digits(const Figure& figure) {
  if (!figure.value) return "–";
  if (figure.decimals == 0) return with_commas(std::llround(*figure.value));
  return fmt::format("{:.{}f}", *figure.value, figure.decimals);
}

bool same_digits(const Figure& a, const Figure& b) {
  return digits(a) == digits(b);
}

nlohmann::ordered_json to_json(const data::StatisticsRow& row) {
  nlohmann::ordered_json out;
  for (const Figure& figure : figures(row)) {
    if (!figure.value) {
      out[figure.key] = nullptr;
    } else if (figure.decimals == 0) {
      out[figure.key] = std::llround(*figure.value);
    } else {
      out[figure.key] = *figure.value;
    }
  }
  return out;
}

}  // namespace dshn::cli
