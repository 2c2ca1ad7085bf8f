#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "dshn/base/error.hpp"
#include "dshn/report/run_folder.hpp"
#include "report/read_file.hpp"

namespace dshn::report {
namespace {

/// Records of a CSV file (RFC 4180: a quoted field may hold commas, quotes and line breaks).
class CsvRecords {
 public:
  explicit CsvRecords(std::string_view text) : text_(text) {}

  bool next(std::vector<std::string>& fields) {
    fields.clear();
    if (at_ >= text_.size()) return false;
    ++number_;
    do fields.push_back(field());
    while (take(','));
    take('\r');
    take('\n');
    return true;
  }
  int number() const { return number_; }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string field() {
    if (!take('"')) {
      const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
      const std::string_view plain = text_.substr(at_, end - at_);
      at_ = end;
      return std::string(plain);
    }
    std::string value;
    while (at_ < text_.size()) {
      if (text_[at_] == '"' && !(++at_ < text_.size() && text_[at_] == '"')) break;
      value += text_[at_++];
    }
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int number_ = 0;
};

template <typename T>
bool parse_number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Predictions read_predictions(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "predictions.csv";
  const std::string text = read_whole(path);
  CsvRecords records(text);
  std::vector<std::string> fields;
  const auto fail = [&](const char* what) {
    throw InvalidInput(fmt::format("{}: record {}: {}", path.string(), records.number(), what));
  };
  constexpr std::size_t kBeforeProbabilities = 4;
  if (!records.next(fields) || fields.size() <= kBeforeProbabilities || fields[0] != "id" ||
      fields[1] != "part" || fields[2] != "label" || fields[3] != "predicted")
    fail("expected the columns id,part,label,predicted,p0,...");
  const std::size_t columns = fields.size();
  Predictions result;
  while (records.next(fields)) {
    std::int32_t label = 0;
    std::int32_t predicted = 0;
    float confidence = 0;
    if (fields.size() != columns || !parse_number(fields[2], label) || !parse_number(fields[3], predicted) ||
        predicted < 0 || kBeforeProbabilities + predicted >= columns ||
        !parse_number(fields[kBeforeProbabilities + predicted], confidence))
      fail("expected an id, a part, two classes and their probabilities");
    result.id.push_back(std::move(fields[0]));
    result.part.push_back(std::move(fields[1]));
    result.label.push_back(label);
    result.predicted.push_back(predicted);
    result.confidence.push_back(confidence);
  }
  return result;
}

}  // namespace dshn::report
