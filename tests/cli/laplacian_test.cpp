// dshn laplacian, from outside.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <sstream>
#include <string>

#include "cli/files.hpp"
#include "cli/subprocess.hpp"
#include "dshn/io/sparse.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;

/// {0} -> {1}, {1, 2}; node 3 is isolated.
constexpr const char* kSmall =
    R"({"network-type":"directed","nodes":[{"node":0},{"node":1},{"node":2},{"node":3}],)"
    R"("edges":[{"edge":0},{"edge":1}],"incidences":[)"
    R"({"edge":0,"node":0,"direction":"tail"},{"edge":0,"node":1,"direction":"head"},)"
    R"({"edge":1,"node":1,"direction":"tail"},{"edge":1,"node":2,"direction":"tail"}]})";

/// L of the above at q = 1/4 with trivial maps: each pair contributes 1/2.
std::complex<double> expected_entry(std::int64_t row, std::int64_t col) {
  const double degrees[] = {0.5, 1.0, 0.5, 0.0};
  if (row == col) return degrees[row];
  if (row == 0 && col == 1) return {0, -0.5};
  if (row == 1 && col == 0) return {0, 0.5};
  if (row + col == 3 && row * col == 2) return -0.5;
  return 0;
}

class Laplacian : public testing::Test {
 protected:
  Scratch scratch_;
  std::string data_ = scratch_.file("small.hif.json", kSmall);

  Outcome run(Arguments more) const {
    more.insert(more.begin(), {"laplacian", "--data", data_});
    return dshn(more);
  }
};

TEST_F(Laplacian, StatesSizeAndCost) {
  const Outcome outcome = run({"--json"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["dimension"], 4);
  EXPECT_EQ(json["n_incidences"], 4);
  EXPECT_EQ(json["real"], false);
  EXPECT_EQ(json["regular"], false);
  EXPECT_EQ(json["cost"]["assembled"]["member_pairs"], 8);
  EXPECT_EQ(json["cost"]["assembled"]["blocks"], 8);
  EXPECT_EQ(json["cost"]["assembled"]["exact"], true);
  EXPECT_EQ(json["cost"]["assembled"]["multiply_adds"], 32);
  EXPECT_EQ(json["cost"]["matrix_free"]["multiply_adds"], 16);
}

TEST_F(Laplacian, FindsTheWholeSpectrumOfASmallMatrix) {
  const Outcome outcome = run({"--json", "--spectrum", "4", "--form", "L", "--q", "0"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto smallest = outcome.json()["spectrum"]["smallest"];
  EXPECT_EQ(smallest["converged"], true);
  // Half of D - A of a path of three nodes, and the isolated node.
  const double expected[] = {0, 0, 0.5, 1.5};
  ASSERT_EQ(smallest["eigenvalues"].size(), 4U);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(smallest["eigenvalues"][j]["value"].get<double>(), expected[j], 1e-12);
    EXPECT_LT(smallest["eigenvalues"][j]["residual"].get<double>(), 1e-12);
  }
  EXPECT_NEAR(outcome.json()["spectrum"]["largest"]["eigenvalues"][0]["value"].get<double>(), 1.5, 1e-12);
}

TEST_F(Laplacian, MeasuresTheEnergyOfSignals) {
  const Outcome constant = run({"--json", "--energy", "constant"});
  ASSERT_EQ(constant.status, 0) << constant.err;
  // The arc contributes |exp(-2 pi i q) - 1|^2 / 2 = 1, the undirected hyperedge nothing.
  EXPECT_NEAR(constant.json()["energy"]["L"][0].get<double>(), 1, 1e-12);
  EXPECT_EQ(constant.json()["energy"]["norm"][0], 4);

  const Outcome random =
      run({"--json", "--energy", "random", "--maps", "general", "--d", "3", "--seed", "5"});
  ASSERT_EQ(random.status, 0) << random.err;
  EXPECT_GT(random.json()["energy"]["L_N"][0].get<double>(), 0);
  EXPECT_EQ(random.out,
            run({"--json", "--energy", "random", "--maps", "general", "--d", "3", "--seed", "5"}).out);

  const std::string file =
      scratch_.file("x.npy", npy("<f8", "(4, 2)", bytes_of<double>({1, 1, 0, 1, 0, 1, 0, 1})));
  const Outcome own = run({"--json", "--energy", file});
  ASSERT_EQ(own.status, 0) << own.err;
  EXPECT_NEAR(own.json()["energy"]["L"][0].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(own.json()["energy"]["L"][1].get<double>(), 1, 1e-12);
}

TEST_F(Laplacian, ExportsForScipy) {
  const std::string file = scratch_.at("l.npz");
  ASSERT_EQ(run({"--form", "L", "--export", file}).status, 0);

  const io::SparseMatrix matrix = io::read_sparse(file);

  EXPECT_EQ(matrix.rows, 4);
  const auto values = matrix.values.as<std::complex<double>>("values");
  ASSERT_EQ(values.size(), 8U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(std::abs(values[i] - expected_entry(matrix.row[i], matrix.col[i])), 0, 1e-15);
  }
}

TEST_F(Laplacian, ExportsToMatrixMarket) {
  const std::string file = scratch_.at("l.mtx");
  ASSERT_EQ(run({"--form", "L", "--export", file}).status, 0);

  std::istringstream text(read_file(file));
  std::string header;
  std::getline(text, header);
  EXPECT_EQ(header, "%%MatrixMarket matrix coordinate complex hermitian");
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  text >> rows >> cols >> entries;
  EXPECT_EQ(rows, 4);
  EXPECT_EQ(entries, 6);
  std::int64_t row = 0;
  std::int64_t col = 0;
  double re = 0;
  double im = 0;
  std::int64_t seen = 0;
  for (; text >> row >> col >> re >> im; ++seen) {
    EXPECT_LE(col, row);
    EXPECT_NEAR(std::abs(std::complex(re, im) - expected_entry(row - 1, col - 1)), 0, 1e-15);
  }
  EXPECT_EQ(seen, entries);
}

TEST_F(Laplacian, RealMatricesAreExportedAsReal) {
  const std::string file = scratch_.at("l.mtx");
  ASSERT_EQ(run({"--q", "0", "--export", file}).status, 0);
  EXPECT_THAT(read_file(file), HasSubstr("coordinate real symmetric"));
  const std::string npz = scratch_.at("l.npz");
  ASSERT_EQ(run({"--q", "0", "--export", npz}).status, 0);
  EXPECT_EQ(io::read_sparse(npz).values.dtype, io::DType::float64);
}

TEST_F(Laplacian, WritesTheDensity) {
  const std::string file = scratch_.at("density.csv");
  const Outcome outcome = run({"--density", file});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(read_file(file), testing::StartsWith("lambda,density\n"));
  EXPECT_THAT(outcome.out, HasSubstr("density.csv"));
}

TEST_F(Laplacian, PrintsForPeople) {
  const Outcome outcome = run({"--spectrum", "2", "--energy", "constant"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part :
       {"4 nodes", "multiply-adds", "eigenvalues of L_N", "energy of constant", "projection"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Laplacian, RefusesWrongUsage) {
  const auto before = scratch_.contents();
  for (const Arguments& arguments :
       {Arguments{"--maps", "lowrank"}, Arguments{"--d", "0"}, Arguments{"--q", "nan"},
        Arguments{"--spectrum", "0"}, Arguments{"--spectrum", "5"},
        Arguments{"--export", scratch_.at("l.txt")}, Arguments{"--form", "N"},
        Arguments{"--maps", "low-rank", "--d", "2", "--rank", "3"},
        Arguments{"--export", data_ + ".npz", "--q", "inf"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments[0] << ' ' << arguments[1] << ": " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(scratch_.contents(), before);
}

TEST_F(Laplacian, DoesNotOverwriteUnlessForced) {
  const std::string file = scratch_.file("l.npz", "precious");
  EXPECT_EQ(run({"--export", file}).status, 2);
  EXPECT_EQ(read_file(file), "precious");
  EXPECT_EQ(run({"--export", file, "--force"}).status, 0);
  EXPECT_EQ(io::read_sparse(file).rows, 4);
}

TEST_F(Laplacian, RefusesBadInput) {
  const std::string wrong = scratch_.file("x.npy", npy("<f8", "(3,)", bytes_of<double>({1, 2, 3})));
  const std::string nan = scratch_.file("nan.npy", npy("<f8", "(4,)", bytes_of<double>({1, 2, 3, NAN})));
  for (const std::string& file : {wrong, nan, scratch_.at("nothing.npy")}) {
    const Outcome outcome = run({"--energy", file});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(file));
  }
  EXPECT_EQ(dshn({"laplacian", "--data", scratch_.at("nothing.hif.json")}).status, 3);
}

TEST_F(Laplacian, RefusesToAssembleWhatDoesNotFit) {
  std::string text = R"({"network-type":"undirected","incidences":[)";
  for (int u = 0; u < 500000; ++u) text += fmt::format(R"({}{{"edge":0,"node":{}}})", u == 0 ? "" : ",", u);
  const std::string wide = scratch_.file("wide.hif.json", text + "]}");
  const auto before = scratch_.contents();

  const Outcome outcome = dshn({"laplacian", "--data", wide, "--export", scratch_.at("l.npz")});

  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--export: the assembled matrix needs"));
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_EQ(scratch_.contents(), before);
  // Without assembling, the same hypergraph is no trouble.
  const Outcome free = dshn({"laplacian", "--data", wide, "--energy", "constant", "--json"});
  ASSERT_EQ(free.status, 0) << free.err;
  EXPECT_EQ(free.json()["cost"]["assembled"]["exact"], false);
}

}  // namespace
}  // namespace dshn::cli::test
