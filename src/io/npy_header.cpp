#include <fmt/format.h>

#include <limits>
#include <optional>

#include "io/npy_codec.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kMostAxes = 64;  // NumPy's own limit

/// A cursor over the text of the dictionary.
class HeaderParser {
 public:
  HeaderParser(const std::string& text, const ByteSource& source, std::uint64_t begin)
      : text_(text), source_(source), begin_(begin) {}

  NpyHeader parse() {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        descr = dtype();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        fail(fmt::format("unexpected key '{}'", key));
      }
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail("expected the end of the header");
    if (!descr || !fortran_order || !shape) fail("descr, fortran_order and shape must all be given");
    return {*descr, *fortran_order, *shape};
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    source_.fail_at(begin_ + at_, "malformed .npy header: " + message);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c));
  }

  std::string string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("expected a quoted string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string::npos) fail("a string is not closed");
    std::string value = text_.substr(at_ + 1, end - at_ - 1);
    if (value.find_first_of("\\\n") != std::string::npos) fail("a string has an escape or a line break");
    at_ = end + 1;
    return value;
  }

  std::string dtype() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      fail("structured arrays are not supported; save each field as an array of its own");
    }
    return string();
  }

  bool boolean() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string word = value ? "True" : "False";
      if (text_.compare(at_, word.size(), word) != 0) continue;
      at_ += word.size();
      return value;
    }
    fail("expected True or False");
  }

  std::int64_t integer() {
    skip_space();
    const std::size_t begin = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const int digit = text_[at_] - '0';
      if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10)
        fail("a dimension is beyond 2^63 - 1");
      value = value * 10 + digit;
    }
    if (at_ == begin) fail("expected a dimension, a whole number that is not negative");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // long integers of Python 2
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!take(')')) {
      if (shape.size() == kMostAxes) fail(fmt::format("more than {} dimensions", kMostAxes));
      shape.push_back(integer());
      if (take(',')) continue;
      if (shape.size() == 1) fail("expected ',' after the only dimension");
      expect(')');
      break;
    }
    return shape;
  }

  const std::string& text_;
  const ByteSource& source_;
  std::uint64_t begin_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(const std::string& text, const ByteSource& source, std::uint64_t begin) {
  return HeaderParser(text, source, begin).parse();
}

}  // namespace dshn::io
