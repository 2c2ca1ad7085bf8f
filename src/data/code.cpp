#include "dshn/data/code.hpp"

namespace dshn::data {

std::vector<std::string> feature_names(const std::vector<ColumnCode>& columns) {
  std::vector<std::string> names;
  for (const ColumnCode& column : columns) {
    if (column.numeric()) names.push_back(column.name);
    for (const std::string& word : column.words) names.push_back(column.name + "=" + word);
    if (column.marks_missing) names.push_back(column.name + " is missing");
  }
  return names;
}

}  // namespace dshn::data
