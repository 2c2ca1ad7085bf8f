#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::data {

struct SplitOptions {
  SplitKind kind = SplitKind::random;
  /// Splits to draw; of published masks, the first so many. Empty: 10, or all published ones.
  std::optional<int> count;
  /// Where more are asked for than are published, go through these again; otherwise that is a UsageError.
  bool repeat = false;
  std::uint64_t seed = 0;
  /// Per cent of the items for training and validation; the rest is for testing. Unused by published masks.
  int train_percent = 50;
  int val_percent = 25;
};

struct SplitSet {
  std::vector<Split> splits;
  /// One line that says how the splits came about, to be printed beside every figure obtained with them.
  std::string protocol;
};

/// Parses "published", "random", "stratified" or "per-class"; else UsageError.
SplitKind split_kind(std::string_view text);
std::string_view split_kind_name(SplitKind kind);

/// Splits the items whose label is known. Split i depends on the seed and on i alone, so that asking for more
/// splits does not change the first ones.
///  - random: floor(train_percent) and floor(val_percent) of all items, whatever their class;
///  - stratified: the same sizes, shared out among the classes in proportion (largest remainders first);
///  - per_class: floor(train_percent) and floor(val_percent) of the items of each class.
/// UsageError where the data set has no labels, or no masks when they are asked for, or fewer than are asked
/// for; InvalidInput where a part would be empty.
SplitSet make_splits(const Dataset& dataset, const SplitOptions& options);

/// What make_splits is given when nobody says otherwise. A built-in set: the protocol of the paper's figures,
/// as far as they give it away; a set with masks: those; else random 50/25/25 %.
SplitOptions default_splits(const Dataset& dataset);

}  // namespace dshn::data
