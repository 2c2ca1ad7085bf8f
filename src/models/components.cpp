// Role-aware connected components: each takes the majority class of its training items.
#include "dshn/hypergraph/components.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/models/rules.hpp"
#include "models/class_counts.hpp"

namespace dshn::models {
namespace {

/// The components of each item: of a node its own, of a hyperedge those of its members.
std::vector<std::vector<Index>> components_of_items(const Hypergraph& hypergraph,
                                                    const Components& components, Target target) {
  std::vector<std::vector<Index>> result;
  if (target == Target::nodes) {
    for (const Index component : components.of_node) result.push_back({component});
    return result;
  }
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    std::vector<Index> own;
    for (const Index v : hypergraph.members(e)) own.push_back(components.of_node[v]);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    result.push_back(std::move(own));
  }
  return result;
}

/// A training item votes for its class in each of its components; an item has the votes of its components.
/// Where there are none, or as many for two classes, the class that is more frequent in training wins. A member
/// that counts several times joins no more than one does: weights of incidences change nothing.
class ComponentRule : public Rule {
 public:
  ComponentRule(const Options& options, const Sizes& sizes)
      : role_aware_(options.flag("role_aware")), sizes_(sizes) {
    const std::int64_t items = sizes.target == Target::nodes ? sizes.nodes : sizes.edges;
    votes_ = register_buffer("votes", torch::zeros({items, sizes.classes}));
  }

  void fit(const Input& input, const std::vector<Index>& labels,
           const std::vector<Index>& training) override {
    const Hypergraph& hypergraph = input.hypergraph;
    const Components components =
        role_aware_ ? role_components(hypergraph) : connected_components(hypergraph);
    const auto of_items = components_of_items(hypergraph, components, sizes_.target);
    at::Tensor of_component = torch::zeros({components.count(), sizes_.classes}, torch::kDouble);
    auto counts = of_component.accessor<double, 2>();
    for (const Index item : training) {
      for (const Index component : of_items[item]) counts[component][labels[item]] += 1;
    }
    at::Tensor votes = class_prior(sizes_.classes, labels, training).repeat({votes_.size(0), 1});
    auto rows = votes.accessor<double, 2>();
    for (std::size_t item = 0; item < of_items.size(); ++item) {
      for (const Index component : of_items[item]) {
        for (std::int64_t c = 0; c < sizes_.classes; ++c)
          rows[static_cast<std::int64_t>(item)][c] += counts[component][c];
      }
    }
    votes_.copy_(votes);
  }

  at::Tensor forward(const Input& input, const nn::Step& /*step*/) override {
    const std::int64_t items =
        sizes_.target == Target::nodes ? input.incidence.nodes() : input.incidence.edges();
    if (items == votes_.size(0)) return votes_.log();
    throw UsageError(
        fmt::format("components: the votes belong to the {} items the rule was made for; this hypergraph "
                    "has {}, and its components have no training labels",
                    votes_.size(0), items));
  }

  bool heeds_edge_weights() const override { return false; }

 private:
  bool role_aware_;
  Sizes sizes_;
  at::Tensor votes_;  // [items, classes], with the prior added
};

}  // namespace

ModelEntry components_entry() {
  return {"components",
          "Components",
          "Rule without training: the majority of the training labels in a connected component",
          {flag_option("role_aware", true,
                       "a directed hyperedge joins tails with tails and heads with heads, not both sides")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<ComponentRule>(options, sizes);
          },
          /*is_rule=*/true};
}

}  // namespace dshn::models
