#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/table.hpp"
#include "io/byte_stream.hpp"
#include "io/text.hpp"

namespace dshn::io {
namespace {

/// Readers accept "#% nodes N" up to here, so that a short file cannot ask for gigabytes.
constexpr Index kMostNamedRange = Index{1} << 24;

class HyperedgeListWriter {
 public:
  HyperedgeListWriter(const Hypergraph& hypergraph, ByteWriter& out, char delimiter)
      : hypergraph_(hypergraph), out_(out), delimiter_(delimiter) {
    for (Index e = 0; e < hypergraph.edge_count(); ++e)
      has_heads_ = has_heads_ || !hypergraph.head(e).empty();
  }

  void write() {
    out_.write("#% dshn hyperedge list 1\n");
    declare("node", hypergraph_.node_names(), hypergraph_.node_count(), false);
    declare("hyperedge", hypergraph_.edge_names(), hypergraph_.edge_count(), hypergraph_.weighted());
    std::string line = fmt::format("hyperedge{}node", delimiter_);
    if (has_heads_) line += fmt::format("{}role", delimiter_);
    if (hypergraph_.weighted()) line += fmt::format("{}weight", delimiter_);
    out_.write(line + '\n');
    for (Index e = 0; e < hypergraph_.edge_count(); ++e) rows(e);
  }

 private:
  static std::string field(const Name& name, char delimiter) {
    if (name.text.find('\0') != std::string::npos) {
      throw InvalidInput("a name has a zero byte, which a text file cannot hold; write HIF instead");
    }
    return csv_field(name.text, name.is_integer, delimiter);
  }

  void declare(const char* what, const Names& names, Index count, bool weighted) {
    const bool range = names.implicit() && count <= kMostNamedRange;
    if (range) out_.write(fmt::format("#% {}s {}\n", what, count));
    for (Index i = 0; i < count; ++i) {
      // The weight of an empty hyperedge has no row to stand in.
      const bool alone = weighted && hypergraph_.size(i) == 0;
      const std::string weight = alone ? fmt::format(" {}", hypergraph_.weight(i)) : "";
      if (range && weight.empty()) continue;
      out_.write(fmt::format("#% {} {}{}\n", what, field(names[i], ' '), weight));
    }
  }

  void rows(Index e) {
    const std::string edge = field(hypergraph_.edge_names()[e], delimiter_);
    const std::string weight =
        hypergraph_.weighted() ? fmt::format("{}{}", delimiter_, hypergraph_.weight(e)) : "";
    for (Offset i = hypergraph_.edge_ptr()[e]; i < hypergraph_.edge_ptr()[e + 1]; ++i) {
      const std::string node = field(hypergraph_.node_names()[hypergraph_.member_nodes()[i]], delimiter_);
      std::string role;
      if (has_heads_) role = delimiter_ + std::string(hypergraph_.role(e, i) == Role::tail ? "tail" : "head");
      out_.write(fmt::format("{}{}{}{}{}\n", edge, delimiter_, node, role, weight));
    }
  }

  const Hypergraph& hypergraph_;
  ByteWriter& out_;
  char delimiter_;
  bool has_heads_ = false;
};

}  // namespace

void write_hyperedge_list(const Hypergraph& hypergraph, const std::filesystem::path& path) {
  ByteWriter out(path);
  HyperedgeListWriter(hypergraph, out, extension_of(path) == ".csv" ? ',' : '\t').write();
  out.commit();
}

Format hyperedge_list_format() {
  return {.name = "hyperedge-list",
          .title = "hyperedge list",
          .extensions = {".tsv", ".csv", ".txt"},
          .compressible = true,
          .recognised_by = "any other text",
          .section = "text",
          .recognise = [](const Candidate& candidate) { return candidate.text(); },
          .read = read_text,
          .write =
              [](const Loaded& loaded, const std::filesystem::path& path) {
                write_hyperedge_list(loaded.hypergraph, path);
                std::vector<std::string> left_out;
                for (const auto& [name, array] : loaded.arrays) left_out.push_back(name);
                if (!loaded.metadata.empty()) left_out.emplace_back("metadata");
                return left_out;
              }};
}

}  // namespace dshn::io
