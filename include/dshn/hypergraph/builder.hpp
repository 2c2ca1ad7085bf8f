#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// Grows a hypergraph one named incidence at a time. Nodes and hyperedges are numbered in the order in which
/// they are first mentioned; naming them again is harmless.
class HypergraphBuilder {
 public:
  Index node(const Name& name);
  Index edge(const Name& name);
  void incidence(const Name& edge_name, const Name& node_name, Role role = Role::tail);
  /// With numbers that node() and edge() gave; any other is a UsageError, here and in weight().
  void incidence(Index edge_id, Index node_id, Role role = Role::tail);
  void weight(Index edge_id, double value);
  /// Of the incidence that was added last; UsageError where there is none.
  void incidence_weight(double value);

  Index node_count() const { return static_cast<Index>(node_names_.size()); }
  Index edge_count() const { return static_cast<Index>(edge_names_.size()); }
  Offset incidence_count() const { return static_cast<Offset>(nodes_.size()); }

  /// Renumbers: item i of the result is the item now numbered order[i]. The order is a permutation, else
  /// UsageError.
  void reorder_nodes(const std::vector<Index>& order);
  void reorder_edges(const std::vector<Index>& order);

  /// Leaves the builder empty. Throws as the constructor of Hypergraph does.
  Hypergraph build(OnConflict on_conflict = OnConflict::error);

 private:
  struct NameHash {
    std::size_t operator()(const Name& name) const {
      return std::hash<std::string>()(name.text) * 2 + (name.is_integer ? 1 : 0);
    }
  };
  using Lookup = std::unordered_map<Name, Index, NameHash>;

  static Index intern(const Name& name, Lookup& lookup, std::vector<Name>& names);

  Lookup node_ids_, edge_ids_;
  std::vector<Name> node_names_, edge_names_;
  std::vector<Index> edges_, nodes_;
  std::vector<Role> roles_;
  std::vector<double> weights_;
  std::vector<double> incidence_weights_;  // empty until one is given
  bool weighted_ = false;
};

}  // namespace dshn
