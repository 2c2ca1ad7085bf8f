#pragma once

#include <nlohmann/json.hpp>

#include "dshn/experiments/reproduction.hpp"

/// What the experiments share.
namespace dshn::experiments {

/// Title of a model as the paper prints it.
const std::string& title_of(const std::string& model);

/// One line: that the data set is not here, and whether it can be fetched or why not.
std::string missing_line(const std::string& data);

/// A column of a listing: key of the rows, title, and digits after the decimal sign; text is aligned to the left.
nlohmann::ordered_json number_column(const char* key, const char* title, int decimals = 2);
nlohmann::ordered_json text_column(const char* key, const char* title);

}  // namespace dshn::experiments
