#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <fstream>

#include "dshn/base/error.hpp"
#include "dshn/io/safetensors.hpp"
#include "dshn/train/metrics.hpp"
#include "dshn/train/safetensors.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

TensorFile sample() {
  TensorFile file;
  file.tensors["a"] = torch::arange(6, torch::kFloat).view({2, 3});
  file.tensors["b.c"] = torch::tensor({1.5, -2.5}, torch::kDouble);
  file.tensors["empty"] = torch::empty({0, 4}, torch::kLong);
  file.tensors["flags"] = torch::tensor({true, false, true});
  file.metadata = {{"format", "test"}, {"version", "1"}};
  return file;
}

TEST(Safetensors, SurviveARoundTrip) {
  const TemporaryFolder temporary;

  write_safetensors(temporary / "x.safetensors", sample());
  const TensorFile read = read_safetensors(temporary / "x.safetensors");

  EXPECT_EQ(read.metadata, sample().metadata);
  ASSERT_EQ(read.tensors.size(), sample().tensors.size());
  for (const auto& [name, tensor] : sample().tensors) {
    EXPECT_TRUE(torch::equal(read.tensors.at(name), tensor)) << name;
    EXPECT_EQ(read.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
  }
}

TEST(Safetensors, OfATypeThatIsNotWrittenHereAreRefused) {
  const TemporaryFolder temporary;
  io::write_safetensors(temporary / "x", {{{"a", {io::DType::uint16, {0}, {}, {}}}}, {}});

  EXPECT_THROW(read_safetensors(temporary / "x"), InvalidInput);
}

Confusion counts(const std::vector<std::vector<int>>& rows) {
  Confusion confusion(static_cast<std::int64_t>(rows.size()));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t p = 0; p < rows.size(); ++p) {
      for (int i = 0; i < rows[t][p]; ++i)
        confusion.add(static_cast<std::int64_t>(t), static_cast<std::int64_t>(p));
    }
  }
  return confusion;
}

TEST(Metrics, AgreeWithHandComputedFigures) {
  const Confusion c = counts({{3, 1, 0}, {2, 4, 0}, {0, 0, 0}});

  EXPECT_DOUBLE_EQ(c.accuracy(), 0.7);
  EXPECT_DOUBLE_EQ(c.precision(0), 0.6);
  EXPECT_DOUBLE_EQ(c.recall(0), 0.75);
  EXPECT_DOUBLE_EQ(c.f1(0), 2.0 / 3);
  EXPECT_DOUBLE_EQ(c.f1(1), 8.0 / 11);
  EXPECT_DOUBLE_EQ(c.macro_f1(), (2.0 / 3 + 8.0 / 11) / 2) << "a class that never occurs does not count";
  EXPECT_DOUBLE_EQ(c.weighted_f1(), (4 * 2.0 / 3 + 6 * 8.0 / 11) / 10);
  EXPECT_DOUBLE_EQ(c.metric("micro-f1"), 0.7);
  EXPECT_THROW(c.metric("f2"), UsageError);
}

TEST(Metrics, MeanAndStandardDeviationOfThePopulation) {
  const MeanStd figures = mean_std({1, 3});
  EXPECT_DOUBLE_EQ(figures.mean, 2);
  EXPECT_DOUBLE_EQ(figures.std, 1);
}

}  // namespace
}  // namespace dshn::train
