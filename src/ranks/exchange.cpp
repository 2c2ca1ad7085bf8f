#include "dshn/ranks/exchange.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

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

class GroupExchange : public ops::Exchange {
 public:
  GroupExchange(ops::Whole whole, std::int64_t shared, Common to_owner, Common of_others,
                std::shared_ptr<const Group> group)
      : Exchange(std::move(whole)),
        shared_(shared),
        to_owner_(std::move(to_owner)),
        of_others_(std::move(of_others)),
        group_(std::move(group)) {}

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
                                           of_others_.cut(pieces), group_);
  }

 private:
  Group::Finish begin_to_owners(const at::Tensor& rows) const {
    return group_->begin_exchange(rows.index_select(0, to_owner_.rows), to_owner_.counts, of_others_.counts);
  }

  void send_totals(const at::Tensor& rows) const {
    const at::Tensor totals =
        group_->begin_exchange(rows.index_select(0, of_others_.rows), of_others_.counts, to_owner_.counts)();
    rows.index_copy_(0, to_owner_.rows, totals);
  }

  std::int64_t shared_;
  Common to_owner_;
  Common of_others_;
  std::shared_ptr<const Group> group_;
};

}  // namespace

std::shared_ptr<const ops::Exchange> make_exchange(const parts::Plan& plan,
                                                   std::shared_ptr<const Group> group) {
  if (plan.part != group->rank() || plan.parts != group->size())
    throw UsageError(fmt::format("part {} of {} was given to rank {} of {}", plan.part, plan.parts,
                                 group->rank(), group->size()));
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
  return std::make_shared<GroupExchange>(std::move(whole), plan.shared, Common(plan.to_owner),
                                         Common(plan.of_others), std::move(group));
}

}  // namespace dshn::ranks
