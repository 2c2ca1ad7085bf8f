#include "dshn/io/hif.hpp"

#include "dshn/base/error.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"
#include "io/hif_document.hpp"

namespace dshn::fuzz::hif {
namespace {

std::vector<std::string> valid() {
  io::write_hif(mixed_hypergraph(), scratch() / "mixed.json", {.metadata = R"({"name": "m"})"});
  io::write_hif(plain_hypergraph(), scratch() / "plain.json");
  return {
      content_of(scratch() / "mixed.json"), content_of(scratch() / "plain.json"),
      R"({"incidences": [{"edge": 0, "node": "a", "weight": 2}, {"edge": 0, "node": "b"}]})",
      R"({"network-type": "asc", "incidences": [{"edge": "x", "node": 1.0}], "nodes": [{"node": 1, "attrs":)"
      R"( {"label": "l", "n": 2.5}}], "edges": [{"edge": "x", "weight": 0.5, "attrs": {"weight": 1}}]})"};
}

std::vector<std::string> malformed() {
  return {"",
          "[]",
          "{}",
          R"({"incidences": [{"edge": 0}]})",
          R"({"incidences": [{"edge": 0, "node": 1e30}]})",
          R"({"network-type": "directed", "incidences": [{"edge": 0, "node": 0}]})",
          R"({"network-type": "directed", "incidences": [{"edge": 0, "node": 0, "direction": "up"}]})"};
}

/// An undirected hyperedge of heads is written as one of tails.
bool is_kept(const Hypergraph& h) {
  for (Index e = 0; e < h.edge_count(); ++e)
    if (h.tail(e).empty() && !h.head(e).empty()) return false;
  return true;
}

void read(std::string_view bytes) {
  const auto of_schema = io::view_bytes(bytes, "file");
  static_cast<void>(io::validate_hif(*of_schema));
  io::LoadOptions options;
  options.node_attributes.all = true;
  const auto source = io::view_bytes(bytes, "file");
  const io::Loaded loaded = io::read_hif(*source, options);
  const std::filesystem::path copy = scratch() / "copy.json";
  io::write_hif(loaded.hypergraph, copy, {.metadata = loaded.metadata});
  const io::Loaded again = io::read_hif(copy);
  require(again.hypergraph == loaded.hypergraph || !is_kept(loaded.hypergraph),
          "what is written is read again");
  require(again.metadata == loaded.metadata, "metadata are kept");
  require(io::validate_hif(copy).empty(), "what is written is strict HIF");
}

}  // namespace

Target target() {
  return {"hif", valid, malformed, read};
}

}  // namespace dshn::fuzz::hif
