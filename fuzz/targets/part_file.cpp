// What an earlier fetch has left of a download, and the header by which a server says that it goes on there.
#include "data/part_file.hpp"

#include "data/content_range.hpp"
#include "data/sha256.hpp"
#include "dshn/base/error.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::part_file {
namespace {

std::vector<std::string> valid() {
  return {joined("Content-Range: bytes 10-19/20\r\n", "some bytes"), joined("CONTENT-RANGE: BYTES 0-0/1", ""),
          joined("content-range: bytes 3-", "abc")};
}

std::vector<std::string> malformed() {
  return {"",
          joined("Content-Range: bytes 9-19/20\r\n", "some bytes"),
          joined("Content-Range: bytes ", "x"),
          joined("content-range: bytes -1-5/6", ""),
          joined("content-range: bytes 99999999999999999999-", ""),
          joined("content-length: 5", "")};
}

void read(std::string_view bytes) {
  const auto [header, before] = two_files(bytes);
  const std::filesystem::path path = file_with(before, "file.part");
  data::PartFile part(path);
  require(part.size() == static_cast<std::int64_t>(before.size()), "what is there counts");
  if (data::range_start(header) != part.size()) throw InvalidInput("the server goes on elsewhere");
  part.append("the rest");
  require(content_of(path) == before + "the rest", "what comes is put behind it");
  const std::string of_all = data::sha256_of(path);
  part.clear();
  part.append(before);
  part.append("the rest");
  require(data::sha256_of(path) == of_all, "begun again it is the same");
}

}  // namespace

Target target() {
  return {"part_file", valid, malformed, read};
}

}  // namespace dshn::fuzz::part_file
