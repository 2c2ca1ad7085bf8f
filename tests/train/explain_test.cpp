// What a prediction rests on, for every model: measured as it says, in numbers that do not depend on threads.
#include "dshn/train/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "train/explained_data.hpp"
#include "train/rank_correlation.hpp"

namespace dshn::train {
namespace {

using test::Trained;

constexpr data::Task kNodes = data::Task::node_classification;
constexpr data::Task kHyperedges = data::Task::hyperedge_classification;

/// Three classes of 20 nodes with five random features; hyperedges are classified by whether they are directed.
data::Dataset small_data(data::Task task) {
  SyntheticOptions options;
  options.nodes = 60;
  options.classes = 3;
  options.h_max = 5;
  options.intra = 6;
  options.inter = 6;
  data::Dataset dataset = test::benchmark(options);
  Random random(8);
  const auto drawn = [&](Index rows, Index columns) {
    std::vector<float> values(static_cast<std::size_t>(rows) * columns);
    for (float& value : values) value = static_cast<float>(random.normal());
    return data::Features(rows, columns, std::move(values));
  };
  dataset.node_features = drawn(60, 5);
  if (task == kNodes) return dataset;
  const Hypergraph& h = dataset.hypergraph;
  dataset.task = task;
  dataset.edge_features = drawn(h.edge_count(), 2);
  dataset.class_count = 2;
  dataset.labels.clear();
  for (Index e = 0; e < h.edge_count(); ++e) dataset.labels.push_back(h.is_directed(e) ? 1 : 0);
  return dataset;
}

Assignments short_training(const std::string& model) {
  Assignments set{{"epochs", "3"}};
  for (const OptionSpec& option : models::find_model(model).options) {
    if (option.name == "hidden_width") set["hidden_width"] = "8";
    if (option.name == "layers") set["layers"] = "2";
  }
  return set;
}

double log_odds(const Trained& trained, const models::Input& input, Index item, std::int64_t c) {
  const torch::NoGradGuard no_grad;
  models::Model& model = *trained.loaded.model;
  const at::Tensor p = model.forward(model.prepare(input), {false, nullptr})[item].to(at::kDouble).softmax(0);
  const at::Tensor others = p.clone();
  others[c] = 0;
  return (p[c].log() - others.sum().log()).item<double>();
}

/// By how much the log-odds of the predicted class fall on another hypergraph.
double effect_of(const Trained& trained, const Explanation& found, const Hypergraph& changed) {
  const models::Input& given = trained.loaded.given;
  return log_odds(trained, given, found.item, found.predicted) -
         log_odds(trained, models::Input(changed, given.x, given.edge_x), found.item, found.predicted);
}

std::vector<Offset> incidences(const Hypergraph& h, Index e) {
  std::vector<Offset> all;
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) all.push_back(i);
  return all;
}

constexpr double kRounding = 2e-3;

void expect_measured(const Trained& trained, const Explanation& found) {
  const Hypergraph& h = trained.experiment.dataset->hypergraph;
  for (const HyperedgeEvidence& one : found.hyperedges.strongest)
    EXPECT_NEAR(one.effect, effect_of(trained, found, without_incidences(h, incidences(h, one.edge))),
                kRounding);
  for (const MemberEvidence& one : found.members.strongest) {
    const std::vector<Offset> there{one.incidence};
    EXPECT_EQ(h.member_nodes()[one.incidence], one.node);
    EXPECT_NEAR(one.effect, effect_of(trained, found, without_incidences(h, there)), kRounding);
    if (!one.turned) continue;
    EXPECT_NEAR(one.turned->effect, effect_of(trained, found, turned_at(h, there)), kRounding);
  }
  for (const FeatureEvidence& one : found.features.strongest) {
    models::Input input = trained.loaded.given;
    at::Tensor x = input.x.dense().clone();
    if (one.of_members) {
      for (const Index v : h.members(found.item)) x[v][one.column] = 0;
    } else if (trained.experiment.dataset->task == kNodes) {
      EXPECT_FLOAT_EQ(x[found.item][one.column].item<float>(), static_cast<float>(one.value));
      x[found.item][one.column] = 0;
    } else {
      input.edge_x = input.edge_x.clone();
      input.edge_x[found.item][one.column] = 0;
    }
    input.x = x;
    const double before = log_odds(trained, trained.loaded.given, found.item, found.predicted);
    EXPECT_NEAR(one.effect, before - log_odds(trained, input, found.item, found.predicted), kRounding);
  }
}

TEST(Explain, ANodeByItsHyperedgesTheirMembersAndItsFeatures) {
  const Trained trained(small_data(kNodes), "dshn", short_training("dshn"));
  const Hypergraph& h = trained.experiment.dataset->hypergraph;
  const Index node = 25;  // of the middle class: a tail and a head

  const Explanation found = explain(trained.loaded, kNodes, node, {100, 100});

  expect_measured(trained, found);
  EXPECT_EQ(found.hyperedges.strongest.size(), h.edges_of(node).size());
  EXPECT_EQ(found.features.strongest.size(), 5U);
  std::size_t others = 0;
  for (const Index e : h.edges_of(node)) others += h.members(e).size() - 1;
  EXPECT_EQ(found.members.strongest.size(), others);
  EXPECT_TRUE(std::ranges::is_sorted(found.hyperedges.strongest, std::greater{}, &HyperedgeEvidence::effect));
  for (const HyperedgeEvidence& one : found.hyperedges.strongest) {
    EXPECT_EQ(one.role.has_value(), h.is_directed(one.edge));
    EXPECT_EQ(one.turned.has_value(), one.role.has_value());
    if (!one.role) continue;
    EXPECT_TRUE(std::ranges::count(*one.role == Role::tail ? h.tail(one.edge) : h.head(one.edge), node));
  }
  EXPECT_EQ(found.elsewhere_count, 10U);
}

/// Where a node is a tail, a head, or a member without a role.
std::map<std::optional<Role>, std::vector<Offset>> incidences_by_role(const Hypergraph& h, Index node) {
  std::map<std::optional<Role>, std::vector<Offset>> own;
  for (Offset k = h.node_ptr()[node]; k < h.node_ptr()[node + 1]; ++k) {
    const Index e = h.node_edges()[k];
    const Offset i = h.node_incidences()[k];
    own[h.is_directed(e) ? std::optional(h.role(e, i)) : std::nullopt].push_back(i);
  }
  return own;
}

TEST(Explain, ANodeByItsRoles) {
  const Trained trained(small_data(kNodes), "dshn", short_training("dshn"));
  const Hypergraph& h = trained.experiment.dataset->hypergraph;
  Index node = 0;
  while (incidences_by_role(h, node).size() < 3) ++node;
  const auto own = incidences_by_role(h, node);
  std::vector<Offset> directed = own.at(Role::tail);
  directed.insert(directed.end(), own.at(Role::head).begin(), own.at(Role::head).end());

  const Explanation found = explain(trained.loaded, kNodes, node);

  ASSERT_EQ(found.roles.size(), 3U);
  for (const RoleEvidence& one : found.roles) {
    EXPECT_EQ(one.count, static_cast<Index>(own.at(one.role).size()));
    EXPECT_NEAR(one.effect, effect_of(trained, found, without_incidences(h, own.at(one.role))), kRounding);
  }
  ASSERT_TRUE(found.reversed.has_value());
  EXPECT_NEAR(found.reversed->effect, effect_of(trained, found, turned_at(h, directed)), kRounding);
}

TEST(Explain, AHyperedgeByItsMembersTheHyperedgesBesideItAndFeatures) {
  Assignments set = short_training("dshn");
  set["hyperedge_features"] = "given";
  const Trained trained(small_data(kHyperedges), "dshn", set);
  const Hypergraph& h = trained.experiment.dataset->hypergraph;
  const Index edge = h.edge_count() - 1;
  ASSERT_TRUE(h.is_directed(edge));

  const Explanation found = explain(trained.loaded, kHyperedges, edge, {100, 100});

  expect_measured(trained, found);
  EXPECT_EQ(found.members.strongest.size(), h.members(edge).size());
  for (const MemberEvidence& one : found.members.strongest) EXPECT_TRUE(one.turned.has_value());
  for (const HyperedgeEvidence& one : found.hyperedges.strongest) {
    EXPECT_NE(one.edge, edge);
    EXPECT_FALSE(one.role.has_value());
  }
  EXPECT_EQ(found.features.candidates, 7U) << "five of the members, two of its own";
  EXPECT_EQ(found.roles.size(), 2U);
  EXPECT_NEAR(found.reversed->effect, effect_of(trained, found, turned_at(h, incidences(h, edge))),
              kRounding);
}

TEST(Explain, TriesWhatTheGradientChooses) {
  const Trained trained(small_data(kNodes), "dshn", short_training("dshn"));
  const Explanation all = explain(trained.loaded, kNodes, 25, {1000, 1000});

  const Explanation few = explain(trained.loaded, kNodes, 25, {2, 4});

  EXPECT_EQ(few.members.candidates, all.members.checked);
  EXPECT_EQ(few.members.checked, 4U);
  ASSERT_EQ(few.members.strongest.size(), 2U);
  std::vector<double> estimates;
  for (const MemberEvidence& one : all.members.strongest) estimates.push_back(std::abs(one.estimate));
  std::ranges::sort(estimates, std::greater{});
  for (const MemberEvidence& one : few.members.strongest) EXPECT_GE(std::abs(one.estimate), estimates[3]);
  EXPECT_GT(all.members.agreement.value(), 0.3) << "the gradient foretells the effects";
}

TEST(Explain, AnIsolatedNodeByItsFeaturesAlone) {
  data::Dataset dataset = small_data(kNodes);
  const auto own = dataset.hypergraph.node_incidences().subspan(dataset.hypergraph.node_ptr()[7],
                                                                dataset.hypergraph.degree(7));
  dataset.hypergraph = without_incidences(dataset.hypergraph, own);
  const Trained trained(dataset, "dshn", short_training("dshn"));

  const Explanation found = explain(trained.loaded, kNodes, 7);

  EXPECT_TRUE(found.hyperedges.strongest.empty());
  EXPECT_TRUE(found.members.strongest.empty());
  EXPECT_EQ(found.features.strongest.size(), 5U);
  EXPECT_TRUE(found.roles.empty());
  EXPECT_FALSE(found.reversed.has_value());
}

TEST(Explain, RefusesAnItemThatIsNotThere) {
  const Trained trained(small_data(kNodes), "hgnn", short_training("hgnn"));
  EXPECT_THROW(explain(trained.loaded, kNodes, 60), UsageError);
  EXPECT_THROW(explain(trained.loaded, kNodes, -1), UsageError);
}

TEST(Explain, SparseFeaturesAsDenseOnes) {
  data::Dataset dataset = small_data(kNodes);
  data::Features::Entries entries;
  entries.row_ptr.push_back(0);
  for (Index v = 0; v < 60; ++v) {
    for (const Index c : {v % 50, 50 + v % 40}) entries.columns.push_back(c);
    entries.row_ptr.push_back(static_cast<Offset>(entries.columns.size()));
  }
  dataset.node_features = data::Features(60, 90, std::move(entries));
  Trained trained(dataset, "dshn", short_training("dshn"));
  ASSERT_TRUE(trained.loaded.given.x.sparse());

  const Explanation found = explain(trained.loaded, kNodes, 25);

  expect_measured(trained, found);
  ASSERT_EQ(found.features.strongest.size(), 2U) << "zeros need not be set to 0";
  EXPECT_THAT((std::vector{found.features.strongest[0].column, found.features.strongest[1].column}),
              testing::UnorderedElementsAre(25, 75));
}

/// Every number of an explanation, in one list.
std::vector<double> numbers(const Explanation& found) {
  std::vector<double> all{found.score, found.value, found.elsewhere};
  const auto add = [&](const Evidence& one) { all.insert(all.end(), {one.effect, one.estimate}); };
  for (const HyperedgeEvidence& one : found.hyperedges.strongest) {
    add(one);
    all.push_back(one.edge);
    if (one.turned) all.push_back(one.turned->effect);
  }
  for (const MemberEvidence& one : found.members.strongest) {
    add(one);
    all.push_back(static_cast<double>(one.incidence));
  }
  for (const FeatureEvidence& one : found.features.strongest) add(one);
  for (const RoleEvidence& one : found.roles) all.push_back(one.effect);
  if (found.reversed) all.push_back(found.reversed->effect);
  return all;
}

class ExplainEveryModel : public testing::TestWithParam<std::string> {};

TEST_P(ExplainEveryModel, InTheSameBitsForAnyNumberOfThreads) {
  for (const data::Task task : {kNodes, kHyperedges}) {
    const Trained trained(small_data(task), GetParam(), short_training(GetParam()));
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const Explanation one = explain(trained.loaded, task, 30);
    at::set_num_threads(3);
    const Explanation three = explain(trained.loaded, task, 30);
    at::set_num_threads(before);

    EXPECT_EQ(numbers(one), numbers(three));
    const bool known = std::ranges::all_of(numbers(one), [](double number) { return std::isfinite(number); });
    EXPECT_TRUE(known);
    expect_measured(trained, one);
    EXPECT_FALSE(one.members.strongest.empty());
    const bool through_maps = GetParam() == "dshn" || GetParam() == "dshn-light";
    const bool without = models::find_model(GetParam()).is_rule || GetParam() == "dhgnn-emb";
    EXPECT_EQ(one.estimated_by, through_maps ? EstimatedBy::maps
                                : without    ? EstimatedBy::nothing
                                             : EstimatedBy::features);
  }
}

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const models::ModelEntry& entry : models::all_models()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, ExplainEveryModel, testing::ValuesIn(names_of_models()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Explain, RolesMeanNothingToAModelWithoutDirection) {
  const Trained trained(small_data(kNodes), "hgnn", short_training("hgnn"));
  const Explanation found = explain(trained.loaded, kNodes, 25);
  ASSERT_FALSE(found.hyperedges.strongest.empty());
  for (const HyperedgeEvidence& one : found.hyperedges.strongest) {
    if (one.turned.has_value()) {
      EXPECT_NEAR(one.turned->effect, 0, 1e-4);
    }
  }
}

TEST(RankCorrelation, IsSpearmans) {
  const auto of = [](const std::vector<double>& a, const std::vector<double>& b) {
    return rank_correlation(a, b);
  };
  EXPECT_DOUBLE_EQ(of({1, 2, 3, 10}, {-5, 0, 1, 2}).value(), 1);
  EXPECT_DOUBLE_EQ(of({1, 2, 3}, {3, 2, 1}).value(), -1);
  // Ranks 0, 1.5, 1.5, 3 and 0, 2, 1, 3: 4.5 / sqrt(4.5 * 5).
  EXPECT_DOUBLE_EQ(of({1, 2, 2, 3}, {1, 3, 2, 4}).value(), 4.5 / std::sqrt(22.5));
  EXPECT_FALSE(of({1, 2}, {1, 2}).has_value());
  EXPECT_FALSE(of({1, 2, 3}, {7, 7, 7}).has_value());
}

}  // namespace
}  // namespace dshn::train
