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

/// Parses "published", "random", "stratified", "per-class" or "time"; else UsageError.
SplitKind split_kind(std::string_view text);
std::string_view split_kind_name(SplitKind kind);

/// Splits the items whose label is known. Split i depends on the seed and on i alone, so that asking for more
/// splits does not change the first ones.
///  - random: floor(train_percent) and floor(val_percent) of all items, whatever their class;
///  - stratified: the same sizes, shared out among the classes in proportion (largest remainders first);
///  - per_class: floor(train_percent) and floor(val_percent) of the items of each class;
///  - by_time: one split, by the ranks in dataset.times; items of equal time are in the same part, the earlier
///    one, and items without a time in none.
/// UsageError where the data set has no labels, or no classes to be stratified by, or no masks when they are asked for, or fewer than are asked
/// for; InvalidInput where a part would be empty.
SplitSet make_splits(const Dataset& dataset, const SplitOptions& options);

/// What make_splits is given when nobody says otherwise. A built-in set: the protocol of the paper's figures,
/// as far as they give it away. Any other set: its masks, again with other weights where more are asked for;
/// else 60/20/20 %, by time where the items have one, stratified otherwise; random where there are no classes.
SplitOptions default_splits(const Dataset& dataset);

/// What a user's word asks for: "auto" (the default), a kind, "repeated" (published ones, and again), or shares
/// in per cent such as "60/20/20", drawn as the default is. UsageError for anything else.
SplitOptions split_options(const Dataset& dataset, const std::string& word);

/// The word for what version 0.1 made of one, empty where nothing was said: its runs stay what they were.
std::string split_of_0_1(const std::string& word);

/// What is wrong with such a word; empty: nothing.
std::string fault_of_split(const std::string& word);
/// All such words but shares.
std::vector<std::string> split_words();

/// The line that make_splits would give, without drawing.
std::string split_protocol(const Dataset& dataset, const SplitOptions& options);

}  // namespace dshn::data
