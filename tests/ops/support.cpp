#include "ops/support.hpp"

#include <ATen/Parallel.h>

#include <algorithm>

#include "dshn/base/error.hpp"

namespace dshn::ops::test {
namespace {

struct Members {
  std::vector<Index> edge, node;
  std::vector<Role> role;

  void add(Index e, const std::vector<Index>& nodes, const std::vector<Role>& roles) {
    edge.insert(edge.end(), nodes.size(), e);
    node.insert(node.end(), nodes.begin(), nodes.end());
    role.insert(role.end(), roles.begin(), roles.end());
  }
  Hypergraph build(Index n, Index m, HypergraphExtras extras = {}) const {
    return {n, m, {edge, node, role}, OnConflict::error, std::move(extras)};
  }
};

std::vector<Role> random_roles(Random& random, std::size_t count) {
  std::vector<Role> roles(count);
  const bool undirected = random.below(4) == 0;
  for (Role& role : roles) role = undirected || random.below(2) == 0 ? Role::tail : Role::head;
  return roles;
}

std::vector<at::Tensor> leaves(const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> result;
  result.reserve(inputs.size());
  for (const at::Tensor& input : inputs) result.push_back(input.detach().clone().requires_grad_(true));
  return result;
}

/// Fixed numbers with the shape of y: the gradient that flows in.
at::Tensor probe(const at::Tensor& y) {
  Random random(99);
  return random_tensor(random, y.sizes()).to(y.scalar_type());
}

double central_difference(const Function& function, std::vector<at::Tensor> inputs, std::size_t which,
                          std::int64_t entry) {
  constexpr double kStep = 1e-6;
  double values[2];
  for (const int side : {0, 1}) {
    at::Tensor moved = inputs[which].detach().clone();
    moved.view(-1)[entry] += side == 0 ? -kStep : kStep;
    std::vector<at::Tensor> arguments = inputs;
    arguments[which] = moved;
    const at::Tensor y = function(arguments);
    values[side] = (y * probe(y)).sum().item<double>();
  }
  return (values[1] - values[0]) / (2 * kStep);
}

}  // namespace

Hypergraph random_small(Random& random, bool weighted) {
  const auto n = static_cast<Index>(1 + random.below(12));
  const auto m = static_cast<Index>(1 + random.below(9));
  const auto connected = static_cast<Index>(1 + random.below(n));  // the nodes after these are isolated
  Members members;
  std::vector<Index> previous;
  std::vector<Role> previous_roles;
  for (Index e = 0; e < m; ++e) {
    const std::uint64_t kind = random.below(6);
    const Index most = std::min<Index>(connected, 6);
    Index size = static_cast<Index>(random.below(most + 1));
    if (kind == 0) size = 0;
    if (kind == 1) size = 1;
    const bool repeat = kind == 2 && e > 0;
    const bool everyone = kind == 3;
    std::vector<Index> nodes =
        repeat ? previous : random.sample(everyone ? n : connected, everyone ? n : size);
    std::vector<Role> roles = repeat ? previous_roles : random_roles(random, nodes.size());
    members.add(e, nodes, roles);
    previous = std::move(nodes);
    previous_roles = std::move(roles);
  }
  HypergraphExtras extras;
  for (Index e = 0; weighted && e < m; ++e) extras.edge_weights.push_back(0.25 + 2 * random.uniform());
  return members.build(n, m, std::move(extras));
}

Hypergraph random_large(Random& random) {
  constexpr Index kNodes = 700;
  constexpr Index kEdges = 400;
  Members members;
  for (Index e = 0; e < kEdges; ++e) {
    const Index size = e == 7 ? kNodes : static_cast<Index>(random.below(20));
    const std::vector<Index> nodes = random.sample(kNodes, size);
    members.add(e, nodes, random_roles(random, nodes.size()));
  }
  return members.build(kNodes, kEdges);
}

at::Tensor random_tensor(Random& random, at::IntArrayRef shape) {
  at::Tensor result = at::empty(shape, at::kDouble);
  auto* values = result.data_ptr<double>();
  std::generate_n(values, result.numel(), [&] { return random.normal(); });
  return result;
}

SheafCase::SheafCase(Random& random, const Hypergraph& h, std::int64_t stalk, std::int64_t channels,
                     std::int64_t planes, Maps kind)
    : hypergraph(h), incidence(hypergraph), d(stalk), f(channels) {
  x = random_tensor(random, {hypergraph.node_count(), d, planes, f});
  const Offset nnz = hypergraph.incidence_count();
  std::vector<std::int64_t> shape{nnz, kind == Maps::scalar ? 1 : d};
  if (kind == Maps::general) shape.push_back(d);
  maps = random_tensor(random, shape);
  if (planes == 2) q = torch::tensor(random.uniform() * 2 - 1, torch::kDouble);
  if (hypergraph.weighted()) {
    const auto weights = hypergraph.edge_weights();
    weight = torch::tensor(std::vector<double>(weights.begin(), weights.end()), torch::kDouble);
  }
  text = "n=" + std::to_string(hypergraph.node_count()) + " m=" + std::to_string(hypergraph.edge_count()) +
         " nnz=" + std::to_string(nnz) + " d=" + std::to_string(d) + " f=" + std::to_string(f) +
         " planes=" + std::to_string(planes) + " maps=" + std::to_string(static_cast<int>(kind)) +
         (hypergraph.weighted() ? " weighted" : "");
}

void for_each_small_case(const std::function<void(const SheafCase&)>& check) {
  Random random(20250101);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (std::int64_t d = 1; d <= 7; ++d) {
      for (const std::int64_t f : {1, 3, 7, 16, 33}) {
        for (const std::int64_t planes : {1, 2}) {
          const SheafCase sample(random, random_small(random, random.below(2) == 0), d, f, planes, kind);
          SCOPED_TRACE(sample.text);
          check(sample);
        }
      }
    }
  }
}

void expect_gradients(const Function& function, const std::vector<at::Tensor>& inputs, double tolerance) {
  const std::vector<at::Tensor> gradients = with_gradients(function, inputs);
  for (std::size_t which = 0; which < inputs.size(); ++which) {
    const at::Tensor gradient = gradients[which + 1].contiguous();
    ASSERT_EQ(gradient.numel(), inputs[which].numel());
    for (std::int64_t entry = 0; entry < gradient.numel(); ++entry) {
      const double expected = central_difference(function, inputs, which, entry);
      const double actual = gradient.view(-1)[entry].item<double>();
      ASSERT_NEAR(actual, expected, tolerance * (1 + std::abs(expected)))
          << "input " << which << " entry " << entry;
    }
  }
}

std::vector<at::Tensor> with_gradients(const Function& function, const std::vector<at::Tensor>& inputs,
                                       int threads) {
  const int before = at::get_num_threads();
  if (threads > 0) at::set_num_threads(threads);
  const std::vector<at::Tensor> variables = leaves(inputs);
  const at::Tensor y = function(variables);
  std::vector<at::Tensor> result{y.detach()};
  const auto gradients = torch::autograd::grad({y}, variables, {probe(y)}, {}, false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    result.push_back(gradients[i].defined() ? gradients[i] : at::zeros_like(inputs[i]));
  at::set_num_threads(before);
  return result;
}

void expect_same_bits_for_any_threads(const Function& function, const std::vector<at::Tensor>& inputs) {
  const std::vector<at::Tensor> one = with_gradients(function, inputs, 1);
  for (const int threads : {2, 7}) {
    const std::vector<at::Tensor> several = with_gradients(function, inputs, threads);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_TRUE(at::equal(one[i], several[i])) << threads << " threads, tensor " << i;
  }
}

void expect_float_near_double(const Function& function, const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> single;
  std::vector<at::Tensor> rounded;  // so that both see the same numbers
  for (const at::Tensor& input : inputs) {
    single.push_back(input.to(at::kFloat));
    rounded.push_back(single.back().to(at::kDouble));
  }
  const auto in_double = with_gradients(function, rounded);
  const auto in_float = with_gradients(function, single);
  for (std::size_t i = 0; i < in_double.size(); ++i) {
    ASSERT_EQ(in_float[i].scalar_type(), at::kFloat);
    const double size = in_double[i].numel() == 0 ? 0 : in_double[i].abs().max().item<double>();
    expect_near(in_float[i].to(at::kDouble), in_double[i], 2e-5 * (1 + size), "tensor " + std::to_string(i));
  }
}

void expect_near(const at::Tensor& actual, const at::Tensor& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  ASSERT_EQ(actual.scalar_type(), expected.scalar_type()) << what;
  if (actual.numel() == 0) return;
  EXPECT_LE((actual - expected).abs().max().item<double>(), tolerance) << what;
}

std::string usage_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return "";
  }
  ADD_FAILURE() << "no exception";
  return "";
}

void expect_double_backward_refused(const Function& function, const std::vector<at::Tensor>& inputs,
                                    const std::string& name) {
  const std::vector<at::Tensor> variables = leaves(inputs);
  const at::Tensor loss = function(variables).square().sum();
  const std::string message =
      usage_error([&] { torch::autograd::grad({loss}, variables, {}, true, /*create_graph=*/true); });
  EXPECT_NE(message.find(name + ": no second derivative is implemented"), std::string::npos) << message;
}

}  // namespace dshn::ops::test
