#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "io/hif_document.hpp"
#include "io/json_reader.hpp"
#include "io/json_text.hpp"

namespace dshn::io {
namespace {

/// A key as a part of a JSON pointer (RFC 6901, section 3).
std::string pointer_part(std::string_view key) {
  std::string part = "/";
  for (const char c : key) {
    if (c == '~') {
      part += "~0";
    } else if (c == '/') {
      part += "~1";
    } else {
      part += c;
    }
  }
  return part;
}

/// Walks the document by the rules of the schema, version 0.1. Where a value is not what it should be, that
/// is reported and the value skipped, so that one mistake does not hide the next.
class HifValidator {
 public:
  HifValidator(ByteReader& bytes, const Progress& progress) : reader_(bytes, progress) {}

  std::vector<HifViolation> validate() {
    try {
      document();
      reader_.finish();
    } catch (const JsonSyntaxError& error) {
      violation(error.offset(), "not JSON: " + error.reason());
    }
    return std::move(violations_);
  }

 private:
  enum class List : std::uint8_t { nodes, edges, incidences };
  enum Key : unsigned { kEdge = 1, kNode = 2, kWeight = 4, kAttrs = 8, kDirection = 16 };
  enum TopKey : unsigned { kNodes = 1, kEdges = 2, kIncidences = 4, kNetworkType = 8, kMetadata = 16 };

  /// Where the walk is, and so where a violation lies.
  std::string pointer() const {
    std::string text = section_;
    if (entry_ >= 0) text += fmt::format("/{}", entry_);
    return text + member_;
  }
  void violation(std::int64_t offset, std::string message) {
    violations_.push_back({offset, pointer(), std::move(message)});
  }

  /// True if a value of this kind comes; reports and skips any other.
  bool require(JsonKind kind) {
    const JsonKind got = reader_.kind();
    if (got == kind) return true;
    violation(reader_.offset(), fmt::format("expected {}, got {}", describe(kind), describe(got)));
    reader_.skip();
    return false;
  }

  void once(unsigned& seen, unsigned bit) {
    if ((seen & bit) != 0) violation(reader_.key_offset(), "key appears twice");
    seen |= bit;
  }

  void document();
  void top_level_member(unsigned& seen);
  void list(List which);
  void entry(List which);
  void entry_member(List which, unsigned& seen);
  void id();
  void choice(std::string_view first, std::string_view second, std::string_view third);

  JsonReader reader_;
  std::vector<HifViolation> violations_;
  std::string section_;      // "/nodes", or "" at the top level
  std::int64_t entry_ = -1;  // position in the list, or -1
  std::string member_;       // "/weight", or ""
};

void HifValidator::document() {
  const std::int64_t at = reader_.offset();
  if (!require(JsonKind::object)) return;
  unsigned seen = 0;
  reader_.begin_object();
  while (reader_.next_key()) {
    section_ = pointer_part(reader_.key());
    top_level_member(seen);
    section_.clear();
  }
  if ((seen & kIncidences) == 0) violation(at, "required key 'incidences' is missing");
}

void HifValidator::top_level_member(unsigned& seen) {
  const std::string_view key = reader_.key();
  if (key == "incidences") {
    once(seen, kIncidences);
    list(List::incidences);
  } else if (key == "nodes") {
    once(seen, kNodes);
    list(List::nodes);
  } else if (key == "edges") {
    once(seen, kEdges);
    list(List::edges);
  } else if (key == "network-type") {
    once(seen, kNetworkType);
    choice("undirected", "directed", "asc");
  } else if (key == "metadata") {
    once(seen, kMetadata);
    if (require(JsonKind::object)) reader_.skip();
  } else {
    violation(reader_.key_offset(),
              "unknown key; expected network-type, metadata, nodes, edges or incidences");
    reader_.skip();
  }
}

void HifValidator::list(List which) {
  if (!require(JsonKind::array)) return;
  reader_.begin_array();
  for (entry_ = 0; reader_.next_element(); ++entry_) entry(which);
  entry_ = -1;
}

void HifValidator::entry(List which) {
  const std::int64_t at = reader_.offset();
  if (!require(JsonKind::object)) return;
  unsigned seen = 0;
  reader_.begin_object();
  while (reader_.next_key()) {
    entry_member(which, seen);
    member_.clear();
  }
  if (which != List::nodes && (seen & kEdge) == 0) violation(at, "required key 'edge' is missing");
  if (which != List::edges && (seen & kNode) == 0) violation(at, "required key 'node' is missing");
}

void HifValidator::entry_member(List which, unsigned& seen) {
  const std::string_view key = reader_.key();
  member_ = pointer_part(key);
  if (key == "edge" && which != List::nodes) {
    once(seen, kEdge);
    id();
  } else if (key == "node" && which != List::edges) {
    once(seen, kNode);
    id();
  } else if (key == "weight") {
    once(seen, kWeight);
    if (require(JsonKind::number)) reader_.skip();
  } else if (key == "attrs") {
    once(seen, kAttrs);
    if (require(JsonKind::object)) reader_.skip();
  } else if (key == "direction" && which == List::incidences) {
    once(seen, kDirection);
    choice("head", "tail", "");
  } else {
    violation(reader_.key_offset(), "unknown key");
    reader_.skip();
  }
}

void HifValidator::id() {
  std::int64_t value = 0;
  if (reader_.take_integer(value)) return;
  const std::int64_t at = reader_.offset();
  const JsonKind kind = reader_.kind();
  if (kind == JsonKind::string) return reader_.skip();
  std::string got = describe(kind);
  if (kind == JsonKind::number) {
    const JsonNumber number = reader_.number();
    if (number.to_integer(value) != JsonNumber::Integer::no) return;
    got = excerpt(number.text);
  } else {
    reader_.skip();
  }
  violation(at, fmt::format("expected a string or an integer, got {}", got));
}

void HifValidator::choice(std::string_view first, std::string_view second, std::string_view third) {
  const std::int64_t at = reader_.offset();
  if (!require(JsonKind::string)) return;
  const std::string_view got = reader_.string();
  if (got == first || got == second || (!third.empty() && got == third)) return;
  const std::string last = third.empty() ? fmt::format("{} or {}", first, second)
                                         : fmt::format("{}, {} or {}", first, second, third);
  violation(at, fmt::format("expected {}, got '{}'", last, excerpt(got)));
}

}  // namespace

std::vector<HifViolation> validate_hif(ByteReader& bytes, const Progress& progress) {
  return HifValidator(bytes, progress).validate();
}

std::vector<HifViolation> validate_hif(const std::filesystem::path& path, const Progress& progress) {
  return validate_hif(*open_bytes(path), progress);
}

}  // namespace dshn::io
