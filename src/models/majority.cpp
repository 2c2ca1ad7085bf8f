// The most frequent class of the training items, for everyone.
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/models/rules.hpp"
#include "models/class_counts.hpp"

namespace dshn::models {
namespace {

class MajorityRule : public Rule {
 public:
  MajorityRule(const Options& /*options*/, const Sizes& sizes)
      : target_(sizes.target), prior_(register_buffer("prior", torch::ones({sizes.classes}))) {}

  void fit(const Input& /*input*/, const std::vector<Index>& labels,
           const std::vector<Index>& training) override {
    prior_.copy_(class_prior(prior_.size(0), labels, training));
  }

  at::Tensor forward(const Input& input, const nn::Step& /*step*/) override {
    return prior_.log().unsqueeze(0).expand({items(input), -1}).contiguous();
  }

 private:
  std::int64_t items(const Input& input) const {
    return target_ == Target::nodes ? input.incidence.nodes() : input.incidence.edges();
  }

  Target target_;
  at::Tensor prior_;
};

}  // namespace

ModelEntry majority_entry() {
  return {"majority",
          "Majority",
          "Rule without training: the class that most training items have",
          {},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<MajorityRule>(options, sizes);
          },
          /*is_rule=*/true};
}

}  // namespace dshn::models
