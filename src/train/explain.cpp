#include "dshn/train/explain.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "train/estimates.hpp"
#include "train/rank_correlation.hpp"

namespace dshn::train {
namespace {

/// Hyperedges elsewhere that are taken away for comparison.
constexpr std::size_t kElsewhere = 10;

/// A node in a hyperedge.
struct Place {
  Index edge;
  Index node;
  Offset position;  // in the by-hyperedge view
};

std::vector<Place> places_of_edge(const Hypergraph& h, Index e) {
  std::vector<Place> places;
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i)
    places.push_back({e, h.member_nodes()[i], i});
  return places;
}

std::vector<Place> places_of_node(const Hypergraph& h, Index v) {
  std::vector<Place> places;
  for (Offset k = h.node_ptr()[v]; k < h.node_ptr()[v + 1]; ++k)
    places.push_back({h.node_edges()[k], v, h.node_incidences()[k]});
  std::ranges::sort(places, {}, &Place::edge);
  return places;
}

std::vector<Offset> positions(const std::vector<Place>& places) {
  std::vector<Offset> all;
  for (const Place& place : places) all.push_back(place.position);
  return all;
}

std::optional<Role> role_of(const Hypergraph& h, const Place& place) {
  return h.is_directed(place.edge) ? std::optional(h.role(place.edge, place.position)) : std::nullopt;
}

/// The item's own: where a node is a member, or the members of a hyperedge.
std::vector<Place> own_places(const Probe& probe) {
  const Hypergraph& h = probe.hypergraph();
  return probe.of_node() ? places_of_node(h, probe.item()) : places_of_edge(h, probe.item());
}

template <typename T>
void keep_strongest(std::vector<T>& evidence, double Evidence::*by, std::size_t kept) {
  std::ranges::stable_sort(evidence, std::greater{}, [by](const T& one) { return std::abs(one.*by); });
  if (evidence.size() > kept)
    evidence.erase(evidence.begin() + static_cast<std::ptrdiff_t>(kept), evidence.end());
}

/// Tries the candidates of the largest estimates: `effect_of` gives the effect of one.
template <typename T, typename Effect>
Findings<T> check(std::vector<T> candidates, const ExplainOptions& options, const Effect& effect_of) {
  Findings<T> found;
  found.candidates = candidates.size();
  keep_strongest(candidates, &Evidence::estimate, std::max(options.checks, options.top));
  found.checked = candidates.size();
  std::vector<double> effects;
  std::vector<double> estimates;
  for (T& one : candidates) {
    one.effect = effect_of(one);
    effects.push_back(one.effect);
    estimates.push_back(one.estimate);
  }
  found.agreement = rank_correlation(effects, estimates);
  keep_strongest(candidates, &Evidence::effect, options.top);
  std::ranges::stable_sort(candidates, std::greater{}, &T::effect);
  found.strongest = std::move(candidates);
  return found;
}

/// The hyperedges of a node, or those that share a member with a hyperedge; ascending.
std::vector<Index> hyperedges_around(const Probe& probe, const std::vector<Place>& own) {
  const Hypergraph& h = probe.hypergraph();
  std::vector<Index> edges;
  for (const Place& place : own) {
    if (probe.of_node())
      edges.push_back(place.edge);
    else
      edges.insert(edges.end(), h.edges_of(place.node).begin(), h.edges_of(place.node).end());
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (!probe.of_node()) std::erase(edges, probe.item());
  return edges;
}

Findings<HyperedgeEvidence> explain_hyperedges(const Probe& probe, const Estimates& estimates,
                                               const std::vector<Place>& own, const std::vector<Index>& edges,
                                               const ExplainOptions& options) {
  const Hypergraph& h = probe.hypergraph();
  std::vector<HyperedgeEvidence> candidates;
  for (const Index e : edges) candidates.push_back({{0, estimates.hyperedge(e)}, e, {}, {}});
  auto found = check(std::move(candidates), options, [&](const HyperedgeEvidence& one) {
    return probe.effect_without(positions(places_of_edge(h, one.edge)));
  });
  if (!probe.of_node()) return found;
  for (HyperedgeEvidence& one : found.strongest) {
    const Place& place = *std::ranges::lower_bound(own, one.edge, {}, &Place::edge);
    one.role = role_of(h, place);
    if (one.role) one.turned = probe.turned({&place.position, 1});
  }
  return found;
}

Findings<MemberEvidence> explain_members(const Probe& probe, const Estimates& estimates,
                                         const std::vector<Place>& own, const ExplainOptions& options) {
  const Hypergraph& h = probe.hypergraph();
  std::vector<MemberEvidence> candidates;
  const auto add = [&](const Place& place) {
    candidates.push_back({{0, estimates.member(place.position)},
                          place.edge,
                          place.node,
                          place.position,
                          role_of(h, place),
                          {}});
  };
  for (const Place& place : own) {
    if (!probe.of_node()) {
      add(place);
      continue;
    }
    for (const Place& other : places_of_edge(h, place.edge))
      if (other.node != probe.item()) add(other);
  }
  auto found = check(std::move(candidates), options, [&](const MemberEvidence& one) {
    return probe.effect_without({&one.incidence, 1});
  });
  for (MemberEvidence& one : found.strongest)
    if (!probe.of_node() && one.role) one.turned = probe.turned({&one.incidence, 1});
  return found;
}

/// Node features to be set to 0 together: one column of the item, or of all members of the item.
struct Column {
  double estimate = 0;
  double sum = 0;
  std::vector<std::int64_t> stored_at;  // in FeatureRows::values()
};

std::map<Index, Column> node_columns(const Probe& probe, const Estimates& estimates,
                                     const std::vector<Index>& nodes) {
  const nn::FeatureRows& x = probe.input().x;
  const at::Tensor values = x.values().flatten();
  std::map<Index, Column> columns;
  for (const Index v : nodes) {
    const nn::FeatureRows::Row row = x.row(v);
    const auto count = static_cast<std::int64_t>(row.columns.size());
    const at::Tensor own = values.narrow(0, row.begin, count).to(at::kCPU, at::kDouble);
    const std::vector<double> estimate = estimates.features(v);
    for (std::int64_t k = 0; k < count; ++k) {
      const double value = own.data_ptr<double>()[k];
      if (value == 0) continue;
      Column& column = columns[static_cast<Index>(row.columns[k])];
      column.estimate += estimate[k];
      column.sum += value;
      column.stored_at.push_back(row.begin + k);
    }
  }
  return columns;
}

double effect_without(const Probe& probe, const Column& column) {
  const at::Tensor values = probe.input().x.values().clone();
  values.view({-1}).index_fill_(0, torch::tensor(column.stored_at, torch::kLong).to(values.device()), 0);
  models::Input input = probe.input();
  input.x = input.x.with_values(values);
  return probe.ask(input).effect;
}

double effect_without_edge_feature(const Probe& probe, Index column) {
  models::Input input = probe.input();
  input.edge_x = input.edge_x.clone();
  input.edge_x[probe.item()][column] = 0;
  return probe.ask(input).effect;
}

Findings<FeatureEvidence> explain_features(const Probe& probe, const Estimates& estimates,
                                           const ExplainOptions& options) {
  const bool of_members = !probe.of_node();
  std::vector<Index> nodes{probe.item()};
  if (of_members) {
    const auto members = probe.hypergraph().members(probe.item());
    nodes.assign(members.begin(), members.end());
  }
  const std::map<Index, Column> columns = node_columns(probe, estimates, nodes);
  std::vector<FeatureEvidence> candidates;
  for (const auto& [column, found] : columns) {
    candidates.push_back(
        {{0, found.estimate}, column, of_members, found.sum / static_cast<double>(nodes.size())});
  }
  if (of_members) {
    const std::vector<double> own = estimates.edge_features(probe.item());
    for (std::size_t j = 0; j < own.size(); ++j) {
      const double value = probe.input().edge_x[probe.item()][static_cast<std::int64_t>(j)].item<double>();
      if (value != 0) candidates.push_back({{0, own[j]}, static_cast<Index>(j), false, value});
    }
  }
  return check(std::move(candidates), options, [&](const FeatureEvidence& one) {
    return one.of_members || probe.of_node() ? effect_without(probe, columns.at(one.column))
                                             : effect_without_edge_feature(probe, one.column);
  });
}

void explain_roles(Explanation& result, const Probe& probe, const std::vector<Place>& own) {
  const Hypergraph& h = probe.hypergraph();
  std::vector<Place> with_role;
  for (const std::optional<Role> role :
       {std::optional(Role::tail), std::optional(Role::head), std::optional<Role>()}) {
    std::vector<Place> group;
    std::ranges::copy_if(own, std::back_inserter(group),
                         [&](const Place& place) { return role_of(h, place) == role; });
    if (group.empty()) continue;
    if (role) with_role.insert(with_role.end(), group.begin(), group.end());
    // Nothing would be left of an undirected hyperedge.
    if (!role && !probe.of_node()) continue;
    result.roles.push_back({role, static_cast<Index>(group.size()), probe.effect_without(positions(group))});
  }
  if (!with_role.empty()) result.reversed = probe.turned(positions(with_role));
}

void compare_with_elsewhere(Explanation& result, const Probe& probe, const std::vector<Index>& around) {
  const Hypergraph& h = probe.hypergraph();
  std::vector<bool> excluded(h.edge_count());
  for (const Index e : around) excluded[e] = true;
  if (!probe.of_node()) excluded[probe.item()] = true;
  std::vector<Index> elsewhere;
  for (Index e = 0; e < h.edge_count(); ++e)
    if (!excluded[e] && h.size(e) > 0) elsewhere.push_back(e);
  Random(0).shuffle(elsewhere);
  elsewhere.resize(std::min(elsewhere.size(), kElsewhere));
  for (const Index e : elsewhere)
    result.elsewhere += std::abs(probe.effect_without(positions(places_of_edge(h, e))));
  result.elsewhere_count = elsewhere.size();
  if (!elsewhere.empty()) result.elsewhere /= static_cast<double>(elsewhere.size());
}

void check_item(const data::Task task, const Hypergraph& h, Index item) {
  const Index count = task == data::Task::node_classification ? h.node_count() : h.edge_count();
  if (item >= 0 && item < count) return;
  throw UsageError(fmt::format("{} {} is out of range; there are {}", data::item_word(task), item, count));
}

}  // namespace

Explanation explain(const LoadedModel& loaded, data::Task task, Index item, const ExplainOptions& options) {
  check_item(task, loaded.given.hypergraph, item);
  const Probe probe(loaded, task, item);
  const Estimates estimates(probe);
  const std::vector<Place> own = own_places(probe);
  const std::vector<Index> around = hyperedges_around(probe, own);
  Explanation result;
  result.item = item;
  result.predicted = probe.predicted();
  result.value = probe.value();
  result.score = probe.score();
  result.estimated_by = estimates.by();
  result.hyperedges = explain_hyperedges(probe, estimates, own, around, options);
  result.members = explain_members(probe, estimates, own, options);
  result.features = explain_features(probe, estimates, options);
  explain_roles(result, probe, own);
  compare_with_elsewhere(result, probe, around);
  return result;
}

}  // namespace dshn::train
