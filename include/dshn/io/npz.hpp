#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/io/array.hpp"

namespace dshn::io {

/// What is in an .npz archive, without reading it: names without ".npy", in the archive's order.
std::vector<std::string> npz_members(const std::filesystem::path& path);

/// Reads all members of an .npz archive (see read_npy for what each may be). Throws InvalidInput with the
/// member and the byte.
Arrays read_npz(const std::filesystem::path& path);

/// Reads the chosen members only. Throws InvalidInput when one is absent.
Arrays read_npz(const std::filesystem::path& path, const std::vector<std::string>& members);

/// Writes an archive that numpy.load reads. The file appears complete or not at all; equal arrays give equal
/// bytes.
void write_npz(const std::filesystem::path& path, const Arrays& arrays, bool deflate = true);

}  // namespace dshn::io
