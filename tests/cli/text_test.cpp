#include "cli/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
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

TEST(Text, ZeroHasNoSign) {
  EXPECT_EQ(fixed(-1e-17, 4), "0");
  EXPECT_EQ(fixed(0.00004, 4), "0");
  EXPECT_EQ(fixed(-0.00006, 4), "-0.0001");
  EXPECT_EQ(fixed(2, 4), "2.0000");
  EXPECT_EQ(fixed(INFINITY, 1), "inf");
}

TEST(Text, IsWrappedBetweenWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 13), (Lines{"one two three"}));
  EXPECT_EQ(wrapped("a/long/path b", 6), (Lines{"a/long", "/path", "b"}));
  EXPECT_EQ(wrapped("超图超图", 5), (Lines{"超图", "超图"}));
  EXPECT_EQ(wrapped("", 5), (Lines{""}));
}

Terminal terminal_of(int width) {
  return {.interactive = true, .colour = false, .width = width};
}

TEST(TextTable, LastColumnIsCutOnATerminalWhereARowIsOneLine) {
  TextTable table({{"a"}, {"b"}});
  table.add({{"x"}, {std::string(60, 'y')}});

  const std::string wide = table.render(Terminal{}, Overflow::cut);
  const std::string narrow = table.render(terminal_of(40), Overflow::cut);

  EXPECT_NE(wide.find(std::string(60, 'y')), std::string::npos);
  EXPECT_NE(narrow.find(std::string(36, 'y') + "…\n"), std::string::npos);
}

TEST(TextTable, TextIsWrappedOnATerminalThatIsTooNarrow) {
  TextTable table({{"option"}, {"best epoch", Align::right}, {"meaning"}});
  table.add({{"q"}, {"12"}, {"how much direction counts"}});
  table.add({{"layers"}, {"7"}, {"how many"}});

  EXPECT_EQ(table.render(terminal_of(60)),
            "option  best epoch  meaning\n"
            "q               12  how much direction counts\n"
            "layers           7  how many\n");
  EXPECT_EQ(table.render(terminal_of(26)),
            "option   best  meaning\n"
            "        epoch\n"
            "q          12  how much\n"
            "               direction\n"
            "               counts\n"
            "layers      7  how many\n");
}

TEST(TextTable, ColumnsThatDoNotFitFollowBelow) {
  TextTable table({{"split"}, {"train", Align::right}, {"val", Align::right}, {"test", Align::right}});
  table.add({{"0"}, {"90.00"}, {"80.00"}, {"70.00"}});

  EXPECT_EQ(table.render(terminal_of(20)),
            "split  train    val\n"
            "0      90.00  80.00\n"
            "\n"
            "split   test\n"
            "0      70.00\n");
}

RC_GTEST_PROP(TextTable, FitsTheTerminalAndLosesNoWord, ()) {
  const auto word = rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcxyz012")));
  const auto columns = *rc::gen::inRange<std::size_t>(1, 7);
  std::vector<TextTable::Column> titles;
  for (std::size_t i = 0; i < columns; ++i)
    titles.push_back({"t" + std::to_string(i), *rc::gen::arbitrary<bool>() ? Align::left : Align::right});
  TextTable table(titles);
  std::vector<std::string> words;
  for (int row = *rc::gen::inRange(0, 4); row > 0; --row) {
    std::vector<TextCell> cells;
    for (std::size_t i = 0; i < columns; ++i) {
      std::string cell;
      for (int n = *rc::gen::inRange(0, titles[i].align == Align::left ? 6 : 2); n > 0; --n) {
        words.push_back(std::to_string(words.size()) + (*word).substr(0, 8) + ';');
        cell += (cell.empty() ? "" : " ") + words.back();
      }
      cells.push_back({cell});
    }
    table.add(cells);
  }
  const int width = *rc::gen::inRange(40, 120);

  const std::string text = table.render(terminal_of(width));

  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    RC_ASSERT(display_width(line) <= width);
    RC_ASSERT(line.empty() || line.back() != ' ');
  }
  for (const std::string& each : words) RC_ASSERT(text.find(each) != std::string::npos);
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
