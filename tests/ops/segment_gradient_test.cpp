// Gradients of the segment operators, and what holds for any number of threads and for float32.
#include "dshn/ops/segment.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

/// An operator with the inputs it is differentiated in.
struct Differentiable {
  std::string name;  // as its message about second derivatives begins
  Function function;
  std::vector<at::Tensor> inputs;
};

/// Every operator over one view of a hypergraph, on random inputs with four columns.
std::vector<Differentiable> operators(const Incidence& in, Over over, Random& random) {
  const std::int64_t rows = over == Over::edges ? in.edges() : in.nodes();
  const std::int64_t others = over == Over::edges ? in.nodes() : in.edges();
  const at::Tensor x = random_tensor(random, {others, 4});
  const at::Tensor values = random_tensor(random, {in.incidences(), 4});
  const at::Tensor coefficients = random_tensor(random, {in.incidences(), 2});
  const at::Tensor single = random_tensor(random, {in.incidences()});
  using Inputs = const std::vector<at::Tensor>&;
  return {
      {"gather_sum", [=](Inputs t) { return gather_sum(t[0], over, in); }, {x}},
      {"gather_mean", [=](Inputs t) { return gather_mean(t[0], over, in); }, {x}},
      {"gather_max", [=](Inputs t) { return gather_max(t[0], over, in); }, {x}},
      {"gather_sum", [=](Inputs t) { return gather_sum(t[0], t[1], over, in); }, {x, coefficients}},
      {"gather_sum", [=](Inputs t) { return gather_sum(t[0], t[1], over, in); }, {x, single}},
      {"segment_sum", [=](Inputs t) { return segment_sum(t[0], over, in); }, {values}},
      {"segment_mean", [=](Inputs t) { return segment_mean(t[0], over, in); }, {values}},
      {"segment_max", [=](Inputs t) { return segment_max(t[0], over, in); }, {values}},
      {"segment_softmax", [=](Inputs t) { return segment_softmax(t[0], over, in); }, {values}},
      {"expand", [=](Inputs t) { return expand(t[0], over, in); }, {random_tensor(random, {rows, 4})}},
      {"member_linear",
       [=](Inputs t) { return member_linear(t[0], t[1], over == Over::edges ? Pool::mean : Pool::sum, in); },
       {random_tensor(random, {in.nodes(), 4}), random_tensor(random, {in.nodes(), 4})}},
      {"incidence_linear",
       [=](Inputs t) { return incidence_linear(t[0], t[1], in); },
       {random_tensor(random, {in.nodes(), 4}), random_tensor(random, {in.edges(), 4})}},
  };
}

TEST(SegmentOperators, GradientsOfEveryInput) {
  Random random(61);
  for (int repetition = 0; repetition < 6; ++repetition) {
    const Incidence incidence(random_small(random, false));
    for (const Over over : {Over::edges, Over::nodes}) {
      for (const Differentiable& op : operators(incidence, over, random)) {
        SCOPED_TRACE(op.name);
        expect_gradients(op.function, op.inputs);
      }
    }
  }
}

TEST(SegmentOperators, OneGradientAloneIsTheSame) {
  Random random(62);
  const Incidence in(random_small(random, false));
  const at::Tensor nodes = random_tensor(random, {in.nodes(), 4});
  const at::Tensor edges = random_tensor(random, {in.edges(), 4});
  const auto both = with_gradients(
      [&](const std::vector<at::Tensor>& t) { return incidence_linear(t[0], t[1], in); }, {nodes, edges});
  const auto only_edges = with_gradients(
      [&](const std::vector<at::Tensor>& t) { return incidence_linear(nodes, t[0], in); }, {edges});
  EXPECT_TRUE(at::equal(both[2], only_edges[1]));
  const at::Tensor a = random_tensor(random, {in.incidences(), 2});
  const auto pair = with_gradients(
      [&](const std::vector<at::Tensor>& t) { return gather_sum(t[0], t[1], Over::edges, in); }, {nodes, a});
  const auto only_coefficients = with_gradients(
      [&](const std::vector<at::Tensor>& t) { return gather_sum(nodes, t[0], Over::edges, in); }, {a});
  EXPECT_TRUE(at::equal(pair[2], only_coefficients[1]));
}

TEST(SegmentOperators, SameBitsForAnyNumberOfThreads) {
  Random random(63);
  const Incidence incidence(random_large(random));
  for (const Over over : {Over::edges, Over::nodes}) {
    for (const Differentiable& op : operators(incidence, over, random)) {
      SCOPED_TRACE(op.name);
      expect_same_bits_for_any_threads(op.function, op.inputs);
    }
  }
}

TEST(SegmentOperators, FloatIsNearDouble) {
  Random random(64);
  const Incidence incidence(random_small(random, false));
  for (const Over over : {Over::edges, Over::nodes}) {
    for (const Differentiable& op : operators(incidence, over, random)) {
      SCOPED_TRACE(op.name);
      expect_float_near_double(op.function, op.inputs);
    }
  }
}

TEST(SegmentOperators, RefuseSecondDerivatives) {
  Random random(65);
  const Incidence incidence(random_small(random, false));
  for (const Differentiable& op : operators(incidence, Over::edges, random)) {
    SCOPED_TRACE(op.name);
    expect_double_backward_refused(op.function, op.inputs, op.name);
  }
}

}  // namespace
}  // namespace dshn::ops::test
