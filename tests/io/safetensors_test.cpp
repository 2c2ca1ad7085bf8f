#include "dshn/io/safetensors.hpp"

#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using test::put_file;
using testing::HasSubstr;

TensorFile sample() {
  return {{{"a", Array::of(std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3})},
           {"b.c", Array::of(std::vector<double>{1.5, -2.5}, {2})},
           {"empty", Array::of(std::vector<std::int64_t>{}, {0, 4})},
           {"flags", Array::of(std::vector<bool>{true, false, true}, {3})},
           {"scalar", Array::of(std::vector<std::int32_t>{-7}, {})}},
          {{"format", "test"}, {"version", "1"}}};
}

std::string refusal_of(const std::string& header, const std::string& data = "12345678") {
  const TemporaryFolder folder;
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  put_file(folder / "x", bytes + header + data);
  return message_of<InvalidInput>([&] { read_safetensors(folder / "x"); }).value_or("it loads");
}

TEST(Safetensors, SurviveARoundTrip) {
  const TemporaryFolder folder;

  write_safetensors(folder / "x.safetensors", sample());
  const TensorFile read = read_safetensors(folder / "x.safetensors");

  EXPECT_EQ(read.metadata, sample().metadata);
  EXPECT_EQ(read.arrays, sample().arrays);
}

TEST(Safetensors, AreRefusedWhenTruncatedAnywhere) {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", sample());
  const std::string whole = test::get_file(folder / "x");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put_file(folder / "cut", whole.substr(0, length));
    EXPECT_THROW(read_safetensors(folder / "cut"), InvalidInput) << length;
  }
  put_file(folder / "more", whole + '\0');
  EXPECT_THROW(read_safetensors(folder / "more"), InvalidInput);
  EXPECT_THROW(read_safetensors(folder / "none"), InvalidInput);
}

TEST(Safetensors, AreRefusedWhenTheHeaderLies) {
  EXPECT_EQ(refusal_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})"), "it loads");
  for (const char* const header :
       {R"({"a":{"dtype":"F32","shape":[1152921504606846976],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,80]}})",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}})",
        R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F99","shape":[2],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"F32","shape":"2","data_offsets":[0,8]}})",
        R"({"a":{"dtype":32,"shape":[2],"data_offsets":[0,8]}})",
        R"({"a":{"dtype":"BOOL","shape":[8],"data_offsets":[0,8]}})", R"({"a":{"shape":[2]}})", R"({"a":1})",
        R"({"__metadata__":{"a":1}})", R"([1,2])", R"({"a":)", ""}) {
    EXPECT_THAT(refusal_of(header), HasSubstr("not a whole safetensors file")) << header;
  }
}

TEST(Safetensors, WithAnyByteChangedAreRefusedOrHoldTheSame) {
  const TemporaryFolder folder;
  write_safetensors(folder / "x", sample());
  const std::string whole = test::get_file(folder / "x");
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    put_file(folder / "x", damaged);
    try {
      const TensorFile read = read_safetensors(folder / "x");
      EXPECT_EQ(read.arrays, sample().arrays) << "byte " << at;
      for (const auto& [name, value] : sample().metadata) EXPECT_EQ(read.metadata.at(name), value) << at;
    } catch (const InvalidInput&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) - 10) << "all but the name of the digest itself";
}

TEST(Safetensors, ArraysShareNoBytesAndLeaveNone) {
  const std::string a = R"("a":{"dtype":"U8","shape":[6],"data_offsets":[0,6]})";
  const auto with = [&](const std::string& b) { return refusal_of("{" + a + "," + b + "}"); };

  EXPECT_EQ(with(R"("b":{"dtype":"U8","shape":[2],"data_offsets":[6,8]})"), "it loads");
  EXPECT_THAT(with(R"("b":{"dtype":"U8","shape":[3],"data_offsets":[5,8]})"),
              HasSubstr("'b' does not begin"));
  EXPECT_THAT(with(R"("b":{"dtype":"U8","shape":[6],"data_offsets":[0,6]})"), HasSubstr("does not begin"));
  EXPECT_THAT(with(R"("b":{"dtype":"U8","shape":[1],"data_offsets":[7,8]})"),
              HasSubstr("'b' does not begin"));
  EXPECT_THAT(refusal_of("{" + a + "}"), HasSubstr("left over"));
}

TEST(Safetensors, TextIsAUsageErrorAndLeavesNoFile) {
  const TemporaryFolder folder;
  const TensorFile text{{{"a", Array::of(std::vector<std::string>{"b"}, {1})}}, {}};
  EXPECT_TRUE(message_of<UsageError>([&] { write_safetensors(folder / "x", text); }));
  EXPECT_EQ(test::file_count(folder), 0U);
}

}  // namespace
}  // namespace dshn::io
