#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/models/registry.hpp"
#include "models/dense_model.hpp"
#include "support/message_of.hpp"

namespace dshn::models {
namespace {

using test::default_parameters;
using test::distance;
using test::input_of;
using test::logits;
using test::probe;
using test::small_hypergraph;

/// Small widths, so that finite differences stay quick.
std::shared_ptr<Model> create(const std::string& name, Assignments set, const Input& input,
                              Target target = Target::nodes) {
  const Assignments small{{"hidden_width", "3"}, {"classifier_width", "5"}, {"layers", "2"}, {"d", "2"}};
  set.insert(small.begin(), small.end());
  return test::new_model(name, set, input, target);
}

class DshnGradient : public testing::TestWithParam<Assignments> {};

TEST_P(DshnGradient, AgreesWithFiniteDifferences) {
  const Input input = input_of(small_hypergraph(), /*with_edge_features=*/true);
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    test::expect_true_gradients(*create("dshn", GetParam(), input, target), input);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryOption, DshnGradient,
    testing::Values(Assignments{}, Assignments{{"residual", "false"}}, Assignments{{"q", "0"}},
                    Assignments{{"q", "0.1"}, {"residual", "true"}},
                    Assignments{{"layer_norm", "output"}, {"residual", "true"}},
                    Assignments{{"left_projection", "false"}}, Assignments{{"dynamic_sheaf", "false"}},
                    Assignments{{"maps", "general"}, {"sheaf_activation", "tanh"}},
                    Assignments{{"maps", "orthogonal"}, {"d", "3"}, {"sheaf_activation", "none"}},
                    Assignments{{"maps", "low-rank"}, {"d", "3"}, {"rank", "2"}},
                    Assignments{{"hyperedge_features", "members-sum"}, {"add_identity", "true"}},
                    Assignments{{"maps", "general"}, {"add_identity", "true"}},
                    Assignments{{"maps", "orthogonal"}, {"d", "3"}, {"add_identity", "true"}},
                    Assignments{{"hyperedge_features", "learned"}},
                    Assignments{{"hyperedge_features", "given"}},
                    Assignments{{"q", "learn"}, {"q_init", "0.2"}},
                    Assignments{{"q", "learn-per-layer"}, {"layer_norm", "output"}},
                    Assignments{{"layer_norm", "input"}, {"residual", "true"}},
                    Assignments{{"layer_norm", "input"}, {"left_projection", "false"}},
                    Assignments{{"hyperedge_features", "transformed-sum"}},
                    Assignments{{"hyperedge_features", "transformed-sum"}, {"map_norm", "true"}, {"q", "0"}},
                    Assignments{{"map_norm", "true"}, {"map_bias", "true"}},
                    Assignments{{"map_norm", "true"}, {"hyperedge_features", "given"}},
                    Assignments{{"map_bias", "true"}, {"maps", "general"}, {"sheaf_activation", "tanh"}},
                    Assignments{{"normalisation", "degree"}},
                    Assignments{{"normalisation", "degree"}, {"maps", "general"}, {"add_identity", "true"}},
                    Assignments{{"last_activation", "false"}, {"residual", "true"}},
                    Assignments{{"last_activation", "false"}, {"layer_norm", "output"}},
                    Assignments{{"input_imaginary", "copy"}}, Assignments{{"q", "learn-per-hyperedge"}},
                    Assignments{{"q", "learn-per-hyperedge"}, {"maps", "trivial"}, {"q_init", "0.1"}},
                    Assignments{
                        {"q", "learn-per-hyperedge"}, {"layer_norm", "output"}, {"residual", "true"}}));

TEST(DshnLight, GivesTheSameOutputForTheSameWeights) {
  const Input input = input_of(small_hypergraph());
  for (const char* maps : {"diagonal", "general", "orthogonal"}) {
    const Assignments set{{"maps", maps}, {"q", "0.15"}};
    EXPECT_EQ(distance(logits(*create("dshn", set, input), input),
                       logits(*create("dshn-light", set, input), input)),
              0)
        << maps;
  }
}

TEST(DshnLight, KeepsTheMapsOutOfTheGraph) {
  const Input input = input_of(small_hypergraph());
  const std::shared_ptr<Model> model = create("dshn-light", {}, input);

  probe(*model, input).backward();

  int frozen = 0;
  for (const auto& entry : model->named_parameters()) {
    const bool is_map = entry.key().rfind("phi", 0) == 0;
    frozen += is_map ? 1 : 0;
    EXPECT_EQ(entry.value().requires_grad(), !is_map) << entry.key();
    EXPECT_EQ(entry.value().grad().defined(), !is_map) << entry.key();
  }
  EXPECT_GT(frozen, 0);
}

TEST(Dshn, ChargeZeroForgetsDirection) {
  const Hypergraph directed = small_hypergraph();
  const Input with = input_of(directed);
  const Input without = input_of(without_direction(directed));
  const Assignments set{{"q", "0"}, {"layer_norm", "output"}};

  const at::Tensor a = logits(*create("dshn", set, with), with);
  const at::Tensor b = logits(*create("dshn", set, without), without);

  EXPECT_LT(distance(a, b), 1e-12);
}

TEST(Dshn, DirectionMattersWhenThereIsACharge) {
  const Hypergraph directed = small_hypergraph();
  const Input with = input_of(directed);
  const Input reversed_input = input_of(reversed(directed));
  const Assignments set{{"q", "0.25"}};

  EXPECT_GT(distance(logits(*create("dshn", set, with), with),
                     logits(*create("dshn", set, reversed_input), reversed_input)),
            1e-6);
}

TEST(Dshn, ComputesTheRealPathExactly) {
  // A charge too small to matter keeps the complex path; zero takes the real one.
  const Input input = input_of(small_hypergraph());

  const at::Tensor real = logits(*create("dshn", {{"q", "0"}}, input), input);
  const at::Tensor complex = logits(*create("dshn", {{"q", "1e-15"}}, input), input);

  EXPECT_LT(distance(real, complex), 1e-10);
}

TEST(Dshn, IsEquivariantToRelabelling) {
  const Hypergraph original = small_hypergraph();
  const std::vector<Index> nodes{3, 0, 6, 2, 5, 1, 4};  // node i of the copy is node nodes[i] of the original
  const std::vector<Index> edges{4, 2, 0, 1, 3};
  const Hypergraph copy = permuted(original, nodes, edges);
  const Input a = input_of(original);
  Input b = input_of(copy);
  const at::Tensor order = torch::tensor(std::vector<std::int64_t>(nodes.begin(), nodes.end()));
  b.x = a.x.dense().index_select(0, order);
  const Assignments set{{"maps", "general"}, {"residual", "true"}};

  const at::Tensor original_out = logits(*create("dshn", set, a), a);
  const at::Tensor permuted_out = logits(*create("dshn", set, b), b);

  EXPECT_LT(distance(original_out.index_select(0, order), permuted_out), 1e-12);
}

TEST(Dshn, HyperedgeLogitsFollowRelabelling) {
  const Hypergraph original = small_hypergraph();
  const std::vector<Index> edges{4, 2, 0, 1, 3};
  const std::vector<Index> nodes{0, 1, 2, 3, 4, 5, 6};
  const Hypergraph copy = permuted(original, nodes, edges);
  const Input a = input_of(original);
  const Input b = input_of(copy);
  const at::Tensor order = torch::tensor(std::vector<std::int64_t>(edges.begin(), edges.end()));

  const at::Tensor original_out = logits(*create("dshn", {}, a, Target::hyperedges), a);
  const at::Tensor permuted_out = logits(*create("dshn", {}, b, Target::hyperedges), b);

  EXPECT_EQ(original_out.size(0), 5);
  EXPECT_LT(distance(original_out.index_select(0, order), permuted_out), 1e-12);
}

TEST(DshnLight, WithFourLayersHasThePaperTablesParameterCount) {
  const auto count = [](std::int64_t features, std::int64_t classes) {
    return default_parameters("dshn-light", features, classes, 10, {{"layers", "4"}});
  };
  EXPECT_EQ(count(1433, 7), 437447);   // Cora
  EXPECT_EQ(count(1, 4), 70660);       // Telegram
  EXPECT_EQ(count(3703, 6), 1018502);  // Citeseer
  EXPECT_EQ(count(11, 3), 256 * 11 + 70144 + 65 * 3);
}

TEST(DshnLight, RefusesToLearnHyperedgeFeatures) {
  const Input input = input_of(small_hypergraph());
  EXPECT_THAT(dshn::test::message_of<UsageError>([&] {
                create("dshn-light", {{"hyperedge_features", "learned"}}, input);
              }),
              testing::HasSubstr("nothing would be learned; expected random"));
}

TEST(Dshn, RefusesAChargePerHyperedgeWithMatricesAsMaps) {
  const Input input = input_of(small_hypergraph());
  EXPECT_THAT(dshn::test::message_of<UsageError>([&] {
                create("dshn", {{"q", "learn-per-hyperedge"}, {"maps", "general"}}, input);
              }),
              testing::HasSubstr("expected maps=diagonal or maps=trivial, got maps=general"));
}

TEST(Dshn, KeepsLearnedChargesOutOfWeightDecay) {
  const Input input = input_of(small_hypergraph());
  for (const char* q : {"learn", "learn-per-layer", "learn-per-hyperedge"}) {
    const std::shared_ptr<Model> model = create("dshn", {{"q", q}}, input);
    int kept = 0;
    for (const auto& entry : model->named_parameters()) kept += model->decays(entry.key()) ? 0 : 1;
    EXPECT_EQ(kept, std::string(q) == "learn-per-hyperedge" ? 2 : 1) << q;
  }
}

TEST(Dshn, GivesHyperedgesTheirOwnChargesWithinBounds) {
  const Input input = input_of(small_hypergraph());
  const std::shared_ptr<Model> model =
      create("dshn", {{"q", "learn-per-hyperedge"}, {"q_init", "0.2"}}, input);
  const at::Tensor start = model->sheaves(model->prepare(input)).front().charges;
  ASSERT_EQ(start.sizes(), at::IntArrayRef({5}));
  EXPECT_LT((start - 0.2).abs().max().item<double>(), 0.1);
  EXPECT_GT((start - start[0]).abs().max().item<double>(), 1e-6) << "hyperedges differ";
  {
    const torch::NoGradGuard no_grad;
    for (auto& entry : model->named_parameters())
      if (entry.key() == "hyperedge_charge.weight") entry.value().mul_(1e4);
  }
  EXPECT_LE(model->sheaves(model->prepare(input)).front().charges.abs().max().item<double>(), 0.5);
}

TEST(Dshn, ShowsTheSheafOfEachLayer) {
  const Input input = test::input_of(test::small_hypergraph());
  const auto shown = [&](const char* dynamic) {
    const std::shared_ptr<Model> model = test::new_model(
        "dshn", {{"layers", "2"}, {"d", "3"}, {"maps", "general"}, {"q", "0.2"}, {"dynamic_sheaf", dynamic}},
        input);
    return model->sheaves(model->prepare(input));
  };

  const std::vector<LayerSheaf> sheaves = shown("true");
  ASSERT_EQ(sheaves.size(), 2U);
  for (const LayerSheaf& sheaf : sheaves) {
    EXPECT_EQ(sheaf.maps.sizes(), at::IntArrayRef({input.incidence.incidences(), 3, 3}));
    EXPECT_EQ(sheaf.stalk_dimension, 3);
    EXPECT_DOUBLE_EQ(sheaf.charge, 0.2);
  }
  EXPECT_GT(test::distance(sheaves[0].maps, sheaves[1].maps), 1e-6)
      << "a dynamic sheaf changes with the signal";
  const std::vector<LayerSheaf> fixed = shown("false");
  EXPECT_EQ(test::distance(fixed[0].maps, fixed[1].maps), 0);
}

TEST(Dshn, GivesTheHandComputedRowsOfOneArc) {
  HypergraphBuilder builder;
  builder.incidence(Name::integer(0), Name::integer(0), Role::tail);
  builder.incidence(Name::integer(0), Name::integer(1), Role::head);
  const Input input = test::one_feature(builder.build(), {8, 16});
  const auto given = [&](const char* q, const std::vector<double>& rows) {
    const auto model = test::one_feature_model("dshn",
                                               {{"q", q},
                                                {"d", "1"},
                                                {"hidden_width", "1"},
                                                {"layers", "1"},
                                                {"residual", "false"},
                                                {"left_projection", "false"},
                                                {"last_activation", "false"},
                                                {"sheaf_activation", "none"},
                                                {"map_bias", "true"},
                                                {"add_identity", "true"}},
                                               input);
    test::set_parameter(*model, "lift.weight", {1});
    test::set_parameter(*model, "lift.bias", {0});
    test::set_parameter(*model, "layer0.w2", {1});
    test::set_parameter(*model, "phi0.from_node", {0, 0});
    test::set_parameter(*model, "phi0.from_edge", {0, 0});
    test::set_parameter(*model, "phi0.bias", {std::sqrt(3.0)});  // both maps
    const at::Tensor expected =
        test::dense_classifier(torch::tensor(rows, torch::kDouble).view({2, 2}), *model);
    return distance(logits(*model, input), expected);
  };

  // D_u + 1 = 4, so F N = sqrt(3) / 2, and Q_N = 3/8 [[1, conj(s)], [s, 1]] with s = exp(-2 pi i q).
  EXPECT_LT(given("0.25", {3, 6, 6, -3}), 1e-12);  // s = -i: 3/8 (8 + 16 i), 3/8 (16 - 8 i)
  EXPECT_LT(given("0.5", {-3, 0, 3, 0}), 1e-12);   // s = -1: 3/8 (8 - 16), 3/8 (16 - 8)
}

TEST(Dshn, ShowsWhatStandsForTheDegrees) {
  const Input input = input_of(small_hypergraph());
  const auto shown = [&](const Assignments& set) { return create("dshn", set, input)->sheaves(input)[0]; };

  EXPECT_FALSE(shown({}).add_identity);
  EXPECT_TRUE(shown({{"add_identity", "true"}}).add_identity);
  EXPECT_FALSE(shown({}).degrees_alone);
  EXPECT_TRUE(shown({{"normalisation", "degree"}}).degrees_alone);
  for (const char* maps : {"orthogonal", "trivial"})
    EXPECT_FALSE(shown({{"normalisation", "degree"}, {"maps", maps}}).degrees_alone) << "they are the blocks";
}

/// Logits where the map of each incidence is multiplied.
at::Tensor logits_with(Model& model, Input input, const at::Tensor& factors) {
  input.map_factors = factors;
  return model.forward(model.prepare(input), {false, nullptr});
}

TEST(Dshn, AHyperedgeWhoseMapsAreMultipliedByZeroIsNotThere) {
  const Hypergraph hypergraph = small_hypergraph();
  const Input input = input_of(hypergraph);
  const std::vector<Offset> of_edge_1{3, 4, 5, 6};
  Input without = input_of(without_incidences(hypergraph, of_edge_1));
  without.x = input.x;
  at::Tensor factors = torch::ones({hypergraph.incidence_count()}, torch::kDouble);
  factors.narrow(0, 3, 4).zero_();
  for (const char* name : {"dshn", "dshn-light"}) {
    for (const char* maps : {"trivial", "diagonal", "general"}) {
      const auto model = create(name, {{"maps", maps}}, input);
      const torch::NoGradGuard no_grad;
      EXPECT_LT(distance(logits_with(*model, input, factors), logits(*model, without)), 1e-10)
          << name << maps;
      EXPECT_GT(distance(logits(*model, input), logits(*model, without)), 1e-6) << name << maps;
    }
  }
}

TEST(Dshn, IsDifferentiableInTheFactorsOfItsMaps) {
  const Input input = input_of(small_hypergraph());
  const at::Tensor ones = torch::ones({input.incidence.incidences()}, torch::kDouble);
  for (const char* name : {"dshn", "dshn-light"}) {
    const auto model = create(name, {}, input);
    const at::Tensor leaf = ones.clone().requires_grad_();
    const at::Tensor gradient = torch::autograd::grad({logits_with(*model, input, leaf)[5][1]}, {leaf})[0];
    for (std::int64_t i = 0; i < ones.size(0); ++i) {
      const torch::NoGradGuard no_grad;
      const auto moved = [&](double by) {
        at::Tensor factors = ones.clone();
        factors[i] += by;
        return logits_with(*model, input, factors)[5][1].item<double>();
      };
      constexpr double kStep = 1e-5;
      EXPECT_NEAR(gradient[i].item<double>(), (moved(kStep) - moved(-kStep)) / (2 * kStep), 1e-7)
          << name << i;
    }
  }
}

TEST(Dshn, RefusesRandomHyperedgeFeaturesOnAnotherHypergraph) {
  const Input input = input_of(small_hypergraph());
  const std::shared_ptr<Model> model = create("dshn", {{"hyperedge_features", "learned"}}, input);
  HypergraphBuilder builder;
  for (int v = 0; v < 7; ++v) builder.incidence(Name::integer(0), Name::integer(v));
  const Input other = input_of(builder.build());

  EXPECT_THROW(logits(*model, other), UsageError);
}

TEST(Options, NamesTheNearestOptionAndTheRange) {
  const ModelEntry& entry = find_model("dshn");
  const auto message = [&](const Assignments& set) {
    try {
      const Options options(entry.options, set);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };

  EXPECT_THAT(message({{"layrs", "2"}}), testing::HasSubstr("did you mean 'layers'?"));
  EXPECT_THAT(message({{"layers", "0"}}), testing::HasSubstr("expected a whole number 1..32"));
  EXPECT_THAT(message({{"q", "lern"}}), testing::HasSubstr("learn-per-layer"));
  EXPECT_THAT(message({{"maps", "diag"}}), testing::HasSubstr("one of trivial, diagonal"));
  EXPECT_THAT(message({{"residual", "yes"}}), testing::HasSubstr("true or false"));
}

TEST(Registry, SuggestsTheNearestModel) {
  try {
    find_model("dhsn");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'dshn'?"));
  }
}

}  // namespace
}  // namespace dshn::models
