#pragma once

#include <algorithm>
#include <bit>
#include <memory>
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
constexpr int kPayloadBits = 64 - (31 - kBucketBits);

/// Bucket b holds the keys [b << shift, (b + 1) << shift).
struct Buckets {
  Index key_count;
  int shift;
  Index count;

  explicit Buckets(Index keys)
      : key_count(keys),
        shift(std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(keys))) - kBucketBits)),
        count((keys >> shift) + 1) {}
  Offset key_begin(Offset bucket) const { return std::min<Offset>(bucket << shift, key_count); }
};

/// Keys and payloads as words, grouped by bucket; inside a bucket in the order of the input.
struct Scattered {
  std::unique_ptr<std::uint64_t[]> words;
  std::vector<Offset> bucket_ptr;
};

/// Pieces of the input are counted and scattered independently; piece order is input order, so the sort is
/// stable.
template <typename Payload>
Scattered scatter(std::span<const Index> keys, const Buckets& buckets, const Payload& payload) {
  const Offset size = static_cast<Offset>(keys.size());
  const Offset pieces = std::clamp<Offset>(size / kPiece, 1, thread_count());
  const auto for_each_item = [&](const auto& act) {
    parallel_for(pieces, 1, [&](Offset first, Offset last) {
      for (Offset p = first; p < last; ++p) {
        for (Offset i = size * p / pieces; i < size * (p + 1) / pieces; ++i) act(p, i);
      }
    });
  };

  // cursor[piece][bucket]: first how many, then where the piece writes next.
  std::vector<std::vector<Offset>> cursor(pieces, std::vector<Offset>(buckets.count, 0));
  for_each_item([&](Offset p, Offset i) { ++cursor[p][keys[i] >> buckets.shift]; });
  Scattered result;
  result.words = std::make_unique_for_overwrite<std::uint64_t[]>(size);
  result.bucket_ptr.resize(buckets.count + 1);
  Offset total = 0;
  for (Index b = 0; b < buckets.count; ++b) {
    result.bucket_ptr[b] = total;
    for (Offset p = 0; p < pieces; ++p) total += std::exchange(cursor[p][b], total);
  }
  result.bucket_ptr[buckets.count] = total;

  const Index low_bits = static_cast<Index>((std::uint32_t{1} << buckets.shift) - 1);
  for_each_item([&](Offset p, Offset i) {
    const auto low_key = static_cast<std::uint64_t>(keys[i] & low_bits);
    result.words[cursor[p][keys[i] >> buckets.shift]++] =
        (low_key << kPayloadBits) | static_cast<std::uint64_t>(payload(i));
  });
  return result;
}

}  // namespace grouping

/// Stable parallel counting sort in two passes (coarse buckets, then keys inside a bucket), so that both
/// passes write to memory that fits a cache. Key i, in [0, key_count), is accompanied by payload(i), in [0,
/// 2^kPayloadBits). emit(place, payload) is called once for each item, concurrently; the items of key k go to
/// the places ptr[k] .. ptr[k+1) of the returned array. The result does not depend on the number of threads.
template <typename Payload, typename Emit>
std::vector<Offset> group_by(std::span<const Index> keys, Index key_count, const Payload& payload,
                             const Emit& emit) {
  const grouping::Buckets buckets(key_count);
  const grouping::Scattered scattered = grouping::scatter(keys, buckets, payload);
  constexpr std::uint64_t kPayloadMask = (std::uint64_t{1} << grouping::kPayloadBits) - 1;

  std::vector<Offset> ptr(static_cast<std::size_t>(key_count) + 1);
  parallel_rows(scattered.bucket_ptr, grouping::kPiece, [&](Offset first, Offset last) {
    std::vector<Offset> next;
    for (Offset b = first; b < last; ++b) {
      const std::span words(scattered.words.get() + scattered.bucket_ptr[b],
                            scattered.words.get() + scattered.bucket_ptr[b + 1]);
      const Offset key_begin = buckets.key_begin(b);
      next.assign(buckets.key_begin(b + 1) - key_begin, 0);
      for (const std::uint64_t word : words) ++next[word >> grouping::kPayloadBits];
      Offset place = scattered.bucket_ptr[b];
      for (std::size_t k = 0; k < next.size(); ++k) {
        ptr[key_begin + k] = place;
        place += std::exchange(next[k], place);
      }
      for (const std::uint64_t word : words) {
        emit(next[word >> grouping::kPayloadBits]++, word & kPayloadMask);
      }
    }
  });
  ptr[key_count] = static_cast<Offset>(keys.size());
  return ptr;
}

}  // namespace dshn
