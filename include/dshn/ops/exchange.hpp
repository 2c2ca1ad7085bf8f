#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace dshn::ops {

/// The hypergraph that an incidence is a part of. Numbers are Long tensors on the incidence's device.
struct Whole {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t incidences = 0;
  bool directed = false;         // some hyperedge has both a tail and a head
  at::Tensor node_numbers;       // [n]: which node of the whole each one is
  at::Tensor edge_numbers;       // [m]
  at::Tensor incidence_numbers;  // [nnz]: its position by hyperedge
  at::Tensor edge_sizes;         // [m]: members in the whole
  at::Tensor edge_directed;      // Bool [m]: has both tails and heads in the whole
  at::Tensor edge_owned;         // Bool [m]: of all parts that have the hyperedge, one owns it
  at::Tensor
      loops;  // [n]: the number, among all, of the self-loop that the node may get; -1: it has one already
};

/// What the operators ask of other processes where each has a part of the hypergraph: a node with all its
/// incidences is in one part, a hyperedge is in every part that has a member of it. So only sums over the members of
/// a hyperedge need the others. A tensor with a row per hyperedge has the same rows in all parts; its gradient is in
/// each part what this part's own use of the rows gives, and the parts' gradients add up to the whole.
///
/// All parts call the same functions in the same order. Room `ranks` has the one that sends messages.
class Exchange {
 public:
  explicit Exchange(Whole whole) : whole_(std::move(whole)) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  const Whole& whole() const { return whole_; }
  /// Which one this is, from 0.
  virtual int part() const = 0;
  /// How many hyperedges other parts have too: these are the first rows.
  virtual std::int64_t shared() const = 0;

  using Finish = std::function<void()>;
  /// Begins to add up the first shared() rows of a contiguous tensor [m, ...] over all parts, in place and in a fixed
  /// order of the parts. What is returned waits for the end; until then these rows may not be touched, the others
  /// may.
  virtual Finish begin_sum(const at::Tensor& rows) const = 0;
  /// The same for entrywise maxima, at once.
  virtual void greatest(const at::Tensor& rows) const = 0;
  /// The sum over all parts of a small tensor, in place: the same bits everywhere.
  virtual void sum_of_parts(const at::Tensor& values) const = 0;

  /// For a part whose rows of hyperedges are each cut into `pieces`, and with hyperedges behind them that no other
  /// part has.
  virtual std::shared_ptr<const Exchange> on(Whole whole, std::int64_t pieces) const = 0;

 private:
  Whole whole_;
};

}  // namespace dshn::ops
