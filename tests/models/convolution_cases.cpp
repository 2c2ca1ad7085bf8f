#include "models/convolution_cases.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>

#include "dshn/hypergraph/builder.hpp"

namespace dshn::models::test {
namespace {

/// The assignments once per variant of the model.
std::vector<Assignments> with_variants(const std::string& name, const Assignments& set) {
  const std::vector<OptionSpec>& options = find_model(name).options;
  const bool varies = std::any_of(options.begin(), options.end(),
                                  [](const OptionSpec& spec) { return spec.name == "variant"; });
  if (!varies) return {set};
  std::vector<Assignments> result(2, set);
  result[0]["variant"] = "paper";
  result[1]["variant"] = "authors";
  return result;
}

bool has_singleton(const Hypergraph& hypergraph, Index v) {
  const auto edges = hypergraph.edges_of(v);
  return std::any_of(edges.begin(), edges.end(), [&](Index e) { return hypergraph.size(e) == 1; });
}

}  // namespace

bool ConvolutionCase::authors() const {
  return set.count("variant") > 0 && set.at("variant") == "authors";
}

Hypergraph ConvolutionCase::extended() const {
  if (set.at("self_loops") == "false") return hypergraph;
  std::vector<Index> edges;
  std::vector<Index> nodes;
  std::vector<double> weights;
  HypergraphExtras extras;
  Index count = hypergraph.edge_count();
  for (Index e = 0; e < count; ++e) {
    extras.edge_weights.push_back(hypergraph.weight(e));
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i) {
      edges.push_back(e);
      nodes.push_back(hypergraph.member_nodes()[i]);
      weights.push_back(hypergraph.incidence_weight(i));
    }
  }
  for (Index v = 0; v < hypergraph.node_count(); ++v) {
    if (has_singleton(hypergraph, v)) continue;
    extras.edge_weights.push_back(1);
    edges.push_back(count++);
    nodes.push_back(v);
    weights.push_back(1);
  }
  return {hypergraph.node_count(), count, IncidenceArrays{edges, nodes, {}, weights}, OnConflict::error,
          std::move(extras)};
}

void expect_agreement(const std::string& name, const Assignments& set, const DenseForm& dense) {
  for (const Hypergraph& hypergraph : random_hypergraphs()) {
    const Input input = input_of(hypergraph);
    for (Assignments all : with_variants(name, set)) {
      for (const char* loops : {"true", "false"}) {
        all["self_loops"] = loops;
        for (const Target target : {Target::nodes, Target::hyperedges}) {
          const auto model = new_model(name, all, input, target);
          const at::Tensor expected = dense(*model, {hypergraph, input, all, target});
          const at::Tensor got = logits(*model, input);
          ASSERT_EQ(got.sizes(), expected.sizes());
          EXPECT_LT(distance(got, expected), 1e-9) << all["variant"] << " self_loops=" << loops;
        }
      }
    }
  }
}

void expect_true_gradients_of_variants(const std::string& name, const Assignments& set) {
  const Input input = input_of(small_hypergraph());
  for (const Assignments& all : with_variants(name, set)) {
    for (const Target target : {Target::nodes, Target::hyperedges}) {
      expect_true_gradients(*new_model(name, all, input, target), input);
    }
  }
}

Hypergraph star_of_six() {
  HypergraphBuilder builder;
  for (int v = 0; v < 6; ++v) builder.node(Name::integer(v));
  for (int e = 0; e < 4; ++e) {
    builder.incidence(Name::integer(e), Name::integer(0));
    builder.incidence(Name::integer(e), Name::integer(e + 1));
  }
  builder.incidence(Name::integer(3), Name::integer(5));
  return builder.build();
}

at::Tensor or_zero(const at::Tensor& x) {
  return torch::where(torch::isfinite(x), x, torch::zeros_like(x));
}

}  // namespace dshn::models::test
