// Nearest share of head roles: how often an item is a head tells its class where classes are ordered.
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/models/rules.hpp"
#include "models/class_counts.hpp"

namespace dshn::models {
namespace {

/// Heads among the incidences of each item in directed hyperedges: a node's roles, or a hyperedge's members.
/// Incidences with weights count so many times. -1 where there are none.
at::Tensor head_shares(const Hypergraph& hypergraph, Target target) {
  const Index items = target == Target::nodes ? hypergraph.node_count() : hypergraph.edge_count();
  std::vector<double> heads(items, 0);
  std::vector<double> all(items, 0);
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    if (!hypergraph.is_directed(e)) continue;
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i) {
      const Index item = target == Target::nodes ? hypergraph.member_nodes()[i] : e;
      const double weight = hypergraph.incidence_weight(i);
      heads[item] += hypergraph.role(e, i) == Role::head ? weight : 0;
      all[item] += weight;
    }
  }
  at::Tensor shares = torch::empty({items}, torch::kDouble);
  for (Index item = 0; item < items; ++item)
    shares.data_ptr<double>()[item] = all[item] > 0 ? heads[item] / all[item] : -1.0;
  return shares;
}

/// The class whose centre is nearest to the item's share. Items without a role in a directed hyperedge get
/// the class that is most frequent in training.
class HeadShareRule : public Rule {
 public:
  HeadShareRule(const Options& options, const Sizes& sizes)
      : even_(options.is("centres", "even")), sizes_(sizes) {
    centres_ = register_buffer("centres", torch::zeros({sizes.classes}));
    prior_ = register_buffer("prior", torch::zeros({sizes.classes}));
  }

  Input prepare(const Input& input) const override {
    Input prepared = input;
    prepared.derived["share"] = head_shares(input.hypergraph, sizes_.target).to(input.x.options());
    return prepared;
  }

  void fit(const Input& input, const std::vector<Index>& labels,
           const std::vector<Index>& training) override {
    prior_.copy_(class_prior(sizes_.classes, labels, training));
    if (even_) {
      centres_.copy_(torch::linspace(0, 1, sizes_.classes, torch::kDouble));
      return;
    }
    const at::Tensor shares = input.derived.at("share").to(at::kCPU, at::kDouble);
    std::vector<double> sums(sizes_.classes, 0);
    std::vector<double> counts(sizes_.classes, 0);
    for (const Index item : training) {
      const double share = shares.data_ptr<double>()[item];
      if (share < 0) continue;
      sums[labels[item]] += share;
      counts[labels[item]] += 1;
    }
    for (std::int64_t c = 0; c < sizes_.classes; ++c)
      centres_[c] = counts[c] > 0 ? sums[c] / counts[c] : kNowhere;
  }

  at::Tensor forward(const Input& input, const nn::Step& /*step*/) override {
    const at::Tensor share = input.derived.at("share").unsqueeze(1);
    return at::where(share < 0, prior_.log(), -(share - centres_).abs());
  }

  bool heeds_edge_weights() const override { return false; }

 private:
  /// Far from every share: a class that no training item with a role has is never the nearest.
  static constexpr double kNowhere = 100;

  bool even_;
  Sizes sizes_;
  at::Tensor centres_;
  at::Tensor prior_;
};

}  // namespace

ModelEntry head_share_entry() {
  return {"head-share",
          "Head share",
          "Rule without training: the class whose share of head roles is nearest to the item's own",
          {choice_option("centres", "training", {"training", "even"},
                         "shares of the classes: the means of the training items, or 0, 1/(C-1), ..., 1")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<HeadShareRule>(options, sizes);
          },
          /*is_rule=*/true};
}

}  // namespace dshn::models
