#pragma once

#include "dshn/base/error.hpp"
#include "io/byte_stream.hpp"
#include "io/test_files.hpp"

namespace dshn::io::test {

/// Whether this build writes .zst files.
inline bool has_zstd() {
  const TemporaryFolder folder;
  return !message_of<Failure>([&] { ByteWriter writer(folder / "x.zst"); });
}

}  // namespace dshn::io::test
