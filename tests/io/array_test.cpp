#include "dshn/io/array.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "dshn/base/error.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using testing::ElementsAre;

TEST(Array, ConvertsBetweenNumericTypes) {
  const Array array = Array::of(std::vector<double>{0, 1, 255}, {3});

  EXPECT_THAT(array.as<std::uint8_t>("a"), ElementsAre(0, 1, 255));
  EXPECT_THAT(array.as<std::int64_t>("a"), ElementsAre(0, 1, 255));
  EXPECT_THAT(array.as<float>("a"), ElementsAre(0.0F, 1.0F, 255.0F));
}

TEST(Array, NamesTheFirstElementThatDoesNotFit) {
  const Array array = Array::of(std::vector<double>{0, 1, 2.5, 7}, {2, 2});

  const auto message = message_of<InvalidInput>([&] { array.as<std::int32_t>("labels.npy"); });

  EXPECT_EQ(message, "labels.npy: element [1, 0] is 2.5, which does not fit int32");
}

TEST(Array, RefusesWhatTheTargetCannotHold) {
  const auto fails = [](const Array& array, auto target) {
    return message_of<InvalidInput>([&] { array.as<decltype(target)>("a"); }).has_value();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(fails(Array::of(std::vector<std::int64_t>{-1}, {1}), std::uint8_t{}));
  EXPECT_TRUE(fails(Array::of(std::vector<std::int64_t>{std::int64_t{1} << 31}, {1}), std::int32_t{}));
  EXPECT_TRUE(fails(Array::of(std::vector<double>{nan}, {1}), std::int64_t{}));
  EXPECT_TRUE(fails(Array::of(std::vector<double>{std::ldexp(1.0, 63)}, {1}), std::int64_t{}));
  EXPECT_TRUE(fails(Array::of(std::vector<double>{1e300}, {1}), float{}));
  EXPECT_TRUE(fails(Array::of(std::vector<std::int64_t>{2}, {1}), bool{}));
  EXPECT_TRUE(fails(Array::of(std::vector<std::complex<double>>{{1, 1}}, {1}), double{}));
  EXPECT_TRUE(fails(Array::of(std::vector<std::string>{"1"}, {1}), double{}));
  EXPECT_TRUE(fails(Array::of(std::vector<double>{1}, {1}), std::string{}));
}

TEST(Array, KeepsWhatFloatsCanHold) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Array array = Array::of(std::vector<double>{-std::ldexp(1.0, 63), infinity, 0.1}, {3});

  const std::vector<float> floats = array.as<float>("a");

  EXPECT_EQ(floats[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(floats[2], 0.1F);
  EXPECT_TRUE(std::isnan(Array::of(std::vector<double>{std::nan("")}, {}).as<float>("a")[0]));
}

TEST(Array, ReadsEveryHalfPrecisionNumber) {
  // By the definition of binary16: sign, 5 bits of exponent, 10 of fraction.
  Array array{DType::float16, {65536}, std::vector<std::byte>(131072), {}};
  for (int bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    std::memcpy(array.bytes.data() + std::ptrdiff_t{2} * bits, &half, 2);
  }

  const std::vector<double> values = array.as<double>("half");

  EXPECT_EQ(values[0x0001], std::ldexp(1.0, -24));
  EXPECT_EQ(values[0x3c00], 1.0);
  EXPECT_EQ(values[0x7bff], 65504.0);
  EXPECT_EQ(values[0x7c00], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(values[0x7c01]));
  EXPECT_TRUE(std::signbit(values[0x8000]));
  for (int bits = 1; bits < 0x7c00; ++bits) {
    EXPECT_GT(values[bits], values[bits - 1]);
    EXPECT_EQ(values[bits | 0x8000], -values[bits]);
  }
}

TEST(Array, ShapeMustHoldTheValues) {
  const auto message = message_of<UsageError>([] { Array::of(std::vector<float>(5), {2, 3}); });

  EXPECT_EQ(message, "5 values do not fill an array of shape (2, 3)");
}

RC_GTEST_PROP(ArrayProperty, OfAndAsAreInverse, (const std::vector<std::int64_t>& values)) {
  const auto size = static_cast<std::int64_t>(values.size());

  RC_ASSERT(Array::of(values, {size}).as<std::int64_t>("a") == values);
}

RC_GTEST_PROP(ArrayProperty, NarrowingSucceedsExactlyWhereItIsExact, (std::int64_t value)) {
  const bool fits =
      value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();

  const auto message = message_of<InvalidInput>(
      [&] { Array::of(std::vector<std::int64_t>{value}, {1}).as<std::int32_t>("a"); });

  RC_ASSERT(message.has_value() == !fits);
}

}  // namespace
}  // namespace dshn::io
