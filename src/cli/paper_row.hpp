#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dshn/data/registry.hpp"

namespace dshn::cli {

/// One figure of the paper's table "Statistics of the datasets".
struct Figure {
  const char* key;    // in JSON
  const char* title;  // for people
  std::optional<double> value;
  int decimals;
};

/// The columns of the table, in its order.
std::vector<Figure> figures(const data::StatisticsRow& row);

/// As the table prints it; a dash where there is nothing.
std::string digits(const Figure& figure);

/// Equal in every printed digit.
bool same_digits(const Figure& a, const Figure& b);

/// Counts as integers, means as numbers, null for what is not there.
nlohmann::ordered_json to_json(const data::StatisticsRow& row);

}  // namespace dshn::cli
