#pragma once

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dshn/hypergraph/sample.hpp"
#include "dshn/models/model.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// What the options batch, clusters, fanout and evaluation ask for.
struct BatchOptions {
  Index size = 0;       // items of a batch
  Index clusters = 0;   // or so many batches of nodes that are close to each other,
  bool blocks = false;  // or that follow each other
  bool exact_evaluation = true;
  std::vector<Fanout> hops;  // one for each layer
};

/// Empty where all items are trained on at once.
std::optional<BatchOptions> batch_options(const Settings& settings);

/// UsageError where the model, the data or the device do not go with batches.
void check_batches(const Experiment& experiment, const BatchOptions& options);

/// What is wrong with a value of the option fanout; empty: nothing.
std::string fault_of_fanout(const std::string& value);

/// One step of training: an input, and which of its items are meant.
struct Batch {
  models::Input input;       // not prepared
  std::vector<Index> items;  // in the whole
  at::Tensor places;         // Long: among those of the input
};

/// Makes batches of one data set. What is in them depends on the seed and the epoch alone; threads draw some ahead of
/// whoever trains on them.
class Batches {
 public:
  Batches(const Experiment& experiment, int split, const BatchOptions& options);
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /// Visits the batches of an epoch in their order: together they have each training item once.
  void for_training(int epoch, const std::function<void(const Batch&)>& visit) const;
  /// All items, in samples that are the same in every epoch.
  void for_evaluation(const std::function<void(const Batch&)>& visit) const;
  /// The first batch of the first epoch.
  Batch first() const;
  /// How many batches threads draw ahead, and what they take for themselves in all.
  static std::int64_t ahead();
  double table_bytes() const;
  /// How many batches an epoch has.
  std::int64_t count() const;

 private:
  class Pool;
  using Draw = std::function<Sample(Sampler&, const std::vector<Index>& items)>;
  struct Job {
    std::vector<Index> items;
    Draw draw;
  };

  /// The nodes of each cluster, and which of them are trained on.
  struct Cluster {
    std::vector<Index> nodes, items;
  };

  static Job cluster_job(const Cluster& cluster, const std::vector<Index>& items);
  std::vector<Job> jobs_of_epoch(int epoch) const;
  std::vector<Job> shuffled_items(int epoch) const;
  std::vector<Job> shuffled_clusters(int epoch) const;
  std::vector<Job> pieces(const std::vector<Index>& items, std::uint64_t seed) const;
  void visit_all(std::vector<Job> jobs, const std::function<void(const Batch&)>& visit) const;
  Batch made(const Job& job) const;

  const Experiment& experiment_;
  const data::Split& split_;
  BatchOptions options_;
  std::uint64_t seed_;
  std::vector<Cluster> clusters_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace dshn::train
