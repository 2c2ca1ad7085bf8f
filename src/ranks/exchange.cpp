#include "dshn/ranks/exchange.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"

namespace dshn::ranks {
namespace {

template <typename T>
at::Tensor longs(const std::vector<T>& values) {
  const std::vector<std::int64_t> wide(values.begin(), values.end());
  return at::tensor(wide, at::kLong);
}

at::Tensor bools(const std::vector<std::uint8_t>& values) {
  return longs(values).to(at::kBool);
}

/// Rows that this rank has in common with the others, by rank.
struct Common {
  at::Tensor rows;
  std::vector<std::int64_t> counts;

  explicit Common(const std::vector<std::vector<Index>>& lists) {
    std::vector<Index> all;
    for (const auto& list : lists) {
      all.insert(all.end(), list.begin(), list.end());
      counts.push_back(static_cast<std::int64_t>(list.size()));
    }
    rows = longs(all);
  }

  /// Where every row is cut into so many.
  Common cut(std::int64_t pieces) const {
    Common result = *this;
    result.rows = (rows.unsqueeze(1) * pieces + at::arange(pieces)).view({-1});
    for (std::int64_t& count : result.counts) count *= pieces;
    return result;
  }
};

std::int64_t bytes_of_row(const at::Tensor& rows) {
  return rows.size(0) == 0 ? 0 : static_cast<std::int64_t>(rows.nbytes()) / rows.size(0);
}

class GroupExchange : public ops::Exchange {
 public:
  GroupExchange(ops::Whole whole, std::int64_t shared, Common to_owner, Common of_others,
                std::shared_ptr<const Group> group, std::shared_ptr<Traffic> traffic)
      : Exchange(std::move(whole)),
        shared_(shared),
        to_owner_(std::move(to_owner)),
        of_others_(std::move(of_others)),
        group_(std::move(group)),
        traffic_(std::move(traffic)) {}

  int part() const override { return group_->rank(); }
  std::int64_t shared() const override { return shared_; }

  Finish begin_sum(const at::Tensor& rows) const override {
    const Group::Finish partial = begin_to_owners(rows);
    return [this, rows, partial] {
      const at::Tensor received = partial();
      // Rank by rank: a row is there at most once for each, so the order of the sum is fixed.
      std::int64_t begin = 0;
      for (const std::int64_t count : of_others_.counts) {
        rows.index_add_(0, of_others_.rows.narrow(0, begin, count), received.narrow(0, begin, count));
        begin += count;
      }
      send_totals(rows);
    };
  }

  void greatest(const at::Tensor& rows) const override {
    const at::Tensor received = begin_to_owners(rows)();
    std::int64_t begin = 0;
    for (const std::int64_t count : of_others_.counts) {
      const at::Tensor own = of_others_.rows.narrow(0, begin, count);
      rows.index_copy_(0, own, at::maximum(rows.index_select(0, own), received.narrow(0, begin, count)));
      begin += count;
    }
    send_totals(rows);
  }

  void sum_of_parts(const at::Tensor& values) const override { group_->sum(values); }

  std::shared_ptr<const Exchange> on(ops::Whole whole, std::int64_t pieces) const override {
    return std::make_shared<GroupExchange>(std::move(whole), shared_ * pieces, to_owner_.cut(pieces),
                                           of_others_.cut(pieces), group_, traffic_);
  }

 private:
  Group::Finish begin(const at::Tensor& rows, const Common& sent, const Common& received) const {
    ++traffic_->exchanges;
    traffic_->bytes += sent.rows.size(0) * bytes_of_row(rows);
    traffic_->widest = std::max(traffic_->widest, bytes_of_row(rows));
    return group_->begin_exchange(rows.index_select(0, sent.rows), sent.counts, received.counts);
  }

  Group::Finish begin_to_owners(const at::Tensor& rows) const { return begin(rows, to_owner_, of_others_); }

  void send_totals(const at::Tensor& rows) const {
    const at::Tensor totals = begin(rows, of_others_, to_owner_)();
    rows.index_copy_(0, to_owner_.rows, totals);
  }

  std::int64_t shared_;
  Common to_owner_;
  Common of_others_;
  std::shared_ptr<const Group> group_;
  std::shared_ptr<Traffic> traffic_;
};

class Rehearsal : public ops::Exchange {
 public:
  Rehearsal(ops::Whole whole, std::int64_t hyperedges, std::int64_t pieces, std::shared_ptr<Traffic> traffic)
      : Exchange(std::move(whole)), hyperedges_(hyperedges), pieces_(pieces), traffic_(std::move(traffic)) {}

  int part() const override { return 0; }
  std::int64_t shared() const override { return hyperedges_ * pieces_; }

  Finish begin_sum(const at::Tensor& rows) const override {
    greatest(rows);
    return [] {};
  }

  void greatest(const at::Tensor& rows) const override {
    const std::int64_t of_hyperedge = pieces_ * bytes_of_row(rows);
    traffic_->exchanges += 2;
    traffic_->bytes += 2 * of_hyperedge;
    traffic_->widest = std::max(traffic_->widest, of_hyperedge);
  }

  void sum_of_parts(const at::Tensor& /*values*/) const override {}

  std::shared_ptr<const Exchange> on(ops::Whole whole, std::int64_t pieces) const override {
    return std::make_shared<Rehearsal>(std::move(whole), hyperedges_, pieces_ * pieces, traffic_);
  }

 private:
  std::int64_t hyperedges_;
  std::int64_t pieces_;
  std::shared_ptr<Traffic> traffic_;
};

ops::Whole whole_of(const parts::Plan& plan) {
  ops::Whole whole;
  whole.nodes = plan.all_nodes;
  whole.edges = plan.all_edges;
  whole.incidences = plan.all_incidences;
  whole.directed = plan.directed;
  whole.node_numbers = longs(plan.nodes);
  whole.edge_numbers = longs(plan.edges);
  whole.incidence_numbers = longs(plan.incidences);
  whole.edge_sizes = longs(plan.sizes);
  whole.edge_directed = bools(plan.edge_directed);
  whole.edge_owned = bools(plan.owned);
  whole.loops = longs(plan.loops);
  return whole;
}

}  // namespace

std::shared_ptr<const ops::Exchange> make_exchange(const parts::Plan& plan,
                                                   std::shared_ptr<const Group> group,
                                                   std::shared_ptr<Traffic> traffic) {
  if (plan.part != group->rank() || plan.parts != group->size())
    throw UsageError(fmt::format("part {} of {} was given to rank {} of {}", plan.part, plan.parts,
                                 group->rank(), group->size()));
  return std::make_shared<GroupExchange>(whole_of(plan), plan.shared, Common(plan.to_owner),
                                         Common(plan.of_others), std::move(group), std::move(traffic));
}

std::shared_ptr<const ops::Exchange> rehearse_exchange(const parts::Plan& plan,
                                                       std::shared_ptr<Traffic> traffic) {
  const auto hyperedges = static_cast<std::int64_t>(plan.edges.size());
  return std::make_shared<Rehearsal>(whole_of(plan), hyperedges, 1, std::move(traffic));
}

}  // namespace dshn::ranks
