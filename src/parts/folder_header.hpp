#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/parts/part.hpp"

namespace dshn::parts {

// What is in a folder of parts, and in the folder of each.
inline constexpr const char* kHeaderFile = "parts.json";
inline constexpr const char* kPlanFile = "plan.dshn";
inline constexpr const char* kDatasetFile = "dataset.dshn";

// What the files of arrays hold.
inline constexpr const char* kPlanKind = "plan of a part";
inline constexpr const char* kPartKind = "part of a data set";

/// "part-00"
std::string part_folder(std::size_t part);

/// The digests of a part's files.
struct PartDigests {
  std::string plan;
  std::string dataset;
};

/// parts.json.
struct FolderHeader {
  Index nodes = 0;
  Index edges = 0;
  Offset incidences = 0;
  std::vector<PartDigests> parts;
  std::string about;
};

std::string to_json(const FolderHeader& header);
/// InvalidInput, beginning with `where`.
FolderHeader header_from(const std::string& text, const std::string& where);

/// Whether the folder is empty, or has parts and nothing else, be it only what a kill has left of them.
bool is_replaceable(const std::filesystem::path& folder);
/// UsageError where it is not.
void check_replaceable(const std::filesystem::path& folder);

}  // namespace dshn::parts
