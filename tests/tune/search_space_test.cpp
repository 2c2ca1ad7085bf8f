#include "dshn/tune/search_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "tune/toy_study.hpp"

namespace dshn::tune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::vector<std::string> names_of(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const Parameter& parameter : space) names.push_back(parameter.name);
  return names;
}

const Parameter& parameter_named(const SearchSpace& space, const std::string& name) {
  return *std::find_if(space.begin(), space.end(), [&](const Parameter& p) { return p.name == name; });
}

TEST(SearchSpace, IsWhatTheModelDeclaresAndTheNumbersOfTraining) {
  const auto names = names_of(search_space("dshn"));

  for (const char* name : {"d", "layers", "q", "dropout", "lr", "weight_decay"})
    EXPECT_THAT(names, Contains(name));
  for (const char* name : {"q_init", "epochs", "metric", "features", "split"})
    EXPECT_THAT(names, Not(Contains(name)));
}

TEST(SearchSpace, LeavesOutWhatIsFixed) {
  EXPECT_THAT(names_of(search_space("dshn", {{"d", "2"}, {"epochs", "5"}})), Not(Contains("d")));
}

TEST(SearchSpace, TakesListsInOrder) {
  const SearchSpace space =
      search_space("dshn", {}, {{"lr", {"0.1", "1e-3", "0.01"}}, {"epochs", {"9", "10"}}});

  EXPECT_THAT(parameter_named(space, "lr").values, ElementsAre("1e-3", "0.01", "0.1"));
  EXPECT_THAT(parameter_named(space, "epochs").values, ElementsAre("9", "10"));
}

TEST(SearchSpace, RefusesWhatDoesNotFit) {
  EXPECT_THROW(search_space("dshn", {}, {{"layrs", {"1"}}}), UsageError);
  EXPECT_THROW(search_space("dshn", {}, {{"layers", {"1", "99"}}}), UsageError);
  EXPECT_THROW(search_space("dshn", {}, {{"layers", {}}}), UsageError);
  EXPECT_THROW(search_space("dshn", {}, {{"lr", {"0.01", "1e-2"}}}), UsageError);
  EXPECT_THROW(search_space("dshn", {{"d", "2"}}, {{"d", {"1", "2"}}}), UsageError);
  EXPECT_THROW(search_space("dhsn"), UsageError);
}

TEST(SearchSpace, MakesRoomForAStart) {
  const SearchSpace space = search_space("dshn", {}, {{"lr", {"0.01", "0.1"}}, {"layers", {"2", "3"}}});

  const Start start =
      starting_at(space, "dshn", {{"lr", "0.05"}, {"layers", "3"}, {"weight_decay", "0.0005"}});

  EXPECT_THAT(parameter_named(start.space, "lr").values, ElementsAre("0.01", "0.05", "0.1"));
  EXPECT_THAT(parameter_named(start.space, "layers").values, ElementsAre("2", "3"));
  EXPECT_EQ(start.first.at("lr"), "0.05");
  EXPECT_EQ(start.first.at("weight_decay"), "5e-4") << "as the list spells it";
  EXPECT_EQ(start.first.at("d"), "4") << "the default";
  EXPECT_EQ(assignments(start.space, configuration_of(start.space, start.first)), start.first);
  EXPECT_THROW(starting_at(space, "dshn", {{"layrs", "3"}}), UsageError);
}

TEST(Parameter, IsOrderedWhenItsNumbersRiseOrFall) {
  EXPECT_TRUE((Parameter{"a", {"1", "2", "10"}}.ordered()));
  EXPECT_TRUE((Parameter{"a", {"0.02", "0.01", "1e-3"}}.ordered()));
  EXPECT_FALSE((Parameter{"a", {"1", "10", "2"}}.ordered()));
  EXPECT_FALSE((Parameter{"a", {"0", "0.25", "learn"}}.ordered()));
}

TEST(SearchSpace, KnowsWhatIsIdle) {
  const SearchSpace space = search_space("dshn", {}, {{"maps", {"diagonal", "trivial"}}});
  EXPECT_THAT(parameter_named(space, "sheaf_activation").idle_when, testing::ElementsAre("maps=trivial"));
  EXPECT_THAT(parameter_named(space, "lr").idle_when, testing::IsEmpty());
  EXPECT_THAT(names_of(search_space("dshn", {{"maps", "trivial"}})), Not(Contains("sheaf_activation")));
  EXPECT_THAT(names_of(search_space("dshn", {{"maps", "general"}})), Contains("sheaf_activation"));
}

TEST(SearchSpace, TakesConfigurationsThatDifferInIdleParametersForOne) {
  const SearchSpace space{
      test::numbers("a", 3), {"b", {"x", "y", "z"}, {"c=off", "a=0.0"}}, {"c", {"on", "off"}}};

  EXPECT_TRUE(is_idle(space, {1, 2, 1}, 1));
  EXPECT_TRUE(is_idle(space, {0, 2, 0}, 1)) << "0 and 0.0 are one number";
  EXPECT_FALSE(is_idle(space, {1, 2, 0}, 1));
  EXPECT_FALSE(is_idle(space, {1, 2, 1}, 0));
  EXPECT_EQ(without_idle(space, {1, 2, 1}), (Configuration{1, 0, 1}));
  EXPECT_EQ(without_idle(space, {1, 2, 0}), (Configuration{1, 2, 0}));
}

TEST(SearchSpace, CountsItsConfigurationsAndKnowsThemByTheirValues) {
  const SearchSpace space{test::numbers("a", 3), {"b", {"x", "y"}}};

  EXPECT_EQ(size_of(space), 6U);
  for (std::uint64_t i = 0; i < 6; ++i) {
    const Configuration configuration = configuration_at(space, i);
    EXPECT_EQ(configuration_of(space, assignments(space, configuration)), configuration);
  }
  EXPECT_THROW(configuration_of(space, {{"a", "7"}, {"b", "x"}}), InvalidInput);
  EXPECT_EQ(size_of(SearchSpace(100, test::numbers("a", 9))), std::uint64_t{1} << 63U);
}

}  // namespace
}  // namespace dshn::tune
