// Explanations held against data whose answer is known: what the user guide promises of `dshn explain`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/train/explain.hpp"
#include "train/explained_data.hpp"

namespace dshn::train {
namespace {

using test::Trained;

constexpr Index kAsked = 30;

/// Test items, in an order that has nothing to do with classes.
std::vector<Index> some_items(const Trained& trained) {
  std::vector<Index> items = trained.experiment.splits[0].test;
  Random(5).shuffle(items);
  items.resize(std::min<std::size_t>(items.size(), kAsked));
  return items;
}

int nine_of_ten(std::size_t of) {
  return static_cast<int>((9 * of + 9) / 10);
}

/// Hyperedges of the benchmark that lead from one class to another, in the generator's order.
struct Pair {
  Index from = 0;
  Index to = 0;
};

Pair classes_of(Index edge, const SyntheticOptions& options) {
  Index left = (edge - options.classes * options.intra) / options.inter;
  for (Index i = 0;; ++i) {
    const Index later = options.classes - 1 - i;
    if (left < later) return {i, i + 1 + left};
    left -= later;
  }
}

TEST(KnownAnswer, OnTheBenchmarkTheTrueRolesAreNamed) {
  SyntheticOptions options;
  options.seed = 3;
  const Trained trained(
      test::benchmark(options), "dshn",
      {{"epochs", "150"}, {"hidden_width", "16"}, {"d", "2"}, {"layers", "2"}, {"dropout", "0.2"}});
  const std::vector<Index>& labels = trained.experiment.dataset->labels;
  ASSERT_GT(trained.result.test.mean, 0.9);

  int named = 0;
  int above_elsewhere = 0;
  for (const Index node : some_items(trained)) {
    const Explanation found = explain(trained.loaded, data::Task::node_classification, node, {10, 10});
    const auto first = std::ranges::find_if(
        found.hyperedges.strongest, [](const HyperedgeEvidence& one) { return one.role.has_value(); });
    ASSERT_NE(first, found.hyperedges.strongest.end());
    // The generator's word for it: tails are of the class that the hyperedge leads from, heads of the other.
    const Pair classes = classes_of(first->edge, options);
    const Role truth = labels[node] == classes.from ? Role::tail : Role::head;
    ASSERT_EQ(labels[node], truth == Role::tail ? classes.from : classes.to);
    // The prediction rests on it: with the other role the class is less likely, by more than chance gives.
    named += first->role == truth && first->turned->effect > found.elsewhere ? 1 : 0;
    above_elsewhere += first->effect > found.elsewhere ? 1 : 0;
  }
  EXPECT_GE(named, nine_of_ten(kAsked));
  EXPECT_GE(above_elsewhere, nine_of_ten(kAsked));
}

/// Every node of the first ones is in one hyperedge with a marked node, as a tail like that one (class 0) or as a head
/// (class 1), and in three others, directed too, in which its role means nothing.
struct Planted {
  static constexpr Index kNodes = 240;
  static constexpr Index kMarked = 60;

  data::Dataset dataset;
  std::vector<Index> deciding;  // by node; it has the marked node kNodes + deciding

  Planted() : deciding(kNodes) {
    dataset.labels.assign(kNodes + kMarked, -1);
    Random random(4);
    std::vector<Index> order(kNodes);
    for (Index v = 0; v < kNodes; ++v) order[v] = v;
    for (int round = 0; round < 4; ++round) {
      random.shuffle(order);
      for (Index k = 0; k < kNodes; k += 4) add(std::span(order).subspan(k, 4), round == 0);
    }
    dataset.name = "planted";
    dataset.hypergraph = Hypergraph(kNodes + kMarked, edges_, {edge_, node_, role_});
    dataset.class_count = 2;
    std::vector<float> features;
    for (Index v = 0; v < kNodes + kMarked; ++v)
      features.insert(features.end(), {1.0F, v < kNodes ? 0.0F : 1.0F});
    dataset.node_features = {kNodes + kMarked, 2, std::move(features)};
  }

 private:
  void add(std::span<const Index> four, bool decides) {
    for (Index k = 0; k < 4; ++k) {
      join(four[k], k < 2 ? Role::tail : Role::head);
      if (!decides) continue;
      deciding[four[k]] = edges_;
      dataset.labels[four[k]] = k < 2 ? 0 : 1;
    }
    if (decides) join(kNodes + edges_, Role::tail);
    ++edges_;
  }

  void join(Index node, Role role) {
    edge_.push_back(edges_);
    node_.push_back(node);
    role_.push_back(role);
  }

  Index edges_ = 0;
  std::vector<Index> edge_;
  std::vector<Index> node_;
  std::vector<Role> role_;
};

TEST(KnownAnswer, TheOneHyperedgeThatDecidesIsNamedFirst) {
  const Planted planted;
  const Trained trained(
      planted.dataset, "dshn",
      {{"epochs", "150"}, {"hidden_width", "16"}, {"d", "2"}, {"layers", "1"}, {"dropout", "0.2"}});
  ASSERT_GT(trained.result.test.mean, 0.95);

  int hyperedge = 0;
  int role = 0;
  int member = 0;
  for (const Index node : some_items(trained)) {
    const Explanation found = explain(trained.loaded, data::Task::node_classification, node, {10, 20});
    const HyperedgeEvidence& first = found.hyperedges.strongest.front();
    const Index deciding = planted.deciding[node];
    const Role truth = planted.dataset.labels[node] == 0 ? Role::tail : Role::head;
    hyperedge += first.edge == deciding ? 1 : 0;
    role += first.role == truth && first.turned->predicted != found.predicted ? 1 : 0;
    const MemberEvidence& most = found.members.strongest.front();
    member += most.edge == deciding && most.node == Planted::kNodes + deciding ? 1 : 0;
  }
  EXPECT_GE(hyperedge, nine_of_ten(kAsked));
  EXPECT_GE(role, nine_of_ten(kAsked)) << "with the other role it would be of the other class";
  EXPECT_GE(member, nine_of_ten(kAsked));
}

}  // namespace
}  // namespace dshn::train
