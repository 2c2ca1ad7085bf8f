#include "cli/paper_result.hpp"

#include "dshn/models/registry.hpp"

namespace dshn::cli {

const data::PaperResult* paper_result(std::string_view data, const std::string& model) {
  const std::string_view generated = "synthetic-generated-";
  const bool imitation = data.starts_with(generated);
  const data::Entry* entry = data::find_entry(
      imitation ? "synthetic-" + std::string(data.substr(generated.size())) : std::string(data));
  if (entry == nullptr) return nullptr;
  const std::string& title = models::find_model(model).title;
  for (const data::PaperResult& row : entry->results)
    if (row.model == title) return &row;
  return nullptr;
}

}  // namespace dshn::cli
