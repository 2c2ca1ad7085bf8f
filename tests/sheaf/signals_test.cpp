#include "dshn/sheaf/signals.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/sheaf/classical.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;

TEST(Signals, ConstantSignalsHaveNoEnergyInTheTrivialSheaf) {
  const std::vector<sheaf::Arc> edges{{0, 1}, {1, 2}};
  const DirectedSheaf sheaf = sheaf::graph_laplacian(3, edges);
  EXPECT_NEAR(sheaf.dirichlet_energy(sheaf::constant_signal(sheaf), false)[0].item<double>(), 0, 1e-15);
}

TEST(Signals, NumbersKeepTheirPlaces) {
  const std::vector<sheaf::Arc> edges{{0, 1}};
  const DirectedSheaf sheaf = sheaf::magnetic_laplacian(2, edges, 0.25);
  const std::vector<std::complex<double>> values{{1, 2}, {3, 4}, {5, 6}, {7, 8}};

  const at::Tensor x = sheaf::signal_of(sheaf, values, 2);

  ASSERT_EQ(x.sizes(), (at::IntArrayRef{2, 1, 2, 2}));
  EXPECT_EQ(x[0][0][1][1].item<double>(), 4);
  EXPECT_EQ(x[1][0][0][0].item<double>(), 5);
  EXPECT_THROW(sheaf::signal_of(sheaf, values, 3), UsageError);
}

TEST(Signals, RandomSignalsDependOnTheSeedOnly) {
  const DirectedSheaf sheaf = sheaf::graph_laplacian(5, {});
  EXPECT_TRUE(at::equal(sheaf::random_signal(sheaf, 3), sheaf::random_signal(sheaf, 3)));
  EXPECT_FALSE(at::equal(sheaf::random_signal(sheaf, 3), sheaf::random_signal(sheaf, 4)));
}

}  // namespace
}  // namespace dshn::test
