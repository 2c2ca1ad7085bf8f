#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "dshn/base/parallel.hpp"
#include "dshn/base/parallel_rows.hpp"
#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {
namespace grouping {

constexpr Offset kPiece = 1 << 16;
constexpr int kBucketBits = 9;
/// What is left of a 64-bit word beside the bits of a key that its bucket does not already tell.
constexpr int kPayloadBits = 64 - (32 - kBucketBits);

/// Bucket b holds the keys [b << shift, (b + 1) << shift).
struct Buckets {
  Offset key_count;
  int shift;
  Offset count;

  explicit Buckets(Offset keys)
      : key_count(keys),
        shift(std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(keys))) - kBucketBits)),
        count((keys >> shift) + 1) {}
  Offset key_begin(Offset bucket) const { return std::min(bucket << shift, key_count); }
};

/// Fills `words` with keys and payloads, grouped by bucket; inside a bucket in the order of the input. Returns
/// where each bucket begins. Pieces of the input are counted and scattered independently; piece order is input
/// order, so the sort is stable.
template <typename Items>
std::vector<Offset> scatter(const Buckets& buckets, const Items& items, std::span<std::uint64_t> words) {
  const auto size = static_cast<Offset>(words.size());
  const Offset pieces = std::clamp<Offset>(size / kPiece, 1, thread_count());
  const auto for_each_item = [&](const auto& act) {
    parallel_for(pieces, 1, [&](Offset first, Offset last) {
      for (Offset p = first; p < last; ++p) {
        items(size * p / pieces, size * (p + 1) / pieces,
              [&](Offset key, std::uint64_t payload) { act(p, key, payload); });
      }
    });
  };

  // cursor[piece][bucket]: first how many, then where the piece writes next.
  std::vector<std::vector<Offset>> cursor(pieces, std::vector<Offset>(buckets.count, 0));
  for_each_item([&](Offset p, Offset key, std::uint64_t) { ++cursor[p][key >> buckets.shift]; });
  std::vector<Offset> bucket_ptr(buckets.count + 1);
  Offset total = 0;
  for (Offset b = 0; b < buckets.count; ++b) {
    bucket_ptr[b] = total;
    for (Offset p = 0; p < pieces; ++p) total += std::exchange(cursor[p][b], total);
  }
  bucket_ptr[buckets.count] = total;

  const Offset low_bits = (Offset{1} << buckets.shift) - 1;
  for_each_item([&](Offset p, Offset key, std::uint64_t payload) {
    const auto low_key = static_cast<std::uint64_t>(key & low_bits);
    words[cursor[p][key >> buckets.shift]++] = (low_key << kPayloadBits) | payload;
  });
  return bucket_ptr;
}

}  // namespace grouping

/// Stable parallel counting sort in two passes (coarse buckets, then keys inside a bucket), so that both passes
/// write to memory that fits a cache. The result does not depend on the number of threads.
///
/// items(begin, end, visit) calls visit(key, payload) for the items begin .. end-1 in this order; keys are in
/// [0, key_count), at most 2^32, payloads in [0, 2^kPayloadBits). `words`, one per item, is room to work in.
/// Concurrently, start(key, place) is called once for each key, and emit(place, payload) once for each item: the
/// items of a key go to the places from its start to that of the next key, and by then words[place] is free. For
/// each group of keys emit is copied first and then called with the payloads in the order of the input.
template <typename Items, typename Start, typename Emit>
void group_by(Offset key_count, std::span<std::uint64_t> words, const Items& items, const Start& start,
              const Emit& emit) {
  const grouping::Buckets buckets(key_count);
  const std::vector<Offset> bucket_ptr = grouping::scatter(buckets, items, words);
  constexpr std::uint64_t kPayloadMask = (std::uint64_t{1} << grouping::kPayloadBits) - 1;

  parallel_rows(bucket_ptr, grouping::kPiece, [&](Offset first, Offset last) {
    std::vector<std::uint64_t> bucket;
    std::vector<Offset> next;
    for (Offset b = first; b < last; ++b) {
      bucket.assign(words.begin() + bucket_ptr[b], words.begin() + bucket_ptr[b + 1]);
      const Offset key_begin = buckets.key_begin(b);
      next.assign(buckets.key_begin(b + 1) - key_begin, 0);
      for (const std::uint64_t word : bucket) ++next[word >> grouping::kPayloadBits];
      Offset place = bucket_ptr[b];
      for (std::size_t k = 0; k < next.size(); ++k) {
        start(key_begin + static_cast<Offset>(k), place);
        place += std::exchange(next[k], place);
      }
      Emit emit_here = emit;
      for (const std::uint64_t word : bucket) {
        emit_here(next[word >> grouping::kPayloadBits]++, word & kPayloadMask);
      }
    }
  });
}

}  // namespace dshn
