#include "dshn/data/reading.hpp"

#include <gmock/gmock.h>

#include "data/support.hpp"

namespace dshn::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

std::string refusal(const Assignments& reading) {
  return message_of<UsageError>([&] { open_options(reading); });
}

TEST(Reading, DefaultsAreThoseOfTheOptions) {
  EXPECT_TRUE(read_alike(open_options({}), OpenOptions()));
  Assignments all;
  for (const OptionSpec& spec : reading_options()) all[spec.name] = spec.default_value;
  EXPECT_TRUE(read_alike(open_options(all), OpenOptions()));
}

TEST(Reading, EveryOptionCounts) {
  const Assignments others{{"labels", "l.csv"},
                           {"features", "f.csv"},
                           {"hyperedge_labels", "l.csv"},
                           {"hyperedge_features", "f.csv"},
                           {"columns", "node=firm"},
                           {"header", "no"},
                           {"sep", "pipe"},
                           {"rows", "arcs"},
                           {"label_attribute", "kind"},
                           {"feature_attributes", "a,b"},
                           {"hyperedge_label_attribute", "kind"},
                           {"hyperedge_feature_attributes", "none"},
                           {"split_column", "part"},
                           {"time_column", "when"},
                           {"task", "hyperedges"},
                           {"target", "numbers"},
                           {"on_conflict", "keep-head"},
                           {"missing_direction", "tail"},
                           {"incidence_weights", "ignore"},
                           {"tail_column", "1"}};
  for (const OptionSpec& spec : reading_options()) {
    ASSERT_TRUE(others.contains(spec.name)) << spec.name << " is not in this list";
    EXPECT_FALSE(read_alike(open_options({{spec.name, others.at(spec.name)}}), OpenOptions())) << spec.name;
  }
}

TEST(Reading, NamesColumnsAndFeatures) {
  const OpenOptions options = open_options(
      {{"columns", "hyperedge=the deal,id=x=y"}, {"feature_attributes", "age,town"}, {"sep", "tab"}});

  EXPECT_EQ(options.load.text.columns.at("hyperedge"), "the deal");
  EXPECT_EQ(options.load.text.columns.at("id"), "x=y");
  EXPECT_EQ(options.load.text.delimiter, '\t');
  EXPECT_EQ(options.nodes.chosen.rule, FeatureChoice::Rule::named);
  EXPECT_THAT(options.nodes.chosen.names, ElementsAre("age", "town"));
  EXPECT_EQ(open_options({{"feature_attributes", "all"}}).nodes.chosen.rule, FeatureChoice::Rule::all);
}

TEST(Reading, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal({{"lables", "x"}}), "unknown reading option 'lables', did you mean 'labels'?");
  EXPECT_THAT(refusal({{"columns", "deal"}}),
              HasSubstr("reading option columns=deal: expected what a column is for"));
  EXPECT_THAT(refusal({{"columns", "owner=x"}}),
              HasSubstr("'owner' is nothing that a column is for; known are"));
  EXPECT_THAT(refusal({{"columns", "node=x,node=y"}}), HasSubstr("'node' is there twice"));
  EXPECT_THAT(refusal({{"feature_attributes", "a,,b"}}), HasSubstr("a name is empty"));
  EXPECT_THAT(refusal({{"header", "maybe"}}), HasSubstr("expected one of auto, yes, no"));
}

TEST(Reading, FilesBelongToOneDataSet) {
  EXPECT_EQ(without_files({{"labels", "l"}, {"hyperedge_features", "f"}, {"sep", "tab"}}),
            (Assignments{{"sep", "tab"}}));
}

}  // namespace
}  // namespace dshn::data
