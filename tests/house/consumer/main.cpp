#include <dshn/hypergraph/builder.hpp>

int main() {
  dshn::HypergraphBuilder builder;
  builder.incidence(dshn::Name::string("reaction"), dshn::Name::string("reactant"), dshn::Role::tail);
  builder.incidence(dshn::Name::string("reaction"), dshn::Name::string("product"), dshn::Role::head);
  const dshn::Hypergraph hypergraph = builder.build();
  return hypergraph.incidence_count() == 2 && hypergraph.is_directed(0) ? 0 : 1;
}
