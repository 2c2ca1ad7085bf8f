#include "io/json_reader.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>

#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using nlohmann::json;

constexpr std::size_t kTinyChunk = 1;  // every token is cut at every place

json read_value(JsonReader& reader) {
  switch (reader.kind()) {
    case JsonKind::object: {
      json object = json::object();
      reader.begin_object();
      while (reader.next_key()) {
        std::string key(reader.key());
        object[key] = read_value(reader);
      }
      return object;
    }
    case JsonKind::array: {
      json array = json::array();
      reader.begin_array();
      while (reader.next_element()) array.push_back(read_value(reader));
      return array;
    }
    case JsonKind::string:
      return std::string(reader.string());
    case JsonKind::boolean:
      return reader.boolean();
    case JsonKind::null:
      reader.null();
      return nullptr;
    case JsonKind::number:
      break;
  }
  std::int64_t integer = 0;
  if (reader.take_integer(integer)) return integer;
  const JsonNumber number = reader.number();
  const bool literal = number.text.find_first_of(".eE") == std::string_view::npos;
  if (literal && number.to_integer(integer) == JsonNumber::Integer::fits) return integer;
  double value = 0;
  EXPECT_TRUE(number.to_double(value));
  return value;
}

/// The document, or nothing if it is not JSON.
std::optional<json> parse(const std::string& text, std::size_t chunk = JsonReader::kDefaultChunk) {
  try {
    const auto bytes = view_bytes(text, "test");
    JsonReader reader(*bytes, {}, chunk);
    json value = read_value(reader);
    reader.finish();
    return value;
  } catch (const JsonSyntaxError&) {
    return std::nullopt;
  }
}

bool skips(const std::string& text, std::size_t chunk) {
  try {
    const auto bytes = view_bytes(text, "test");
    JsonReader reader(*bytes, {}, chunk);
    reader.skip();
    reader.finish();
    return true;
  } catch (const JsonSyntaxError&) {
    return false;
  }
}

std::int64_t error_byte(const std::string& text) {
  try {
    const auto bytes = view_bytes(text, "test");
    JsonReader reader(*bytes);
    reader.skip();
    reader.finish();
  } catch (const JsonSyntaxError& error) {
    const std::string place = std::string("test: byte ").append(std::to_string(error.offset())).append(": ");
    EXPECT_EQ(error.what(), place + error.reason());
    return error.offset();
  }
  return -1;
}

void expect_as_nlohmann(const std::string& text) {
  const bool good = json::accept(text);
  for (const std::size_t chunk : {kTinyChunk, std::size_t{7}, JsonReader::kDefaultChunk}) {
    const std::optional<json> ours = parse(text, chunk);
    EXPECT_EQ(ours.has_value(), good) << text;
    EXPECT_EQ(skips(text, chunk), good) << text;
    if (ours && good) {
      EXPECT_EQ(*ours, json::parse(text)) << text;
    }
  }
}

TEST(JsonReader, AgreesWithNlohmannOnHandPickedTexts) {
  for (const std::string text : {"{}",
                                 "[]",
                                 "null",
                                 "true",
                                 "false",
                                 "0",
                                 "-0",
                                 "12",
                                 "-3.25e-2",
                                 "1E+5",
                                 "\"\"",
                                 " [ 1 , 2 ] ",
                                 "{\"a\":{\"b\":[]}}",
                                 "[1,]",
                                 "[,1]",
                                 "{,}",
                                 "{\"a\":1,}",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{a:1}",
                                 "{1:2}",
                                 "[1 2]",
                                 "[1}",
                                 "{\"a\":1]",
                                 "]",
                                 "}",
                                 "01",
                                 "-",
                                 "+1",
                                 "1.",
                                 ".5",
                                 "1e",
                                 "1e+",
                                 "--1",
                                 "0x10",
                                 "1-2",
                                 "1.2.3",
                                 "1e5e5",
                                 "tru",
                                 "truex",
                                 "nul",
                                 "nan",
                                 "\"\\u0041\\n\\/\\\\\"",
                                 "\"\\ud83d\\ude00\"",
                                 "\"\\ud83d\"",
                                 "\"\\ude00\"",
                                 "\"\\ud83d\\u0041\"",
                                 "\"\\ud83dx\"",
                                 "\"\\u12g4\"",
                                 "\"\\u123\"",
                                 "\"\\x\"",
                                 "\"a\tb\"",
                                 "\"a\nb\"",
                                 "\"\x7f\"",
                                 "\"\xc3\xa9\"",
                                 "\"\xf0\x9f\x98\x80\"",
                                 "\"\xc3\"",
                                 "\"\xc3(\"",
                                 "\"\xc0\x80\"",
                                 "\"\xed\xa0\x80\"",
                                 "\"\xe0\x80\x80\"",
                                 "\"\xf4\x90\x80\x80\"",
                                 "\"\xff\"",
                                 "\"unfinished",
                                 "[1,2",
                                 "{\"a\":1",
                                 "1 2",
                                 "[] []",
                                 "",
                                 "   ",
                                 "\xef\xbb\xbf[1]",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "999999999999999999",
                                 "1000000000000000000",
                                 "[1,\n\t2\r]",
                                 "/**/1",
                                 "'a'",
                                 "[1;2]"}) {
    expect_as_nlohmann(text);
  }
}

TEST(JsonReader, AZeroByteIsNotTheEnd) {
  for (const std::string& text : {std::string("[\0]", 3), std::string("\"\0\"", 3), std::string("1\0", 2),
                                  std::string("[1\0]", 4), std::string("\0", 1)}) {
    for (const std::size_t chunk : {kTinyChunk, JsonReader::kDefaultChunk}) {
      EXPECT_FALSE(skips(text, chunk));
      EXPECT_FALSE(parse(text, chunk));
    }
  }
}

rc::Gen<json> any_json(int depth) {
  const auto number =
      rc::gen::map(rc::gen::arbitrary<double>(), [](double d) { return json(std::isfinite(d) ? d : 0.5); });
  const auto integer =
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t i) { return json(i); });
  const auto piece =
      rc::gen::element<std::string>("a", "long enough for a word", "\"", "\\", "/", "\n", "\x01", "\x7f",
                                    "\u00e9", "\u20ac", "\U0001f600", "\ud7ff", "\ue000", "");
  const auto text = rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    return json(std::accumulate(pieces.begin(), pieces.end(), std::string()));
  });
  const auto simple = rc::gen::element(json(nullptr), json(true), json(false));
  if (depth == 0) return rc::gen::oneOf(number, integer, text, simple);
  const auto array = rc::gen::map(rc::gen::container<std::vector<json>>(any_json(depth - 1)),
                                  [](const std::vector<json>& items) { return json(items); });
  const auto object = rc::gen::map(
      rc::gen::container<std::vector<std::pair<json, json>>>(rc::gen::pair(text, any_json(depth - 1))),
      [](const std::vector<std::pair<json, json>>& members) {
        json result = json::object();
        for (const auto& [key, value] : members) result[key.get<std::string>()] = value;
        return result;
      });
  return rc::gen::oneOf(number, integer, text, simple, array, object);
}

/// As text, which RapidCheck can show.
rc::Gen<std::string> any_text(int depth) {
  return rc::gen::map(any_json(depth), [](const json& document) { return document.dump(); });
}

RC_GTEST_PROP(JsonReader, ReadsWhatNlohmannWrites, ()) {
  const json document = json::parse(*any_text(2));
  const int indent = *rc::gen::element(-1, 0, 3);
  const bool ascii = *rc::gen::arbitrary<bool>();
  const std::string text = document.dump(indent, ' ', ascii);
  const auto chunk = *rc::gen::element<std::size_t>(1, 2, 5, 64, JsonReader::kDefaultChunk);

  const std::optional<json> read = parse(text, chunk);

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == document);
  RC_ASSERT(skips(text, chunk));
}

// But for zero bytes, which nlohmann takes for the end.
RC_GTEST_PROP(JsonReader, AgreesWithNlohmannOnDamagedTexts, ()) {
  std::string text = *any_text(2);
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = *rc::gen::oneOf(rc::gen::nonZero<char>(),
                             rc::gen::element('"', '\\', ',', ':', '{', '}', '[', ']', '0'));

  const bool ours = skips(text, *rc::gen::element<std::size_t>(1, 3, JsonReader::kDefaultChunk));

  try {
    const json theirs = json::parse(text);
    RC_ASSERT(ours);
  } catch (const json::out_of_range&) {
    RC_DISCARD("a number that is JSON and that a double cannot hold");
  } catch (const json::parse_error&) {
    RC_ASSERT(!ours);
  }
}

TEST(JsonReader, TruncationAtEveryByteIsAnError) {
  const std::string text =
      R"({"a":[1,-2.5e3,true,false,null],"b":{"c":"x\n\u00e9\ud83d\ude00é"},"d":"plain"})";
  ASSERT_TRUE(skips(text, kTinyChunk));
  for (std::size_t size = 0; size < text.size(); ++size) {
    for (const std::size_t chunk : {kTinyChunk, JsonReader::kDefaultChunk}) {
      EXPECT_FALSE(skips(text.substr(0, size), chunk)) << size;
      EXPECT_FALSE(parse(text.substr(0, size), chunk)) << size;
    }
  }
}

TEST(JsonReader, TellsTheByteOfAnError) {
  EXPECT_EQ(error_byte(""), 0);
  EXPECT_EQ(error_byte("[1, x]"), 4);
  EXPECT_EQ(error_byte("[1, 02]"), 4);
  EXPECT_EQ(error_byte("{\"a\" 1}"), 5);
  EXPECT_EQ(error_byte("[\"ab\\q\"]"), 4);
  EXPECT_EQ(error_byte("[\"ab\xff\"]"), 4);
  EXPECT_EQ(error_byte("[] 1"), 3);
  EXPECT_EQ(error_byte("[1"), 2);
  EXPECT_EQ(error_byte(std::string(3 * JsonReader::kDefaultChunk, ' ') + "x"), 3 * JsonReader::kDefaultChunk);
}

TEST(JsonReader, TellsTheByteOfValuesAndKeys) {
  const std::string text = R"( {"a": 12, "bc" : [true]})";
  const auto bytes = view_bytes(text, "test");
  JsonReader reader(*bytes, {}, kTinyChunk);
  EXPECT_EQ(reader.offset(), 1);
  reader.begin_object();
  ASSERT_TRUE(reader.next_key());
  EXPECT_EQ(reader.key_offset(), 2);
  EXPECT_EQ(reader.offset(), 7);
  reader.skip();
  ASSERT_TRUE(reader.next_key());
  EXPECT_EQ(reader.key(), "bc");
  EXPECT_EQ(reader.key_offset(), 11);
  EXPECT_EQ(reader.offset(), 18);
}

TEST(JsonReader, LimitsDepthAndTheLengthOfNumbers) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(skips(nested(JsonReader::kMaxDepth), JsonReader::kDefaultChunk));
  EXPECT_EQ(error_byte(nested(JsonReader::kMaxDepth + 1)), JsonReader::kMaxDepth);
  EXPECT_EQ(error_byte(std::string(1'000'000, '[')), JsonReader::kMaxDepth);
  EXPECT_TRUE(skips(std::string(JsonReader::kMaxNumber - 1, '1'), 100));
  EXPECT_FALSE(skips(std::string(JsonReader::kMaxNumber, '1'), 100));
  EXPECT_FALSE(skips(std::string(1 << 20, '1'), JsonReader::kDefaultChunk));
}

TEST(JsonReader, ReadsStringsLongerThanAChunk) {
  const std::string text(1'000'000, 'x');
  EXPECT_EQ(parse(json(text).dump(), 100), json(text));
}

TEST(JsonReader, ReportsProgress) {
  std::string text(1'000'000, ' ');
  text.front() = '[';
  text.back() = ']';
  const auto bytes = view_bytes(text, "test");
  std::int64_t last = 0;
  JsonReader reader(*bytes, [&](std::int64_t done, std::int64_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, static_cast<std::int64_t>(text.size()));
    last = done;
  });
  reader.skip();
  reader.finish();
  EXPECT_EQ(last, static_cast<std::int64_t>(text.size()));
}

TEST(JsonNumber, IntegersGoByValue) {
  using Integer = JsonNumber::Integer;
  const auto check = [](std::string_view text, Integer expected, std::int64_t value = 0) {
    std::int64_t got = 0;
    EXPECT_EQ(JsonNumber{text}.to_integer(got), expected) << text;
    if (expected == Integer::fits) {
      EXPECT_EQ(got, value) << text;
    }
  };
  check("0", Integer::fits, 0);
  check("-0", Integer::fits, 0);
  check("-0.0e5", Integer::fits, 0);
  check("1.0", Integer::fits, 1);
  check("-12.500e1", Integer::fits, -125);
  check("1200e-2", Integer::fits, 12);
  check("1e18", Integer::fits, 1'000'000'000'000'000'000);
  check("9223372036854775807", Integer::fits, INT64_MAX);
  check("-9223372036854775808", Integer::fits, INT64_MIN);
  check("0e999999999999999999999", Integer::fits, 0);
  check("1.23", Integer::no);
  check("125e-3", Integer::no);
  check("1e-999999999999999999999", Integer::no);
  check("9223372036854775808", Integer::too_large);
  check("1e19", Integer::too_large);
  check("1e999999999999999999999", Integer::too_large);
}

TEST(JsonNumber, DoublesOutOfRangeAreToldApart) {
  double value = 0;
  EXPECT_TRUE(JsonNumber{"0.1"}.to_double(value));
  EXPECT_EQ(value, 0.1);
  EXPECT_FALSE(JsonNumber{"1e999"}.to_double(value));
}

}  // namespace
}  // namespace dshn::io
