#pragma once

#include <memory>

#include "io/byte_stream.hpp"

namespace dshn::io {

/// The same bytes, fetched by a thread of its own a few blocks before they are asked for.
std::unique_ptr<ByteReader> read_ahead(std::unique_ptr<ByteReader> source);

}  // namespace dshn::io
