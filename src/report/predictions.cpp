#include <fmt/format.h>

#include <unordered_map>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/io/table.hpp"
#include "dshn/report/run_folder.hpp"

namespace dshn::report {
namespace {

/// The columns before the probabilities, of which there is one for each class.
constexpr std::size_t kBefore = 4;

/// Says which class a field names. Classes without words have the columns p0, p1, ... and are numbers; the others
/// have p_WORD and are words. Nothing stands for a label that is not known; -1, in a run of version 0.1.
class ClassReader {
 public:
  explicit ClassReader(const std::vector<io::Field>& header)
      : count_(static_cast<std::int32_t>(header.size() - kBefore)) {
    for (std::int32_t c = 0; c < count_; ++c) {
      const std::string_view column = header[kBefore + c].text;
      numbered_ = numbered_ && column == fmt::format("p{}", c);
      worded_ = worded_ && column.starts_with("p_") && places_.emplace(column.substr(2), c).second;
      if (worded_) words_.emplace_back(column.substr(2));
    }
  }

  bool usable() const { return numbered_ || worded_; }
  std::vector<std::string> words() const { return numbered_ ? std::vector<std::string>{} : words_; }

  /// Whether the field is a class, or none and that is allowed.
  bool read(const io::Field& field, bool may_lack, std::int32_t& place) const {
    place = -1;
    if (field.text.empty() || (numbered_ && field.text == "-1")) return may_lack;
    if (numbered_) return io::parse_number(field.text, place) && place >= 0 && place < count_;
    const auto found = places_.find(std::string(field.text));
    if (found == places_.end()) return false;
    place = found->second;
    return true;
  }

 private:
  std::int32_t count_;
  bool numbered_ = true;
  bool worded_ = true;
  std::unordered_map<std::string, std::int32_t> places_;
  std::vector<std::string> words_;
};

bool is_header(const io::TableRow* row) {
  return row != nullptr && row->fields.size() > kBefore && row->fields[0].text == "id" &&
         row->fields[1].text == "part" && row->fields[2].text == "label" &&
         row->fields[3].text == "predicted";
}

}  // namespace

Predictions read_predictions(const std::filesystem::path& folder) {
  io::Table table(folder / io::kPredictionsFile, {}, {.delimiter = ',', .comments = false});
  const io::TableRow* row = table.next();
  if (!is_header(row)) table.fail(1, "expected the columns id,part,label,predicted,p_CLASS,...");
  const std::size_t columns = row->fields.size();
  const ClassReader classes(row->fields);
  if (!classes.usable())
    table.fail(1, "expected a column p_CLASS for each class after id,part,label,predicted");
  Predictions result;
  result.class_names = classes.words();
  while ((row = table.next()) != nullptr) {
    const auto& fields = row->fields;
    std::int32_t label = 0;
    std::int32_t predicted = 0;
    float confidence = 0;
    if (fields.size() != columns || !classes.read(fields[2], /*may_lack=*/true, label) ||
        !classes.read(fields[3], /*may_lack=*/false, predicted) ||
        !io::parse_number(fields[kBefore + predicted].text, confidence))
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
