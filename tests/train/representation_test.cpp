// What a trained model makes of its data set: the plane of its representations and the sheaf of its last
// layer.
#include "dshn/train/representation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/train/learned_sheaf.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

/// A short run on the generated benchmark, and what can be seen of it.
struct ShortRun {
  TemporaryFolder folder;
  Settings settings;
  data::Dataset dataset;

  explicit ShortRun(const std::string& model, const Assignments& set = {}) {
    settings.data = "synthetic-generated-io10";
    settings.model = model;
    settings.splits = 1;
    settings.device = "cpu";
    settings.set = {{"epochs", "3"}, {"hidden_width", "8"}};
    for (const auto& [name, value] : set) settings.set[name] = value;
    prepare_folder(settings, path(), false);
    run(Experiment(settings), path(), {});
    dataset = data::open(settings.data, open_options(settings));
  }
  std::filesystem::path path() const { return folder / "run"; }
  LoadedModel loaded() const { return load_model(path(), 0, settings, dataset); }
};

TEST(Representation, IsWhatTheLastLayerIsGiven) {
  const ShortRun run("dshn", {{"classifier_width", "16"}});

  const Representation seen = representation(run.loaded());

  EXPECT_THAT(seen.of, testing::HasSubstr("the 16 numbers that the last linear layer is given"));
  ASSERT_EQ(seen.plane.sizes(), at::IntArrayRef({500, 2}));
  // Principal components: centred, uncorrelated, the first the wider.
  EXPECT_LT(seen.plane.mean(0).abs().max().item<double>(), 1e-9);
  const at::Tensor products = seen.plane.t().matmul(seen.plane);
  EXPECT_LT(std::abs(products[0][1].item<double>()), 1e-6 * products[0][0].item<double>());
  EXPECT_GE(products[0][0].item<double>(), products[1][1].item<double>());
  EXPECT_GE(seen.first_share, seen.second_share);
  EXPECT_LE(seen.first_share + seen.second_share, 1 + 1e-9);
}

TEST(Representation, FallsBackToClassScoresAndSaysSo) {
  const ShortRun run("hgnn");

  const Representation seen = representation(run.loaded());

  EXPECT_THAT(seen.of, testing::HasSubstr("class scores"));
  EXPECT_EQ(seen.plane.sizes(), at::IntArrayRef({500, 2}));
}

TEST(LearnedSheaf, IsThatOfTheLastLayer) {
  const ShortRun run("dshn", {{"d", "2"}, {"q", "learn"}, {"q_init", "0.1"}, {"lr", "0.05"}});

  const auto sheaf = learned_sheaf(run.loaded());

  ASSERT_TRUE(sheaf.has_value());
  EXPECT_EQ(sheaf->stalk_dimension, 2);
  EXPECT_EQ(sheaf->maps.sizes(), at::IntArrayRef({run.dataset.hypergraph.incidence_count(), 2}));
  EXPECT_EQ(sheaf->maps.scalar_type(), at::kDouble);
  EXPECT_NE(sheaf->charge, 0.1) << "three steps of Adam have moved it";
  EXPECT_NEAR(sheaf->charge, 0.1, 0.2);
}

TEST(LearnedSheaf, IsNothingForModelsWithoutOne) {
  const ShortRun run("hgnn");
  EXPECT_FALSE(learned_sheaf(run.loaded()).has_value());
}

}  // namespace
}  // namespace dshn::train
