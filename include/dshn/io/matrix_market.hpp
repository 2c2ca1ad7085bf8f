#pragma once

#include <filesystem>

#include "dshn/io/sparse.hpp"

namespace dshn::io {

/// Writes the coordinate format of Matrix Market, 'complex hermitian' or 'real symmetric': the lower
/// triangle, row by row, every number so that it reads back to the same bits. The file appears complete or
/// not at all.
void write_matrix_market(const std::filesystem::path& path, const HermitianRows& matrix);

}  // namespace dshn::io
