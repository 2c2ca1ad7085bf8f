#include "experiments/cost.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/data/registry.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/ops/sheaf.hpp"

namespace dshn::experiments {
namespace {

CostSizes sizes_in_the_paper(const char* data) {
  const data::StatisticsRow row = *data::find_entry(data)->paper;
  return {static_cast<double>(row.nodes), static_cast<double>(row.hyperedges),
          static_cast<double>(row.hyperedges) * row.avg_hyperedge_size.value(),
          static_cast<double>(row.features.value_or(1))};
}

TEST(DenseEquivalentFlops, ReproduceThePapersColumns) {
  const struct {
    const char* data;
    double full;
    double light;
  } rows[] = {{"cora", 267070765386, 196828716921},    {"citeseer", 415705637192, 310747699339},
              {"email-enron", 962025184, 696069022},   {"email-eu", 35930593693, 25798032763},
              {"telegram", 2628033910, 1858200422},    {"cornell", 2201584340, 1851871460},
              {"texas", 2228554459, 1876832187},       {"wisconsin", 3684554183, 3035436853},
              {"chameleon", 34986115734, 27033570342}, {"squirrel", 189607210489, 140531198787},
              {"roman-empire", 0, 12898147996391},     {"amazon-ratings", 0, 15061770374298}};
  for (const auto& row : rows) {
    const CostSizes sizes = sizes_in_the_paper(row.data);
    EXPECT_NEAR(dense_equivalent_flops(true, sizes) / row.light, 1, 0.0035) << row.data;
    if (row.full > 0) {
      EXPECT_NEAR(dense_equivalent_flops(false, sizes) / row.full, 1, 0.0035) << row.data;
    }
  }
}

TEST(ParameterCount, IsThePapers) {
  const auto count = [](const char* model, std::int64_t nodes, std::int64_t features, std::int64_t classes) {
    const models::ModelEntry& entry = models::find_model(model);
    return parameter_count(
        *entry.create(Options(entry.options, counted_options(model)),
                      {.nodes = nodes, .edges = 3, .features = features, .classes = classes}));
  };
  EXPECT_EQ(count("dshn-light", 245, 1, 4), 70660);
  EXPECT_EQ(count("dshn-light", 2708, 1433, 7), 437447);
  EXPECT_EQ(count("ed-hnn", 245, 1, 4), 34116);
  EXPECT_EQ(count("sheaf-hypergnn", 245, 1, 4), 37216);
  EXPECT_EQ(count("dhgnn-emb", 245, 1, 4), 13241);
}

TEST(CountOperations, CountsProductsForwardAndBackward) {
  const at::Tensor x = torch::rand({5, 300});
  const at::Tensor weight = torch::rand({7, 300}).requires_grad_();

  const double forward = count_operations([&] { nn::linear_rows(x, weight); });
  const double both = count_operations([&] { nn::linear_rows(x, weight).sum().backward(); });

  EXPECT_EQ(forward, 2 * 5 * 300 * 7);
  EXPECT_EQ(both, 2 * forward);  // x needs no gradient
}

TEST(CountOperations, CountsTheOperatorByItsIncidences) {
  HypergraphBuilder builder;
  for (const int node : {0, 1, 2})
    builder.incidence(Name::integer(0), Name::integer(node), node == 0 ? Role::tail : Role::head);
  for (const int node : {1, 3}) builder.incidence(Name::integer(1), Name::integer(node), Role::tail);
  const Hypergraph hypergraph = builder.build();
  const ops::Incidence incidence(hypergraph);
  const auto nnz = static_cast<double>(incidence.incidences());
  const at::Tensor maps = torch::rand({incidence.incidences(), 2});
  const at::Tensor x = torch::rand({incidence.nodes(), 2, 2, 3});

  const double counted =
      count_operations([&] { ops::sheaf_signless(x, maps, at::full({}, 0.25, at::kDouble), {}, incidence); });

  EXPECT_EQ(counted, 2 * nnz * 2 * 3 * 8);  // two stages, d f channels, complex multiply and add
}

}  // namespace
}  // namespace dshn::experiments
