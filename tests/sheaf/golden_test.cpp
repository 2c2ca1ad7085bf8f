// Every case of a folder of golden cases, against every way in which this room computes what the case states.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "dshn/ops/sheaf.hpp"
#include "dshn/sheaf/assemble.hpp"
#include "dshn/sheaf/classical.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"
#include "dshn/sheaf/spectrum.hpp"
#include "sheaf/dense.hpp"
#include "sheaf/eigen.hpp"
#include "sheaf/golden_case.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;

constexpr double kGoldenTolerance = 1e-10;

/// Largest difference, measured by the size of what was expected where that is above 1.
double difference(const at::Tensor& got, const at::Tensor& expected) {
  if (expected.numel() == 0) return 0;
  const double scale = std::max(1.0, at::abs(expected).max().item<double>());
  return at::abs(got - expected).max().item<double>() / scale;
}

class Golden : public testing::TestWithParam<std::filesystem::path> {
 protected:
  GoldenCase golden_ = read_golden_case(GetParam());
  DirectedSheaf sheaf_{golden_.hypergraph, golden_.q, golden_.maps, golden_.d,
                       golden_.add_identity ? sheaf::Degree::plus_identity : sheaf::Degree::blocks};
  at::Tensor planar_ = sheaf::to_planar(golden_.x, golden_.d);
};

TEST_P(Golden, MatricesAgreeInEveryForm) {
  for (const auto& [form, expected] : {std::pair{Form::L, golden_.L}, std::pair{Form::Q_N, golden_.Q_N}}) {
    SCOPED_TRACE(sheaf::form_name(form));
    EXPECT_LT(distance(images(sheaf_, form), to_eigen(expected)), kGoldenTolerance);
    EXPECT_LT(distance(to_eigen(sheaf::assemble(sheaf_, form)), to_eigen(expected)), kGoldenTolerance);
    EXPECT_LT(distance(sheaf::dense(sheaf_, form), to_eigen(expected)), kGoldenTolerance);
  }
}

TEST_P(Golden, RanksOfDegreeBlocksAgree) {
  const at::Tensor projections = sheaf_.range_projection();
  for (std::int64_t u = 0; u < golden_.n; ++u) {
    const at::Tensor block = projections[u];
    const double rank = block.dim() == 1 ? block.sum().item<double>() : block.trace().item<double>();
    EXPECT_NEAR(rank, static_cast<double>(golden_.rank[u]), kGoldenTolerance) << "node " << u;
  }
}

TEST_P(Golden, BothSpectraAgree) {
  for (const auto& [form, expected] : {std::pair{Form::L_N, golden_.eigenvalues_L_N},
                                       std::pair{Form::I_minus_Q_N, golden_.eigenvalues_I_minus_Q_N}}) {
    SCOPED_TRACE(sheaf::form_name(form));
    const VectorXd dense = eigenvalues(images(sheaf_, form));
    const VectorXd by_definition = eigenvalues(sheaf::dense(sheaf_, form));
    for (std::int64_t j = 0; j < expected.size(0); ++j) {
      EXPECT_NEAR(dense[j], expected[j].item<double>(), kGoldenTolerance);
      EXPECT_NEAR(by_definition[j], expected[j].item<double>(), kGoldenTolerance);
    }
    if (!sheaf::has_spectrum()) continue;
    const auto pairs = sheaf::extreme_eigenpairs(sheaf_, {.form = form, .count = sheaf_.dimension()});
    for (std::int64_t j = 0; j < expected.size(0); ++j) {
      EXPECT_NEAR(pairs.values[j], expected[j].item<double>(), kGoldenTolerance);
    }
  }
}

TEST_P(Golden, ImageOfTheSignalAgrees) {
  EXPECT_LT(difference(sheaf::to_complex(sheaf_.apply(Form::Q_N, planar_)), golden_.y), kGoldenTolerance);
}

TEST_P(Golden, EnergiesAgreeBothWays) {
  EXPECT_LT(difference(sheaf_.dirichlet_energy(planar_), golden_.energy), kGoldenTolerance);
  EXPECT_LT(difference(sheaf_.energy(planar_), golden_.energy), kGoldenTolerance);
  EXPECT_LT(difference(sheaf_.dirichlet_energy(planar_, false), golden_.energy_unnormalized),
            kGoldenTolerance);
  EXPECT_LT(difference(sheaf_.energy(planar_, false), golden_.energy_unnormalized), kGoldenTolerance);
}

/// Where the kernels run: DSHN_TEST_DEVICE=cuda in the environment asks for a GPU.
at::Device golden_device() {
  const char* name = std::getenv("DSHN_TEST_DEVICE");
  return name == nullptr ? at::Device(at::kCPU) : at::Device(name);
}

/// Q_N x by the operators that learning calls.
at::Tensor diffused(const GoldenCase& golden, const at::Tensor& x, const at::Tensor& maps,
                    const at::Tensor& q, const ops::Incidence& incidence) {
  if (!golden.add_identity) return ops::sheaf_diffuse(x, maps, q, {}, incidence);
  const at::Tensor degree = ops::degree_blocks(maps, {}, incidence);
  const at::Tensor more = degree.dim() == 3 ? degree + at::eye(golden.d, degree.options()) : degree + 1;
  return ops::sheaf_signless(x, ops::scale_maps(maps, ops::inverse_sqrt(more), incidence), q, {}, incidence);
}

TEST_P(Golden, GradientsAgree) {
  const at::Device device = golden_device();
  const auto variable = [&](const at::Tensor& given) {
    return given.to(device, given.scalar_type(), false, /*copy=*/true).requires_grad_();
  };
  at::Tensor x = variable(planar_);
  at::Tensor maps = variable(golden_.maps);
  at::Tensor q = variable(at::scalar_tensor(golden_.q, at::kDouble));

  const at::Tensor y = diffused(golden_, x, maps, q, ops::Incidence(golden_.hypergraph, device));
  const at::Tensor value = (y * y).sum();
  value.backward();
  const at::Tensor grad_x = x.grad().to(at::kCPU);
  const at::Tensor grad_maps = maps.grad().to(at::kCPU);
  const at::Tensor grad_q = q.grad().to(at::kCPU);

  EXPECT_LT(difference(sheaf::to_complex(y.detach().to(at::kCPU)), golden_.y), kGoldenTolerance);
  EXPECT_NEAR(value.item<double>(), golden_.value, kGoldenTolerance * std::max(1.0, golden_.value));
  EXPECT_LT(difference(sheaf::to_complex(grad_x), golden_.grad_x), kGoldenTolerance);
  EXPECT_LT(difference(grad_q, at::scalar_tensor(golden_.grad_q, at::kDouble)), kGoldenTolerance);
  at::Tensor grad_F = grad_maps.index_select(0, at::tensor(golden_.position, at::kLong));
  EXPECT_TRUE(at::isfinite(grad_F).all().item<bool>());
  // Where D_u is singular the function is not continuous: finite numbers, whatever they are.
  for (const std::int64_t i : golden_.grad_F_undefined) grad_F[i] = golden_.grad_F[i];
  EXPECT_LT(difference(grad_F, golden_.grad_F), kGoldenTolerance);
}

TEST_P(Golden, LaplacianOfDutaAgrees) {
  if (!golden_.duta_L.defined()) return;  // only the counterexample states it
  const sheaf::DutaLaplacian duta(golden_.hypergraph, golden_.maps, golden_.d);
  const MatrixXcd matrix = to_eigen(duta.assemble());
  EXPECT_LT(distance(matrix, to_eigen(golden_.duta_L)), kGoldenTolerance);
  const VectorXd values = eigenvalues(matrix);
  const at::Tensor expected = std::get<0>(golden_.duta_eigenvalues.sort());
  for (std::int64_t j = 0; j < expected.size(0); ++j)
    EXPECT_NEAR(values[j], expected[j].item<double>(), kGoldenTolerance);
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(golden_files()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Golden);

TEST(GoldenFolder, HoldsCases) {
  EXPECT_FALSE(golden_files().empty()) << golden_folder();
}

}  // namespace
}  // namespace dshn::test
