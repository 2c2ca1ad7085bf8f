#include "dshn/sheaf/directed_sheaf.hpp"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "sheaf/eigen.hpp"
#include "sheaf/random_sheaf.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;
using testing::HasSubstr;

/// {0} -> {1, 2} and {2}; node 3 is isolated.
Hypergraph small() {
  const std::vector<Index> edge{0, 0, 0, 1};
  const std::vector<Index> node{0, 1, 2, 2};
  const std::vector<Role> role{Role::tail, Role::head, Role::head, Role::tail};
  return {4, 2, {edge, node, role}};
}

at::Tensor ones(at::IntArrayRef shape) {
  return at::ones(shape, at::kDouble);
}

template <typename Action>
std::string usage_error(const Action& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(DirectedSheaf, LaplacianOfOneArcByHand) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{0, 1};
  const std::vector<Role> role{Role::tail, Role::head};
  const DirectedSheaf sheaf(Hypergraph(2, 1, {edge, node, role}), 0.25, ones({2, 1}), 1);

  MatrixXcd expected(2, 2);
  expected << 0.5, Complex(0, -0.5), Complex(0, 0.5), 0.5;
  EXPECT_LT(distance(images(sheaf, Form::L), expected), 1e-15);
}

TEST(DirectedSheaf, WithAnIdentityInItsDegreesByHand) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{0, 1};
  const std::vector<Role> role{Role::tail, Role::head};
  const DirectedSheaf sheaf(Hypergraph(3, 1, {edge, node, role}), 0.25, ones({2, 1}), 1,
                            sheaf::Degree::plus_identity);

  // D_V + I is 2, 2 and, at the isolated node, 1.
  MatrixXcd expected = MatrixXcd::Identity(3, 3);
  expected.topLeftCorner(2, 2) << 0.75, Complex(0, -0.25), Complex(0, 0.25), 0.75;
  EXPECT_LT(distance(images(sheaf, Form::L_N), expected), 1e-15);
  EXPECT_LT(distance(images(sheaf, Form::I_minus_Q_N), expected), 1e-15);
  EXPECT_TRUE(sheaf.is_regular());
}

TEST(DirectedSheaf, KnowsWhatItIs) {
  const DirectedSheaf sheaf(small(), 0.25, ones({4, 3}), 3);
  EXPECT_EQ(sheaf.dimension(), 12);
  EXPECT_FALSE(sheaf.is_real());
  EXPECT_EQ(sheaf.planes(), 2);
  EXPECT_FALSE(sheaf.is_regular());
  EXPECT_TRUE(DirectedSheaf(small(), 0, ones({4, 3}), 3).is_real());
}

TEST(DirectedSheaf, IsolatedNodesHaveEigenvalueZeroInOneConventionAndOneInTheOther) {
  const DirectedSheaf sheaf(small(), 0.25, ones({4, 1}), 1);
  EXPECT_EQ(images(sheaf, Form::L_N)(3, 3), Complex(0));
  EXPECT_EQ(images(sheaf, Form::I_minus_Q_N)(3, 3), Complex(1));
}

TEST(DirectedSheaf, ARealSignalIsTheRealPlaneOfAComplexOne) {
  const DirectedSheaf sheaf(small(), 0, ones({4, 2}), 2);
  Random random(1);
  const at::Tensor x = to_tensor(random_signal(8, 3, random).real().cast<Complex>());
  for (const Form form : {Form::L, Form::Q_N, Form::L_N}) {
    const at::Tensor real = sheaf::to_complex(sheaf.apply(form, sheaf::to_planar(x, 2, 1)));
    const at::Tensor complex = sheaf::to_complex(sheaf.apply(form, sheaf::to_planar(x, 2, 2)));
    EXPECT_TRUE(at::equal(real, complex));
  }
  EXPECT_TRUE(at::equal(sheaf.dirichlet_energy(sheaf::to_planar(x, 2, 1)),
                        sheaf.dirichlet_energy(sheaf::to_planar(x, 2, 2))));
}

TEST(DirectedSheaf, PlanesGoBothWays) {
  Random random(2);
  const at::Tensor x = to_tensor(random_signal(6, 4, random));
  EXPECT_TRUE(at::equal(sheaf::to_complex(sheaf::to_planar(x, 3)), x));
  EXPECT_EQ(sheaf::to_planar(x, 3)[1][2][1][3].item<double>(), at::imag(x)[5][3].item<double>());
}

TEST(DirectedSheaf, DoesNotDependOnTheNumberOfThreads) {
  Random random(3);
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  for (Index e = 0; e < 300; ++e) {
    for (const Index u : random.sample(400, 5)) {
      edge.push_back(e);
      node.push_back(u);
      role.push_back(random.below(2) == 0 ? Role::tail : Role::head);
    }
  }
  const DirectedSheaf sheaf(Hypergraph(400, 300, {edge, node, role}), 0.2,
                            sheaf::random_maps(sheaf::map_kind("general"), 1500, 3, random), 3);
  const at::Tensor x = sheaf::to_planar(to_tensor(random_signal(1200, 5, random)), 3);
  set_thread_count(1);
  const at::Tensor image = sheaf.apply(Form::L, x);
  const at::Tensor energy = sheaf.dirichlet_energy(x);
  const at::Tensor form = sheaf.energy(x);
  set_thread_count(7);
  EXPECT_TRUE(at::equal(sheaf.apply(Form::L, x), image));
  EXPECT_TRUE(at::equal(sheaf.dirichlet_energy(x), energy));
  EXPECT_TRUE(at::equal(sheaf.energy(x), form));
  set_thread_count(0);
}

TEST(DirectedSheaf, EmptyHypergraphsAreLegal) {
  const DirectedSheaf no_edges(Hypergraph(3, 0, {}), 0.25, at::empty({0, 2}, at::kDouble), 2);
  EXPECT_EQ(images(no_edges, Form::L_N).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(no_edges.spectral_bound(Form::L), 0);
  const DirectedSheaf no_nodes(Hypergraph(0, 0, {}), 0.25, at::empty({0, 2, 2}, at::kDouble), 2);
  EXPECT_EQ(no_nodes.apply(Form::Q, at::empty({0, 2, 2, 3}, at::kDouble)).numel(), 0);
  EXPECT_EQ(no_nodes.dirichlet_energy(at::empty({0, 2, 2, 3}, at::kDouble)).size(0), 3);
}

TEST(DirectedSheaf, WrongArgumentsAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(usage_error([] {
              DirectedSheaf(small(), 0.25, ones({3, 2}), 2);
            }),
            "maps: expected real [4, 1], [4, 2] or [4, 2, 2], one per incidence, got Double [3, 2] on cpu");
  EXPECT_THAT(usage_error([] { DirectedSheaf(small(), 0.25, ones({4, 3}), 2); }), HasSubstr("[4, 3]"));
  EXPECT_EQ(usage_error([&] {
              DirectedSheaf(small(), nan, ones({4, 2}), 2);
            }),
            "charge: expected a finite number, got nan");
  EXPECT_THAT(usage_error([&] {
                DirectedSheaf(small(), 0, at::full({4, 2}, nan, at::kDouble), 2);
              }),
              HasSubstr("maps: expected finite numbers"));
  EXPECT_THAT(usage_error([] { DirectedSheaf(small(), 0, ones({4, 0}), 0); }), HasSubstr("stalk_dimension"));
  const DirectedSheaf sheaf(small(), 0.25, ones({4, 2}), 2);
  EXPECT_EQ(usage_error([&] {
              sheaf.apply(Form::L, ones({4, 2, 1, 3}));
            }),
            "x: expected Double [4, 2, 2, f] on cpu, got Double [4, 2, 1, 3] on cpu");
  EXPECT_THAT(usage_error([&] {
                sheaf.dirichlet_energy(ones({4, 2, 2, 3}).to(at::kFloat));
              }),
              HasSubstr("Float"));
  EXPECT_THAT(usage_error([] { sheaf::to_planar(ones({5, 1}), 2); }), HasSubstr("[n*d, f] with d = 2"));
}

}  // namespace
}  // namespace dshn::test
