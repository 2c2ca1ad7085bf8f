#include "hypergraph/group_by.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "dshn/hypergraph/parallel.hpp"

namespace dshn {
namespace {

constexpr Offset kParallelGrain = 1 << 16;
constexpr int kBucketBits = 9;

struct Keyed {
  Offset position;
  Index key;
};

/// Pieces of the input, counted and scattered independently; piece order is input order, so the sort is stable.
struct Pieces {
  Offset size;
  Offset count;
  Offset begin(Offset piece) const { return size * piece / count; }
};

}  // namespace

Grouping group_by(std::span<const Index> keys, Index key_count) {
  const Offset size = static_cast<Offset>(keys.size());
  // Bucket b holds keys [b << shift, (b + 1) << shift).
  const int key_bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(key_count)));
  const int shift = std::max(0, key_bits - kBucketBits);
  const Index buckets = (key_count >> shift) + 1;
  const Pieces pieces{size, std::clamp<Offset>(size / kParallelGrain, 1, thread_count())};

  // cursor[piece][bucket]: first how many, then where the piece writes next.
  std::vector<std::vector<Offset>> cursor(pieces.count, std::vector<Offset>(buckets, 0));
  parallel_for(pieces.count, 1, [&](Offset first, Offset last) {
    for (Offset p = first; p < last; ++p) {
      for (Offset i = pieces.begin(p); i < pieces.begin(p + 1); ++i) ++cursor[p][keys[i] >> shift];
    }
  });
  std::vector<Offset> bucket_ptr(buckets + 1, 0);
  Offset total = 0;
  for (Index b = 0; b < buckets; ++b) {
    bucket_ptr[b] = total;
    for (Offset p = 0; p < pieces.count; ++p) total += std::exchange(cursor[p][b], total);
  }
  bucket_ptr[buckets] = total;

  std::vector<Keyed> scattered(size);
  parallel_for(pieces.count, 1, [&](Offset first, Offset last) {
    for (Offset p = first; p < last; ++p) {
      for (Offset i = pieces.begin(p); i < pieces.begin(p + 1); ++i) {
        scattered[cursor[p][keys[i] >> shift]++] = {i, keys[i]};
      }
    }
  });

  Grouping result{std::vector<Offset>(static_cast<std::size_t>(key_count) + 1, 0), std::vector<Offset>(size)};
  const Offset buckets_grain = std::max<Offset>(1, buckets * kParallelGrain / std::max<Offset>(size, 1));
  parallel_for(buckets, buckets_grain, [&](Offset first, Offset last) {
    std::vector<Offset> next;
    for (Offset b = first; b < last; ++b) {
      const Offset key_begin = b << shift;
      const Offset key_end = std::min<Offset>((b + 1) << shift, key_count);
      if (key_begin >= key_end) continue;
      next.assign(key_end - key_begin, 0);
      for (Offset i = bucket_ptr[b]; i < bucket_ptr[b + 1]; ++i) ++next[scattered[i].key - key_begin];
      Offset at = bucket_ptr[b];
      for (Offset k = 0; k < key_end - key_begin; ++k) {
        result.ptr[key_begin + k] = at;
        at += std::exchange(next[k], at);
      }
      for (Offset i = bucket_ptr[b]; i < bucket_ptr[b + 1]; ++i) {
        result.order[next[scattered[i].key - key_begin]++] = scattered[i].position;
      }
    }
  });
  result.ptr[key_count] = size;
  return result;
}

}  // namespace dshn
