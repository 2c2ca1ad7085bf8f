#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "dshn/parts/part.hpp"

/// The parts of a data set in a folder, from which each process reads its own. docs/formats.md says what is in it.
namespace dshn::parts {

struct StoredPart {
  Part part;
  /// What write() was told about the parts, such as the settings of a run.
  std::string about;
};

/// The folder appears complete or not at all; one with former parts is replaced. `about` is any UTF-8 text. UsageError
/// where the folder holds anything else, or these are not all parts of one whole, in order.
void write(const std::filesystem::path& folder, std::span<const Part> parts, const std::string& about);

/// Whether that is a folder with parts.
bool holds_parts(const std::filesystem::path& folder);

/// Removes such a folder, and what a kill has left of one; leaves anything else.
void remove(const std::filesystem::path& folder);

/// What write() was told about the parts. InvalidInput where the folder has none.
std::string about(const std::filesystem::path& folder);

/// How many parts there are. InvalidInput where the folder has none.
int count(const std::filesystem::path& folder);

/// The part as it was written, bit by bit. UsageError for a number out of range; InvalidInput where a file is missing,
/// changed or of another division, with the file.
StoredPart read(const std::filesystem::path& folder, int part);

}  // namespace dshn::parts
