#include "dshn/base/utf8.hpp"

#include <gtest/gtest.h>

namespace dshn {
namespace {

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t c = 0; c <= 0x110000; ++c) {
    std::string text;
    const bool legal = (c < 0xd800 || c > 0xdfff) && c <= 0x10ffff;
    ASSERT_EQ(append_utf8(text, c), legal) << static_cast<unsigned>(c);
    if (!legal) continue;
    const CodePoint read = first_code_point(text + "x");
    ASSERT_EQ(read.value, c);
    ASSERT_EQ(read.bytes, text.size()) << static_cast<unsigned>(c);
    ASSERT_EQ(first_code_point(text.substr(0, text.size() - 1)).bytes, 0U) << static_cast<unsigned>(c);
  }
}

TEST(Utf8, IllFormedSequencesAreFound) {
  // Overlong, surrogates, beyond Unicode, a stray and a missing continuation: Unicode, table 3-7.
  for (const std::string bad :
       {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\x80", "\xc3(", "\xe4\xb8", "\xf0\x9f\x98x"}) {
    EXPECT_EQ(first_code_point(bad).bytes, 0U);
    EXPECT_EQ(find_invalid_utf8("h\u00e9\U0001f600" + bad), 7U);
  }
  EXPECT_EQ(find_invalid_utf8("h\u00e9\u4e16\U0001f600"), std::string::npos);
  EXPECT_EQ(find_invalid_utf8(""), std::string::npos);
  EXPECT_EQ(first_code_point("").bytes, 0U);
}

TEST(Utf8, CodePointsAreCountedAndBadBytesOneByOne) {
  EXPECT_EQ(count_code_points(""), 0U);
  EXPECT_EQ(count_code_points("88.65 \u00b1 5.54"), 12U);
  EXPECT_EQ(count_code_points("\U0001f600\xff\x80z"), 4U);
}

}  // namespace
}  // namespace dshn
