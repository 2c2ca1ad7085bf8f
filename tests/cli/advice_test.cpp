#include "cli/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::EndsWith;

TEST(Advice, IsWhatToTypeBehindWhatIsWrong) {
  EXPECT_EQ(advised(UsageError("runs/a: is not empty and holds no run", Topic{"folder-taken"})),
            "runs/a: is not empty and holds no run; choose another --out");
  EXPECT_EQ(advised(InvalidInput("{}: unfinished", Topic{"unfinished-run", "runs/{}"})),
            "{}: unfinished; go on with: dshn train --resume --out runs/{}");
}

TEST(Advice, IsNotNeededForEveryError) {
  EXPECT_EQ(advised(Failure("the disk is full")), "the disk is full");
  EXPECT_EQ(advised(Failure("the disk is full", Topic{"a-topic-of-tomorrow"})), "the disk is full");
}

TEST(Advice, StandsInTheLineOfTheProgram) {
  const Scratch scratch;
  const std::string start = R"({"network-type":"directed","incidences":[)";
  const std::string both = scratch.file("both.json", start + R"({"edge":0,"node":0,"direction":"tail"},)" +
                                                         R"({"edge":0,"node":0,"direction":"head"}]})");
  const std::string none = scratch.file("none.json", start + R"({"edge":0,"node":0}]})");
  const std::string table = scratch.file("none.tsv", "#% dshn hyperedge list 1\n0\t0\ttail\n0\t1\n");
  const Setting empty{
      .environment = {"DSHN_DATA_DIR=" + scratch.at("data"), "XDG_CACHE_HOME=" + scratch.at("cache")}};

  EXPECT_THAT(dshn({"data", "info", both}).err,
              EndsWith("once in a hyperedge; --on-conflict=keep-tail or keep-head keeps one role\n"));
  EXPECT_THAT(dshn({"data", "info", none}).err,
              EndsWith("; --missing-direction=tail or undirected says how to read it\n"));
  EXPECT_THAT(dshn({"data", "info", table}).err,
              EndsWith("; --missing-direction=tail or undirected says how to read it\n"));
  const std::string arcs = scratch.file("a.csv", "from,to,weight\n0,1,-1\n");
  EXPECT_THAT(dshn({"data", "info", arcs}).err,
              EndsWith("; --incidence-weights=ignore does without weights of incidences and arcs\n"));
  const std::string members = scratch.file("m.csv", "hyperedge,node,weight\n0,1,2\n0,2,3\n");
  EXPECT_THAT(dshn({"data", "info", members}).err,
              EndsWith("; --columns incidence_weight=NAME says that a column has the weights of members\n"));
  EXPECT_THAT(dshn({"data", "info", "roman-empire"}, empty).err,
              EndsWith("but can be fetched; get it with: dshn data fetch roman-empire\n"));
  EXPECT_THAT(dshn({"data", "info", "imagenet"}, empty).err,
              EndsWith("; 'dshn data list' names the built-in ones\n"));
}

}  // namespace
}  // namespace dshn::cli::test
