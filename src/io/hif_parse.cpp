#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "dshn/base/error.hpp"
#include "io/hif_document.hpp"
#include "io/json_reader.hpp"
#include "io/json_text.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kMaxUnknownKeys = 20;  // told apart in warnings
constexpr std::size_t kMaxNamed = 5;         // members of a collection
constexpr std::size_t kMaxMetadata = std::size_t{1} << 24;
constexpr std::string_view kNil = "nil";  // HyperNetX writes it where a value is missing

class HifParser {
 public:
  HifParser(ByteReader& bytes, const LoadOptions& options)
      : reader_(bytes, options.progress), document_(options) {
    document_.name = bytes.name();
    document_.format = "HIF JSON";
    if (bytes.compression() != Compression::none) {
      document_.format += fmt::format(", {}", compression_name(bytes.compression()));
    }
  }

  HifDocument parse();

 private:
  struct Fields {
    std::optional<double> weight;
    std::optional<double> attribute_weight;
    bool undirected = false;
  };

  void top_level(const std::string& key);
  void once(unsigned& seen, unsigned bit);
  void read_type(std::string_view key);
  void read_datasets();
  [[noreturn]] void reject_collection() const;

  template <typename ReadOne>
  void read_list(const char* section, ReadOne read_one);
  void read_incidence();
  void read_incidence_member(Index& edge, Index& node, Role& role, unsigned& seen);
  Index read_item(HifDocument::Items& items, std::string_view id_key, Fields& fields);
  void read_node();
  void read_edge();
  Index read_id(IdTable& ids);
  Role read_direction();
  std::optional<double> read_weight();
  void read_attributes(HifAttributes& attributes, Fields& fields);
  void read_attribute(HifAttributes& attributes, const std::string& name);
  std::optional<std::string> read_value();
  bool skip_attributes();
  bool take_null();
  void unknown_key();

  void expect(JsonKind kind, const char* what);
  std::string pointer() const;
  [[noreturn]] void reject(std::int64_t at, const std::string& reason) const {
    reader_.reject(at, pointer() + reason);
  }

  JsonReader reader_;
  HifDocument document_;
  const char* section_ = "";  // of the list being read
  std::int64_t position_ = 0;
  unsigned seen_ = 0;  // top-level keys
  bool collection_ = false;
  std::vector<std::string> datasets_;
};

enum TopLevel : unsigned {
  kIncidences = 1,
  kNodes = 2,
  kEdges = 4,
  kType = 8,
  kMetadata = 16,
  kHgxType = 32
};
enum Member : unsigned { kEdge = 1, kNode = 2, kDirection = 4, kWeight = 8, kAttributes = 16 };

std::string HifParser::pointer() const {
  return *section_ == '\0' ? "" : fmt::format("/{}/{}: ", section_, position_);
}

void HifParser::expect(JsonKind kind, const char* what) {
  const JsonKind got = reader_.kind();
  if (got != kind) {
    reject(reader_.offset(),
           fmt::format("expected {} to be {}, got {}", what, describe(kind), describe(got)));
  }
}

void HifParser::once(unsigned& seen, unsigned bit) {
  if ((seen & bit) != 0)
    reject(reader_.key_offset(), fmt::format("key '{}' appears twice", excerpt(reader_.key())));
  seen |= bit;
}

HifDocument HifParser::parse() {
  expect(JsonKind::object, "a HIF document");
  reader_.begin_object();
  while (reader_.next_key()) top_level(std::string(reader_.key()));
  const std::int64_t end = reader_.offset();
  reader_.finish();
  if (collection_) reject_collection();
  if ((seen_ & kIncidences) == 0) {
    reject(end, "the document has no 'incidences'; expected a HIF document with at least that key");
  }
  return std::move(document_);
}

void HifParser::top_level(const std::string& key) {
  if (key == "incidences") {
    once(seen_, kIncidences);
    read_list("incidences", [this] { read_incidence(); });
  } else if (key == "nodes") {
    once(seen_, kNodes);
    read_list("nodes", [this] { read_node(); });
  } else if (key == "edges") {
    once(seen_, kEdges);
    read_list("edges", [this] { read_edge(); });
  } else if (key == "network-type") {
    once(seen_, kType);
    read_type(key);
  } else if (key == "type") {
    once(seen_, kHgxType);
    read_type(key);
  } else if (key == "metadata") {
    once(seen_, kMetadata);
    expect(JsonKind::object, "'metadata'");
    document_.metadata = copy_json(reader_, kMaxMetadata);
    document_.metadata_too_long = document_.metadata.empty();
  } else if (key == "datasets") {
    read_datasets();
  } else {
    unknown_key();
  }
}

/// The key `type` is HGX's name for `network-type`, and XGI's mark of a collection.
void HifParser::read_type(std::string_view key) {
  const std::int64_t at = reader_.offset();
  expect(JsonKind::string, "the network type");
  const std::string_view value = reader_.string();
  const bool by_hgx = key == "type";
  if (by_hgx && value == "collection") {
    collection_ = true;
    return;
  }
  HifDocument::Type type = HifDocument::Type::missing;
  if (value == "undirected") type = HifDocument::Type::undirected;
  if (value == "directed") type = HifDocument::Type::directed;
  if (value == "asc") type = HifDocument::Type::complex;
  if (type == HifDocument::Type::missing) {
    reject(at, fmt::format("{} is '{}'; expected undirected, directed or asc", key, excerpt(value)));
  }
  if (document_.type != HifDocument::Type::missing && document_.type != type) {
    reject(at, "'type' and 'network-type' contradict each other");
  }
  document_.type = type;
  document_.type_by_hgx_key = document_.type_by_hgx_key || by_hgx;
}

/// Members of an XGI collection: {name: {"relative-path": file}}. Kept only for the message that names them.
void HifParser::read_datasets() {
  ++document_.unknown_keys["key 'datasets' of the document"];
  if (reader_.kind() != JsonKind::object) return reader_.skip();
  reader_.begin_object();
  while (reader_.next_key()) {
    std::string file(reader_.key());
    if (reader_.kind() == JsonKind::object) {
      reader_.begin_object();
      while (reader_.next_key()) {
        const bool is_path = reader_.key() == "relative-path";
        if (is_path && reader_.kind() == JsonKind::string) {
          file = reader_.string();
        } else {
          reader_.skip();
        }
      }
    } else {
      reader_.skip();
    }
    if (datasets_.size() <= kMaxNamed)
      datasets_.push_back(datasets_.size() < kMaxNamed ? excerpt(file) : "...");
  }
}

void HifParser::reject_collection() const {
  reader_.reject(0, fmt::format("an XGI collection, not one hypergraph; load one of its members: {}",
                                fmt::join(datasets_, ", ")));
}

template <typename ReadOne>
void HifParser::read_list(const char* section, ReadOne read_one) {
  expect(JsonKind::array, fmt::format("'{}'", section).c_str());
  section_ = section;
  reader_.begin_array();
  for (position_ = 0; reader_.next_element(); ++position_) read_one();
  section_ = "";
}

Index HifParser::read_id(IdTable& ids) {
  std::int64_t value = 0;
  if (reader_.take_integer(value)) return ids.intern(value);
  const std::int64_t at = reader_.offset();
  const JsonKind kind = reader_.kind();
  if (kind == JsonKind::string) return ids.intern(reader_.string());
  if (kind != JsonKind::number) {
    reject(at, fmt::format("expected a string or an integer as id, got {}", describe(kind)));
  }
  const JsonNumber number = reader_.number();
  switch (number.to_integer(value)) {
    case JsonNumber::Integer::fits:
      return ids.intern(value);
    case JsonNumber::Integer::no:
      break;
    case JsonNumber::Integer::too_large:
      reject(at, fmt::format("id {} does not fit 64 bits; write it as a string", excerpt(number.text)));
  }
  reject(at, fmt::format("expected a string or an integer as id, got {}", excerpt(number.text)));
}

/// null and HyperNetX's "nil" stand where a value is missing.
bool HifParser::take_null() {
  if (reader_.kind() != JsonKind::null) return false;
  reader_.null();
  ++document_.nil_values;
  return true;
}

Role HifParser::read_direction() {
  const std::int64_t at = reader_.offset();
  if (take_null()) return HifDocument::kNoRole;
  expect(JsonKind::string, "the direction");
  const std::string_view value = reader_.string();
  if (value == "tail") return Role::tail;
  if (value == "head") return Role::head;
  if (value != kNil) reject(at, fmt::format("direction is '{}'; expected head or tail", excerpt(value)));
  ++document_.nil_values;
  return HifDocument::kNoRole;
}

std::optional<double> HifParser::read_weight() {
  const std::int64_t at = reader_.offset();
  if (take_null()) return std::nullopt;
  if (reader_.kind() == JsonKind::string) {
    if (reader_.string() != kNil) reject(at, "expected the weight to be a number, got a string");
    ++document_.nil_values;
    return std::nullopt;
  }
  expect(JsonKind::number, "the weight");
  const JsonNumber number = reader_.number();
  double weight = 0;
  if (!number.to_double(weight)) {
    reject(at, fmt::format("weight {} is beyond the range of a double", excerpt(number.text)));
  }
  return weight;
}

void HifParser::read_attributes(HifAttributes& attributes, Fields& fields) {
  const bool of_edge = &attributes == &document_.edges.attributes;
  expect(JsonKind::object, "'attrs'");
  reader_.begin_object();
  while (reader_.next_key()) {
    const std::string key(reader_.key());
    const JsonKind kind = reader_.kind();
    double weight = 0;
    if (of_edge && key == "undirected" && kind == JsonKind::boolean) {
      fields.undirected = reader_.boolean();
    } else if (of_edge && key == "weight" && kind == JsonKind::number && !attributes.wants(key)) {
      if (reader_.number().to_double(weight))
        fields.attribute_weight = weight;
      else
        attributes.leave_out(key);
    } else {
      read_attribute(attributes, key);
    }
  }
}

void HifParser::read_attribute(HifAttributes& attributes, const std::string& name) {
  if (!attributes.wants(name)) {
    attributes.leave_out(name);
    reader_.skip();
  } else if (const auto value = read_value()) {
    attributes.add(name, *value);
  } else {
    attributes.leave_out(name);
  }
}

/// A scalar as text, empty where it is missing; nothing for a list or an object.
std::optional<std::string> HifParser::read_value() {
  switch (reader_.kind()) {
    case JsonKind::null:
      take_null();
      return "";
    case JsonKind::boolean:
      return reader_.boolean() ? "true" : "false";
    case JsonKind::string: {
      const std::string_view text = reader_.string();
      if (text != kNil) return std::string(text);
      ++document_.nil_values;
      return "";
    }
    case JsonKind::number: {
      const JsonNumber number = reader_.number();
      std::int64_t whole = 0;
      if (number.to_integer(whole) == JsonNumber::Integer::fits) return std::to_string(whole);
      return std::string(number.text);
    }
    default:
      reader_.skip();
      return std::nullopt;
  }
}

/// True if there are any.
bool HifParser::skip_attributes() {
  expect(JsonKind::object, "'attrs'");
  bool any = false;
  reader_.begin_object();
  for (; reader_.next_key(); any = true) reader_.skip();
  return any;
}

void HifParser::unknown_key() {
  const std::string where = *section_ == '\0' ? "the document" : section_;
  std::string line = fmt::format("key '{}' of {}", excerpt(reader_.key()), where);
  auto& keys = document_.unknown_keys;
  if (keys.size() >= kMaxUnknownKeys && !keys.contains(line)) line = "further keys";
  ++keys[line];
  reader_.skip();
}

Index HifParser::read_item(HifDocument::Items& items, std::string_view id_key, Fields& fields) {
  const std::int64_t at = reader_.offset();
  expect(JsonKind::object, "an entry");
  Index item = -1;
  unsigned seen = 0;
  reader_.begin_object();
  while (reader_.next_key()) {
    const std::string_view key = reader_.key();
    if (key == id_key) {
      once(seen, kNode);
      item = read_id(items.ids);
    } else if (key == "weight") {
      once(seen, kWeight);
      fields.weight = read_weight();
    } else if (key == "attrs") {
      once(seen, kAttributes);
      read_attributes(items.attributes, fields);
    } else {
      unknown_key();
    }
  }
  if (item < 0) reject(at, fmt::format("the entry has no '{}'", id_key));
  items.listed.push_back(item);
  items.attributes.end_entry(item, position_);
  return item;
}

void HifParser::read_node() {
  Fields fields;
  (void)read_item(document_.nodes, "node", fields);
  if (fields.weight.value_or(1.0) != 1.0) ++document_.node_weights;
}

void HifParser::read_edge() {
  const std::int64_t at = reader_.offset();
  Fields fields;
  const Index edge = read_item(document_.edges, "edge", fields);
  if (fields.undirected) document_.undirected_edges.push_back(edge);
  if (!fields.weight && fields.attribute_weight) {
    fields.weight = fields.attribute_weight;
    ++document_.weights_from_attributes;
  }
  if (!fields.weight) return;
  if (!(std::isfinite(*fields.weight) && *fields.weight > 0)) {
    reject(at, fmt::format("hyperedge {} has weight {}; expected a finite number above 0",
                           document_.edges.ids.quoted(edge), *fields.weight));
  }
  document_.edge_weights.emplace_back(edge, *fields.weight);
}

void HifParser::read_incidence() {
  const std::int64_t at = reader_.offset();
  if (reader_.kind() != JsonKind::object) expect(JsonKind::object, "an incidence");
  Index edge = -1;
  Index node = -1;
  Role role = HifDocument::kNoRole;
  unsigned seen = 0;
  reader_.begin_object();
  while (reader_.next_key()) read_incidence_member(edge, node, role, seen);
  if (edge < 0 || node < 0) {
    reject(at, fmt::format("the incidence has no '{}'", edge < 0 ? "edge" : "node"));
  }
  if (role == HifDocument::kNoRole && document_.first_without_role < 0) {
    document_.first_without_role = position_;
    document_.first_without_role_byte = at;
  }
  document_.edge.push_back(edge);
  document_.node.push_back(node);
  document_.role.push_back(role);
}

void HifParser::read_incidence_member(Index& edge, Index& node, Role& role, unsigned& seen) {
  const std::string_view key = reader_.key();
  if (key == "edge") {
    once(seen, kEdge);
    edge = read_id(document_.edges.ids);
  } else if (key == "node") {
    once(seen, kNode);
    node = read_id(document_.nodes.ids);
  } else if (key == "direction") {
    once(seen, kDirection);
    role = read_direction();
  } else if (key == "weight") {
    once(seen, kWeight);
    if (const double weight = read_weight().value_or(1.0); weight != 1.0) {
      ++document_.incidence_weights;
      document_.weight.resize(document_.edge.size(), 1.0);
      document_.weight.push_back(weight);
    }
  } else if (key == "attrs") {
    once(seen, kAttributes);
    if (skip_attributes()) ++document_.incidence_attributes;
  } else {
    unknown_key();
  }
}

}  // namespace

HifDocument parse_hif(ByteReader& bytes, const LoadOptions& options) {
  return HifParser(bytes, options).parse();
}

}  // namespace dshn::io
