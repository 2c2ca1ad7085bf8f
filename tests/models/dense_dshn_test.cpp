// DSHN written down with one complex matrix per layer: what its options mean.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <numbers>

#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

using test::parameter;

constexpr std::int64_t kStalk = 2;
constexpr std::int64_t kWidth = 3;

at::Tensor complex_of(const at::Tensor& real) {
  return at::complex(real, at::zeros_like(real));
}

/// The map of an incidence as a matrix.
at::Tensor block(const at::Tensor& map) {
  if (map.dim() == 2) return map;
  return map.size(0) == 1 ? map * at::eye(kStalk, at::kDouble) : at::diag(map);
}

/// B^(-1/2), zero where B is.
at::Tensor inverse_root(const at::Tensor& b) {
  const auto [values, vectors] = at::linalg_eigh(b);
  const at::Tensor roots = at::where(values > 1e-10, values.clamp_min(1e-10).rsqrt(), at::zeros_like(values));
  return at::mm(vectors * roots, vectors.t());
}

/// Q_N of a layer, [n d, n d].
at::Tensor operator_of(const LayerSheaf& sheaf, const Hypergraph& h, const Options& options) {
  const std::int64_t n = h.node_count();
  at::Tensor q = at::zeros({n * kStalk, n * kStalk}, at::kComplexDouble);
  at::Tensor degree = at::zeros({n, kStalk, kStalk}, at::kDouble);
  const auto at_node = [&](at::Tensor& all, Index u, Index v) {
    return all.narrow(0, u * kStalk, kStalk).narrow(1, v * kStalk, kStalk);
  };
  for (Index e = 0; e < h.edge_count(); ++e) {
    const double charge = sheaf.charges.defined() ? sheaf.charges[e].item<double>() : sheaf.charge;
    const double weight = h.weight(e);
    const auto first = h.edge_ptr()[e];
    const auto last = h.edge_ptr()[e + 1];
    double size = 0;
    for (Offset i = first; i < last; ++i) size += h.incidence_weight(i);
    for (Offset i = first; i < last; ++i) {
      const Index u = h.member_nodes()[i];
      const at::Tensor fu = block(sheaf.maps[i]);
      degree[u] += weight * h.incidence_weight(i) *
                   (options.is("normalisation", "degree") ? at::eye(kStalk, at::kDouble) : fu.t().mm(fu));
      for (Offset j = first; j < last; ++j) {
        const int turns = (h.role(e, i) == Role::tail ? 1 : 0) - (h.role(e, j) == Role::tail ? 1 : 0);
        const double angle = 2 * std::numbers::pi * charge * turns;
        const c10::complex<double> phase(std::cos(angle), std::sin(angle));
        const double share = weight * h.incidence_weight(i) * h.incidence_weight(j) / size;
        const at::Tensor term = complex_of(fu.t().mm(block(sheaf.maps[j])) * share);
        at_node(q, u, h.member_nodes()[j]) += term * at::scalar_tensor(phase, at::kComplexDouble);
      }
    }
  }
  at::Tensor root = at::zeros_like(q);
  for (Index u = 0; u < n; ++u) {
    at::Tensor d = degree[u];
    if (options.flag("add_identity")) d = d + at::eye(kStalk, at::kDouble);
    at_node(root, u, u).copy_(complex_of(inverse_root(d)));
  }
  return root.mm(q).mm(root);
}

/// Centred and whitened over the channels of each stalk component, then mapped by gamma and beta.
at::Tensor dense_norm(const at::Tensor& x, const Model& model, const std::string& layer) {
  const at::Tensor pair = at::stack({at::real(x), at::imag(x)}, -1);  // [n, d, f, 2]
  const at::Tensor centred = pair - pair.mean(2, true);
  const at::Tensor covariance =
      at::matmul(centred.transpose(2, 3), centred) / double(kWidth) + 1e-5 * at::eye(2, at::kDouble);
  const auto [values, vectors] = at::linalg_eigh(covariance);
  const at::Tensor root = at::matmul(vectors * values.rsqrt().unsqueeze(-2), vectors.transpose(-2, -1));
  const at::Tensor white = at::matmul(centred, root);
  const at::Tensor y =
      at::matmul(white, parameter(model, layer + ".norm.gamma").t()) + parameter(model, layer + ".norm.beta");
  return at::complex(y.select(-1, 0), y.select(-1, 1));
}

at::Tensor dense_forward(Model& model, const Input& input, const Options& options) {
  const at::Tensor lifted = test::dense_linear(input.x.dense(), model, "lift").view({-1, kStalk, kWidth});
  at::Tensor x = options.is("input_imaginary", "copy") ? at::complex(lifted, lifted) : complex_of(lifted);
  const std::vector<LayerSheaf> sheaves = model.sheaves(model.prepare(input));
  for (std::size_t t = 0; t < sheaves.size(); ++t) {
    const std::string layer = "layer" + std::to_string(t);
    const at::Tensor given = options.is("layer_norm", "input") ? dense_norm(x, model, layer) : x;
    at::Tensor y = at::matmul(complex_of(parameter(model, layer + ".w1")), given);
    y = at::matmul(y, complex_of(parameter(model, layer + ".w2")));
    y = operator_of(sheaves[t], input.hypergraph, options).mm(y.reshape({-1, kWidth})).view(x.sizes());
    if (options.is("layer_norm", "output")) y = dense_norm(y, model, layer);
    if (options.flag("residual")) y = y + x;
    if (t + 1 < sheaves.size() || options.flag("last_activation"))
      y = y * complex_of(at::real(y).gt(0).to(at::kDouble));
    x = y;
  }
  return test::dense_classifier(at::stack({at::real(x), at::imag(x)}, 2).reshape({x.size(0), -1}), model);
}

/// The diagonal maps of the first layer, pair by pair: act(V_u x_u + V_e x_e + b).
at::Tensor first_maps(const Model& model, const Input& input, const Options& options) {
  const at::Tensor x = test::dense_linear(input.x.dense(), model, "lift").view({-1, kStalk, kWidth}).mean(1);
  const auto normed = [&](const at::Tensor& row) {
    return options.flag("map_norm") ? torch::layer_norm(row, {row.size(0)}) : row;
  };
  // The signal is real yet: of weights for [re || im] the first half counts.
  const auto real_half = [&](const std::string& name) { return parameter(model, name).narrow(1, 0, kWidth); };
  const bool transforms = options.is("hyperedge_features", "transformed-sum");
  const Hypergraph& h = input.hypergraph;
  std::vector<at::Tensor> maps;
  for (Index e = 0; e < h.edge_count(); ++e) {
    at::Tensor edge = at::zeros({kWidth}, at::kDouble);
    double size = 0;
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      const at::Tensor row = x[h.member_nodes()[i]];
      edge += h.incidence_weight(i) * (transforms ? at::relu(at::mv(real_half("phi0.edge_transform"), row) +
                                                             parameter(model, "phi0.transform_bias"))
                                                  : at::mv(parameter(model, "phi0.edge_transform"), row));
      size += h.incidence_weight(i);
    }
    if (options.is("hyperedge_features", "members-mean")) edge = edge / size;
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      at::Tensor z = at::mv(real_half("phi0.from_node"), normed(x[h.member_nodes()[i]])) +
                     at::mv(real_half("phi0.from_edge"), normed(edge));
      if (options.flag("map_bias")) z = z + parameter(model, "phi0.bias");
      maps.push_back(at::sigmoid(z));
    }
  }
  return at::stack(maps);
}

TEST(DenseDshn, PredictsTheMaps) {
  for (const char* pool : {"members-mean", "members-sum", "transformed-sum"}) {
    for (const char* norm : {"false", "true"}) {
      for (const char* bias : {"false", "true"}) {
        const Assignments set{{"hidden_width", "3"},        {"layers", "1"},    {"d", "2"},
                              {"hyperedge_features", pool}, {"map_norm", norm}, {"map_bias", bias}};
        for (const Hypergraph& hypergraph :
             {test::random_hypergraphs()[2], test::random_hypergraphs().back()}) {
          const Input input = test::input_of(hypergraph);
          const std::shared_ptr<Model> model = test::new_model("dshn", set, input);
          const torch::NoGradGuard no_grad;
          for (at::Tensor& p : model->parameters()) p.add_(0.1 * torch::randn_like(p));
          const at::Tensor expected = first_maps(*model, input, Options(find_model("dshn").options, set));
          EXPECT_LT(test::distance(model->sheaves(model->prepare(input))[0].maps, expected), 1e-12)
              << pool << norm << bias;
        }
      }
    }
  }
}

class DenseDshnOptions : public testing::TestWithParam<Assignments> {};

TEST_P(DenseDshnOptions, MeanWhatTheySay) {
  Assignments set{
      {"hidden_width", "3"}, {"classifier_width", "5"}, {"layers", "2"}, {"d", "2"}, {"q", "0.2"}};
  for (const auto& [name, value] : GetParam()) set[name] = value;
  const Options options(find_model("dshn").options, set);
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    if (!hypergraph.has_directed_edges())
      continue;  // the real path is compared with the complex one elsewhere
    const Input input = test::input_of(hypergraph);
    const std::shared_ptr<Model> model = test::new_model("dshn", set, input);
    const torch::NoGradGuard no_grad;
    for (at::Tensor& p : model->parameters()) p.add_(0.1 * torch::randn_like(p));
    EXPECT_LT(test::distance(test::logits(*model, input), dense_forward(*model, input, options)), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, DenseDshnOptions,
    testing::Values(Assignments{}, Assignments{{"add_identity", "true"}},
                    Assignments{{"add_identity", "true"}, {"maps", "general"}},
                    Assignments{{"add_identity", "true"}, {"maps", "orthogonal"}},
                    Assignments{{"add_identity", "true"}, {"maps", "trivial"}},
                    Assignments{{"normalisation", "degree"}},
                    Assignments{{"normalisation", "degree"}, {"maps", "general"}, {"add_identity", "true"}},
                    Assignments{{"layer_norm", "output"}, {"residual", "true"}},
                    Assignments{{"layer_norm", "input"}, {"residual", "true"}, {"input_imaginary", "copy"}},
                    Assignments{{"last_activation", "false"}}, Assignments{{"input_imaginary", "copy"}},
                    Assignments{{"q", "learn-per-hyperedge"}, {"maps", "trivial"}},
                    Assignments{{"q", "learn-per-hyperedge"}, {"add_identity", "true"}}));

}  // namespace
}  // namespace dshn::models
