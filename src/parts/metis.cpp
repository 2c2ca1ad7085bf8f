#include "parts/metis.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"

namespace dshn::parts {
namespace {

constexpr Offset kMost = std::numeric_limits<idx_t>::max();
constexpr idx_t kPerMille = 30;  // by which METIS lets a part be heavier than the mean

/// The graph of METIS: nodes, and behind them hyperedges of two members or more, joined to their members. Nodes weigh
/// as many incidences as they have, but no more than a part should: METIS does not cope with a node that fills several.
/// Hyperedges weigh nothing.
struct Graph {
  std::vector<idx_t> begin;
  std::vector<idx_t> neighbours;
  std::vector<idx_t> weights;
  /// What it costs to have a neighbour in another part: so the volume of METIS is our traffic.
  std::vector<idx_t> sizes;
};

Graph graph_of(const Hypergraph& h, int parts) {
  const Offset heaviest = std::max<Offset>(h.incidence_count() / parts, 1);
  Graph graph;
  std::vector<idx_t> vertex(static_cast<std::size_t>(h.edge_count()), -1);
  idx_t next = h.node_count();
  for (Index e = 0; e < h.edge_count(); ++e) {
    if (h.size(e) > 1) vertex[static_cast<std::size_t>(e)] = next++;
  }
  graph.begin.push_back(0);
  for (Index v = 0; v < h.node_count(); ++v) {
    for (const Index e : h.edges_of(v)) {
      if (h.size(e) > 1) graph.neighbours.push_back(vertex[static_cast<std::size_t>(e)]);
    }
    graph.begin.push_back(static_cast<idx_t>(graph.neighbours.size()));
    graph.weights.push_back(static_cast<idx_t>(std::clamp<Offset>(h.degree(v), 1, heaviest)));
  }
  for (Index e = 0; e < h.edge_count(); ++e) {
    if (h.size(e) < 2) continue;
    graph.neighbours.insert(graph.neighbours.end(), h.members(e).begin(), h.members(e).end());
    graph.begin.push_back(static_cast<idx_t>(graph.neighbours.size()));
  }
  graph.weights.resize(static_cast<std::size_t>(next), 0);
  graph.sizes.resize(static_cast<std::size_t>(h.node_count()), 0);
  graph.sizes.resize(static_cast<std::size_t>(next), 1);
  return graph;
}

/// Nothing where METIS finds no parts.
std::optional<std::vector<std::int32_t>> parts_of(Graph& graph, Index nodes, idx_t parts, idx_t objective,
                                                  idx_t seed) {
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_OBJTYPE] = objective;
  options[METIS_OPTION_SEED] = seed;
  options[METIS_OPTION_NITER] = 20;
  options[METIS_OPTION_NCUTS] = 1;
  options[METIS_OPTION_UFACTOR] = kPerMille;
  options[METIS_OPTION_NUMBERING] = 0;
  auto vertices = static_cast<idx_t>(graph.weights.size());
  idx_t constraints = 1;
  idx_t found = 0;
  std::vector<idx_t> part(graph.weights.size(), 0);
  const int outcome = METIS_PartGraphKway(
      &vertices, &constraints, graph.begin.data(), graph.neighbours.data(), graph.weights.data(),
      graph.sizes.data(), nullptr, &parts, nullptr, nullptr, options.data(), &found, part.data());
  if (outcome == METIS_ERROR_MEMORY) throw Failure("metis: there is too little memory");
  if (outcome != METIS_OK) return {};
  return std::vector<std::int32_t>(part.begin(), part.begin() + nodes);
}

}  // namespace

bool has_metis() {
  return true;
}

void check_fits_metis(Index nodes, Index edges, Offset incidences) {
  // Each incidence is an entry of both its ends, and an isolated node weighs 1.
  if (Offset{nodes} + edges < kMost && incidences < (kMost - nodes) / 2) return;
  throw UsageError(fmt::format(
      "metis: {} nodes, {} hyperedges and {} incidences are too many for its numbers of {} bits; block takes "
      "them",
      nodes, edges, incidences, IDXTYPEWIDTH));
}

std::vector<std::vector<std::int32_t>> divide_by_metis(const Hypergraph& hypergraph, int parts,
                                                       std::uint64_t seed) {
  check_fits_metis(hypergraph.node_count(), hypergraph.edge_count(), hypergraph.incidence_count());
  // METIS draws from the C library's numbers, which all threads share.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  Graph graph = graph_of(hypergraph, parts);
  const auto drawn = static_cast<idx_t>(Random(seed).below(std::numeric_limits<std::int32_t>::max()));
  std::vector<std::vector<std::int32_t>> found;
  for (const idx_t objective : {METIS_OBJTYPE_CUT, METIS_OBJTYPE_VOL}) {
    auto part_of_node = parts_of(graph, hypergraph.node_count(), parts, objective, drawn);
    if (part_of_node) found.push_back(std::move(*part_of_node));
  }
  return found;
}

}  // namespace dshn::parts
