// Features from NumPy archives, whose rows have ids.
#include <gmock/gmock.h>

#include "data/support.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/io/npz.hpp"

namespace dshn::data {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using testing::write_text;

class FeatureArchiveTest : public ::testing::Test {
 protected:
  FeatureArchiveTest() { write_text(folder_.path() / "h.csv", "hyperedge,node\ne,a\ne,b\ne,c\n"); }

  Dataset read(const io::Arrays& arrays) {
    const std::string file = (folder_.path() / "f.npz").string();
    io::write_npz(file, arrays);
    return open((folder_.path() / "h.csv").string(), open_options({{"features", file}}));
  }
  std::string refusal(const io::Arrays& arrays) {
    return message_of<InvalidInput>([&] { read(arrays); });
  }
  static io::Array texts(const std::vector<std::string>& values) {
    return io::Array::of(values, {static_cast<std::int64_t>(values.size())});
  }
  /// Three rows: (1, 0), (0, 2) and (3, 3), one entry of it in two parts.
  static io::Arrays csr(const std::vector<std::string>& ids) {
    using Integers = std::vector<std::int64_t>;
    return {{"format", texts({"csr"})},
            {"shape", io::Array::of(Integers{3, 2}, {2})},
            {"indptr", io::Array::of(Integers{0, 1, 2, 5}, {4})},
            {"indices", io::Array::of(Integers{0, 1, 1, 0, 1}, {5})},
            {"data", io::Array::of(std::vector<double>{1, 2, 1, 3, 2}, {5})},
            {"ids", texts(ids)}};
  }

  TemporaryFolder folder_;
};

TEST_F(FeatureArchiveTest, SparseRowsAreJoinedById) {
  const Dataset dataset = read(csr({"c", "a", "b"}));

  EXPECT_THAT(dataset.node_features.dense_values(), ElementsAre(0, 2, 3, 3, 1, 0));
  EXPECT_THAT(dataset.notes, Contains(HasSubstr("f.npz: 2 columns of features")));
}

TEST_F(FeatureArchiveTest, DenseRowsMayHaveNamesForTheirColumns) {
  const Dataset dataset = read({{"x", io::Array::of(std::vector<float>{1, 2, 3, 4}, {2, 2})},
                                {"ids", texts({"b", "stranger"})},
                                {"names", texts({"age", "size"})}});

  EXPECT_THAT(dataset.node_features.dense_values(), ElementsAre(0, 0, 1, 2, 0, 0));
  EXPECT_THAT(dataset.node_feature_names, ElementsAre("age", "size"));
  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("1 of 2 ids are no nodes of the hypergraph and are left out")));
  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("2 of 3 nodes have no row, and their features are 0: 'a', 'c'")));
}

TEST_F(FeatureArchiveTest, RefusesRowsThatCannotBeJoined) {
  io::Arrays without = csr({"a", "b", "c"});
  without.erase("ids");
  EXPECT_THAT(refusal(without), HasSubstr("f.npz: its rows have no ids; expected an array 'ids'"));
  EXPECT_THAT(refusal(csr({"a", "b"})), HasSubstr("f.npz: 3 rows, but 2 ids"));
  EXPECT_THAT(refusal(csr({"a", "b", "a"})), HasSubstr("node 'a' has two rows"));
  EXPECT_THAT(refusal(csr({"x", "y", "z"})), HasSubstr("none of its 3 ids is a node of the hypergraph"));
  io::Arrays infinite = csr({"a", "b", "c"});
  infinite["data"] = io::Array::of(std::vector<double>{1, 2, 1e300, 3, 2}, {5});
  EXPECT_THAT(refusal(infinite), HasSubstr("expected a finite number"));
}

}  // namespace
}  // namespace dshn::data
