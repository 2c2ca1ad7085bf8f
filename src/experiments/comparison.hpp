#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "dshn/experiments/reproduction.hpp"

/// Models, or rows of a table, against each other on the same splits.
namespace dshn::experiments {

/// Adds "comparisons" to a document with cells: of the first model with the second or, where there is one
/// name only, with every other model, wherever both stand in the same column on the same data set. A row has
/// the mean difference over the splits that both were trained on, its corrected 95 % interval, the probability
/// by the paired t test with the same correction (significance.hpp), that probability after Holm's correction
/// for all rows, and a word, which goes by the latter. What cannot be compared is named in "left_out".
void add_comparisons(nlohmann::ordered_json& document, const std::vector<std::string>& models);

/// The same of pairs of rows.
void add_row_comparisons(nlohmann::ordered_json& document, const std::vector<RowPair>& pairs);

}  // namespace dshn::experiments
