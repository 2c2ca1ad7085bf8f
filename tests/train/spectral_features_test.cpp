#include "train/spectral_features.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/data/dataset_shelf.hpp"
#include "dshn/sheaf/leading_eigenvectors.hpp"
#include "dshn/train/run.hpp"
#include "support/message_of.hpp"

namespace dshn::train {
namespace {

using test::message_of;

constexpr const char* kData = "synthetic-generated-io10";

Settings settings_with(const std::string& features) {
  Settings settings;
  settings.data = kData;
  settings.model = "dshn";
  settings.splits = 1;
  settings.device = "cpu";
  settings.set = {{"epochs", "4"}, {"hidden_width", "8"}, {"features", features}, {"spectral_columns", "5"}};
  return settings;
}

TEST(SpectralFeatures, AreRealThenImaginaryPartsTimesTheRootOfTheNodes) {
  const Hypergraph h = data::open(kData).hypergraph;
  const at::Tensor maps = at::ones({h.incidence_count(), 1}, at::kDouble);
  const sheaf::DirectedSheaf sheaf(h, 0.2, maps, 1);
  const at::Tensor vectors = sheaf::leading_eigenvectors(sheaf, {.count = 3}).vectors;
  const double scale = std::sqrt(static_cast<double>(h.node_count()));

  const data::Features features = spectral_features(h, 3, 0.2);

  ASSERT_EQ(features.rows(), h.node_count());
  ASSERT_EQ(features.cols(), 6);
  for (Index u = 0; u < h.node_count(); ++u) {
    for (Index c = 0; c < 6; ++c) {
      const auto expected = static_cast<float>(scale * vectors[u][0][c / 3][c % 3].item<double>());
      ASSERT_EQ(features.values()[u * 6 + c], expected);
    }
  }
  EXPECT_EQ(spectral_features(h, 3, 0).cols(), 3);
}

TEST(SpectralFeatures, AreMadeOnceForAsLongAsTheHypergraphLives) {
  const Hypergraph h = data::open(kData).hypergraph;
  const Hypergraph handle = h;  // NOLINT(performance-unnecessary-copy-initialization): it is the other handle
  const data::Features first = spectral_features(h, 3, 0.25);
  EXPECT_EQ(spectral_features(handle, 3, 0.25).owner(), first.owner());
  EXPECT_NE(spectral_features(h, 4, 0.25).owner(), first.owner());
  EXPECT_NE(spectral_features(h, 3, 0.2).owner(), first.owner());
  EXPECT_NE(spectral_features(data::open(kData).hypergraph, 3, 0.25).owner(), first.owner());
}

TEST(SpectralFeatures, AreForgottenWithTheHypergraph) {
  std::weak_ptr<const void> made;
  {
    const Hypergraph h = data::open(kData).hypergraph;
    made = spectral_features(h, 3, 0.25).owner();
    EXPECT_FALSE(made.expired());
  }
  spectral_features(data::open(kData).hypergraph, 2, 0.25);
  EXPECT_TRUE(made.expired());
}

TEST(SpectralFeatures, AreMadeOnceForTwentyTrials) {
  data::DatasetShelf shelf;
  std::vector<at::Tensor> seen;
  for (int trial = 0; trial < 20; ++trial) {
    Settings settings = settings_with("spectral");
    settings.set["lr"] = std::to_string(0.001 * (trial + 1));
    const Experiment experiment(shelf.open(kData, open_options(settings)), settings);
    seen.push_back(experiment.input.x.dense());
    EXPECT_EQ(seen[trial].data_ptr<float>(), seen[0].data_ptr<float>());
  }
}

TEST(SpectralFeatures, CannotBeMoreThanTheNodes) {
  const Hypergraph h = data::open(kData).hypergraph;
  EXPECT_EQ(message_of<UsageError>([&] { spectral_features(h, h.node_count() + 1, 0); }),
            "spectral_columns=501: there are 500 nodes, expected at most as many columns");
}

TEST(CombinedFeatures, TrainSideBySide) {
  data::Dataset dataset = data::open(kData);
  dataset.node_features = {500, 2, std::vector<float>(1000, 0.5F)};
  const Experiment experiment(std::make_shared<const data::Dataset>(dataset),
                              settings_with("stored+constant+spectral+role-degrees"));
  const at::Tensor x = experiment.input.x.dense();
  ASSERT_EQ(x.size(1), 2 + 1 + 10 + 2);
  EXPECT_TRUE(at::equal(x.narrow(1, 0, 2), at::full({500, 2}, 0.5F)));
  EXPECT_TRUE(at::equal(x.select(1, 2), at::ones({500})));
  // Each pair of real and imaginary parts is a unit vector times the root of 500.
  EXPECT_TRUE(at::allclose((x.narrow(1, 3, 5).square() + x.narrow(1, 8, 5).square()).mean(0), at::ones({5})));
  EXPECT_TRUE(at::allclose(x.narrow(1, 13, 2).mean(0), at::zeros({2}), 1e-5, 1e-5));

  const RunResult result = run_in_memory(experiment);

  EXPECT_EQ(result.splits.size(), 1U);
}

TEST(CombinedFeatures, AreCheckedWithTheOptions) {
  EXPECT_EQ(message_of<UsageError>([] { settings_with("degree+spectrl").training(); }),
            "model option features=degree+spectrl: unknown part 'spectrl', did you mean 'spectral'?");
  EXPECT_EQ(message_of<UsageError>([] { settings_with("degree+degree").training(); }),
            "model option features=degree+degree: 'degree' is there twice, expected each part once");
  EXPECT_EQ(message_of<UsageError>([] { Experiment(settings_with("stored+spectral")); }),
            "synthetic-generated-io10 has no node features of its own; choose degree or another kind");
}

}  // namespace
}  // namespace dshn::train
