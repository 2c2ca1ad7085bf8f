#include "dshn/data/splits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"

namespace dshn::data {
namespace {

constexpr std::array<std::string_view, 5> kSplitNames = {"published", "random", "stratified", "per-class",
                                                         "time"};

constexpr int kDefaultCount = 10;
constexpr const char* kAuto = "auto";
constexpr const char* kRepeated = "repeated";

Index share(std::size_t size, int percent) {
  return static_cast<Index>(static_cast<std::int64_t>(size) * percent / 100);
}

/// How many items of each group go to training and to validation.
struct Quota {
  std::vector<Index> train, val;
};

/// Shares `total` out in proportion to `percent` of the group sizes: everyone gets the whole part, the
/// largest remainders get one more. `room` says how many a group can still give.
std::vector<Index> apportion(const std::vector<std::vector<Index>>& groups, const std::vector<Index>& room,
                             int percent, Index total) {
  std::vector<Index> out(groups.size());
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto remainder = [&](std::size_t g) {
    return static_cast<std::int64_t>(groups[g].size()) * percent % 100;
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    out[g] = share(groups[g].size(), percent);
    total -= out[g];
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t next = 0; total > 0; ++next) {
    const std::size_t g = order[next % order.size()];
    if (out[g] >= room[g]) continue;
    ++out[g];
    --total;
  }
  return out;
}

Quota make_quota(const std::vector<std::vector<Index>>& groups, const SplitOptions& options) {
  Quota quota;
  if (options.kind == SplitKind::stratified) {
    std::vector<Index> room;
    std::size_t all = 0;
    for (const auto& group : groups) {
      room.push_back(static_cast<Index>(group.size()));
      all += group.size();
    }
    quota.train = apportion(groups, room, options.train_percent, share(all, options.train_percent));
    for (std::size_t g = 0; g < groups.size(); ++g) room[g] -= quota.train[g];
    quota.val = apportion(groups, room, options.val_percent, share(all, options.val_percent));
    return quota;
  }
  for (const auto& group : groups) {
    quota.train.push_back(share(group.size(), options.train_percent));
    quota.val.push_back(share(group.size(), options.val_percent));
  }
  return quota;
}

/// Items with a label: by class, or in one group where the classes do not matter.
std::vector<std::vector<Index>> labelled_groups(const Dataset& dataset, SplitKind kind) {
  const bool by_class = kind != SplitKind::random;
  std::vector<std::vector<Index>> groups(by_class ? static_cast<std::size_t>(dataset.class_count) : 1);
  for (Index i = 0; i < dataset.item_count(); ++i) {
    if (!dataset.is_known(i)) continue;
    groups[by_class ? static_cast<std::size_t>(dataset.labels[static_cast<std::size_t>(i)]) : 0].push_back(i);
  }
  return groups;
}

Split draw(std::vector<std::vector<Index>> groups, const Quota& quota, Random random) {
  Split split;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    random.shuffle(groups[g]);
    const auto begin = groups[g].begin();
    const auto val = begin + quota.train[g];
    const auto test = val + quota.val[g];
    split.train.insert(split.train.end(), begin, val);
    split.val.insert(split.val.end(), val, test);
    split.test.insert(split.test.end(), test, groups[g].end());
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.val);
  std::ranges::sort(split.test);
  return split;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string shares_text(const SplitOptions& options) {
  return fmt::format("{}/{}/{} %", options.train_percent, options.val_percent,
                     100 - options.train_percent - options.val_percent);
}

std::string repeated_words(std::size_t there) {
  return fmt::format(", of which there {} {}: they come again, with other initial weights",
                     there == 1 ? "is" : "are", there);
}

std::string published_protocol(const std::vector<Split>& splits, const Dataset& dataset) {
  double train = 0, val = 0, test = 0;
  for (const Split& split : splits) {
    train += static_cast<double>(split.train.size());
    val += static_cast<double>(split.val.size());
    test += static_cast<double>(split.test.size());
  }
  const double percent = 100.0 / static_cast<double>(splits.size()) / dataset.item_count();
  return fmt::format("{} of {} ({:.0f}/{:.0f}/{:.0f} % of the {}s)", plural(splits.size(), "split"),
                     dataset.splits_from, train * percent, val * percent, test * percent,
                     item_word(dataset.task));
}

SplitSet published(const Dataset& dataset, const SplitOptions& options) {
  const std::size_t there = dataset.splits.size();
  if (there == 0) {
    throw UsageError(fmt::format("{} comes without published splits; choose random, stratified or per-class",
                                 dataset.name));
  }
  const auto count = static_cast<std::size_t>(options.count.value_or(static_cast<int>(there)));
  if (count > there && !options.repeat) {
    throw UsageError(
        fmt::format("{} comes with {}, {} were asked for; split=repeated goes through them again",
                    dataset.name, plural(there, "published split"), count));
  }
  SplitSet set;
  for (std::size_t i = 0; i < count; ++i) set.splits.push_back(dataset.splits[i % there]);
  set.protocol = published_protocol(set.splits, dataset);
  if (count > there) set.protocol += repeated_words(there);
  return set;
}

/// Labelled items from the earliest to the latest, and how many of them have no time.
std::vector<Index> in_order_of_time(const Dataset& dataset, std::size_t& without) {
  std::vector<Index> items;
  for (Index i = 0; i < dataset.item_count(); ++i) {
    if (!dataset.is_known(i)) continue;
    if (dataset.times[static_cast<std::size_t>(i)] < 0)
      ++without;
    else
      items.push_back(i);
  }
  std::ranges::stable_sort(items, {},
                           [&](Index item) { return dataset.times[static_cast<std::size_t>(item)]; });
  return items;
}

SplitSet by_time(const Dataset& dataset, const SplitOptions& options) {
  std::size_t without = 0;
  const std::vector<Index> items = in_order_of_time(dataset, without);
  const auto time = [&](std::size_t i) { return dataset.times[static_cast<std::size_t>(items[i])]; };
  // Moves a cut behind all items of the time before it.
  const auto cut = [&](int percent) {
    auto at = static_cast<std::size_t>(share(items.size(), percent));
    while (at > 0 && at < items.size() && time(at) == time(at - 1)) ++at;
    return static_cast<std::ptrdiff_t>(at);
  };
  const auto val = items.begin() + cut(options.train_percent);
  const auto test = items.begin() + cut(options.train_percent + options.val_percent);
  Split split{{items.begin(), val}, {val, test}, {test, items.end()}};
  for (auto* part : {&split.train, &split.val, &split.test}) std::ranges::sort(*part);
  SplitSet set;
  set.splits.assign(static_cast<std::size_t>(options.count.value_or(1)), split);
  set.protocol =
      fmt::format("{} by time: {} of the {}s, the earliest for training, the latest for testing",
                  plural(set.splits.size(), "split"), shares_text(options), item_word(dataset.task));
  if (without > 0) set.protocol += fmt::format("; {} without a time are in no part", without);
  if (set.splits.size() > 1) set.protocol += repeated_words(1);
  return set;
}

std::string drawn_protocol(const Dataset& dataset, const SplitOptions& options, std::size_t count) {
  const std::string word = item_word(dataset.task);
  const std::string shares = shares_text(options);
  const std::string splits = fmt::format("{}, seed {}", plural(count, "random split"), options.seed);
  switch (options.kind) {
    case SplitKind::stratified:
      return fmt::format("{}: {} of the {}s, stratified by class", splits, shares, word);
    case SplitKind::per_class:
      return fmt::format("{}: {} of the {}s of each class, rounded down, the rest for testing", splits,
                         shares, word);
    default:
      return fmt::format("{}: {} of the {}s, not stratified", splits, shares, word);
  }
}

void check_options(const Dataset& dataset, const SplitOptions& options) {
  if (options.count && *options.count < 1) {
    throw UsageError(fmt::format("{} splits were asked for, expected 1 or more", *options.count));
  }
  if (options.kind == SplitKind::published) return;
  if (options.train_percent < 1 || options.val_percent < 1 ||
      options.train_percent + options.val_percent > 99) {
    throw UsageError(fmt::format(
        "a split of {} % for training and {} % for validation leaves out a part; each needs at least 1 %",
        options.train_percent, options.val_percent));
  }
  if (!dataset.has_targets()) {
    throw UsageError(fmt::format("{} has no labels and cannot be split", dataset.name));
  }
  const bool by_class = options.kind == SplitKind::stratified || options.kind == SplitKind::per_class;
  if (by_class && dataset.code.target != TargetKind::classes) {
    throw UsageError(
        fmt::format("{} splits are drawn class by class, and {} has {} to predict; choose random",
                    split_kind_name(options.kind), dataset.name, target_kind_name(dataset.code.target)));
  }
  if (options.kind == SplitKind::by_time && dataset.times.empty()) {
    throw UsageError(fmt::format("{} cannot be split by time: no column says when its {}s were", dataset.name,
                                 item_word(dataset.task)));
  }
}

void check_parts(const Dataset& dataset, const Split& first) {
  if (!first.train.empty() && !first.val.empty() && !first.test.empty()) return;
  throw InvalidInput(fmt::format(
      "{} has too few labelled {}s to split: {} would be for training, {} for validation, {} for testing",
      dataset.name, item_word(dataset.task), first.train.size(), first.val.size(), first.test.size()));
}

/// How items are divided that come without parts: classes alone can be shared out in proportion.
SplitKind usual_draw(const Dataset& dataset) {
  if (!dataset.times.empty()) return SplitKind::by_time;
  return dataset.code.target == TargetKind::classes ? SplitKind::stratified : SplitKind::random;
}

/// The three shares of "60/20/20"; nothing for any other text.
std::optional<std::array<int, 3>> shares_in(std::string_view text) {
  std::array<int, 3> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), shares[i]);
    text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
    const bool slash = i + 1 < shares.size();
    if (end.ec != std::errc() || shares[i] < 1 || (slash ? !text.starts_with('/') : !text.empty()))
      return std::nullopt;
    if (slash) text.remove_prefix(1);
  }
  return std::accumulate(shares.begin(), shares.end(), 0) == 100 ? std::optional(shares) : std::nullopt;
}

constexpr const char* kOfVersion01 = "-0.1";

/// Version 0.1 drew half of the items for training, whatever their class, where it was not told otherwise.
SplitOptions options_of_0_1(const Dataset& dataset, const std::string& word) {
  SplitOptions options = find_entry(dataset.name) != nullptr ? default_splits(dataset) : SplitOptions();
  if (find_entry(dataset.name) == nullptr && !dataset.splits.empty()) options.kind = SplitKind::published;
  options.repeat = word == kRepeated;
  if (word != kAuto) options.kind = options.repeat ? SplitKind::published : split_kind(word);
  return options;
}

}  // namespace

SplitKind split_kind(std::string_view text) {
  const auto found = std::ranges::find(kSplitNames, text);
  if (found == kSplitNames.end()) {
    throw UsageError(
        fmt::format("unknown kind of splits \"{}\"; known are {}", text, fmt::join(kSplitNames, ", ")));
  }
  return static_cast<SplitKind>(found - kSplitNames.begin());
}

std::string_view split_kind_name(SplitKind kind) {
  return kSplitNames[static_cast<std::size_t>(kind)];
}

SplitSet make_splits(const Dataset& dataset, const SplitOptions& options) {
  check_options(dataset, options);
  if (options.kind == SplitKind::published) return published(dataset, options);
  if (options.kind == SplitKind::by_time) {
    SplitSet set = by_time(dataset, options);
    check_parts(dataset, set.splits.front());
    return set;
  }
  const auto groups = labelled_groups(dataset, options.kind);
  const Quota quota = make_quota(groups, options);
  const Random random(options.seed);
  const int count = options.count.value_or(kDefaultCount);
  SplitSet set;
  for (int i = 0; i < count; ++i) {
    set.splits.push_back(draw(groups, quota, random.fork(static_cast<std::uint64_t>(i))));
  }
  check_parts(dataset, set.splits.front());
  set.protocol = drawn_protocol(dataset, options, set.splits.size());
  return set;
}

SplitOptions default_splits(const Dataset& dataset) {
  SplitOptions options;
  const Entry* entry = find_entry(dataset.name);
  if (entry != nullptr) {
    options.kind = entry->split;
  } else if (!dataset.splits.empty()) {
    options.kind = SplitKind::published;
    options.repeat = true;
  } else {
    options.kind = usual_draw(dataset);
  }
  if (entry == nullptr || options.kind == SplitKind::per_class) {
    options.train_percent = 60;
    options.val_percent = 20;
  }
  return options;
}

SplitOptions split_options(const Dataset& dataset, const std::string& word) {
  if (word.ends_with(kOfVersion01))
    return options_of_0_1(dataset, word.substr(0, word.size() - std::string_view(kOfVersion01).size()));
  if (const std::string fault = fault_of_split(word); !fault.empty())
    throw UsageError(fmt::format("split {}: {}", word, fault));
  SplitOptions options = default_splits(dataset);
  if (word == kAuto) return options;
  options.repeat = word == kRepeated;
  if (options.repeat) {
    options.kind = SplitKind::published;
  } else if (const auto shares = shares_in(word)) {
    if (options.kind == SplitKind::published) options.kind = usual_draw(dataset);
    options.train_percent = (*shares)[0];
    options.val_percent = (*shares)[1];
  } else {
    options.kind = split_kind(word);
  }
  return options;
}

std::string split_of_0_1(const std::string& word) {
  return (word.empty() ? kAuto : word) + kOfVersion01;
}

std::vector<std::string> split_words() {
  std::vector<std::string> words{kAuto, kRepeated};
  for (const std::string_view name : kSplitNames) words.emplace_back(name);
  return words;
}

std::string fault_of_split(const std::string& given) {
  const std::string word = given.ends_with(kOfVersion01)
                               ? given.substr(0, given.size() - std::string_view(kOfVersion01).size())
                               : given;
  const std::vector<std::string> words = split_words();
  if (shares_in(word) || std::ranges::find(words, word) != words.end()) return "";
  return fmt::format("expected three shares of together 100 % such as 60/20/20, or one of {}",
                     fmt::join(words, ", "));
}

std::string split_protocol(const Dataset& dataset, const SplitOptions& options) {
  check_options(dataset, options);
  if (options.kind == SplitKind::published) return published(dataset, options).protocol;
  if (options.kind == SplitKind::by_time) return by_time(dataset, options).protocol;
  return drawn_protocol(dataset, options, static_cast<std::size_t>(options.count.value_or(kDefaultCount)));
}

}  // namespace dshn::data
