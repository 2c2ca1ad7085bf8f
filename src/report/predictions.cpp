#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/io/table.hpp"
#include "dshn/report/run_folder.hpp"

namespace dshn::report {

Predictions read_predictions(const std::filesystem::path& folder) {
  constexpr std::size_t kBeforeProbabilities = 4;
  io::Table table(folder / io::kPredictionsFile, {}, {.delimiter = ',', .comments = false});
  const io::TableRow* row = table.next();
  if (row == nullptr || row->fields.size() <= kBeforeProbabilities || row->fields[0].text != "id" ||
      row->fields[1].text != "part" || row->fields[2].text != "label" || row->fields[3].text != "predicted")
    table.fail(1, "expected the columns id,part,label,predicted,p0,...");
  const std::size_t columns = row->fields.size();
  Predictions result;
  while ((row = table.next()) != nullptr) {
    const auto& fields = row->fields;
    std::int32_t label = 0;
    std::int32_t predicted = 0;
    float confidence = 0;
    if (fields.size() != columns || !io::parse_number(fields[2].text, label) ||
        !io::parse_number(fields[3].text, predicted) || predicted < 0 ||
        kBeforeProbabilities + predicted >= columns ||
        !io::parse_number(fields[kBeforeProbabilities + predicted].text, confidence))
      table.fail(row->line, "expected an id, a part, two classes and their probabilities");
    result.id.emplace_back(fields[0].text);
    result.part.emplace_back(fields[1].text);
    result.label.push_back(label);
    result.predicted.push_back(predicted);
    result.confidence.push_back(confidence);
  }
  return result;
}

}  // namespace dshn::report
