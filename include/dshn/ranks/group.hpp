#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/ranks/place.hpp"

namespace dshn::ranks {

/// Another rank is gone, or silent for too long.
class Lost : public Failure {
 public:
  using Failure::Failure;
};

/// For how long a rank waits for the others.
struct Patience {
  std::chrono::milliseconds to_meet = std::chrono::minutes(30);  // they read their data first
  std::chrono::milliseconds for_messages = std::chrono::seconds(30);
};

/// Processes (ranks) that work together, on the collectives of PyTorch (c10d, Gloo). All call the same functions in the
/// same order, with tensors on the CPU; results do not depend on timing. Where a rank is gone or silent, every call of
/// the others ends with Lost, which names it.
class Group {
 public:
  /// Waits until all have come. UsageError where the program was built without Gloo.
  static std::shared_ptr<const Group> join(const Place& place, const Patience& patience);
  /// Ranks in one process, to be used by a thread each.
  static std::vector<std::shared_ptr<const Group>> in_threads(int size);

  virtual ~Group() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Of a contiguous tensor, in place: the sum or the entrywise maximum over all ranks, the same bits on each.
  virtual void sum(const at::Tensor& values) const = 0;
  virtual void greatest(const at::Tensor& values) const = 0;

  /// Begins to send rows to every rank, sent[p] of them to rank p one after the other, and to receive received[p] from
  /// each. What is returned waits and gives the received rows, by rank.
  using Finish = std::function<at::Tensor()>;
  virtual Finish begin_exchange(const at::Tensor& rows, const std::vector<std::int64_t>& sent,
                                const std::vector<std::int64_t>& received) const = 0;

  /// What every rank has, by rank; shapes may differ in their first dimension.
  std::vector<at::Tensor> all(const at::Tensor& rows) const;
  /// The same, one after the other, for rank 0; undefined on others.
  at::Tensor gathered(const at::Tensor& rows) const;
};

/// A place for ranks of this machine, open for as long as this lives: for the process that starts them.
class Meeting {
 public:
  /// UsageError where the program was built without Gloo.
  static std::unique_ptr<Meeting> open();
  virtual ~Meeting() = default;
  virtual int port() const = 0;
};

}  // namespace dshn::ranks
