#include "cli/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/histogram.hpp"
#include "cli/progress.hpp"
#include "cli/text_table.hpp"

namespace dshn::cli {
namespace {

TEST(Text, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("plain"), 5);
  EXPECT_EQ(display_width("naïve"), 5);
  EXPECT_EQ(display_width("e\u0301"), 1);  // e and a combining accent
  EXPECT_EQ(display_width("超图"), 4);
}

TEST(Text, PrintableLeavesNoControlCharacter) {
  EXPECT_EQ(printable("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("超图 é"), "超图 é");
  EXPECT_EQ(printable("\u202e"), "\\xe2\\x80\\xae");  // would show what follows backwards
}

RC_GTEST_PROP(Text, PrintableIsSafeForAnyBytes, (const std::string& bytes)) {
  const std::string safe = printable(bytes);
  RC_ASSERT(std::none_of(safe.begin(), safe.end(),
                         [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }));
  RC_ASSERT(printable(safe) == safe);
}

RC_GTEST_PROP(Text, ShortenedTextFits, (const std::string& bytes)) {
  const std::string text = printable(bytes);
  const int width = *rc::gen::inRange(2, 20);
  RC_ASSERT(display_width(shorten(text, width)) <= width);
}

TEST(Text, Numbers) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(100523), "100,523");
  EXPECT_EQ(with_commas(-1234567), "-1,234,567");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(20401489), "20.4 MB");
  EXPECT_EQ(human_bytes(999999), "1.0 MB");
}

TEST(TextTable, ColumnsLineUpInAnyAlphabet) {
  TextTable table({{"name", Align::left}, {"n", Align::right}, {"note", Align::left}});
  table.add({{"超图"}, {"1"}, {"x"}});
  table.add({{"b"}, {"12345"}});

  EXPECT_EQ(table.render(Terminal{}),
            "name      n  note\n"
            "超图      1  x\n"
            "b     12345\n");
}

TEST(TextTable, LastColumnIsShortenedOnlyOnATerminal) {
  TextTable table({{"a"}, {"b"}});
  table.add({{"x"}, {std::string(60, 'y')}});

  const std::string wide = table.render(Terminal{});
  const std::string narrow = table.render(Terminal{.interactive = true, .colour = false, .width = 40});

  EXPECT_NE(wide.find(std::string(60, 'y')), std::string::npos);
  EXPECT_NE(narrow.find(std::string(36, 'y') + "…\n"), std::string::npos);
}

TEST(Progress, BarShowsShareAndFits) {
  const std::string text = progress_text("cora", 250, 1000, 100, 80);

  EXPECT_NE(text.find("25 %  250 B of 1.0 kB  100 B/s"), std::string::npos) << text;
  EXPECT_LE(display_width(text), 80);
  EXPECT_EQ(progress_text("cora", 250, 0, 0, 80), "cora  250 B");
}

TEST(Histogram, BucketsDoubleAndCoverEverything) {
  std::vector<Index> counts(20);
  counts[1] = 5;
  counts[3] = 2;
  counts[4] = 1;
  counts[19] = 7;

  std::vector<std::string> shown;
  for (const Bucket& b : buckets(counts)) {
    shown.push_back(std::to_string(b.first) + "-" + std::to_string(b.last) + ":" + std::to_string(b.count));
  }

  EXPECT_EQ(shown, (std::vector<std::string>{"1-1:5", "2-2:0", "3-4:3", "5-8:0", "9-16:0", "17-32:7"}));
}

TEST(Histogram, FewValuesHaveABarEach) {
  const std::vector<Index> counts{1, 0, 0, 4, 4};
  EXPECT_EQ(buckets(counts).size(), 5U);
}

TEST(Terminal, PaintsOnlyWhereColourIsWelcome) {
  EXPECT_EQ(Terminal{}.paint(Paint::bad, "x"), "x");
  const Terminal colourful{.interactive = true, .colour = true, .width = 80};
  EXPECT_EQ(colourful.paint(Paint::bad, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(colourful.paint(Paint::none, "x"), "x");
}

}  // namespace
}  // namespace dshn::cli
