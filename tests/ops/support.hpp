#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::ops::test {

/// Up to twelve nodes and nine hyperedges of all the kinds that are legal: empty ones, singletons, repeated
/// ones, one with every node; directed and not. Some nodes are isolated. Weighted or not.
Hypergraph random_small(Random& random, bool weighted);

/// A few thousand incidences, so that several threads have work.
Hypergraph random_large(Random& random);

/// Standard normal numbers from the seeded source.
at::Tensor random_tensor(Random& random, at::IntArrayRef shape);

enum class Maps { scalar, diagonal, general };

/// An input of the sheaf operators in float64.
struct SheafCase {
  Hypergraph hypergraph;
  Incidence incidence;
  std::int64_t d, f;
  at::Tensor x;     // [n, d, planes, f]
  at::Tensor maps;  // as the kind says
  OptionalTensor q;
  OptionalTensor weight;

  SheafCase(Random& random, const Hypergraph& h, std::int64_t d, std::int64_t f, std::int64_t planes,
            Maps kind);

  std::string text;  // for messages
};

/// Calls `check` on random cases of every map kind, both numbers of planes, d in 1..7 and odd widths.
void for_each_small_case(const std::function<void(const SheafCase&)>& check);

/// Compares autograd's gradient of sum(function(inputs) * fixed random numbers) with central differences, for
/// every entry of every input. float64.
using Function = std::function<at::Tensor(const std::vector<at::Tensor>&)>;
void expect_gradients(const Function& function, const std::vector<at::Tensor>& inputs,
                      double tolerance = 1e-6);

/// Result and gradients of all inputs, under the given number of threads.
std::vector<at::Tensor> with_gradients(const Function& function, const std::vector<at::Tensor>& inputs,
                                       int threads = 0);

/// The same bits for 1, 2 and 7 threads, result and gradients.
void expect_same_bits_for_any_threads(const Function& function, const std::vector<at::Tensor>& inputs);

/// The result in float32 is near the result in float64, and so are the gradients.
void expect_float_near_double(const Function& function, const std::vector<at::Tensor>& inputs);

void expect_near(const at::Tensor& actual, const at::Tensor& expected, double tolerance,
                 const std::string& what);

/// Runs `call`, expects a UsageError and returns its message.
std::string usage_error(const std::function<void()>& call);

/// A backward pass that asks for a graph of its own is refused with the operator's name.
void expect_double_backward_refused(const Function& function, const std::vector<at::Tensor>& inputs,
                                    const std::string& name);

}  // namespace dshn::ops::test
