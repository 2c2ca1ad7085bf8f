#include "dshn/sheaf/maps.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"

namespace dshn::test {
namespace {

using sheaf::MapKind;

at::Tensor numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Random random(seed);
  at::Tensor result = at::empty({rows, columns}, at::kDouble);
  for (std::int64_t i = 0; i < result.numel(); ++i) result.data_ptr<double>()[i] = random.normal();
  return result;
}

using sheaf::map_kind;

TEST(Maps, NamesGoBothWays) {
  for (const MapKind& kind : sheaf::map_kinds()) EXPECT_EQ(&map_kind(kind.name), &kind);
  EXPECT_EQ(sheaf::map_kind_names().size(), sheaf::map_kinds().size());
  EXPECT_THROW(sheaf::map_kind("lowrank"), UsageError);
}

TEST(Maps, CountsParameters) {
  EXPECT_EQ(sheaf::parameters_per_map(map_kind("trivial"), 4), 0);
  EXPECT_EQ(sheaf::parameters_per_map(map_kind("diagonal"), 4), 4);
  EXPECT_EQ(sheaf::parameters_per_map(map_kind("general"), 4), 16);
  EXPECT_EQ(sheaf::parameters_per_map(map_kind("orthogonal"), 4), 6);
  EXPECT_EQ(sheaf::parameters_per_map(map_kind("low-rank"), 4, 2), 20);
  EXPECT_THROW(sheaf::parameters_per_map(map_kind("low-rank"), 4, 5), UsageError);
  EXPECT_THROW(sheaf::parameters_per_map(map_kind("general"), 0), UsageError);
}

TEST(Maps, TrivialMapsAreOnes) {
  const at::Tensor maps = sheaf::maps_from_parameters(map_kind("trivial"), numbers(3, 0, 1), 5);
  EXPECT_TRUE(at::equal(maps, at::ones({3, 1}, at::kDouble)));
}

TEST(Maps, DiagonalAndGeneralMapsAreTheirParameters) {
  const at::Tensor diagonal = numbers(4, 3, 1);
  const at::Tensor general = numbers(4, 9, 2);
  EXPECT_TRUE(at::equal(sheaf::maps_from_parameters(map_kind("diagonal"), diagonal, 3), diagonal));
  EXPECT_TRUE(at::equal(sheaf::maps_from_parameters(map_kind("general"), general, 3)[1][2],
                        general[1].slice(0, 6, 9)));
}

TEST(Maps, OrthogonalMapsAreOrthogonalWithOneDeterminant) {
  for (std::int64_t d = 1; d <= 6; ++d) {
    const at::Tensor parameters = 3 * numbers(20, d * (d - 1) / 2, d);

    const at::Tensor maps = sheaf::maps_from_parameters(map_kind("orthogonal"), parameters, d);

    const at::Tensor gram = at::bmm(maps.transpose(1, 2), maps);
    EXPECT_LT(at::abs(gram - at::eye(d, at::kDouble)).max().item<double>(), 1e-13) << "d = " << d;
    const double determinant = d % 2 == 1 ? 1.0 : -1.0;
    EXPECT_LT(at::abs(at::linalg_det(maps) - determinant).max().item<double>(), 1e-12) << "d = " << d;
  }
}

TEST(Maps, OrthogonalMapInThePlaneIsTheReflectionByHand) {
  // v = (1, 2): I - 2/5 v v^T.
  const at::Tensor maps =
      sheaf::maps_from_parameters(map_kind("orthogonal"), at::full({1, 1}, 2.0, at::kDouble), 2);
  const at::Tensor expected = at::tensor({0.6, -0.8, -0.8, -0.6}, at::kDouble).reshape({1, 2, 2});
  EXPECT_LT(at::abs(maps - expected).max().item<double>(), 1e-15);
}

TEST(Maps, LowRankMapsAreAProductPlusADiagonal) {
  const std::int64_t d = 3;
  const std::int64_t rank = 2;
  const at::Tensor p = numbers(5, 2 * d * rank + d, 3);

  const at::Tensor maps = sheaf::maps_from_parameters(map_kind("low-rank"), p, d, rank);

  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t a = 0; a < d; ++a) {
      for (std::int64_t b = 0; b < d; ++b) {
        double expected = a == b ? p[i][2 * d * rank + a].item<double>() : 0;
        for (std::int64_t k = 0; k < rank; ++k) {
          expected += p[i][a * rank + k].item<double>() * p[i][d * rank + b * rank + k].item<double>();
        }
        EXPECT_NEAR(maps[i][a][b].item<double>(), expected, 1e-14);
      }
    }
  }
}

/// d/dp of sum(c o maps(p)) by autograd and by central differences.
TEST(Maps, GradientsAgreeWithFiniteDifferences) {
  const std::int64_t d = 4;
  for (const MapKind& kind : sheaf::map_kinds()) {
    if (kind.length(d, 2) == 0) continue;
    SCOPED_TRACE(kind.name);
    at::Tensor p = numbers(3, sheaf::parameters_per_map(kind, d, 2), 4).requires_grad_();
    const at::Tensor weights = numbers(3, d * d, 5);
    const auto value = [&](const at::Tensor& parameters) {
      const at::Tensor maps = sheaf::maps_from_parameters(kind, parameters, d, 2).reshape({3, -1});
      return (maps * weights.slice(1, 0, maps.size(1))).sum();
    };

    value(p).backward();

    const at::Tensor& analytic = p.grad();
    const at::NoGradGuard no_grad;
    const double step = 1e-6;
    for (std::int64_t j = 0; j < p.size(1); ++j) {
      at::Tensor up = p.detach().clone();
      at::Tensor down = p.detach().clone();
      up[1][j] += step;
      down[1][j] -= step;
      const double numeric = (value(up) - value(down)).item<double>() / (2 * step);
      EXPECT_NEAR(analytic[1][j].item<double>(), numeric, 1e-7);
    }
  }
}

TEST(Maps, RandomMapsDependOnTheSeedOnly) {
  for (const MapKind& kind : sheaf::map_kinds()) {
    Random first(11);
    Random again(11);
    EXPECT_TRUE(at::equal(sheaf::random_maps(kind, 7, 3, first), sheaf::random_maps(kind, 7, 3, again)));
  }
  Random one(1);
  Random other(2);
  EXPECT_FALSE(at::equal(sheaf::random_maps(map_kind("general"), 7, 3, one),
                         sheaf::random_maps(map_kind("general"), 7, 3, other)));
}

TEST(Maps, NoIncidencesGiveNoMaps) {
  for (const MapKind& kind : sheaf::map_kinds()) {
    Random random(1);
    EXPECT_EQ(sheaf::random_maps(kind, 0, 3, random).size(0), 0);
  }
}

TEST(Maps, WrongParametersAreNamed) {
  try {
    sheaf::maps_from_parameters(map_kind("orthogonal"), numbers(2, 4, 1), 3);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "parameters: expected real [nnz, 3] for orthogonal maps with d = 3, got Double [2, 4] on cpu");
  }
}

}  // namespace
}  // namespace dshn::test
