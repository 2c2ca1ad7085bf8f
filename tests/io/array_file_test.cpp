#include "dshn/io/array_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstring>
#include <thread>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "io/array_file_bytes.hpp"
#include "io/test_files.hpp"
#include "support/mapped_memory.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::kPreambleBytes;
using test::put_file;
using test::with_digest;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Arrays some_arrays() {
  return {{"b", Array::of(std::vector<bool>{true, false, true}, {3})},
          {"i", Array::of(std::vector<std::int64_t>{-1, 2, 3, 4, 5, 6}, {2, 3})},
          {"f", Array::of(std::vector<float>{0.5F, -0.0F}, {1, 2, 1})},
          {"d", Array::of(std::vector<double>{1e300}, {})},
          {"none", Array::of(std::vector<double>{}, {0, 3})},
          {"\xc3\xa9 \"", Array::of(std::vector<std::uint8_t>(1000, 7), {1000})}};
}

class ArrayFiles : public testing::Test {
 protected:
  std::string write(const Arrays& arrays = some_arrays()) const {
    return write_array_file(path(), "thing", views_of(arrays));
  }
  std::filesystem::path path() const { return folder_ / "a.dshn"; }
  std::string bytes() const { return get_file(path()); }
  /// What is wrong with a file of these bytes; empty: nothing.
  std::string fault(const std::string& bytes, const std::string& kind = "thing") const {
    put_file(path(), bytes);
    return test::message_of<InvalidInput>([&] { ArrayFile(path(), kind).verify(); }).value_or("");
  }

  TemporaryFolder folder_;
};

TEST_F(ArrayFiles, KeepArraysOfAllTypes) {
  const std::string digest = write();

  const ArrayFile file(path(), "thing");

  file.verify();
  EXPECT_EQ(file.digest(), digest);
  EXPECT_EQ(file.size(), bytes().size());
  EXPECT_EQ(copies_of(file.arrays()), some_arrays());
}

TEST_F(ArrayFiles, HoldNothing) {
  write({});
  EXPECT_TRUE(ArrayFile(path(), "thing").arrays().empty());
}

TEST_F(ArrayFiles, AreEqualWhereArraysAre) {
  const std::string digest = write();
  const std::string first = bytes();

  EXPECT_EQ(write(), digest);
  EXPECT_EQ(bytes(), first);

  Arrays others = some_arrays();
  others.at("d") = Array::of(std::vector<double>{1e301}, {});
  EXPECT_NE(write(others), digest);
}

TEST_F(ArrayFiles, HoldEqualNumbersOnce) {
  const std::vector<double> numbers(10'000, 0.5);
  write({{"a", Array::of(numbers, {10'000})}, {"b", Array::of(numbers, {100, 100})}});

  const ArrayFile file(path(), "thing");

  EXPECT_LT(file.size(), 100'000U);
  EXPECT_EQ(file.arrays().at("a").bytes.data(), file.arrays().at("b").bytes.data());
}

TEST_F(ArrayFiles, AreMappedAndStayAsLongAsAnArrayDoes) {
  write();
  ArrayView view;
  {
    const ArrayFile file(path(), "thing");
    view = file.arrays().at("i");
  }

  EXPECT_TRUE(dshn::test::is_mapped(view.bytes.data(), view.bytes.size(), path()));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.bytes.data()) % 64, 0U);
  // The name belongs to another file now; the arrays are those of the former one.
  write({});
  std::int64_t last = 0;
  std::memcpy(&last, view.bytes.data() + 40, sizeof last);
  EXPECT_EQ(last, 6);
  view = {};
  EXPECT_FALSE(dshn::test::is_mapped_anywhere(path()));
}

TEST_F(ArrayFiles, AreReadFromAPipe) {
  write();
  const std::string all = bytes();
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { put_file(pipe, all); });
  const ArrayFile file(pipe, "thing");
  writer.join();
  EXPECT_EQ(copies_of(file.arrays()), some_arrays());
}

TEST_F(ArrayFiles, SayWhatIsWrongAndAtWhichByte) {
  write();
  const std::string good = bytes();
  const auto message = [&](const std::string& what) { return path().string() + ", byte " + what; };
  const auto with = [&](std::size_t at, const std::string& other) {
    return std::string(good).replace(at, other.size(), other);
  };
  EXPECT_EQ(fault(good), "");
  EXPECT_EQ(fault(""), message("0: the file ends here; expected 64 bytes or more"));
  EXPECT_EQ(fault(good.substr(0, 40)), message("40: the file ends here; expected 64 bytes or more"));
  EXPECT_EQ(fault(with(1, "X")), message("0: the first bytes are not those of a file of arrays"));
  EXPECT_THAT(fault(with(8, "\x01\x02\x03\x04")),
              AllOf(HasSubstr("byte 8"), HasSubstr("another byte order")));
  EXPECT_EQ(fault(with(12, "\x02")), message("12: version 2, expected 1; it was written by a newer program"));
  EXPECT_THAT(fault(with(70, "!")), AllOf(HasSubstr("byte 64"), HasSubstr("header is not what was written")));
  EXPECT_EQ(fault(good.substr(0, good.size() - 1)),
            message(std::to_string(good.size() - 1) + ": the file ends here; expected " +
                    std::to_string(good.size()) + " bytes"));
  EXPECT_EQ(fault(good + "12"), message(std::to_string(good.size()) + ": 2 bytes are left over"));
  EXPECT_EQ(fault(good, "wing"), message("64: holds a thing; expected a wing"));
  const std::size_t number = good.find(std::string(16, '\7'));
  EXPECT_THAT(fault(with(number + 3, "\6")),
              AllOf(HasSubstr("byte " + std::to_string(number)), HasSubstr("is not what was written")));
}

TEST_F(ArrayFiles, AreRefusedWhereTheHeaderLiesWithTheRightDigest) {
  write();
  const std::string good = bytes();
  const auto lie = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    return fault(with_digest(bad));
  };
  EXPECT_THAT(lie("\"float64\"", "\"floaty\" "), HasSubstr("unknown type"));
  EXPECT_THAT(lie("[1000]", "[1009]"), HasSubstr("is not what was written"));
  EXPECT_THAT(lie("[1000]", "[9999]"), HasSubstr("does not lie in the file"));
  EXPECT_THAT(lie("[1000]", "[-100]"), HasSubstr("shape"));
  EXPECT_THAT(lie("\"begin\":0", "\"begin\":1"), HasSubstr("does not lie in the file"));
  EXPECT_THAT(lie("\"arrays\"", "\"brrays\""), HasSubstr("arrays is missing"));
  EXPECT_THAT(lie("{\"kind\"", "[\"kind\""), HasSubstr("not JSON"));
  EXPECT_EQ(fault(with_digest(good)), "");
}

TEST_F(ArrayFiles, AreAsTheyWereOrRefusedWhateverBitChanges) {
  write();
  const std::string good = bytes();
  const ArrayFile whole(path(), "thing");
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); at += 3) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    put_file(folder_ / "bad", bad);
    try {
      const ArrayFile file(folder_ / "bad", "thing");
      file.verify();
      EXPECT_EQ(copies_of(file.arrays()), some_arrays()) << at;  // a byte between two arrays
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(", byte "), Not(HasSubstr("\n"))));
      ++refused;
    }
  }
  EXPECT_GT(refused, 400);
}

TEST_F(ArrayFiles, AreRefusedWhereverTheyEnd) {
  write();
  const std::string good = bytes();
  for (std::size_t end = 0; end < good.size(); end += 7)
    ASSERT_THAT(fault(good.substr(0, end)), HasSubstr(", byte ")) << end;
}

TEST_F(ArrayFiles, AreRefusedOrSoundWhateverTheHeaderSaysWithTheRightDigest) {
  write();
  const std::string good = bytes();
  Random random(5);
  for (int change = 0; change < 800; ++change) {
    std::string bad = good;
    const std::size_t header = good.find("       ") - kPreambleBytes;
    bad[kPreambleBytes + random.below(header)] = "0189[]{},:\"abx-"[random.below(15)];
    EXPECT_THAT(fault(with_digest(bad)), Not(HasSubstr("\n")));
  }
}

TEST_F(ArrayFiles, AreNotWrittenWithTextOrNamesThatAreNoText) {
  const Arrays text{{"t", Array::of(std::vector<std::string>{"a"}, {1})}};
  EXPECT_THAT(test::message_of<UsageError>([&] { write(text); }).value_or(""), HasSubstr("holds text"));
  const Arrays name{{"\xff", Array::of(std::vector<double>{1}, {1})}};
  EXPECT_THAT(test::message_of<UsageError>([&] { write(name); }).value_or(""), HasSubstr("UTF-8"));
  EXPECT_EQ(test::file_count(folder_), 0U);
}

}  // namespace
}  // namespace dshn::io
