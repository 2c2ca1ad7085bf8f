#include "dshn/io/json_shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/table_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using nlohmann::ordered_json;
using test::message_of;
using testing::HasSubstr;

Shape small_table() {
  const Shape figure = Shape::object({{"mean", Shape::number()}, optional("n", Shape::count())});
  return Shape::object({{"title", Shape::text()},
                        {"cells", Shape::list(Shape::object({{"test", figure.or_null()}}), 1)},
                        optional("set", Shape::map(Shape::text())),
                        optional("quick", Shape::flag()),
                        optional("seed", Shape::seed()),
                        optional("interval", Shape::interval())});
}

std::string fault_of(const char* text) {
  return small_table().fault(ordered_json::parse(text));
}

TEST(JsonShape, TakesWhatHasIt) {
  EXPECT_EQ(fault_of(R"({"title": "a", "cells": [{"test": {"mean": 1.5}}], "other": [[]]})"), "");
  EXPECT_EQ(fault_of(R"({"title": "a", "cells": [{"test": null}, {"test": {"mean": 1, "n": 3}}],
                         "set": {"q": "0.1"}, "quick": true, "seed": 18446744073709551615, "interval": [1, 2.5]})"),
            "");
}

TEST(JsonShape, NamesThePlaceAndWhatWasExpected) {
  EXPECT_EQ(fault_of("[]"), "the document is missing or of another kind; expected an object");
  EXPECT_EQ(fault_of(R"({"title": "a"})"),
            "cells is missing or of another kind; expected a list of 1 at least");
  EXPECT_EQ(fault_of(R"({"title": "a", "cells": [{"test": null}, {"test": {"mean": "x"}}]})"),
            "cells[1].test.mean is missing or of another kind; expected a number");
  EXPECT_EQ(fault_of(R"({"title": "a", "cells": [{"test": null}], "set": {"q": 1}})"),
            "set.q is missing or of another kind; expected a text");
}

TEST(JsonShape, AFaultIsOneLineWhateverTheNamesAre) {
  const std::string fault =
      fault_of("{\"title\": \"a\", \"cells\": [{\"test\": null}], \"set\": {\"a\\nb\\u001b\": 1}}");

  EXPECT_THAT(fault, HasSubstr("set.a\\nb\\u001b is missing"));
}

TEST(JsonShape, KnowsTheBoundsOfNumbers) {
  const auto with = [](const std::string& member) {
    return fault_of((R"({"title": "a", "cells": [{"test": {"mean": 1}}], )" + member + "}").c_str());
  };
  EXPECT_EQ(with(R"("seed": 0)"), "");
  EXPECT_THAT(with(R"("seed": -1)"), HasSubstr("seed"));
  EXPECT_THAT(with(R"("seed": 1.5)"), HasSubstr("seed"));
  EXPECT_THAT(with(R"("interval": [1])"), HasSubstr("interval"));
  EXPECT_THAT(fault_of(R"({"title": "a", "cells": [{"test": {"mean": 1, "n": 2147483648}}]})"),
              HasSubstr("cells[0].test.n"));
  EXPECT_THAT(fault_of(R"({"title": "a", "cells": [{"test": {"mean": 1e300}}]})"), HasSubstr("mean"));
}

TEST(Json, NestedWithoutEndIsRefused) {
  const std::string brackets(200'000, '[');
  for (const std::string& text : {brackets, brackets + std::string(200'000, ']')})
    EXPECT_THAT(message_of<InvalidInput>([&] { parse_json(text, "a.json", "training"); }).value_or(""),
                HasSubstr("a.json: nested in more than 64 levels"));
  EXPECT_EQ(parse_json(std::string(60, '[') + std::string(60, ']'), "a.json", "training").size(), 1U);
}

TEST(Json, ThatIsNoneIsRefusedWithTheByte) {
  EXPECT_EQ(message_of<InvalidInput>([] { parse_json("{\"a\": }", "a.json", "training"); }),
            "a.json: byte 7: not JSON, which training writes there");
  EXPECT_THAT(message_of<InvalidInput>([] { parse_json("[1e999]", "a.json", "training"); }).value_or(""),
              HasSubstr("a.json"));
}

TEST(TableShape, TakesTheStoredResultsOfAllVersions) {
  const std::filesystem::path folder = std::filesystem::path(DSHN_SOURCE_DIR) / "docs/results";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    EXPECT_EQ(table_shape().fault(ordered_json::parse(test::get_file(entry.path()))), "") << entry.path();
  }
  EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace dshn::io
