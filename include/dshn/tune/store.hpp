#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dshn/tune/store_address.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::tune {

class Database;

/// A worker's right to a trial: it ends when another worker takes the trial up.
struct Claim {
  int number = 0;
  int attempt = 0;
};

/// So long a server that has answered before may be silent (it is started again, say) before that is an error.
inline constexpr double kLongestOutage = 60;

/// The trials of a study, for many processes at once. Every change is one transaction, and only whoever holds the
/// claim may change a trial: a trial is never lost and never finished twice, also when a server ends in the middle
/// and comes back.
///
/// Failure when the trials cannot be read or written, InvalidInput when they are of another version.
class Store {
 public:
  /// Whether there is a study.
  static bool holds_study(const StoreAddress& address);
  /// Starts a study: `request` is kept as it is, `trials` is how many there shall be. False, and nothing is changed,
  /// where there is one: another process was first.
  static bool create(const StoreAddress& address, const std::string& request, int trials);

  /// A trial is taken up by another worker when its own is dead or has not been heard of for so many seconds
  /// (four times as many where it can be seen to live).
  explicit Store(const StoreAddress& address, double stale_seconds = 15);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::string request() const;
  int goal() const;
  /// UsageError when there are more trials already.
  void set_goal(int trials);
  /// For what may change in a study that has begun.
  void set_request(const std::string& request);
  /// By number.
  std::vector<Trial> trials() const;

  /// Gives the configuration of a new trial, from all that there are.
  using Propose = std::function<Assignments(const std::vector<Trial>& history, int number)>;
  /// An abandoned trial, the one with the smallest number first, or else a new one. Nothing when all that are
  /// asked for are finished or with workers that live.
  std::optional<Claim> claim(const Propose& propose);
  bool all_finished() const;
  Trial trial(const Claim& claim) const;

  /// Says that the worker lives. These five are false, and change nothing, when the claim has ended.
  bool beat(const Claim& claim);
  /// Keeps the figure of a split; `judge` then says what the trial is, from all trials.
  using Judge = std::function<TrialState(const std::vector<Trial>& trials)>;
  bool record(const Claim& claim, int split, double validation, const Judge& judge);
  bool fail(const Claim& claim, const std::string& message);
  /// For what has no splits: it is completed, and `message` says what it came to.
  bool finish(const Claim& claim, const std::string& message);
  /// Leaves the trial to another worker.
  bool release(const Claim& claim);

 private:
  std::vector<int> abandoned() const;
  bool leave(const Claim& claim, TrialState state, const std::string& message);

  std::unique_ptr<Database> database_;
  double stale_seconds_;
};

}  // namespace dshn::tune
