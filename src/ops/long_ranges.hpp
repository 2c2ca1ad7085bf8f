#pragma once

#include <cstdint>

#include "ops/host_device.hpp"

/// Rows with many entries are shared by many groups of threads on a GPU. The tails of a row are a range of
/// entries and its heads another; a long range is cut into pieces, each of which gives a partial sum.
namespace dshn::ops {

/// Ranges longer than this are cut at its multiples. It depends on the number of entries of the view alone,
/// and so does the order of summation.
inline std::int64_t cut_length(std::int64_t entries) {
  if (entries <= (std::int64_t{1} << 14)) return 16;  // too few for a card: short pieces, many at once
  return entries <= (std::int64_t{1} << 20) ? 64 : 512;
}

/// body(piece) for the pieces of a long range, in order. The entries between two cuts meet two long ranges at
/// most: piece 2 k is what the one that owns the first of them has of slot k, and 2 k + 1 the one that begins
/// after it.
template <typename Body>
DSHN_HOST_DEVICE inline void for_pieces(std::int64_t begin, std::int64_t end, std::int64_t cut,
                                        const Body& body) {
  const std::int64_t first = begin / cut;
  body(2 * first + (begin > first * cut ? 1 : 0));
  for (std::int64_t slot = first + 1; slot <= (end - 1) / cut; ++slot) body(2 * slot);
}

}  // namespace dshn::ops
