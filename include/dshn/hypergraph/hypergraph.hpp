#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dshn/hypergraph/names.hpp"

namespace dshn {

/// Id of a node or of a hyperedge.
using Index = std::int32_t;
/// Position in an array of incidences.
using Offset = std::int64_t;

enum class Role : std::uint8_t { tail = 0, head = 1 };

/// What to do with a node that is listed twice in one hyperedge: refuse, or keep one role.
/// A member listed twice in the same role is merged by keep_tail and keep_head alike.
enum class OnConflict : std::uint8_t { error, keep_tail, keep_head };

/// Members of hyperedges in any order, as parallel arrays. An empty `role` means that all are tails, an empty
/// `weight` that all weigh 1. Weights of listings that are merged (see OnConflict) add up; those of a role that
/// is not kept are gone with it.
struct IncidenceArrays {
  std::span<const Index> edge;
  std::span<const Index> node;
  std::span<const Role> role;
  std::span<const double> weight = {};
};

/// What else a hypergraph may carry. Empty weights mean 1 for every hyperedge.
struct HypergraphExtras {
  std::vector<double> edge_weights;
  Names node_names;
  Names edge_names;
};

/// The arrays of a hypergraph, laid out as Hypergraph has them; no weights mean 1 for all.
struct HypergraphViews {
  std::span<const Offset> edge_ptr;
  std::span<const Offset> head_begin;
  std::span<const Index> member_nodes;
  std::span<const Offset> node_ptr;
  std::span<const Offset> node_head_begin;
  std::span<const Index> node_edges;
  std::span<const Offset> node_incidences;
  std::span<const double> edge_weights = {};
  std::span<const double> incidence_weights = {};
};

/// An immutable hypergraph: n nodes, m hyperedges, nnz incidences (hyperedge, node, role).
///
/// A handle: copies share the arrays and the names, and cost a few words.
///
/// Stored twice, both contiguous, so that a sweep over hyperedges and a sweep over nodes are both gathers:
///  - by hyperedge: members of e are member_nodes[edge_ptr[e] .. edge_ptr[e+1]), tails first, each part
///    ascending; heads start at head_begin[e];
///  - by node: incidences of v are node_incidences[node_ptr[v] .. node_ptr[v+1]), positions in the view above,
///    those where v is a tail first, each part ascending; heads start at node_head_begin[v]; node_edges holds
///    their hyperedges.
///
/// A hyperedge with an empty head set, or with an empty tail set, is undirected. A node occurs at most once
/// in a hyperedge. Isolated nodes, empty hyperedges and repeated hyperedges are legal.
///
/// An incidence of weight w counts as if the node stood w times in the hyperedge, w being any positive number.
class Hypergraph {
 public:
  Hypergraph() = default;
  // Copies only: an object that was moved from would look at memory that it no longer keeps.
  Hypergraph(const Hypergraph&) = default;
  Hypergraph& operator=(const Hypergraph&) = default;
  ~Hypergraph() = default;

  /// Bulk construction in parallel from unsorted arrays. Throws InvalidInput, with the items' own names, on
  /// ids out of range, arrays of different length, weights that are not finite and positive, and repeated
  /// members (see OnConflict).
  Hypergraph(Index node_count, Index edge_count, const IncidenceArrays& incidences,
             OnConflict on_conflict = OnConflict::error, HypergraphExtras extras = {});

  /// Stands on arrays that `owner` keeps, such as a file that is mapped: nothing is copied, and only the lengths are
  /// looked at, which throws InvalidInput where they do not fit each other. What the arrays say must be sound: see
  /// find_fault.
  Hypergraph(const HypergraphViews& views, std::shared_ptr<const void> owner, Names node_names,
             Names edge_names);

  Index node_count() const { return static_cast<Index>(node_ptr_.size()) - 1; }
  Index edge_count() const { return static_cast<Index>(edge_ptr_.size()) - 1; }
  Offset incidence_count() const { return static_cast<Offset>(member_nodes_.size()); }

  std::span<const Offset> edge_ptr() const { return edge_ptr_; }
  std::span<const Offset> head_begin() const { return head_begin_; }
  std::span<const Index> member_nodes() const { return member_nodes_; }
  std::span<const Offset> node_ptr() const { return node_ptr_; }
  std::span<const Offset> node_head_begin() const { return node_head_begin_; }
  std::span<const Index> node_edges() const { return node_edges_; }
  std::span<const Offset> node_incidences() const { return node_incidences_; }

  std::span<const Index> members(Index e) const { return slice(edge_ptr_[e], edge_ptr_[e + 1]); }
  std::span<const Index> tail(Index e) const { return slice(edge_ptr_[e], head_begin_[e]); }
  std::span<const Index> head(Index e) const { return slice(head_begin_[e], edge_ptr_[e + 1]); }
  /// Those where v is a tail first, each part ascending.
  std::span<const Index> edges_of(Index v) const {
    return node_edges_.subspan(node_ptr_[v], node_ptr_[v + 1] - node_ptr_[v]);
  }
  Offset size(Index e) const { return edge_ptr_[e + 1] - edge_ptr_[e]; }
  Offset degree(Index v) const { return node_ptr_[v + 1] - node_ptr_[v]; }
  bool is_directed(Index e) const {
    return head_begin_[e] != edge_ptr_[e] && head_begin_[e] != edge_ptr_[e + 1];
  }
  /// Role of the incidence at a position of the by-hyperedge view, whose hyperedge is e.
  Role role(Index e, Offset incidence) const { return incidence < head_begin_[e] ? Role::tail : Role::head; }
  bool has_directed_edges() const;

  bool weighted() const { return !edge_weights_.empty(); }
  /// Empty when every weight is 1.
  std::span<const double> edge_weights() const { return edge_weights_; }
  double weight(Index e) const { return weighted() ? edge_weights_[e] : 1.0; }

  bool has_incidence_weights() const { return !incidence_weights_.empty(); }
  /// In the order of the by-hyperedge view; empty when every weight is 1.
  std::span<const double> incidence_weights() const { return incidence_weights_; }
  double incidence_weight(Offset incidence) const {
    return has_incidence_weights() ? incidence_weights_[incidence] : 1.0;
  }
  /// The sum of its incidences' weights: size(e) where all are 1.
  double total_weight(Index e) const;

  const Names& node_names() const { return node_names_; }
  const Names& edge_names() const { return edge_names_; }

  HypergraphViews views() const {
    return {edge_ptr_,   head_begin_,      member_nodes_, node_ptr_,         node_head_begin_,
            node_edges_, node_incidences_, edge_weights_, incidence_weights_};
  }

  /// Bytes held by the arrays above, names excluded.
  std::size_t memory_bytes() const;
  /// Keeps the memory of the arrays above alive; null where there are no rows.
  const std::shared_ptr<const void>& owner() const { return owner_; }

  /// Same structure, roles, weights and names.
  bool operator==(const Hypergraph& other) const;

 private:
  static constexpr Offset kNoRows[1] = {0};

  std::span<const Index> slice(Offset begin, Offset end) const {
    return member_nodes_.subspan(begin, end - begin);
  }

  std::shared_ptr<const void> owner_;
  std::span<const Offset> edge_ptr_{kNoRows};
  std::span<const Offset> head_begin_;
  std::span<const Index> member_nodes_;
  std::span<const Offset> node_ptr_{kNoRows};
  std::span<const Offset> node_head_begin_;
  std::span<const Index> node_edges_;
  std::span<const Offset> node_incidences_;
  std::span<const double> edge_weights_;
  std::span<const double> incidence_weights_;
  Names node_names_;
  Names edge_names_;
};

}  // namespace dshn
