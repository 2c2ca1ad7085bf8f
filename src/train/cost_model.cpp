#include "dshn/train/cost_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/hypergraph.hpp"
#include "train/cost_rates.hpp"

namespace dshn::train {
namespace {

constexpr double kMostIds = std::numeric_limits<Index>::max();

/// How much one process of a machine is slowed down by others on its cores, and sped up by its threads.
double slowness(const Fleet& fleet) {
  const double cores = fleet.cores == 0 ? fleet.ranks_of_machine() * fleet.threads : fleet.cores;
  return std::max(fleet.ranks_of_machine() / cores, 1.0 / fleet.threads);
}

double work_seconds(const Work& work, const Rates& rates) {
  return work.calls * rates.call + work.bytes * rates.byte + work.products * rates.product +
         work.sweeps * rates.sweep;
}

/// The largest part of what leaves a rank, where another one is as likely the receiver as any: for other machines.
double share_to_other_machines(const Fleet& fleet) {
  if (fleet.machines == 1) return 0;
  return static_cast<double>(fleet.ranks - fleet.ranks_of_machine()) / (fleet.ranks - 1);
}

/// Of a sum over all ranks as a ring has it: what a rank sends of so many bytes, and in how many steps.
double ring_bytes(double bytes, int ranks) {
  return 2 * bytes * (ranks - 1) / ranks;
}

double ring_steps(int ranks) {
  return 2.0 * (ranks - 1);
}

void add_messages(Plan& plan, const RankCost& cost, const Division& division, const Fleet& fleet,
                  const Rates& rates) {
  if (fleet.ranks == 1) return;
  const double uneven = 1 + division.imbalance;
  const double of_rank = plan.row_bytes / fleet.ranks * uneven + ring_bytes(cost.gradient_bytes, fleet.ranks);
  const double outside = share_to_other_machines(fleet);
  plan.link_bytes = of_rank * outside * fleet.ranks_of_machine();
  const double waits = cost.exchanges * (rates.exchange + rates.peer * (fleet.ranks - 1)) +
                       ring_steps(fleet.ranks) * rates.peer;
  const double latency = fleet.machines > 1 ? fleet.latency_seconds : 0;
  plan.message_seconds = waits * std::max(1.0, slowness(fleet)) +
                         of_rank * (1 - outside) * rates.local_byte * std::max(1.0, slowness(fleet)) +
                         8 * plan.link_bytes / fleet.bits_per_second +
                         latency * (cost.exchanges + ring_steps(fleet.ranks));
}

void add_limits(Plan& plan, const Extent& whole, const Division& division, const Fleet& fleet) {
  plan.limits = {
      {"memory of a machine", plan.machine_bytes, fleet.memory_bytes},
      {"32-bit numbers of nodes and hyperedges", std::max(whole.nodes, whole.hyperedges), kMostIds}};
  if (fleet.ranks > 1) {
    plan.limits.push_back({"memory of the machine that cuts", plan.cutting_bytes, fleet.memory_bytes});
    plan.limits.push_back({"network: messages beside work", plan.message_seconds, plan.work_seconds});
  }
  if (division.by_metis && fleet.ranks > 1)
    plan.limits.push_back({"32-bit numbers of METIS", whole.nodes + 2 * whole.incidences, kMostIds});
  std::ranges::stable_sort(plan.limits, std::ranges::greater{}, &Limit::share);
}

void require(bool holds, const std::string& line) {
  if (!holds) throw UsageError(line);
}

}  // namespace

const Rates& processor_rates() {
  return kProcessor;
}

const Rates& card_rates() {
  return kCard;
}

double random_cut(const Extent& whole, int ranks) {
  if (whole.hyperedges == 0) return 0;
  const double size = whole.incidences / whole.hyperedges;
  const double touched = ranks * (1 - std::pow(1 - 1.0 / ranks, size));
  return whole.hyperedges * std::max(touched - 1, 0.0);
}

Extent extent_of_rank(const Extent& whole, const Division& division, int ranks) {
  const double share = std::min(1.0, (1 + division.imbalance) / ranks);
  return {share * whole.nodes, share * (whole.hyperedges + division.cut), share * whole.incidences};
}

void check_plan(const Extent& whole, const Division& division, const Fleet& fleet) {
  require(whole.nodes >= 1 && whole.hyperedges >= 1 && whole.incidences >= 1,
          fmt::format("{} nodes, {} hyperedges and {} incidences: expected at least one of each", whole.nodes,
                      whole.hyperedges, whole.incidences));
  require(whole.incidences <= whole.nodes * whole.hyperedges,
          fmt::format("{} incidences of {} nodes and {} hyperedges: a node is in a hyperedge once",
                      whole.incidences, whole.nodes, whole.hyperedges));
  require(fleet.ranks >= 1 && fleet.machines >= 1 && fleet.threads >= 1 && fleet.cores >= 0,
          "ranks, machines, threads: expected at least one of each");
  require(
      fleet.machines <= fleet.ranks,
      fmt::format("{} ranks on {} machines: expected at least one for each", fleet.ranks, fleet.machines));
  require(fleet.memory_bytes > 0 && fleet.bits_per_second > 0 && fleet.latency_seconds >= 0,
          "memory, network and latency: expected numbers above 0");
  const double most = std::min(whole.incidences, whole.hyperedges * (fleet.ranks - 1));
  require(division.cut >= 0 && division.cut <= most,
          fmt::format("a cut of {}: {} ranks and {} incidences have between 0 and {}", division.cut,
                      fleet.ranks, whole.incidences, most));
  require(division.imbalance >= 0 && std::isfinite(division.imbalance), "imbalance: expected 0 or more");
}

Plan make_plan(const RankCost& cost, const Extent& whole, const Division& division, const Fleet& fleet,
               const Rates& rates) {
  check_plan(whole, division, fleet);
  Plan plan;
  plan.rank = extent_of_rank(whole, division, fleet.ranks);
  // What goes to owners and what comes back.
  const double buffers = 2 * cost.widest_row * division.cut / fleet.ranks * (1 + division.imbalance);
  plan.rank_bytes = rates.own_bytes + cost.data_bytes + cost.training_bytes + buffers;
  plan.machine_bytes = plan.rank_bytes * fleet.ranks_of_machine();
  plan.cutting_bytes = rates.own_bytes + cost.whole_bytes + cost.data_bytes * fleet.ranks;
  plan.row_bytes = cost.bytes_of_cut * division.cut;
  plan.gradient_bytes = fleet.ranks > 1 ? cost.gradient_bytes : 0;
  plan.work_seconds = work_seconds(cost.work, rates) * slowness(fleet);
  add_messages(plan, cost, division, fleet, rates);
  add_limits(plan, whole, division, fleet);
  return plan;
}

}  // namespace dshn::train
