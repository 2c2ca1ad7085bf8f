#pragma once

#include <filesystem>
#include <string>

namespace dshn::data {

/// Whether this build can compute checksums (it was made with OpenSSL).
bool has_sha256();

/// SHA-256 of a file, as 64 lower-case hexadecimal digits. Failure when the file cannot be read, or when the
/// build has no OpenSSL.
std::string sha256_of(const std::filesystem::path& path);

}  // namespace dshn::data
