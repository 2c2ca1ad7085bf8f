#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npy.hpp"
#include "dshn/io/npz.hpp"
#include "io/raw_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::integers;
using test::message_of;
using test::RealFiles;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Adjacency, SkipsStoredZerosAndTakesLabelsBeside) {
  const TemporaryFolder folder;
  write_npz(folder / "net_adj.npz", {{"format", Array::of(std::vector<std::string>{"coo"}, {})},
                                     {"shape", integers({3, 3}, {2})},
                                     {"row", integers({0, 0, 2}, {3})},
                                     {"col", integers({1, 2, 0}, {3})},
                                     {"data", integers({5, 0, 1}, {3})}});
  write_npy(folder / "net_labels.npy", integers({1, 2, 3}, {3}));

  const Loaded loaded = load(folder / "net_adj.npz");

  EXPECT_EQ(format_to_read(folder / "net_adj.npz").name, "adjacency");
  ASSERT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1));
  EXPECT_THAT(loaded.hypergraph.incidence_weights(), ElementsAre(5, 5, 1, 1))
      << "entries are weights of arcs";
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(1, 2, 3));
}

TEST(Adjacency, RefusesEntriesThatCannotCountUnlessTheyAreIgnored) {
  const TemporaryFolder folder;
  write_npz(folder / "net.npz", {{"format", Array::of(std::vector<std::string>{"coo"}, {})},
                                 {"shape", integers({2, 2}, {2})},
                                 {"row", integers({0, 1}, {2})},
                                 {"col", integers({1, 0}, {2})},
                                 {"data", integers({1, -3}, {2})}});

  EXPECT_THAT(message_of<InvalidInput>([&] { load(folder / "net.npz"); }).value_or(""),
              HasSubstr("the entry in row 1, column 0 is no weight of an arc"));
  LoadOptions options;
  options.incidence_weights = IncidenceWeights::ignore;
  const Loaded loaded = load(folder / "net.npz", options);
  EXPECT_FALSE(loaded.hypergraph.has_incidence_weights());
  EXPECT_THAT(loaded.warnings, ElementsAre("the weights of 1 arcs are not used"));
}

TEST(Adjacency, RefusesShapesThatCannotBe) {
  const TemporaryFolder folder;
  const auto error_of = [&](std::int64_t rows, std::int64_t cols) {
    write_npz(folder / "a.npz", {{"format", Array::of(std::vector<std::string>{"coo"}, {})},
                                 {"shape", integers({rows, cols}, {2})},
                                 {"row", integers({0}, {1})},
                                 {"col", integers({1}, {1})},
                                 {"data", integers({1}, {1})}});
    return message_of<InvalidInput>([&] { load(folder / "a.npz"); }).value_or("");
  };
  EXPECT_THAT(error_of(2, 3), HasSubstr("must be square"));
  EXPECT_THAT(error_of(std::int64_t{1} << 40, std::int64_t{1} << 40), HasSubstr("at most 2^31 - 1"));
  EXPECT_THAT(error_of(2000000000, 2000000000), HasSubstr("only 1 entries"));
}

TEST_F(RealFiles, TelegramIsThePreparedOne) {
  LoadOptions options;  // the prepared set has no weights
  options.incidence_weights = IncidenceWeights::ignore;

  const Loaded loaded = load(raw("telegram_adj.npz"), options);

  expect_set("telegram", loaded);
  expect_labels("telegram", loaded);
}

}  // namespace
}  // namespace dshn::io
