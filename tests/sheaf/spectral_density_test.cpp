#include "dshn/sheaf/spectral_density.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/sheaf/classical.hpp"
#include "dshn/sheaf/maps.hpp"
#include "sheaf/eigen.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;

DirectedSheaf random_sheaf() {
  Random random(1);
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  for (Index e = 0; e < 150; ++e) {
    for (const Index u : random.sample(100, 3)) {
      edge.push_back(e);
      node.push_back(u);
      role.push_back(random.below(2) == 0 ? Role::tail : Role::head);
    }
  }
  return {Hypergraph(100, 150, {edge, node, role}), 0.25,
          sheaf::random_maps(sheaf::map_kind("general"), 450, 2, random), 2};
}

double mass(const sheaf::SpectralDensity& density, double below) {
  const double step = density.lambda[1] - density.lambda[0];
  double sum = 0;
  for (std::size_t i = 0; i < density.lambda.size(); ++i) {
    if (density.lambda[i] < below) sum += step * density.density[i];
  }
  return sum;
}

TEST(SpectralDensity, CountsTheEigenvaluesBelow) {
  const DirectedSheaf sheaf = random_sheaf();
  const VectorXd values = eigenvalues(images(sheaf, Form::L_N));

  const auto density =
      sheaf::spectral_density(sheaf, {.moments = 120, .probes = 64, .points = 1000, .seed = 2});

  for (const double at : {0.3, 0.5, 0.7, 0.9}) {
    const double share =
        static_cast<double>((values.array() < at).count()) / static_cast<double>(values.size());
    EXPECT_NEAR(mass(density, at), share, 0.05) << "below " << at;
  }
  for (const double value : density.density) EXPECT_GE(value, -1e-9);
}

TEST(SpectralDensity, IntegratesToOneForEveryForm) {
  const DirectedSheaf sheaf = random_sheaf();
  for (const Form form : {Form::L, Form::Q, Form::L_N, Form::Q_N}) {
    const auto density = sheaf::spectral_density(sheaf, {.form = form, .points = 4000});
    EXPECT_NEAR(mass(density, 1e9), 1, 0.01) << sheaf::form_name(form);
  }
}

TEST(SpectralDensity, SameSeedSameBits) {
  const DirectedSheaf sheaf = random_sheaf();
  EXPECT_EQ(sheaf::spectral_density(sheaf, {.seed = 4}).density,
            sheaf::spectral_density(sheaf, {.seed = 4}).density);
  EXPECT_NE(sheaf::spectral_density(sheaf, {.seed = 4}).density,
            sheaf::spectral_density(sheaf, {.seed = 5}).density);
}

TEST(SpectralDensity, RefusesImpossibleOptions) {
  const DirectedSheaf sheaf = random_sheaf();
  EXPECT_THROW(sheaf::spectral_density(sheaf, {.moments = 1}), UsageError);
  EXPECT_THROW(sheaf::spectral_density(sheaf, {.probes = 0}), UsageError);
  EXPECT_THROW(sheaf::spectral_density(sheaf, {.points = 1}), UsageError);
  EXPECT_THROW(sheaf::spectral_density(sheaf::graph_laplacian(0, {})), UsageError);
}

}  // namespace
}  // namespace dshn::test
