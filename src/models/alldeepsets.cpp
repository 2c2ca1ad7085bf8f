// AllDeepSets: AllSet with sums between two networks as its set functions (Chien et al., ICLR 2022).
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/mlp.hpp"
#include "models/message_passing.hpp"
#include "models/set_network.hpp"

namespace dshn::models {
namespace {

/// f_dec(sum over the members of drop(relu(f_enc(x)))), both networks with a normalised input.
class DeepSet : public SetFunction {
 public:
  DeepSet(const Options& options, std::int64_t inputs)
      : width_(options.integer("hidden_width")),
        layers_(options.integer("mlp_layers")),
        dropout_(options.real("dropout")) {
    const auto mlp = [&](std::int64_t columns) {
      return std::make_shared<nn::Mlp>(
          nn::MlpOptions{columns, width_, width_, layers_, dropout_, /*norm=*/true, /*input_norm=*/true});
    };
    encoder_ = register_module("encoder", mlp(inputs));
    decoder_ = register_module("decoder", mlp(width_));
  }

  at::Tensor forward(const at::Tensor& members, ops::Over over, const Input& input,
                     const nn::Step& step) override {
    const nn::Rows of_members = rows_over(other_end(over));
    const at::Tensor encoded =
        step.drop(at::relu(encoder_->forward(members, of_members, step)), dropout_, of_members);
    return decoder_->forward(sum_over(over, encoded, input), rows_over(over), step);
  }

 private:
  std::int64_t width_;
  std::int64_t layers_;
  double dropout_;
  std::shared_ptr<nn::Mlp> encoder_;
  std::shared_ptr<nn::Mlp> decoder_;
};

}  // namespace

ModelEntry alldeepsets_entry() {
  return {"alldeepsets", "AllDeepSets", "AllSet with sums between two networks, to hyperedges and back",
          SetNetwork::options(), [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<SetNetwork>(options, sizes, [&](std::int64_t inputs) {
              return std::make_shared<DeepSet>(options, inputs);
            });
          }};
}

}  // namespace dshn::models
