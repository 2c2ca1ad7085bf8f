#include "io/byte_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/base/random.hpp"
#include "io/has_zstd.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::message_of;
using test::put_file;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

std::string read_all(ByteReader& reader, std::size_t piece) {
  std::string text;
  std::vector<char> buffer(piece);
  while (const std::size_t got = reader.read(buffer)) text.append(buffer.data(), got);
  return text;
}

std::string read_all(const std::filesystem::path& path, std::size_t piece = 4096) {
  const auto reader = open_bytes(path);
  return read_all(*reader, piece);
}

void write_all(const std::filesystem::path& path, std::string_view text, std::size_t piece = 10'000) {
  ByteWriter writer(path);
  for (std::size_t at = 0; at < text.size(); at += piece) writer.write(text.substr(at, piece));
  writer.commit();
}

/// Compresses, but not to nothing: several blocks of the read-ahead thread.
std::string sample(std::size_t bytes) {
  Random random(3);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random.below(1000)) + ",";
  return text;
}

/// With and without the thread that reads ahead.
class ByteStream : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    before_ = thread_count();
    set_thread_count(GetParam());
  }
  void TearDown() override { set_thread_count(before_); }

  TemporaryFolder folder_;

 private:
  int before_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Threads, ByteStream, testing::Values(1, 2));

TEST_P(ByteStream, RoundTripsEveryCompression) {
  const std::string text = sample(5'000'000);
  for (const char* name : {"a.json", "a.json.gz", "a.json.zst"}) {
    if (!test::has_zstd() && std::string(name).ends_with(".zst")) continue;
    write_all(folder_ / name, text);
    EXPECT_EQ(read_all(folder_ / name), text) << name;
    EXPECT_EQ(open_bytes(folder_ / name)->compression(), compression_of_extension(name));
  }
}

TEST_P(ByteStream, RoundTripsTheEmptyText) {
  for (const char* name : {"a", "a.gz"}) {
    write_all(folder_ / name, "");
    EXPECT_EQ(read_all(folder_ / name), "") << name;
  }
}

TEST_P(ByteStream, CompressionIsSeenInTheContentNotTheName) {
  write_all(folder_ / "a.gz", "text");
  std::filesystem::rename(folder_ / "a.gz", folder_ / "b.json");
  EXPECT_EQ(read_all(folder_ / "b.json"), "text");
  put_file(folder_ / "c.gz", "plain");
  EXPECT_EQ(read_all(folder_ / "c.gz"), "plain");
}

TEST_P(ByteStream, ReadsGzipOfSeveralMembersAndPadding) {
  write_all(folder_ / "a.gz", "first,");
  write_all(folder_ / "b.gz", "second");
  const std::string both = get_file(folder_ / "a.gz") + get_file(folder_ / "b.gz");
  put_file(folder_ / "both.gz", both);
  EXPECT_EQ(read_all(folder_ / "both.gz"), "first,second");
  put_file(folder_ / "padded.gz", both + std::string(1000, '\0'));
  EXPECT_EQ(read_all(folder_ / "padded.gz"), "first,second");
}

TEST_P(ByteStream, RefusesBytesAfterGzip) {
  write_all(folder_ / "a.gz", "text");
  for (const std::string& tail : {std::string("junk"), std::string("\0\0x", 3)}) {
    put_file(folder_ / "b.gz", get_file(folder_ / "a.gz") + tail);
    const auto message = message_of<InvalidInput>([&] { read_all(folder_ / "b.gz"); });
    EXPECT_THAT(message.value_or(""), HasSubstr("b.gz: unexpected bytes after the gzip data at byte "));
  }
}

TEST_P(ByteStream, TruncationIsReportedAtEveryByte) {
  const std::string text = sample(300);
  for (const std::string name : {"a.gz", "a.zst"}) {
    if (!test::has_zstd() && name == "a.zst") continue;
    write_all(folder_ / name, text);
    const std::string whole = get_file(folder_ / name);
    for (std::size_t size = 4; size < whole.size(); ++size) {
      put_file(folder_ / name, whole.substr(0, size));
      const auto message = message_of<InvalidInput>([&] { read_all(folder_ / name); });
      EXPECT_EQ(message.value_or("no error"), (folder_ / name).string() + ": truncated " +
                                                  (name == "a.gz" ? "gzip" : "zstd") +
                                                  " data: the file ends at byte " + std::to_string(size));
    }
  }
}

TEST_P(ByteStream, DamageIsReportedWithItsByte) {
  const std::string text = sample(3'000'000);
  for (const std::string name : {"a.gz", "a.zst"}) {
    if (!test::has_zstd() && name == "a.zst") continue;
    write_all(folder_ / name, text);
    std::string bytes = get_file(folder_ / name);
    for (std::size_t i = 0; i < 64; ++i) bytes[bytes.size() / 2 + i] ^= 0x55;
    put_file(folder_ / name, bytes);
    const auto message = message_of<InvalidInput>([&] { read_all(folder_ / name); });
    EXPECT_THAT(message.value_or("no error"),
                MatchesRegex(".*: damaged (gzip|zstd) data \\(.+\\) at byte [0-9]+"));
  }
}

TEST_P(ByteStream, MayBeLeftBeforeTheEnd) {
  write_all(folder_ / "a.gz", sample(8'000'000));
  std::vector<char> few(10);
  const auto reader = open_bytes(folder_ / "a.gz");
  EXPECT_EQ(reader->read(few), few.size());
}

TEST_P(ByteStream, CountsBytesOfTheFileItself) {
  write_all(folder_ / "a.gz", sample(3'000'000));
  const auto reader = open_bytes(folder_ / "a.gz");
  const auto on_disk = static_cast<std::int64_t>(std::filesystem::file_size(folder_ / "a.gz"));
  EXPECT_EQ(reader->bytes_total(), on_disk);
  (void)read_all(*reader, 1 << 16);
  EXPECT_EQ(reader->bytes_done(), on_disk);
}

TEST(ByteReader, SaysWhyAFileCannotBeOpened) {
  const TemporaryFolder folder;
  put_file(folder / "file", "x");
  const auto why = [](const std::filesystem::path& path) {
    return message_of<InvalidInput>([&] { (void)open_bytes(path); }).value_or("no error");
  };
  EXPECT_THAT(why(folder / "none"), AllOf(HasSubstr("none"), HasSubstr("No such file or directory")));
  EXPECT_THAT(why(folder / "file/below"), HasSubstr("Not a directory"));
  EXPECT_THAT(why(folder.path()), HasSubstr("is a folder"));
}

TEST(ByteWriter, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "a.gz"}) {
    ByteWriter writer(folder / name);
    writer.write(sample(1'000'000));
  }
  EXPECT_EQ(test::file_count(folder), 0U);
}

TEST(ByteWriter, SameBytesForTheSameText) {
  const TemporaryFolder folder;
  write_all(folder / "a.gz", sample(100'000), 10);
  write_all(folder / "b.gz", sample(100'000), 77'777);
  EXPECT_EQ(get_file(folder / "a.gz"), get_file(folder / "b.gz"));
}

}  // namespace
}  // namespace dshn::io
