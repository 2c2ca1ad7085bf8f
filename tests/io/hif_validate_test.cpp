#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/hif_files.hpp"

namespace dshn::io {
namespace {

using test::violations;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> pointers(std::string_view text) {
  std::vector<std::string> found;
  for (const HifViolation& violation : violations(text)) found.push_back(violation.pointer);
  return found;
}

TEST(HifValidate, ReportsEveryViolationAndGoesOn) {
  const std::string text =
      R"({"network-type":3,"a/b~c":{"deep":[1]},"metadata":"m","nodes":[1,{"node":null,"weight":"1"},{"node":1}],
      "edges":{"edge":1},"incidences":[{"edge":1},{"edge":[],"node":2.5,"direction":"x","attrs":[],"more":{}},[]]})";
  EXPECT_THAT(
      pointers(text),
      ElementsAre("/network-type", "/a~1b~0c", "/metadata", "/nodes/0", "/nodes/1/node", "/nodes/1/weight",
                  "/edges", "/incidences/0", "/incidences/1/edge", "/incidences/1/node",
                  "/incidences/1/direction", "/incidences/1/attrs", "/incidences/1/more", "/incidences/2"));
}

TEST(HifValidate, OffsetsPointIntoTheText) {
  const std::string text = R"({"nodes":[{"node":1.5},{"size":2}],"incidences":[]})";
  const auto found = violations(text);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(text.substr(found[0].offset, 3), "1.5");
  EXPECT_EQ(text.substr(found[1].offset, 6), "\"size\"");
  EXPECT_EQ(text.substr(found[2].offset, 2), "{\"");
  EXPECT_EQ(found[2].pointer, "/nodes/1");
}

TEST(HifValidate, ASyntaxErrorIsTheLastReport) {
  const auto found = violations(R"({"incidences":[{"edge":1},{"edge":1,"node":tru}]})");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pointer, "/incidences/0");
  EXPECT_EQ(found[1].pointer, "/incidences/1/node");
  EXPECT_EQ(found[1].offset, 43);
  EXPECT_THAT(found[1].message, HasSubstr("not JSON"));
}

TEST(HifValidate, OtherDocumentsAreOneViolation) {
  for (const char* text : {"[]", "1", "null", "\"x\""}) {
    EXPECT_THAT(pointers(text), ElementsAre("")) << text;
  }
  EXPECT_THAT(pointers(""), ElementsAre(""));
}

TEST(HifValidate, AcceptsWhatTheSchemaAccepts) {
  EXPECT_THAT(
      pointers(
          R"({"network-type":"asc","incidences":[{"edge":"1","node":1,"weight":-2.5e3,"direction":"head","attrs":{}},
      {"edge":1.0,"node":123456789012345678901234567890},{"edge":1e3,"node":-7},{"edge":"1","node":1}]})"),
      IsEmpty());
}

TEST(HifValidate, RepeatedKeysAreReported) {
  EXPECT_THAT(pointers(R"({"incidences":[{"edge":1,"node":1,"node":2}],"nodes":[],"nodes":[]})"),
              ElementsAre("/incidences/0/node", "/nodes"));
}

TEST(HifValidate, TruncationAtEveryByteIsReported) {
  const std::string text =
      R"({"network-type":"directed","metadata":{"a":[1,2]},"nodes":[{"node":"x"}],"incidences":[{"edge":1,"node":"x","direction":"head"}]})";
  ASSERT_THAT(violations(text), IsEmpty());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto found = violations(text.substr(0, size));
    ASSERT_FALSE(found.empty()) << size;
    EXPECT_LE(found.back().offset, static_cast<std::int64_t>(size));
  }
}

}  // namespace
}  // namespace dshn::io
