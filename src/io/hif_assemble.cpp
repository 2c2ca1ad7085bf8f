#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/io/data_files.hpp"
#include "io/hif_document.hpp"
#include "io/weight_remarks.hpp"

namespace dshn::io {
namespace {

constexpr Offset kGrain = 1 << 16;
using Type = HifDocument::Type;

class Assembler {
 public:
  Assembler(HifDocument document, const LoadOptions& options)
      : document_(std::move(document)), options_(options) {}

  Loaded assemble();

 private:
  void decide_type();
  void decide_roles();
  void apply_undirected(const std::vector<bool>& undirected);
  std::vector<bool> marked_undirected() const;
  [[noreturn]] void reject_missing_direction(std::size_t incidence) const;
  std::vector<double> edge_weights(const std::vector<Index>& new_id) const;
  ItemTable attributes(HifDocument::Items& items, const std::vector<Index>& new_id, const char* array,
                       const char* what);
  void renumber(std::vector<Index>& ids, const std::vector<Index>& new_id) const;
  void decide_weights();
  void build(HypergraphExtras extras);
  void warn_unused();

  void warn(std::string line) { loaded_.warnings.push_back(std::move(line)); }
  void warn_count(std::int64_t count, const char* format) {
    if (count > 0) warn(fmt::format(fmt::runtime(format), count));
  }

  HifDocument document_;
  const LoadOptions& options_;
  Loaded loaded_;
};

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> new_id(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) new_id[order[i]] = static_cast<Index>(i);
  return new_id;
}

void Assembler::decide_type() {
  const auto& roles = document_.role;
  const auto directions =
      std::count_if(roles.begin(), roles.end(), [](Role r) { return r != HifDocument::kNoRole; });
  if (document_.type_by_hgx_key) warn("the key 'type' was read as 'network-type'");
  if (document_.type == Type::complex) {
    warn("network-type is asc: read as the hyperedges it lists; faces that it implies were not added");
  }
  if (document_.type == Type::missing) {
    document_.type = directions > 0 ? Type::directed : Type::undirected;
    warn_count(directions, "no network-type: read as directed, because {} incidences have a direction");
  }
  if (document_.type == Type::directed) return;
  warn_count(directions, "network-type is not directed: the direction of {} incidences was ignored");
  document_.role.clear();
}

std::vector<bool> Assembler::marked_undirected() const {
  std::vector<bool> undirected(document_.edges.ids.size());
  for (const Index e : document_.undirected_edges) undirected[e] = true;
  return undirected;
}

void Assembler::apply_undirected(const std::vector<bool>& undirected) {
  std::int64_t heads = 0;
  for (std::size_t i = 0; i < document_.role.size(); ++i) {
    if (!undirected[document_.edge[i]]) continue;
    heads += document_.role[i] == Role::head ? 1 : 0;
    document_.role[i] = Role::tail;
  }
  warn_count(heads, "{} head incidences belong to undirected hyperedges and were read as plain members");
}

/// Every incidence of a directed file gets a role.
void Assembler::decide_roles() {
  if (document_.role.empty()) return;
  if (!document_.undirected_edges.empty()) apply_undirected(marked_undirected());
  if (document_.first_without_role < 0) return;

  auto& roles = document_.role;
  const auto first =
      std::find(roles.begin() + document_.first_without_role, roles.end(), HifDocument::kNoRole);
  const auto missing = std::count(first, roles.end(), HifDocument::kNoRole);
  if (missing == 0) return;
  switch (options_.missing_direction) {
    case MissingDirection::error:
      reject_missing_direction(static_cast<std::size_t>(first - roles.begin()));
    case MissingDirection::tail:
      std::replace(first, roles.end(), HifDocument::kNoRole, Role::tail);
      warn_count(missing, "{} incidences without a direction were read as tails");
      return;
    case MissingDirection::undirected:
      break;
  }
  std::vector<bool> undirected(document_.edges.ids.size());
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i] == HifDocument::kNoRole) undirected[document_.edge[i]] = true;
  }
  warn_count(std::count(undirected.begin(), undirected.end(), true),
             "{} hyperedges have incidences without a direction and were read as undirected");
  apply_undirected(undirected);
}

void Assembler::reject_missing_direction(std::size_t incidence) const {
  const bool byte_known = static_cast<std::int64_t>(incidence) == document_.first_without_role;
  throw InvalidInput(
      fmt::format("{}: {}/incidences/{}: hyperedge {}, node {}: no direction in a directed file",
                  document_.name,
                  byte_known ? fmt::format("byte {} of the text: ", document_.first_without_role_byte) : "",
                  incidence, document_.edges.ids.quoted(document_.edge[incidence]),
                  document_.nodes.ids.quoted(document_.node[incidence])),
      Topic{"missing-direction"});
}

std::vector<double> Assembler::edge_weights(const std::vector<Index>& new_id) const {
  if (document_.edge_weights.empty()) return {};
  std::vector<double> weights(new_id.size(), 1.0);
  std::vector<bool> known(new_id.size());
  for (const auto& [edge, weight] : document_.edge_weights) {
    const Index e = new_id[edge];
    if (known[e] && weights[e] != weight) {
      throw InvalidInput(fmt::format("{}: hyperedge {} is listed with weight {} and with weight {}",
                                     document_.name, document_.edges.ids.quoted(edge), weights[e], weight));
    }
    known[e] = true;
    weights[e] = weight;
  }
  return weights;
}

/// What the file says about items, but for labels that are numbers, which become an array.
ItemTable Assembler::attributes(HifDocument::Items& items, const std::vector<Index>& new_id,
                                const char* array, const char* what) {
  std::vector<std::int64_t> labels;
  ItemTable table = items.attributes.table(document_.name, what, items.ids, new_id, labels);
  if (!labels.empty()) loaded_.arrays[array] = Array::of(labels, {static_cast<std::int64_t>(labels.size())});
  return table;
}

/// HIF allows any number; where one cannot count members, none is used.
void Assembler::decide_weights() {
  std::vector<double>& weights = document_.weight;
  if (weights.empty()) return;
  weights.resize(document_.edge.size(), 1.0);
  const auto bad =
      std::find_if_not(weights.begin(), weights.end(), [](double w) { return std::isfinite(w) && w > 0; });
  const bool use = options_.incidence_weights == IncidenceWeights::use;
  if (use && bad != weights.end()) {
    const auto i = static_cast<std::size_t>(bad - weights.begin());
    warn(fmt::format(
        "the weights of {} incidences are not used: node {} has {} in hyperedge {}, and what counts "
        "members is above 0",
        document_.incidence_weights, document_.nodes.ids.quoted(document_.node[i]), *bad,
        document_.edges.ids.quoted(document_.edge[i])));
  } else {
    remark_on_weights(loaded_, document_.incidence_weights, options_.incidence_weights);
  }
  if (!use || bad != weights.end()) weights.clear();
}

void Assembler::renumber(std::vector<Index>& ids, const std::vector<Index>& new_id) const {
  if (std::is_sorted(new_id.begin(), new_id.end())) return;  // a permutation: the identity
  parallel_for(static_cast<Offset>(ids.size()), kGrain, [&](Offset begin, Offset end) {
    for (Offset i = begin; i < end; ++i) ids[i] = new_id[ids[i]];
  });
}

void Assembler::build(HypergraphExtras extras) {
  const Index nodes = document_.nodes.ids.size();
  const Index edges = document_.edges.ids.size();
  try {
    loaded_.hypergraph =
        Hypergraph(nodes, edges, {document_.edge, document_.node, document_.role, document_.weight},
                   options_.on_conflict, std::move(extras));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", document_.name, error.what()), error.topic());
  }
  const Offset merged = static_cast<Offset>(document_.edge.size()) - loaded_.hypergraph.incidence_count();
  warn_count(merged, "{} repeated incidences were merged");
}

void Assembler::warn_unused() {
  for (const auto& [key, count] : document_.unknown_keys) {
    warn(fmt::format("unknown {} ignored ({} times)", key, count));
  }
  const auto repeated = [](const HifDocument::Items& items, const std::vector<Index>& listed) {
    std::vector<bool> seen(items.ids.size());
    std::int64_t count = 0;
    for (const Index item : listed) {
      count += seen[item] ? 1 : 0;
      seen[item] = true;
    }
    return count;
  };
  warn_count(repeated(document_.nodes, document_.nodes.listed), "{} nodes were listed again");
  warn_count(repeated(document_.edges, document_.edges.listed), "{} hyperedges were listed again");
  warn_count(document_.weights_from_attributes, "the weight of {} hyperedges was taken from their attrs");
  warn_count(document_.nil_values, "{} values that are null or \"nil\" were read as missing");
  warn_count(document_.incidence_attributes, "the attributes of {} incidences are not used");
  warn_count(document_.node_weights, "the weight of {} nodes is not used");
  for (const std::string& line :
       {document_.nodes.attributes.unused("node"), document_.edges.attributes.unused("hyperedge")}) {
    if (!line.empty()) warn(line);
  }
  if (document_.metadata_too_long) warn("metadata of more than 16 MiB were left out");
}

Loaded Assembler::assemble() {
  loaded_.format = document_.format;
  loaded_.metadata = std::move(document_.metadata);
  decide_type();
  decide_roles();
  decide_weights();
  warn_unused();

  HypergraphExtras extras;
  {
    const std::vector<Index> order = document_.nodes.ids.order(document_.nodes.listed);
    const std::vector<Index> new_id = inverse(order);
    extras.node_names = document_.nodes.ids.names(order);
    renumber(document_.node, new_id);
    loaded_.node_table = attributes(document_.nodes, new_id, kNodeLabels, "node");
  }
  {
    const std::vector<Index> order = document_.edges.ids.order(document_.edges.listed);
    const std::vector<Index> new_id = inverse(order);
    extras.edge_names = document_.edges.ids.names(order);
    extras.edge_weights = edge_weights(new_id);
    renumber(document_.edge, new_id);
    loaded_.edge_table = attributes(document_.edges, new_id, kEdgeLabels, "hyperedge");
  }
  build(std::move(extras));
  return std::move(loaded_);
}

}  // namespace

Loaded read_hif(ByteReader& bytes, const LoadOptions& options) {
  return Assembler(parse_hif(bytes, options), options).assemble();
}

Loaded read_hif(const std::filesystem::path& path, const LoadOptions& options) {
  const std::unique_ptr<ByteReader> bytes = open_bytes(path);
  return read_hif(*bytes, options);
}

}  // namespace dshn::io
