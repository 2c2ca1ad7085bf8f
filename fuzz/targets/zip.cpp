#include "io/zip.hpp"

#include "fuzz/target.hpp"

namespace dshn::fuzz::zip {
namespace {

std::string archive(const std::vector<std::pair<std::string, std::string>>& members,
                    io::ZipWriterOptions options) {
  const std::filesystem::path path = scratch() / "seed.zip";
  io::AtomicFile file(path);
  io::ZipWriter writer(file, options);
  for (const auto& [name, bytes] : members) writer.add(name, {std::as_bytes(std::span(bytes))});
  writer.finish();
  file.commit();
  return content_of(path);
}

std::vector<std::string> valid() {
  const std::string text(300, 'x');
  return {archive({{"a", text}, {"b/c.npy", "short"}, {"d", ""}}, {true, false}),
          archive({{"a", text}, {"b", "y"}}, {false, false}), archive({{"a", text}}, {true, true}),
          archive({}, {})};
}

std::vector<std::string> malformed() {
  const std::string whole = archive({{"name", "bytes"}}, {});
  std::string climbs = whole;
  for (std::size_t at = climbs.find("name"); at != std::string::npos; at = climbs.find("name"))
    climbs.replace(at, 4, "../x");
  std::string other_bytes = whole;
  other_bytes[whole.find("name") + 5] ^= 1;
  return {"", whole.substr(0, 40), climbs, other_bytes, whole + "surplus"};
}

void read(std::string_view bytes) {
  const io::ZipReader archive(file_with(bytes, "file.zip"));
  for (const io::ZipEntry& entry : archive.entries()) {
    const auto source = archive.open(entry);
    // In pieces of odd sizes, as a decoder asks for them.
    std::vector<std::byte> piece(1);
    while (source->remaining() > 0) {
      piece.resize(std::min<std::uint64_t>(source->remaining(), 3 * piece.size() + 1));
      source->read(piece);
    }
  }
}

}  // namespace

Target target() {
  return {"zip", valid, malformed, read};
}

}  // namespace dshn::fuzz::zip
