#include "parts/folder_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/json_shape.hpp"

namespace dshn::parts {
namespace {

namespace fs = std::filesystem;
using io::Shape;
using nlohmann::ordered_json;

constexpr const char* kFormat = "dshn-parts";
constexpr int kVersion = 1;

Shape header_shape() {
  const Shape digests = Shape::object({{kPlanFile, Shape::text()}, {kDatasetFile, Shape::text()}});
  const Shape incidences = Shape::integer(0, std::numeric_limits<Offset>::max());
  return Shape::object({{"parts", Shape::count()},
                        {"nodes", Shape::count()},
                        {"hyperedges", Shape::count()},
                        {"incidences", incidences},
                        {"digests", Shape::list(digests, 1)},
                        {"about", Shape::text()}});
}

/// Looked at first, since what else is there depends on it.
void check_version(const ordered_json& document, const std::string& where) {
  const Shape shape = Shape::object({{"format", Shape::text()}, {"version", Shape::count()}});
  if (const std::string fault = shape.fault(document); !fault.empty())
    throw InvalidInput(fmt::format("{}: {}", where, fault));
  if (document.at("format").get<std::string>() != kFormat)
    throw InvalidInput(fmt::format("{}: the format is not '{}'", where, kFormat));
  if (const int version = document.at("version").get<int>(); version != kVersion)
    throw InvalidInput(fmt::format("{}: version {}, expected {}", where, version, kVersion));
}

bool holds_only_parts(const fs::path& folder) {
  const std::array<std::string, 2> files{kPlanFile, kDatasetFile};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == kHeaderFile) continue;
    if (!name.starts_with("part-") || entry.is_symlink() || !entry.is_directory()) return false;
    for (const fs::directory_entry& file : fs::directory_iterator(entry.path()))
      if (std::ranges::find(files, file.path().filename().string()) == files.end()) return false;
  }
  const fs::path header = folder / kHeaderFile;
  return !fs::exists(header) || io::read_file(header).find(kFormat) != std::string::npos;
}

}  // namespace

std::string part_folder(std::size_t part) {
  return fmt::format("part-{:02}", part);
}

std::string to_json(const FolderHeader& header) {
  ordered_json digests = ordered_json::array();
  for (const PartDigests& part : header.parts)
    digests.push_back({{kPlanFile, part.plan}, {kDatasetFile, part.dataset}});
  const ordered_json document = {
      {"format", kFormat},     {"version", kVersion},        {"parts", header.parts.size()},
      {"nodes", header.nodes}, {"hyperedges", header.edges}, {"incidences", header.incidences},
      {"digests", digests},    {"about", header.about}};
  return document.dump(1) + "\n";
}

FolderHeader header_from(const std::string& text, const std::string& where) {
  const ordered_json document = io::parse_json(text, where, "a division into parts");
  check_version(document, where);
  if (const std::string fault = header_shape().fault(document); !fault.empty())
    throw InvalidInput(fmt::format("{}: {}", where, fault));
  FolderHeader header;
  header.nodes = document.at("nodes").get<Index>();
  header.edges = document.at("hyperedges").get<Index>();
  header.incidences = document.at("incidences").get<Offset>();
  for (const ordered_json& part : document.at("digests"))
    header.parts.push_back({part.at(kPlanFile).get<std::string>(), part.at(kDatasetFile).get<std::string>()});
  if (document.at("parts").get<std::size_t>() != header.parts.size()) {
    throw InvalidInput(fmt::format("{}: digests of {} parts, expected {}", where, header.parts.size(),
                                   document.at("parts").get<std::size_t>()));
  }
  header.about = document.at("about").get<std::string>();
  return header;
}

bool is_replaceable(const fs::path& folder) {
  return fs::is_empty(folder) || holds_only_parts(folder);
}

void check_replaceable(const fs::path& folder) {
  std::error_code ignored;
  const fs::file_status status = fs::status(folder, ignored);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status))
    throw UsageError(fmt::format("{}: is a file, not a folder", folder.string()));
  if (is_replaceable(folder)) return;
  throw UsageError(
      fmt::format("{}: holds something else than parts of a data set and is never replaced", folder.string()),
      Topic{"folder-taken"});
}

}  // namespace dshn::parts
