#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/io/hif.hpp"
#include "io/json_reader.hpp"
#include "io/json_text.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 17;

/// Names as JSON values, encoded once: a name is written with each of its incidences.
class EncodedNames {
 public:
  EncodedNames(const Names& names, Index count, const char* what) : implicit_(names.implicit()) {
    if (implicit_) return;
    ptr_.reserve(static_cast<std::size_t>(count) + 1);
    ptr_.push_back(0);
    for (Index i = 0; i < count; ++i) {
      append(names[i], what);
      ptr_.push_back(text_.size());
    }
  }

  void write(std::string& out, Index i) const {
    if (implicit_) {
      const fmt::format_int text(i);
      out.append(text.data(), text.size());
    } else {
      out.append(text_, ptr_[i], ptr_[i + 1] - ptr_[i]);
    }
  }

 private:
  void append(const Name& name, const char* what) {
    if (name.is_integer) {
      std::int64_t value = 0;
      const char* end = name.text.data() + name.text.size();
      const auto parsed = std::from_chars(name.text.data(), end, value);
      if (parsed.ec != std::errc() || parsed.ptr != end || std::to_string(value) != name.text) {
        throw InvalidInput(fmt::format("{} name {} is marked as an integer and is none", what, name.text));
      }
      text_ += name.text;
      return;
    }
    if (const std::size_t bad = find_invalid_utf8(name.text); bad != std::string_view::npos) {
      throw InvalidInput(
          fmt::format("the name of a {} that starts with '{}' is not UTF-8; HIF cannot hold it", what,
                      name.text.substr(0, bad)));
    }
    append_json_string(text_, name.text);
  }

  bool implicit_;
  std::string text_;
  std::vector<std::size_t> ptr_;
};

class HifWriter {
 public:
  HifWriter(const Hypergraph& hypergraph, const std::filesystem::path& path, const HifWriteOptions& options)
      : hypergraph_(hypergraph),
        options_(options),
        directed_(hypergraph.has_directed_edges()),
        nodes_(hypergraph.node_names(), hypergraph.node_count(), "node"),
        edges_(hypergraph.edge_names(), hypergraph.edge_count(), "hyperedge"),
        file_(path) {
    text_.reserve(2 * kPieceBytes);
  }

  void write() {
    text_ += directed_ ? R"({"network-type":"directed")" : R"({"network-type":"undirected")";
    if (!options_.metadata.empty()) text_ += R"(,"metadata":)" + options_.metadata;
    text_ += R"(,"nodes":[)";
    for (Index v = 0; v < hypergraph_.node_count(); ++v) write_node(v);
    text_ += R"(],"edges":[)";
    for (Index e = 0; e < hypergraph_.edge_count(); ++e) write_edge(e);
    text_ += R"(],"incidences":[)";
    first_ = true;
    for (Index e = 0; e < hypergraph_.edge_count(); ++e) write_incidences(e);
    text_ += "]}\n";
    file_.write(text_);
    file_.commit();
  }

 private:
  void begin_entry(bool first) {
    if (!first) text_ += ',';
    if (text_.size() < kPieceBytes) return;
    file_.write(text_);
    text_.clear();
  }

  bool has_label(std::span<const std::int64_t> labels, Index item) const {
    return !labels.empty() && (options_.class_names.empty() || labels[item] >= 0);
  }

  void write_label(std::int64_t label) {
    text_ += R"("label":)";
    if (options_.class_names.empty())
      text_ += std::to_string(label);
    else
      append_json_string(text_, options_.class_names[label]);
  }

  void write_node(Index v) {
    begin_entry(v == 0);
    text_ += R"({"node":)";
    nodes_.write(text_, v);
    if (has_label(options_.node_labels, v)) {
      text_ += R"(,"attrs":{)";
      write_label(options_.node_labels[v]);
      text_ += '}';
    }
    text_ += '}';
  }

  void write_weight(double weight) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, weight).ptr;
    text_ += R"(,"weight":)";
    text_.append(digits, end);
  }

  void write_edge(Index e) {
    begin_entry(e == 0);
    text_ += R"({"edge":)";
    edges_.write(text_, e);
    if (hypergraph_.weighted()) write_weight(hypergraph_.weight(e));
    const bool undirected = directed_ && !hypergraph_.is_directed(e);
    const bool labelled = has_label(options_.edge_labels, e);
    if (undirected || labelled) {
      text_ += R"(,"attrs":{)";
      if (undirected) text_ += R"("undirected":true)";
      if (undirected && labelled) text_ += ',';
      if (labelled) write_label(options_.edge_labels[e]);
      text_ += '}';
    }
    text_ += '}';
  }

  void write_incidences(Index e) {
    const bool directed = hypergraph_.is_directed(e);
    const Offset begin = hypergraph_.edge_ptr()[e];
    const Offset end = hypergraph_.edge_ptr()[e + 1];
    for (Offset i = begin; i < end; ++i) {
      begin_entry(first_);
      first_ = false;
      text_ += R"({"edge":)";
      edges_.write(text_, e);
      text_ += R"(,"node":)";
      nodes_.write(text_, hypergraph_.member_nodes()[i]);
      if (hypergraph_.incidence_weight(i) != 1.0) write_weight(hypergraph_.incidence_weight(i));
      if (directed_) {
        const bool head = directed && hypergraph_.role(e, i) == Role::head;
        text_ += head ? R"(,"direction":"head")" : R"(,"direction":"tail")";
      }
      text_ += '}';
    }
  }

  const Hypergraph& hypergraph_;
  const HifWriteOptions& options_;
  bool directed_;
  bool first_ = true;
  EncodedNames nodes_;
  EncodedNames edges_;
  ByteWriter file_;
  std::string text_;
};

void check_options(const Hypergraph& hypergraph, const HifWriteOptions& options) {
  const auto check = [](std::size_t labels, Index items, const char* what) {
    if (labels == 0 || labels == static_cast<std::size_t>(items)) return;
    throw UsageError(fmt::format("{} labels for {} {}; give one each, or none", labels, items, what));
  };
  check(options.node_labels.size(), hypergraph.node_count(), "nodes");
  check(options.edge_labels.size(), hypergraph.edge_count(), "hyperedges");
  const auto named = static_cast<std::int64_t>(options.class_names.size());
  for (const auto labels : {options.node_labels, options.edge_labels}) {
    if (named > 0 && std::ranges::any_of(labels, [&](std::int64_t label) { return label >= named; }))
      throw UsageError(fmt::format("a label above the {} names of classes", named));
  }
  if (options.metadata.empty()) return;
  try {
    const auto bytes = view_bytes(options.metadata, "metadata");
    JsonReader reader(*bytes);
    reader.begin_object();
    while (reader.next_key()) reader.skip();
    reader.finish();
  } catch (const InvalidInput& error) {
    throw UsageError(fmt::format("the metadata of a HIF file must be a JSON object: {}", error.what()));
  }
}

}  // namespace

void write_hif(const Hypergraph& hypergraph, const std::filesystem::path& path,
               const HifWriteOptions& options) {
  check_options(hypergraph, options);
  HifWriter(hypergraph, path, options).write();
}

}  // namespace dshn::io
