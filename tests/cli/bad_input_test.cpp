#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "cli/files.hpp"
#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using namespace std::string_view_literals;

constexpr const char* kGoodHif =
    R"({"network-type":"directed","nodes":[{"node":0},{"node":1},{"node":2}],"edges":[{"edge":0}],)"
    R"("incidences":[{"edge":0,"node":0,"direction":"tail"},{"edge":0,"node":1,"direction":"head"}]})";

/// Whatever is asked of bad input: one line, status 3, nothing on standard output, no new file.
void expect_refused(const Scratch& scratch, const std::string& path) {
  const auto before = scratch.contents();
  for (const Arguments& arguments :
       {Arguments{"data", "info", path}, Arguments{"data", "info", path, "--json"},
        Arguments{"data", "convert", path, scratch.at("out.hif.json")},
        Arguments{"data", "convert", path, scratch.at("out-folder")}}) {
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 3) << arguments[1] << ": " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << arguments[1] << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments[1];
    EXPECT_EQ(scratch.contents(), before) << arguments[1];
  }
}

struct BadInput {
  const char* name;
  /// Writes it and returns the path to load.
  std::function<std::string(const Scratch&)> make;
};

std::ostream& operator<<(std::ostream& stream, const BadInput& input) {
  return stream << input.name;
}

std::string folder_with(const Scratch& scratch,
                        const std::vector<std::pair<std::string, std::string>>& arrays) {
  scratch.file("set/hypergraph.hif.json", kGoodHif);
  scratch.file("set/nodes.npz", zipped(arrays));
  return scratch.at("set");
}

std::string arcs(const Scratch& scratch, const std::vector<std::int64_t>& ends) {
  const std::string shape = fmt::format("({}, 2)", ends.size() / 2);
  return scratch.file("graph.npz",
                      zipped({{"node_features.npy", npy("<f4", "(2, 1)", bytes_of<float>({0, 1}))},
                              {"node_labels.npy", npy("<i8", "(2,)", bytes_of<std::int64_t>({0, 1}))},
                              {"edges.npy", npy("<i8", shape, bytes_of(ends))},
                              {"train_masks.npy", npy("|b1", "(1, 2)", bytes_of<char>({1, 0}))},
                              {"val_masks.npy", npy("|b1", "(1, 2)", bytes_of<char>({0, 1}))},
                              {"test_masks.npy", npy("|b1", "(1, 2)", bytes_of<char>({0, 0}))}}));
}

std::string features(const Scratch& scratch, const std::string& shape, const std::vector<float>& values) {
  return folder_with(scratch, {{"x.npy", npy("<f4", shape, bytes_of(values))}});
}

std::string masks(const Scratch& scratch, const std::vector<char>& train, const std::vector<char>& val) {
  return folder_with(scratch, {{"y.npy", npy("<i8", "(3,)", bytes_of<std::int64_t>({0, 1, 0}))},
                               {"train_masks.npy", npy("|b1", "(1, 3)", bytes_of(train))},
                               {"val_masks.npy", npy("|b1", "(1, 3)", bytes_of(val))},
                               {"test_masks.npy", npy("|b1", "(1, 3)", std::string(3, '\0'))}});
}

const BadInput kBadInputs[] = {
    {"EmptyFile", [](const Scratch& s) { return s.file("a.hif.json", ""); }},
    {"EmptyGzip", [](const Scratch& s) { return s.file("a.hif.json.gz", gzipped("")); }},
    {"TruncatedGzip",
     [](const Scratch& s) {
       const std::string whole = gzipped(kGoodHif);
       return s.file("a.hif.json.gz", std::string_view(whole).substr(0, whole.size() - 9));
     }},
    {"DamagedGzip",
     [](const Scratch& s) {
       std::string whole = gzipped(kGoodHif);
       whole[whole.size() / 2] = static_cast<char>(~whole[whole.size() / 2]);
       return s.file("a.hif.json.gz", whole);
     }},
    {"NodeInBothRoles",
     [](const Scratch& s) {
       return s.file("a.hif.json", R"({"network-type":"directed","incidences":[)"
                                   R"({"edge":"e","node":"v","direction":"tail"},)"
                                   R"({"edge":"e","node":"v","direction":"head"}]})");
     }},
    {"MissingDirection",
     [](const Scratch& s) {
       return s.file("a.hif.json", R"({"network-type":"directed","incidences":[{"edge":0,"node":0}]})");
     }},
    {"NegativeId",
     [](const Scratch& s) {
       return arcs(s, {0, 1, -1, 0});
     }},
    {"IdBeyond31Bits",
     [](const Scratch& s) {
       return arcs(s, {0, 1, (std::int64_t{1} << 31) + 5, 0});
     }},
    {"IdBeyondTheNodes",
     [](const Scratch& s) {
       return arcs(s, {0, 1, 2, 0});
     }},
    {"ShapeLargerThanTheData",
     [](const Scratch& s) {
       return features(s, "(3, 4)", {1, 2, 3});
     }},
    {"ShapeOf2To60",
     [](const Scratch& s) {
       return features(s, "(3, 1152921504606846976)", {1, 2, 3});
     }},
    {"ShapeThatOverflows",
     [](const Scratch& s) {
       return features(s, "(4294967296, 4294967296, 4294967296)", {1, 2, 3});
     }},
    {"NegativeShape",
     [](const Scratch& s) {
       return features(s, "(3, -1)", {1, 2, 3});
     }},
    {"RowsForOtherNodes",
     [](const Scratch& s) {
       return features(s, "(2, 1)", {1, 2});
     }},
    {"HeaderLongerThanTheFile",
     [](const Scratch& s) {
       std::string array = npy("<f4", "(3, 1)", bytes_of<float>({1, 2, 3}));
       array[8] = array[9] = '\xff';
       return folder_with(s, {{"x.npy", array}});
     }},
    {"PickledObjects",
     [](const Scratch& s) {
       return folder_with(s, {{"x.npy", npy("|O", "(3,)", "xyz")}});
     }},
    {"NanFeature",
     [](const Scratch& s) {
       return features(s, "(3, 1)", {1, std::numeric_limits<float>::quiet_NaN(), 3});
     }},
    {"InfiniteFeature",
     [](const Scratch& s) {
       return features(s, "(3, 1)", {1, std::numeric_limits<float>::infinity(), 3});
     }},
    {"OverlappingMasks",
     [](const Scratch& s) {
       return masks(s, {1, 1, 0}, {0, 1, 1});
     }},
    {"TruncatedZip",
     [](const Scratch& s) {
       std::string path = features(s, "(3, 1)", {1, 2, 3});
       const std::string whole = read_file(path + "/nodes.npz");
       s.file("set/nodes.npz", std::string_view(whole).substr(0, whole.size() - 30));
       return path;
     }},
    {"FolderWithoutAnything",
     [](const Scratch& s) {
       std::filesystem::create_directory(s.at("empty"));
       return s.at("empty");
     }},
    {"NotThereAtAll", [](const Scratch& s) { return s.at("absent.hif.json"); }},
    {"Noise",
     [](const Scratch& s) { return s.file("noise", "\x01\x02\xff\xfe\x00\x80 nothing \x1b[31m\n"sv); }},
    {"NameWithControlCharacters",
     [](const Scratch& s) { return s.file("line\nbreak \x1b[31m.hif.json", "{\"incidences\": 3}"); }},
};

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, IsRefusedInOneLine) {
  const Scratch scratch;
  const std::string path = GetParam().make(scratch);

  expect_refused(scratch, path);
}

INSTANTIATE_TEST_SUITE_P(Cli, BadInputTest, testing::ValuesIn(kBadInputs),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BadInput, TheGoodOnesAreAccepted) {
  // Otherwise every test above could pass for the wrong reason.
  const Scratch scratch;
  EXPECT_EQ(dshn({"data", "info", scratch.file("a.hif.json", kGoodHif)}).status, 0);
  EXPECT_EQ(dshn({"data", "info", scratch.file("a.hif.json.gz", gzipped(kGoodHif))}).status, 0);
  EXPECT_EQ(dshn({"data", "info", arcs(scratch, {0, 1, 1, 0})}).status, 0);
  EXPECT_EQ(dshn({"data", "info", features(scratch, "(3, 1)", {1, 2, 3})}).status, 0);
  EXPECT_EQ(dshn({"data", "info", masks(scratch, {1, 0, 0}, {0, 1, 1})}).status, 0);
}

// Every single byte is cut in the tests of the room io; here, often enough to see what the program makes of
// it.
TEST(BadInput, CutJsonIsRefused) {
  const Scratch scratch;
  const std::string whole = kGoodHif;
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const std::string path = scratch.file("cut.hif.json", std::string_view(whole).substr(0, length));

    const Outcome outcome = dshn({"data", "info", path});

    EXPECT_EQ(outcome.status, 3) << length << " bytes: " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << length << " bytes: " << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(BadInput, CutGzipIsRefused) {
  const Scratch scratch;
  const std::string whole = gzipped(kGoodHif);
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const std::string path = scratch.file("cut.hif.json.gz", std::string_view(whole).substr(0, length));

    const Outcome outcome = dshn({"data", "info", path});

    EXPECT_EQ(outcome.status, 3) << length << " bytes: " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << length << " bytes: " << outcome.err;
  }
}

TEST(BadInput, AFolderWithoutPermissionIsRefused) {
  const Scratch scratch;
  chmod(scratch.path().c_str(), 0755);
  scratch.file("set/hypergraph.hif.json", kGoodHif);
  const Outcome allowed = dshn({"data", "info", scratch.at("set")}, {.without_privileges = true});
  if (allowed.status == kNotStarted)
    GTEST_SKIP() << "the program cannot be started as another user from here";
  ASSERT_EQ(allowed.status, 0) << allowed.err;
  chmod(scratch.at("set").c_str(), 0);

  const Outcome outcome = dshn({"data", "info", scratch.at("set")}, {.without_privileges = true});

  chmod(scratch.at("set").c_str(), 0755);
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_NE(outcome.err.find("ermission"), std::string::npos) << outcome.err;
}

TEST(BadInput, WhatIsWrongIsSaidWithItsName) {
  const Scratch scratch;
  const std::string path =
      scratch.file("a.hif.json", R"({"network-type":"directed","incidences":[)"
                                 R"({"edge":"mail 7","node":"anna","direction":"tail"},)"
                                 R"({"edge":"mail 7","node":"anna","direction":"head"}]})");

  const Outcome outcome = dshn({"data", "info", path});

  EXPECT_NE(outcome.err.find("mail 7"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("anna"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("a.hif.json"), std::string::npos) << outcome.err;
}

TEST(BadInput, FlagsSayWhatToDoAboutConflicts) {
  const Scratch scratch;
  const std::string both = scratch.file("both.hif.json", R"({"network-type":"directed","incidences":[)"
                                                         R"({"edge":0,"node":0,"direction":"tail"},)"
                                                         R"({"edge":0,"node":0,"direction":"head"}]})");
  const std::string none =
      scratch.file("none.hif.json", R"({"network-type":"directed","incidences":[{"edge":0,"node":0}]})");

  EXPECT_EQ(dshn({"data", "info", both, "--on-conflict=keep-tail", "--json"}).json()["n_incidences"], 1);
  EXPECT_EQ(dshn({"data", "info", none, "--missing-direction=tail", "--json"}).json()["n_incidences"], 1);
}

}  // namespace
}  // namespace dshn::cli::test
