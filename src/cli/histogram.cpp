#include "cli/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/text.hpp"
#include "cli/text_table.hpp"

namespace dshn::cli {
namespace {

/// Up to here each value has a bar of its own.
constexpr std::int64_t kFewValues = 8;
constexpr int kBarWidth = 32;

/// A bar as exact as eighths of a character allow; what is there at all shows.
std::string bar(double share) {
  constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = std::max(1, static_cast<int>(std::lround(share * kBarWidth * 8)));
  std::string out;
  for (int i = 0; i < eighths / 8; ++i) out += "█";
  return out + kEighths[eighths % 8];
}

std::string label(const Bucket& bucket) {
  if (bucket.first == bucket.last) return with_commas(bucket.first);
  return fmt::format("{}–{}", with_commas(bucket.first), with_commas(bucket.last));
}

}  // namespace

std::vector<Bucket> buckets(std::span<const Index> counts) {
  std::vector<Bucket> out;
  const auto size = static_cast<std::int64_t>(counts.size());
  const bool few = size <= kFewValues + 1;
  for (std::int64_t first = 0; first < size;) {
    // 2^k+1 .. 2^(k+1): the last value of a bucket is the power of two at or above its first.
    std::int64_t last = first;
    if (!few && first > 2) {
      last = 2 * (first - 1);
    }
    Bucket bucket{first, last, 0};
    for (std::int64_t k = first; k <= std::min(last, size - 1); ++k) bucket.count += counts[k];
    if (bucket.count > 0 || !out.empty()) out.push_back(bucket);
    first = last + 1;
  }
  while (!out.empty() && out.back().count == 0) out.pop_back();
  return out;
}

std::string draw_histogram(std::span<const Index> counts, const Terminal& terminal) {
  const std::vector<Bucket> all = buckets(counts);
  std::int64_t largest = 1;
  for (const Bucket& bucket : all) largest = std::max(largest, bucket.count);
  TextTable table({{"", Align::right}, {"", Align::right}, {"", Align::left}});
  for (const Bucket& bucket : all) {
    const double share = static_cast<double>(bucket.count) / static_cast<double>(largest);
    table.add({{"  " + label(bucket)},
               {with_commas(bucket.count)},
               {bucket.count > 0 ? bar(share) : "", Paint::tail}});
  }
  return table.render(terminal);
}

}  // namespace dshn::cli
