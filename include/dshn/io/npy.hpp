#pragma once

#include <filesystem>

#include "dshn/io/array.hpp"

namespace dshn::io {

/// Reads a NumPy .npy file: versions 1 to 3, both byte orders, C and Fortran order, bool, integers, floats
/// (float16 included), complex numbers, bytes (S) and text (U). Arrays of Python objects hold pickles, which
/// can run code, and are refused. Throws InvalidInput with the byte; a header that promises more than the
/// file holds is refused before anything is allocated.
Array read_npy(const std::filesystem::path& path);

/// Writes version 1.0 in C order and the machine's byte order; text as U. The file appears complete or not at
/// all.
void write_npy(const std::filesystem::path& path, const Array& array);

}  // namespace dshn::io
