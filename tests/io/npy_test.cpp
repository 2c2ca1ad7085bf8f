#include "dshn/io/npy.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "dshn/base/error.hpp"
#include "io/numpy_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::from_hex;
using test::get_file;
using test::message_of;
using test::put_file;
using testing::ElementsAre;
using testing::HasSubstr;

Array read_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  put_file(folder / "a.npy", bytes);
  return read_npy(folder / "a.npy");
}

/// A version 1.0 file with a header that may lie.
std::string npy_with(const std::string& header, const std::string& data = "") {
  std::string out = "\x93NUMPY";
  out += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return out + header + data;
}

std::string npy_error(const std::string& bytes) {
  return message_of<InvalidInput>([&] { read_bytes(bytes); }).value_or("");
}

TEST(Npy, ReadsNumpyFloats) {
  const Array array = read_bytes(from_hex(test::kNpyFloat64));

  EXPECT_EQ(array.dtype, DType::float64);
  EXPECT_THAT(array.shape, ElementsAre(3));
  EXPECT_THAT(array.as<double>("a"), ElementsAre(1.5, -2.0, std::numeric_limits<double>::infinity()));
}

TEST(Npy, ReadsFormatVersionsTwoAndThree) {
  const Array second = read_bytes(from_hex(test::kNpyVersion2));
  const Array third = read_bytes(from_hex(test::kNpyVersion3));

  EXPECT_THAT(second.shape, ElementsAre(2, 2));
  EXPECT_THAT(second.as<std::int32_t>("a"), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(third.dtype, DType::uint32);
  EXPECT_THAT(third.as<std::int32_t>("a"), ElementsAre(7, 8));
}

TEST(Npy, ReadsBigEndian) {
  const Array array = read_bytes(from_hex(test::kNpyBigEndian));

  EXPECT_EQ(array.dtype, DType::int32);
  EXPECT_THAT(array.as<std::int32_t>("a"), ElementsAre(1, -2, 300));
}

TEST(Npy, ReadsFortranOrderAsRowMajor) {
  std::vector<std::int64_t> counting(24);
  std::iota(counting.begin(), counting.end(), 0);

  EXPECT_THAT(read_bytes(from_hex(test::kNpyFortran)).as<double>("a"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(read_bytes(from_hex(test::kNpyFortran3d)).as<std::int64_t>("a"), counting);
}

TEST(Npy, ReadsBoolHalfComplexAndScalar) {
  EXPECT_THAT(read_bytes(from_hex(test::kNpyBool)).as<bool>("a"), ElementsAre(true, false, true));
  const std::vector<double> halves = read_bytes(from_hex(test::kNpyHalf)).as<double>("a");
  EXPECT_THAT(std::vector(halves.begin(), halves.begin() + 4),
              ElementsAre(0.5, -65504, std::numeric_limits<double>::infinity(), std::ldexp(1.0, -24)));
  EXPECT_TRUE(std::isnan(halves[4]));
  EXPECT_THAT(read_bytes(from_hex(test::kNpyComplex)).as<std::complex<double>>("a"),
              ElementsAre(std::complex<double>(1, 2), std::complex<double>(0, -3.5)));
  const Array scalar = read_bytes(from_hex(test::kNpyScalar));
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_THAT(scalar.as<std::int64_t>("a"), ElementsAre(42));
}

TEST(Npy, ReadsTextAsUtf8) {
  EXPECT_THAT(read_bytes(from_hex(test::kNpyUnicode)).texts, ElementsAre("a", "h\u00e9\u4e16\U0001f600", ""));
  EXPECT_THAT(read_bytes(from_hex(test::kNpyBytes)).texts, ElementsAre("csr", "x"));
}

TEST(Npy, WritesWhatNumpyWrites) {
  const TemporaryFolder folder;

  write_npy(folder / "a.npy", Array::of(std::vector<double>{1.5, -2.0, INFINITY}, {3}));
  write_npy(folder / "u.npy", Array::of(std::vector<std::string>{"a", "h\u00e9\u4e16\U0001f600", ""}, {3}));

  EXPECT_EQ(get_file(folder / "a.npy"), from_hex(test::kNpyFloat64));
  EXPECT_EQ(get_file(folder / "u.npy"), from_hex(test::kNpyUnicode));
}

TEST(Npy, RefusesPickles) {
  EXPECT_THAT(npy_error(from_hex(test::kNpyObject)), HasSubstr("Python objects (a pickle)"));
  EXPECT_THAT(npy_error(from_hex(test::kNpyStructured)), HasSubstr("structured arrays are not supported"));
  EXPECT_THAT(
      npy_error(npy_with("{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (), }\n", "12345678")),
      HasSubstr("dtype '<M8[ns]' is not supported"));
}

TEST(Npy, RefusesShapesThatLie) {
  const auto shape = [](const std::string& text) {
    return npy_error(
        npy_with("{'descr': '<f8', 'fortran_order': False, 'shape': " + text + ", }\n", "12345678"));
  };
  EXPECT_EQ(shape("(1,)"), "");
  EXPECT_THAT(shape("(2,)"), HasSubstr("shape (2,) of '<f8' needs 16 bytes, but 8 follow the header"));
  EXPECT_THAT(shape("(0,)"), HasSubstr("needs 0 bytes, but 8 follow"));
  EXPECT_THAT(shape("(1152921504606846976,)"), HasSubstr("beyond 2^63 bytes"));
  EXPECT_THAT(shape("(1073741824, 1073741824, 1073741824)"), HasSubstr("beyond 2^63 bytes"));
  EXPECT_THAT(shape("(0, 1152921504606846976, 1152921504606846976)"), HasSubstr("beyond 2^63 bytes"));
  EXPECT_THAT(shape("(99999999999999999999,)"), HasSubstr("beyond 2^63 - 1"));
  EXPECT_THAT(shape("(-1,)"), HasSubstr("not negative"));
  EXPECT_THAT(shape("(1)"), HasSubstr("expected ','"));
}

TEST(Npy, RefusesMalformedHeaders) {
  const std::string good = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }\n";
  EXPECT_EQ(npy_error(npy_with(good, "x")), "");
  EXPECT_EQ(npy_error(npy_with("{\"shape\":(1L,),\"descr\":\"|u1\",\"fortran_order\":False}", "x")), "");
  EXPECT_THAT(npy_error(npy_with("{'descr': '|u1', 'shape': (1,), }\n", "x")),
              HasSubstr("must all be given"));
  EXPECT_THAT(npy_error(npy_with("{'descr': '|u1', 'descr': '|u1', 'shape': (1,)}", "x")),
              HasSubstr("unexpected key"));
  EXPECT_THAT(npy_error(npy_with("{'evil': __import__('os'), }", "x")), HasSubstr("unexpected key 'evil'"));
  EXPECT_THAT(npy_error(npy_with(good + "x", "x")), HasSubstr("expected the end of the header"));
  EXPECT_THAT(npy_error(npy_with("{'descr': '|u1", "x")), HasSubstr("not closed"));
  EXPECT_THAT(npy_error("\x93NUMPY\x04" + std::string(40, '\0')), HasSubstr("version 4.0"));
  EXPECT_THAT(npy_error("GIF89a, not a NumPy file"), HasSubstr("not a NumPy .npy file"));
  EXPECT_THAT(npy_error(""), HasSubstr("byte 0: the data end here"));
  EXPECT_THAT(npy_error(npy_with("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "\x02")),
              HasSubstr("a bool element is 2"));
}

TEST(Npy, TextOfWidthZeroCannotBeMany) {
  EXPECT_THAT(npy_error(npy_with("{'descr': '|S0', 'fortran_order': False, 'shape': (0,)}")), "");
  EXPECT_THAT(npy_error(npy_with("{'descr': '|S0', 'fortran_order': False, 'shape': (1073741824,)}")),
              HasSubstr("byte"));
}

TEST(Npy, RefusesBadText) {
  const std::string unicode = "{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}";
  EXPECT_THAT(npy_error(npy_with(unicode, std::string("\x00\xd8\x00\x00", 4))),
              HasSubstr("invalid code point"));
  EXPECT_THAT(npy_error(npy_with("{'descr': '|S1', 'fortran_order': False, 'shape': (1,)}", "\xff")),
              HasSubstr("not UTF-8"));
}

TEST(Npy, EveryTruncationIsAnError) {
  for (const auto hex : {test::kNpyFortran, test::kNpyUnicode, test::kNpyVersion3}) {
    const std::string bytes = from_hex(hex);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_NE(npy_error(bytes.substr(0, size)), "") << "first " << size << " bytes";
    }
  }
}

TEST(Npy, MissingFileAndFolderAreInvalidInput) {
  const TemporaryFolder folder;

  EXPECT_THAT(message_of<InvalidInput>([&] { read_npy(folder / "no.npy"); }).value_or(""),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_npy(folder.path()); }).value_or(""),
              HasSubstr("is a folder"));
}

RC_GTEST_PROP(NpyProperty, WhatIsWrittenIsRead, (const std::vector<double>& values, std::uint8_t columns)) {
  const TemporaryFolder folder;
  const std::int64_t width = columns % 4 + 1;
  const std::int64_t rows = static_cast<std::int64_t>(values.size()) / width;
  const Array array =
      Array::of(std::vector<double>(values.begin(), values.begin() + rows * width), {rows, width});

  write_npy(folder / "a.npy", array);

  RC_ASSERT(read_npy(folder / "a.npy") == array);
  RC_ASSERT(get_file(folder / "a.npy").size() % 8 == 0U);
}

}  // namespace
}  // namespace dshn::io
