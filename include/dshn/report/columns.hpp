#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/report/run_folder.hpp"

namespace dshn::report {

/// Numbers of five digits, which a chart needs and no more: a third of the bytes. Small ones stay what they are.
nlohmann::ordered_json short_numbers(const std::vector<double>& values);

/// Which part of a hypergraph the page holds: all of it, or a seeded sample of hyperedges with their members.
struct Excerpt {
  std::vector<Index> edges;  // ascending
  std::vector<Index> nodes;  // ascending
};

/// All hyperedges as long as they have at most `most` incidences, else as many as fit. All nodes where all
/// hyperedges are there and the nodes are at most `most` too, which bounds the page; else the members of these.
Excerpt choose_excerpt(const Hypergraph& hypergraph, Offset most, std::uint64_t seed = 0);

/// The excerpt in columns: names, members by their place among the excerpt's nodes, first heads, labels (-1
/// where they are not known) and the words for them.
nlohmann::ordered_json hypergraph_columns(const data::Dataset& dataset, const Excerpt& excerpt);

/// A run's predictions for the excerpt's nodes or hyperedges, whichever are classified.
nlohmann::ordered_json prediction_columns(const Predictions& predictions, const std::vector<Index>& items);

/// A point per item, at most `most` of them (a seeded sample): x, y, id, label, predicted, part.
/// `xy` holds x and y of each item by turns.
nlohmann::ordered_json point_columns(const Predictions& predictions, const std::vector<double>& xy,
                                     Index most, std::uint64_t seed = 0);

}  // namespace dshn::report
