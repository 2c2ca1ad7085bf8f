#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What a training on several ranks will cost, before there are the machines or even the data for it. docs/scaling.md
/// derives it and says how far off it is.
namespace dshn::train {

struct Experiment;
struct Settings;

/// How much there is of what the cost of a training grows with.
struct Extent {
  double nodes = 0;
  double hyperedges = 0;
  double incidences = 0;

  Extent operator/(double divisor) const {
    return {nodes / divisor, hyperedges / divisor, incidences / divisor};
  }
};

/// Where it is to run. Ranks are spread evenly over the machines.
struct Fleet {
  int ranks = 1;
  int machines = 1;
  int threads = 1;                // of each rank
  int cores = 0;                  // of each machine; 0: one for each thread
  double memory_bytes = 64e9;     // of each machine
  double bits_per_second = 10e9;  // of each machine's link to the others, in each direction
  double latency_seconds = 50e-6;

  int ranks_of_machine() const { return (ranks + machines - 1) / machines; }
};

/// How nodes are divided among the ranks.
struct Division {
  double cut = 0;        // the sum over hyperedges of how many parts they touch beyond the first
  double imbalance = 0;  // 0.05: the largest part has 5 % more than the mean
  bool by_metis = false;
};

/// What one process does in an epoch.
struct Work {
  double calls = 0;     // operators that need memory of their own
  double bytes = 0;     // what these write
  double products = 0;  // operations in products of matrices
  double sweeps = 0;    // operations in sums over members and over hyperedges
};

/// What a model costs one rank: all but time.
struct RankCost {
  double data_bytes = 0;      // hypergraph, features, and what the rank knows of the others
  double training_bytes = 0;  // beside them
  double whole_bytes = 0;     // data_bytes of the whole, uncut
  Work work;
  double exchanges = 0;       // in an epoch, of rows, each with all other ranks
  double bytes_of_cut = 0;    // of one hyperedge that one part more touches, in an epoch, there and back
  double widest_row = 0;      // bytes of one hyperedge in the largest exchange
  double gradient_bytes = 0;  // added up over the ranks in an epoch
};

/// Seconds that things take: fitted (src/train/cost_rates.hpp).
struct Rates {
  double call = 0;
  double byte = 0;
  double product = 0;
  double sweep = 0;
  double exchange = 0;    // that two or more ranks of a machine wait for each other
  double peer = 0;        // more, for each other rank
  double local_byte = 0;  // of rows that go to another rank of the machine
  double own_bytes = 0;   // memory of a process that has done nothing yet
};
/// Of a core of the machine on which they were measured.
const Rates& processor_rates();
/// Of a card; what ranks of a machine say to each other costs what it does there.
const Rates& card_rates();

/// Something that there is only so much of.
struct Limit {
  std::string what;
  double used = 0;
  double most = 1;
  double share() const { return used / most; }
};

struct Plan {
  Extent rank;                // what the largest part has
  double rank_bytes = 0;      // memory
  double machine_bytes = 0;   // of all ranks of one
  double cutting_bytes = 0;   // where one process reads the whole and cuts it
  double row_bytes = 0;       // that all ranks together send in an epoch, of hyperedges
  double gradient_bytes = 0;  // that each rank adds up with the others
  double link_bytes = 0;      // that leave a machine in an epoch
  double work_seconds = 0;
  double message_seconds = 0;
  /// Fullest first: the first is what comes next as the data grows, or is too little already (share above 1).
  std::vector<Limit> limits;

  double seconds() const { return work_seconds + message_seconds; }
};

/// The cut of nodes that are dealt out at random, for hyperedges of the same size: no way to divide them should have
/// more.
double random_cut(const Extent& whole, int ranks);

/// What the largest of the parts has.
Extent extent_of_rank(const Extent& whole, const Division& division, int ranks);

/// UsageError for sizes, a fleet or a division that cannot be.
void check_plan(const Extent& whole, const Division& division, const Fleet& fleet);

/// Measured on made-up data of some thousand nodes, hyperedges and incidences, trained for some epochs: the memory as
/// memory_probe.hpp does, the traffic by working as if all hyperedges went to another rank. `like` has the features,
/// targets and options; its size means nothing.
RankCost rank_cost(const Experiment& like, const Extent& whole, const Division& division, int ranks);

/// From what a rank costs. UsageError as check_plan.
Plan make_plan(const RankCost& cost, const Extent& whole, const Division& division, const Fleet& fleet,
               const Rates& rates);

/// An experiment on some made-up nodes, for where there is no data yet: of classes, with so many dense columns, where
/// this share of the hyperedges is directed.
Experiment made_up(const Settings& settings, std::int64_t features, std::int64_t classes, double directed);

}  // namespace dshn::train
