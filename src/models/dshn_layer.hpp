#pragma once

#include <torch/nn/module.h>

#include "dshn/base/options.hpp"
#include "dshn/models/model.hpp"
#include "dshn/nn/complex.hpp"
#include "models/two_step_diffusion.hpp"

namespace dshn::models {

/// X' = drop(act(norm(Q_N (I (x) W1) X W2) [+ X])), eq. (diffusion) with the options of 'Architectural
/// Choices'; or the norm on what goes in, X' = drop(act(Q_N (I (x) W1) norm(X) W2 [+ X])).
class DshnLayer : public torch::nn::Module {
 public:
  /// `activates`: whether it ends with the activation.
  DshnLayer(const Options& options, bool activates);

  struct Projection {
    at::Tensor y;
    at::Tensor mean;
  };
  /// (I (x) W1) X W2, and the mean of X over the stalk where that is asked for: both read all of X.
  Projection project(const at::Tensor& x, bool with_mean) const;

  /// `maps` are m_ue F_ue N_u, with the weights of the incidences m (see dshn/ops/multiplicity.hpp); of a sample
  /// F_ue N_u alone.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& projected, const at::Tensor& maps,
                     const Charge& charge, const Input& input, const nn::Step& step);

 private:
  /// Q_N of what was projected, where ops::sheaf_rectified does not do it together with the end of the layer.
  static at::Tensor diffused(const at::Tensor& y, const at::Tensor& maps, const Charge& charge,
                             const Input& input);
  /// project() of some rows: y and, if asked for, the mean.
  std::vector<at::Tensor> project_rows(const at::Tensor& rows, bool with_mean) const;

  bool activates_;
  bool residual_;
  bool norm_first_;
  double dropout_;
  at::Tensor w1_;
  at::Tensor w2_;
  std::shared_ptr<nn::ComplexLayerNorm> norm_;
};

/// A real signal with an imaginary part of zeros.
at::Tensor with_imaginary_zeros(const at::Tensor& x);

}  // namespace dshn::models
