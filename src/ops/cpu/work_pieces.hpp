#pragma once

#include <algorithm>
#include <cstdint>

#include "dshn/base/parallel_rows.hpp"
#include "dshn/ops/parallel_pieces.hpp"

namespace dshn::ops::cpu {

/// How many threads parallel_pieces may use.
int threads();

/// Calls loop(args, begin, end) in parallel on runs of planes * channels numbers.
template <typename Args, typename Loop>
void over_runs(const Args& args, std::int64_t numbers, const Loop& loop) {
  const std::int64_t run = args.planes * args.channels;
  if (numbers == 0) return;
  const std::int64_t runs = numbers / run;
  const std::int64_t grain = std::max<std::int64_t>(1, 16384 / run);
  parallel_pieces((runs + grain - 1) / grain, [&](std::int64_t begin, std::int64_t end) {
    loop(args, begin * grain, std::min(end * grain, runs));
  });
}

/// Calls body(row_begin, row_end) in parallel on pieces of about equal work, where row r costs 1 + its
/// entries, each `entry_cost` operations. Rows are never cut: what a row sums does not depend on the pieces.
/// The threads are libtorch's; parallel_rows has its own and counts entries alone.
template <typename Body>
void parallel_rows_by_cost(const std::int64_t* ptr, std::int64_t rows, std::int64_t entry_cost,
                           const Body& body) {
  constexpr std::int64_t kWorthAThread = 1 << 15;
  const std::int64_t units = ptr[rows] - ptr[0] + rows;
  const std::int64_t cost = std::max<std::int64_t>(entry_cost, 1);
  const std::int64_t pieces =
      std::clamp<std::int64_t>(units * cost / kWorthAThread, 1, std::int64_t{8} * threads());
  const auto first_row = [&](std::int64_t piece) {
    return piece == pieces ? rows : first_row_from(units / pieces * piece, ptr, rows);
  };
  if (pieces == 1) {
    if (rows > 0) body(std::int64_t{0}, rows);
    return;
  }
  parallel_pieces(pieces, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const std::int64_t first = first_row(piece);
      if (const std::int64_t last = first_row(piece + 1); first < last) body(first, last);
    }
  });
}

}  // namespace dshn::ops::cpu
