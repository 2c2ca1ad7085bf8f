#include "dshn/io/npz.hpp"

#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::npz {
namespace {

std::string archive(const io::Arrays& arrays, bool deflate) {
  io::write_npz(scratch() / "seed.npz", arrays, deflate);
  return content_of(scratch() / "seed.npz");
}

std::vector<std::string> valid() {
  io::Arrays all = arrays_of_all_kinds();
  return {archive(all, true), archive({{"i", all["i"]}, {"t", all["t"]}}, false), archive({}, true)};
}

std::vector<std::string> malformed() {
  const std::string whole = archive({{"d", arrays_of_all_kinds()["d"]}}, false);
  std::string other_bytes = whole;
  other_bytes[60] = static_cast<char>(other_bytes[60] ^ 1);
  return {"", "PK\x05\x06", whole.substr(0, whole.size() - 1), whole.substr(1), other_bytes};
}

void read(std::string_view bytes) {
  const std::filesystem::path file = file_with(bytes, "file.npz");
  const std::vector<std::string> names = io::npz_members(file);
  const io::Arrays arrays = io::read_npz(file);
  require(names.size() == arrays.size(), "every member is an array");
  for (const bool deflate : {true, false}) {
    io::write_npz(scratch() / "copy.npz", arrays, deflate);
    require(io::read_npz(scratch() / "copy.npz") == arrays, "what is written is read again");
  }
}

}  // namespace

Target target() {
  return {"npz", valid, malformed, read};
}

}  // namespace dshn::fuzz::npz
