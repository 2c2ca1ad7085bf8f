// What is wrong with a file is said in one line that names it; nothing crashes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "dshn/base/random.hpp"
#include "io/hif_files.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::message_of;
using test::put_file;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kSmall =
    R"({"network-type":"directed","metadata":{"k":[1,2.5,null]},"nodes":[{"node":"x","weight":1,"attrs":{"label":1}},{"node":2}],
"edges":[{"edge":"e","weight":2,"attrs":{"undirected":false}}],
"incidences":[{"edge":"e","node":"x","direction":"tail","weight":1},{"edge":"e","node":2,"direction":"head","attrs":{}}]})";

std::string refusal_of_file(const std::filesystem::path& path) {
  return message_of<InvalidInput>([&] { (void)read_hif(path); }).value_or("it loads");
}

TEST(HifBadInput, TruncatedJsonAtEveryByte) {
  ASSERT_EQ(refusal(kSmall), "it loads");
  for (std::size_t size = 0; size < kSmall.size(); ++size) {
    const std::string message = refusal(kSmall.substr(0, size));
    EXPECT_THAT(message, AllOf(StartsWith("test.json: byte "), Not(HasSubstr("\n")))) << size;
  }
}

TEST(HifBadInput, TruncatedGzipAtEveryByte) {
  const TemporaryFolder folder;
  ByteWriter writer(folder / "a.json.gz");
  writer.write(kSmall);
  writer.commit();
  const std::string whole = get_file(folder / "a.json.gz");
  ASSERT_EQ(refusal_of_file(folder / "a.json.gz"), "it loads");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put_file(folder / "b.json.gz", whole.substr(0, size));
    EXPECT_THAT(refusal_of_file(folder / "b.json.gz"), AllOf(HasSubstr("b.json.gz: "), Not(HasSubstr("\n"))))
        << size;
  }
}

/// Any single byte may be anything: an answer or an InvalidInput, never something else.
TEST(HifBadInput, AnyByteReplaced) {
  Random random(11);
  for (std::size_t at = 0; at < kSmall.size(); ++at) {
    for (int round = 0; round < 8; ++round) {
      std::string text(kSmall);
      text[at] = static_cast<char>(random.below(256));
      EXPECT_NO_THROW((void)refusal(text)) << text;
      EXPECT_NO_THROW((void)test::violations(text)) << text;
    }
  }
}

TEST(HifBadInput, AnEmptyFile) {
  const TemporaryFolder folder;
  put_file(folder / "empty.json", "");
  EXPECT_THAT(refusal_of_file(folder / "empty.json"),
              HasSubstr("empty.json: byte 0: the file is empty; expected JSON"));
}

TEST(HifBadInput, APathThatCannotBeRead) {
  const TemporaryFolder folder;
  put_file(folder / "file", "x");
  EXPECT_THAT(refusal_of_file(folder / "file/hypergraph.json"),
              HasSubstr("file/hypergraph.json: cannot open: Not a directory"));
  EXPECT_THAT(refusal_of_file(folder / "none.json"), HasSubstr("none.json: cannot open: No such file"));
  EXPECT_THAT(refusal_of_file(folder.path()), HasSubstr("is a folder"));
}

TEST(HifBadInput, AFolderWithoutPermission) {
  if (::geteuid() == 0 && ::seteuid(65534) != 0)
    GTEST_SKIP() << "root may read everything and cannot become nobody";
  struct Root {  // back to root for the clean-up, where we came from root
    ~Root() { (void)!::seteuid(::getuid()); }
  };
  {
    const Root restore;
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "closed");
    put_file(folder / "closed/a.json", kSmall);
    std::filesystem::permissions(folder / "closed", std::filesystem::perms::none);
    EXPECT_THAT(refusal_of_file(folder / "closed/a.json"),
                HasSubstr("closed/a.json: cannot open: Permission denied"));
    EXPECT_THAT(message_of<Failure>([&] { write_hif({}, folder / "closed/b.json"); }).value_or("it writes"),
                HasSubstr("closed/b.json: cannot create: Permission denied"));
    std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_all);
  }
}

TEST(HifBadInput, DocumentsOfAnotherKind) {
  EXPECT_THAT(refusal("[]"), HasSubstr("expected a HIF document to be an object, got an array"));
  EXPECT_THAT(refusal("hello"), HasSubstr("byte 0: expected a value, got 'h'"));
  EXPECT_THAT(refusal(R"({"incidences":{}})"),
              HasSubstr("expected 'incidences' to be an array, got an object"));
  EXPECT_THAT(refusal(R"({"incidences":[3]})"),
              HasSubstr("/incidences/0: expected an incidence to be an object"));
  EXPECT_THAT(refusal(R"({"incidences":[]} trailing)"),
              HasSubstr("byte 18: expected the end of the document"));
}

TEST(HifBadInput, LineBreaksInNamesDoNotBreakTheMessage) {
  EXPECT_THAT(refusal(R"({"network-type":"a\nb","incidences":[]})"),
              AllOf(HasSubstr("a\\nb"), Not(HasSubstr("\n"))));
}

}  // namespace
}  // namespace dshn::io
