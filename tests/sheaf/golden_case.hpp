#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::test {

/// One case of the golden format: a hypergraph, maps, a charge and a signal, and what the operators must
/// give.
struct GoldenCase {
  std::string name;
  std::int64_t n = 0, d = 0, f = 0;
  double q = 0;
  bool add_identity = false;  // D_V + I stands for D_V
  Hypergraph hypergraph;
  /// Where incidence i of the file is in the by-hyperedge view.
  std::vector<std::int64_t> position;
  at::Tensor maps;  // in the order of the by-hyperedge view
  at::Tensor x;     // complex [n d, f]

  std::vector<std::int64_t> rank;
  at::Tensor L, Q_N, y, grad_x;  // complex
  at::Tensor eigenvalues_L_N, eigenvalues_I_minus_Q_N;
  at::Tensor energy, energy_unnormalized;
  double value = 0;
  at::Tensor grad_F;  // in the order of the file
  std::vector<std::int64_t> grad_F_undefined;
  double grad_q = 0;
  at::Tensor duta_L, duta_eigenvalues;  // undefined where the case has none
};

GoldenCase read_golden_case(const std::filesystem::path& path);

/// DSHN_GOLDEN_DIR, else tests/golden.
std::filesystem::path golden_folder();
std::vector<std::filesystem::path> golden_files();

}  // namespace dshn::test
