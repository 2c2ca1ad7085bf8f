#include "dshn/hypergraph/sample.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"

namespace dshn {
namespace {

/// Of [0, count) without `taken` (ascending), `wanted` at most, all of them alike; 0: all.
std::vector<Index> draw_others(Random& random, Index count, const std::vector<Index>& taken, Index wanted) {
  const Index left = count - static_cast<Index>(taken.size());
  std::vector<Index> drawn = random.sample(left, wanted == 0 ? left : std::min(wanted, left));
  std::size_t before = 0;
  for (Index& place : drawn) {
    while (before < taken.size() && taken[before] <= place + static_cast<Index>(before)) ++before;
    place += static_cast<Index>(before);
  }
  return drawn;
}

/// Those that are there for sure count once, those that were drawn stand for all others too. Where none was drawn,
/// those that are there stand for all.
struct Shares {
  Offset certain = 0;
  Offset drawn = 0;

  void count(bool was_drawn) { ++(was_drawn ? drawn : certain); }
  double of(bool was_drawn, Offset all) const {
    if (drawn == 0) return static_cast<double>(all) / static_cast<double>(certain);
    return was_drawn ? static_cast<double>(all - certain) / static_cast<double>(drawn) : 1;
  }
};

}  // namespace

/// A sample under way.
class Sampler::Draw {
 public:
  Draw(Sampler& sampler, std::uint64_t seed) : s_(sampler), whole_(sampler.whole_), random_(seed) {}
  ~Draw() {
    for (const Index v : nodes_) s_.place_of_node_[v] = -1;
    for (const Index e : edges_) s_.place_of_edge_[e] = -1;
  }
  Draw(const Draw&) = delete;
  Draw& operator=(const Draw&) = delete;

  bool add_node(Index v) { return add(v, s_.place_of_node_, nodes_, known_of_node_); }
  bool add_edge(Index e) { return add(e, s_.place_of_edge_, edges_, known_of_edge_); }

  /// Nodes from the first-th on draw hyperedges.
  void nodes_draw(std::size_t first, const Fanout& fanout) {
    const std::size_t last = nodes_.size();
    for (std::size_t i = first; i < last; ++i) node_draws(i, fanout.edges);
  }

  /// Hyperedges from the first-th on draw members.
  void edges_draw(std::size_t first, const Fanout& fanout) {
    const std::size_t last = edges_.size();
    for (std::size_t i = first; i < last; ++i) {
      const Index e = edges_[i];
      const Offset begin = whole_.edge_ptr()[e];
      const Offset heads = whole_.head_begin()[e];
      edge_draws(i, begin, heads, fanout.tails);
      edge_draws(i, heads, whole_.edge_ptr()[e + 1], fanout.heads);
    }
  }

  /// Nodes that have come draw hyperedges, and these draw members, once for each hop.
  void walk(std::span<const Fanout> hops) {
    std::size_t first_node = 0;
    for (const Fanout& hop : hops) {
      const std::size_t first_edge = edges_.size();
      const std::size_t next_node = nodes_.size();
      nodes_draw(first_node, hop);
      edges_draw(first_edge, hop);
      first_node = next_node;
    }
  }

  /// All incidences between the nodes that are there and any hyperedges.
  void keep_among() {
    for (const Index v : std::vector(nodes_)) {
      for (const Index e : whole_.edges_of(v)) add_edge(e);
      for (Offset i = whole_.node_ptr()[v]; i < whole_.node_ptr()[v + 1]; ++i)
        drawn_.push_back({whole_.node_incidences()[i], whole_.node_edges()[i], v, kByEdge});
    }
  }

  Sample finish(std::span<const Index> items, bool of_edges) {
    take_singletons();
    merge();
    Sample sample;
    sample.nodes = sorted(nodes_, s_.place_of_node_);
    sample.edges = sorted(edges_, s_.place_of_edge_);
    for (const Index v : sample.nodes) {
      const auto at = std::ranges::lower_bound(s_.with_singleton_, v);
      const bool has_one = at != s_.with_singleton_.end() && *at == v;
      sample.loops.push_back(has_one ? -1 : v - static_cast<Index>(at - s_.with_singleton_.begin()));
    }
    for (const Index item : items)
      sample.items.push_back((of_edges ? s_.place_of_edge_ : s_.place_of_node_)[item]);
    fill(sample);
    return sample;
  }

 private:
  /// How an incidence came.
  enum Came : std::uint8_t { kByNode = 1, kByEdge = 2, kByBoth = 3 };

  struct Drawn {
    Offset incidence;  // position in the whole, by hyperedge
    Index edge;
    Index node;
    std::uint8_t came;

    bool operator<(const Drawn& other) const { return incidence < other.incidence; }
  };

  /// The same incidence once, however it came.
  void merge() {
    std::sort(drawn_.begin(), drawn_.end());
    std::size_t kept = 0;
    for (const Drawn one : drawn_) {
      if (kept > 0 && drawn_[kept - 1].incidence == one.incidence)
        drawn_[kept - 1].came |= one.came;
      else
        drawn_[kept++] = one;
    }
    drawn_.resize(kept);
  }

  static bool add(Index item, std::vector<Index>& places, std::vector<Index>& items,
                  std::vector<std::vector<Index>>& known) {
    if (places[item] >= 0) return false;
    places[item] = static_cast<Index>(items.size());
    items.push_back(item);
    known.emplace_back();
    return true;
  }

  /// Where an incidence is in the list of its node.
  Index place_at_node(Index v, Offset incidence) const {
    const auto list = whole_.node_incidences();
    const Offset begin = whole_.node_ptr()[v];
    const Offset heads = whole_.node_head_begin()[v];
    const auto find = [&](Offset first, Offset last) {
      return std::lower_bound(list.begin() + first, list.begin() + last, incidence) - list.begin();
    };
    const Offset as_tail = find(begin, heads);
    if (as_tail < heads && list[as_tail] == incidence) return static_cast<Index>(as_tail - begin);
    return static_cast<Index>(find(heads, whole_.node_ptr()[v + 1]) - begin);
  }

  void node_draws(std::size_t place, Index wanted) {
    const Index v = nodes_[place];
    std::vector<Index>& known = known_of_node_[place];
    std::sort(known.begin(), known.end());
    const Offset begin = whole_.node_ptr()[v];
    for (const Index at : draw_others(random_, static_cast<Index>(whole_.degree(v)), known, wanted)) {
      const Offset incidence = whole_.node_incidences()[begin + at];
      const Index e = whole_.node_edges()[begin + at];
      add_edge(e);
      known_of_edge_[s_.place_of_edge_[e]].push_back(static_cast<Index>(incidence - whole_.edge_ptr()[e]));
      drawn_.push_back({incidence, e, v, kByNode});
    }
  }

  /// Members at positions [begin, end) of the whole, which are tails or heads of one hyperedge.
  void edge_draws(std::size_t place, Offset begin, Offset end, Index wanted) {
    const Index e = edges_[place];
    std::vector<Index> known;  // among these
    for (const Index at : known_of_edge_[place]) {
      const Offset incidence = whole_.edge_ptr()[e] + at;
      if (begin <= incidence && incidence < end) known.push_back(static_cast<Index>(incidence - begin));
    }
    std::sort(known.begin(), known.end());
    for (const Index at : draw_others(random_, static_cast<Index>(end - begin), known, wanted)) {
      const Index v = whole_.member_nodes()[begin + at];
      add_node(v);
      known_of_node_[s_.place_of_node_[v]].push_back(place_at_node(v, begin + at));
      drawn_.push_back({begin + at, e, v, kByEdge});
    }
  }

  /// A model that adds a hyperedge {v} for each node without one sees those that there are.
  void take_singletons() {
    for (const Index v : nodes_) {
      if (!std::ranges::binary_search(s_.with_singleton_, v)) continue;
      for (Offset i = whole_.node_ptr()[v]; i < whole_.node_ptr()[v + 1]; ++i) {
        const Index e = whole_.node_edges()[i];
        if (whole_.size(e) != 1) continue;
        add_edge(e);
        drawn_.push_back({whole_.node_incidences()[i], e, v, kByBoth});
      }
    }
  }

  static std::vector<Index> sorted(const std::vector<Index>& items, std::vector<Index>& places) {
    std::vector<Index> ascending = items;
    std::sort(ascending.begin(), ascending.end());
    for (std::size_t i = 0; i < ascending.size(); ++i) places[ascending[i]] = static_cast<Index>(i);
    return ascending;
  }

  void fill(Sample& sample) const {
    const std::size_t count = drawn_.size();
    std::vector<Shares> tails(edges_.size());
    std::vector<Shares> heads(edges_.size());
    std::vector<Shares> of_node(nodes_.size());
    std::vector<Index> edge(count);
    std::vector<Index> node(count);
    std::vector<Role> role(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Drawn& one = drawn_[i];
      edge[i] = s_.place_of_edge_[one.edge];
      node[i] = s_.place_of_node_[one.node];
      role[i] = whole_.role(one.edge, one.incidence);
      (role[i] == Role::tail ? tails : heads)[edge[i]].count(one.came == kByEdge);
      of_node[node[i]].count(one.came == kByNode);
      sample.incidences.push_back(one.incidence);
    }
    std::vector<double> weight(count);
    sample.node_counts.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Drawn& one = drawn_[i];
      const bool tail = role[i] == Role::tail;
      const Offset in_role = tail ? static_cast<Offset>(whole_.tail(one.edge).size())
                                  : static_cast<Offset>(whole_.head(one.edge).size());
      const double own = whole_.incidence_weight(one.incidence);
      weight[i] = own * (tail ? tails : heads)[edge[i]].of(one.came == kByEdge, in_role);
      sample.node_counts[i] = own * of_node[node[i]].of(one.came == kByNode, whole_.degree(one.node));
    }
    HypergraphExtras extras;
    if (whole_.weighted())
      for (const Index e : sample.edges) extras.edge_weights.push_back(whole_.weight(e));
    sample.hypergraph =
        Hypergraph(static_cast<Index>(sample.nodes.size()), static_cast<Index>(sample.edges.size()),
                   {edge, node, role, weight}, OnConflict::error, std::move(extras));
  }

  Sampler& s_;
  const Hypergraph& whole_;
  Random random_;
  std::vector<Index> nodes_, edges_;  // in the order in which they came
  /// Of each of them, the places in its own list of the incidences that it came by.
  std::vector<std::vector<Index>> known_of_node_, known_of_edge_;
  std::vector<Drawn> drawn_;
};

Sampler::Sampler(const Hypergraph& whole)
    : whole_(whole), place_of_node_(whole.node_count(), -1), place_of_edge_(whole.edge_count(), -1) {
  for (Index e = 0; e < whole.edge_count(); ++e)
    if (whole.size(e) == 1) with_singleton_.push_back(whole.members(e)[0]);
  std::ranges::sort(with_singleton_);
  const auto repeated = std::ranges::unique(with_singleton_);
  with_singleton_.erase(repeated.begin(), repeated.end());
}

namespace {

template <typename Add>
void add_items(std::span<const Index> items, Index count, const char* word, Add add) {
  for (const Index item : items) {
    if (item < 0 || item >= count)
      throw UsageError(fmt::format("{} {} is out of range; there are {}", word, item, count));
    if (!add(item)) throw UsageError(fmt::format("{} {} is named twice", word, item));
  }
}

}  // namespace

Sample Sampler::around_nodes(std::span<const Index> nodes, std::span<const Fanout> hops, std::uint64_t seed) {
  Draw draw(*this, seed);
  add_items(nodes, whole_.node_count(), "node", [&](Index v) { return draw.add_node(v); });
  draw.walk(hops);
  return draw.finish(nodes, /*of_edges=*/false);
}

Sample Sampler::around_edges(std::span<const Index> edges, std::span<const Fanout> hops, std::uint64_t seed) {
  Draw draw(*this, seed);
  add_items(edges, whole_.edge_count(), "hyperedge", [&](Index e) { return draw.add_edge(e); });
  draw.edges_draw(0, hops.empty() ? Fanout{} : hops.front());
  draw.walk(hops);
  return draw.finish(edges, /*of_edges=*/true);
}

Sample Sampler::among_nodes(std::span<const Index> nodes) {
  Draw draw(*this, 0);
  add_items(nodes, whole_.node_count(), "node", [&](Index v) { return draw.add_node(v); });
  draw.keep_among();
  return draw.finish(nodes, /*of_edges=*/false);
}

}  // namespace dshn
