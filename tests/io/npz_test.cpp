#include "dshn/io/npz.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "dshn/base/error.hpp"
#include "io/numpy_files.hpp"
#include "io/test_files.hpp"
#include "io/zip.hpp"

namespace dshn::io {
namespace {

using test::from_hex;
using test::get_file;
using test::message_of;
using test::put_file;
using testing::ElementsAre;
using testing::HasSubstr;

Arrays example() {
  return {{"a", Array::of(std::vector<std::int32_t>{1, 2, 3}, {3})},
          {"b", Array::of(std::vector<double>{0.5}, {1, 1})}};
}

std::string npz_error(const std::string& bytes) {
  const TemporaryFolder folder;
  put_file(folder / "a.npz", bytes);
  return message_of<InvalidInput>([&] { read_npz(folder / "a.npz"); }).value_or("");
}

std::string written(const Arrays& arrays, bool deflate) {
  const TemporaryFolder folder;
  write_npz(folder / "a.npz", arrays, deflate);
  return get_file(folder / "a.npz");
}

/// The archive with a number of `bytes` bytes overwritten at the n-th occurrence of a signature plus an
/// offset.
std::string patched(std::string archive, std::string_view signature, std::size_t offset, std::uint64_t value,
                    std::size_t bytes) {
  const std::size_t at = archive.find(signature);
  for (std::size_t i = 0; i < bytes; ++i)
    archive[at + offset + i] = static_cast<char>((value >> (8 * i)) & 0xff);
  return archive;
}

constexpr std::string_view kLocal = "PK\x03\x04";
constexpr std::string_view kCentral = "PK\x01\x02";
constexpr std::string_view kEnd = "PK\x05\x06";

TEST(Npz, ReadsNumpyArchives) {
  const TemporaryFolder folder;
  for (const auto hex : {test::kNpzStored, test::kNpzDeflated}) {
    put_file(folder / "a.npz", from_hex(hex));

    EXPECT_EQ(read_npz(folder / "a.npz"), example());
    EXPECT_THAT(npz_members(folder / "a.npz"), ElementsAre("a", "b"));
  }
}

TEST(Npz, ReadsChosenMembersOnly) {
  const TemporaryFolder folder;
  std::string bytes = written(example(), false);
  bytes[bytes.find("NUMPY")] = 'n';  // damages member a
  put_file(folder / "a.npz", bytes);

  EXPECT_EQ(read_npz(folder / "a.npz", {"b"}).at("b"), example().at("b"));
  EXPECT_TRUE(message_of<InvalidInput>([&] { read_npz(folder / "a.npz", {"a"}); }));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_npz(folder / "a.npz", {"c"}); }).value_or(""),
              HasSubstr("no array 'c'; the archive holds: a, b"));
}

TEST(Npz, WritesTheSameBytesTwice) {
  EXPECT_EQ(written(example(), true), written(example(), true));
}

TEST(Npz, LeavesNothingBehindWhenWritingFails) {
  const TemporaryFolder folder;
  const Arrays bad{{"text", Array::of(std::vector<std::string>{"\xff"}, {1})}};

  EXPECT_TRUE(message_of<InvalidInput>([&] { write_npz(folder / "a.npz", bad); }));

  EXPECT_EQ(test::file_count(folder), 0U);
}

TEST(Npz, ReadsAndWritesZip64Records) {
  const TemporaryFolder folder;
  const std::string npy = from_hex(test::kNpyFloat64);
  for (const bool deflate : {false, true}) {
    AtomicFile file(folder / "big.npz");
    ZipWriter writer(file, {deflate, true});
    writer.add("a.npy", {std::as_bytes(std::span(npy))});
    writer.add("b.npy", {std::as_bytes(std::span(npy))});
    writer.finish();
    file.commit();
    const std::string bytes = get_file(folder / "big.npz");

    EXPECT_NE(bytes.find("PK\x06\x06"), std::string::npos);
    EXPECT_NE(bytes.find("PK\x06\x07"), std::string::npos);
    EXPECT_EQ(read_npz(folder / "big.npz").at("b").as<double>("b")[0], 1.5);
    for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(npz_error(bytes.substr(0, size)), "");
  }
}

TEST(Npz, RefusesZip64FieldsThatLie) {
  const TemporaryFolder folder;
  const std::string npy = from_hex(test::kNpyFloat64);
  AtomicFile file(folder / "big.npz");
  ZipWriter writer(file, {false, true});
  writer.add("a.npy", {std::as_bytes(std::span(npy))});
  writer.finish();
  file.commit();
  const std::string good = get_file(folder / "big.npz");
  const std::size_t sizes = 46 + 5 + 4;  // of the central header: after the name and the field's own header

  EXPECT_THAT(npz_error(patched(good, kCentral, sizes, std::uint64_t{1} << 60, 8)), HasSubstr("cannot hold"));
  EXPECT_THAT(npz_error(patched(good, kCentral, sizes + 8, std::uint64_t{1} << 60, 8)),
              HasSubstr("packed bytes"));
  EXPECT_THAT(npz_error(patched(good, kCentral, sizes + 16, ~std::uint64_t{0}, 8)),
              HasSubstr("beyond the end"));
  EXPECT_THAT(npz_error(patched(good, kCentral, 46 + 5, 7, 2)), HasSubstr("zip64 field"));
  EXPECT_THAT(npz_error(patched(good, "PK\x06\x06", 40, ~std::uint64_t{0}, 8)),
              HasSubstr("central directory"));
  EXPECT_THAT(npz_error(patched(good, "PK\x06\x07", 8, ~std::uint64_t{0}, 8)), HasSubstr("beyond the end"));
}

TEST(Npz, RefusesImpossibleSizesBeforeAllocating) {
  const std::string deflated = written(example(), true);
  EXPECT_THAT(npz_error(patched(deflated, kCentral, 24, 0xfffffff0, 4)),
              HasSubstr("deflated bytes cannot hold"));
  EXPECT_THAT(npz_error(patched(deflated, kCentral, 20, 0xfffffff0, 4)),
              HasSubstr("packed bytes, but the file has"));
  const std::string stored = written(example(), false);
  EXPECT_THAT(npz_error(patched(stored, kCentral, 24, 1 << 20, 4)), HasSubstr("stored bytes cannot hold"));
}

TEST(Npz, RefusesWhatIsNotSupportedOrTrusted) {
  const std::string good = written(example(), true);
  EXPECT_THAT(npz_error(patched(good, kCentral, 8, 1, 2)), HasSubstr("encrypted"));
  EXPECT_THAT(npz_error(patched(good, kCentral, 10, 12, 2)), HasSubstr("method 12"));
  EXPECT_THAT(npz_error(patched(good, kCentral, 16, 0, 4)), HasSubstr("checksum"));
  EXPECT_THAT(npz_error(patched(good, kLocal, 30, 'x', 1)), HasSubstr("differs from the directory entry"));
  EXPECT_THAT(npz_error(patched(good, kEnd, 10, 1, 2)), HasSubstr("several files"));
  EXPECT_THAT(npz_error(good + "trailing"), HasSubstr("no end-of-archive record"));
  EXPECT_THAT(npz_error(""), HasSubstr("no end-of-archive record"));
}

TEST(Npz, RefusesNamesThatClimb) {
  const TemporaryFolder folder;
  const std::string npy = from_hex(test::kNpyFloat64);
  for (const std::string name : {"../a.npy", "/a.npy", "a/../../b.npy", "a\\b.npy", "a\nb.npy"}) {
    AtomicFile file(folder / "a.npz");
    ZipWriter writer(file);
    writer.add(name, {std::as_bytes(std::span(npy))});
    writer.finish();
    file.commit();

    EXPECT_THAT(message_of<InvalidInput>([&] { npz_members(folder / "a.npz"); }).value_or(""),
                HasSubstr("not a plain relative path"));
  }
}

TEST(Npz, RefusesOverlappingAndRepeatedMembers) {
  const TemporaryFolder folder;
  const std::string npy = from_hex(test::kNpyFloat64);
  const auto archive = [&](const std::string& second) {
    AtomicFile file(folder / "a.npz");
    ZipWriter writer(file, {false, false});
    writer.add("a.npy", {std::as_bytes(std::span(npy))});
    writer.add(second, {std::as_bytes(std::span(npy))});
    writer.finish();
    file.commit();
    return get_file(folder / "a.npz");
  };
  EXPECT_THAT(npz_error(archive("a.npy")), HasSubstr("two members are named 'a.npy'"));
  std::string overlapping = archive("b.npy");
  const std::size_t second = overlapping.rfind(kCentral);
  for (int i = 0; i < 4; ++i) overlapping[second + 42 + i] = 0;  // points at the first member
  EXPECT_THAT(npz_error(overlapping), HasSubstr("differs from the directory entry"));
  overlapping[second + 46] = 'a';
  EXPECT_NE(npz_error(overlapping), "");
}

TEST(Npz, ShapeBeyondTheMemberIsNamedWithItsByte) {
  const TemporaryFolder folder;
  std::string npy = from_hex(test::kNpyFloat64);
  const std::string lie = "(1152921504606846976,), }";
  npy.replace(npy.find("(3,), }"), lie.size(), lie);  // over the header's padding
  AtomicFile file(folder / "a.npz");
  ZipWriter writer(file);
  writer.add("x.npy", {std::as_bytes(std::span(npy))});
  writer.finish();
  file.commit();

  const std::string message = message_of<InvalidInput>([&] { read_npz(folder / "a.npz"); }).value_or("");

  EXPECT_THAT(message, HasSubstr("a.npz, member 'x.npy', byte 128: "));
  EXPECT_THAT(message, HasSubstr("beyond 2^63 bytes"));
}

/// Any damage gives an error or the same arrays, for fields that nothing depends on; never anything else.
void check_damage(const std::string& good) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.npz";
  put_file(path, good);
  const Arrays expected = read_npz(path);
  const auto check = [&](const std::string& bytes, const std::string& what) {
    put_file(path, bytes);
    Arrays arrays;
    if (message_of<InvalidInput>([&] { arrays = read_npz(path); })) return;
    for (const auto& [name, array] : arrays) {
      const auto same = expected.find(name);
      if (same == expected.end()) continue;
      EXPECT_EQ(array, same->second) << what;
    }
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    check(good.substr(0, i), "first " + std::to_string(i));
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      check(bytes, "byte " + std::to_string(i) + " ^ " + std::to_string(flip));
    }
  }
}

TEST(Npz, EveryFlippedByteAndTruncationOfAStoredArchive) {
  check_damage(from_hex(test::kNpzStored));
}
TEST(Npz, EveryFlippedByteAndTruncationOfADeflatedArchive) {
  check_damage(from_hex(test::kNpzDeflated));
}

RC_GTEST_PROP(NpzProperty, WhatIsWrittenIsRead,
              (const std::vector<float>& x, const std::vector<std::int64_t>& y, const std::vector<bool>& mask,
               bool deflate)) {
  const TemporaryFolder folder;
  const auto length = [](const auto& values) { return static_cast<std::int64_t>(values.size()); };
  const Arrays arrays{{"x", Array::of(x, {length(x), 1})},
                      {"y", Array::of(y, {length(y)})},
                      {"folder/mask", Array::of(mask, {1, length(mask)})},
                      {"z", Array::of(std::vector<std::complex<double>>{{1, -1}}, {})}};

  write_npz(folder / "a.npz", arrays, deflate);

  RC_ASSERT(read_npz(folder / "a.npz") == arrays);
}

}  // namespace
}  // namespace dshn::io
