#include "dshn/train/operation_count.hpp"

#include <ATen/record_function.h>

#include <atomic>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "dshn/ops/incidence.hpp"

namespace dshn::train {
namespace {

using Arguments = c10::ArrayRef<const c10::IValue>;

double numel(const c10::IValue& value) {
  return static_cast<double>(value.toTensor().numel());
}

double length_of(const c10::IValue& value, std::int64_t dimension) {
  return static_cast<double>(value.toTensor().size(dimension));
}

double incidences_of(const c10::IValue& value) {
  return static_cast<double>(ops::Incidence(value).incidences());
}

/// Numbers in a row of a tensor of rows.
double row_size(const c10::IValue& value) {
  return length_of(value, 0) == 0 ? 0 : numel(value) / length_of(value, 0);
}

/// [.., i, k] times [.., k, j].
double product(const c10::IValue& a, const c10::IValue& b) {
  return 2 * numel(a) * length_of(b, b.toTensor().dim() - 1);
}

/// One pass of B or B*: a map and, where the signal is complex, a phase on every channel of every incidence.
double sheaf_pass(const c10::IValue& x, const c10::IValue& maps, const c10::IValue& incidence) {
  const bool complex = length_of(x, 2) == 2;
  const double channels = length_of(x, 1) * length_of(x, 3);
  const double per_channel = complex ? 8 : 2;
  const double mixing = maps.toTensor().dim() == 3 ? length_of(maps, 2) : 1;  // full maps mix the stalk
  return incidences_of(incidence) * channels * per_channel * mixing;
}

double sheaf_forward(Arguments in) {
  return 2 * sheaf_pass(in[0], in[1], in[4]);
}

double sheaf_backward(Arguments in) {
  const c10::List<bool> needs = in[7].toBoolList();
  double passes = 0;
  for (std::size_t i = 0; i < 2; ++i) passes += needs[i] ? 2 : 0;  // gradients of signal and of maps
  return passes * sheaf_pass(in[1], in[3], in[6]);
}

/// F^T F or F D^-1/2 of every incidence.
double map_product(const c10::IValue& maps) {
  return 2 * numel(maps) * (maps.toTensor().dim() == 3 ? length_of(maps, 2) : 1);
}

double reduction(Arguments in) {
  return incidences_of(in[5]) * row_size(in[0]) * (in[1].isNone() ? 1 : 2);
}

using Count = double (*)(Arguments);

const std::unordered_map<std::string_view, Count>& counts() {
  static const std::unordered_map<std::string_view, Count> all{
      {"aten::mm", [](Arguments in) { return product(in[0], in[1]); }},
      {"aten::bmm", [](Arguments in) { return product(in[0], in[1]); }},
      {"aten::addmm", [](Arguments in) { return product(in[1], in[2]); }},
      {"aten::addmm_", [](Arguments in) { return product(in[1], in[2]); }},
      {"aten::baddbmm", [](Arguments in) { return product(in[1], in[2]); }},
      {"dshn::_sheaf_signless", sheaf_forward},
      {"dshn::_sheaf_signless_gradient", sheaf_backward},
      {"dshn::_degree_blocks", [](Arguments in) { return map_product(in[0]); }},
      {"dshn::_degree_blocks_gradient", [](Arguments in) { return 2 * map_product(in[0]); }},
      {"dshn::_scale_maps", [](Arguments in) { return map_product(in[0]); }},
      {"dshn::_scale_maps_gradient", [](Arguments in) { return 2 * map_product(in[1]); }},
      {"dshn::_stalk_product", [](Arguments in) { return 2 * numel(in[0]) * length_of(in[1], 0); }},
      {"dshn::_stalk_weight_gradient", [](Arguments in) { return 2 * numel(in[0]) * length_of(in[1], 1); }},
      {"dshn::_reduce", reduction},
      {"dshn::_coefficients_gradient",
       [](Arguments in) { return 2 * incidences_of(in[4]) * row_size(in[1]); }},
      {"dshn::_segment_softmax", [](Arguments in) { return (in[1].isNone() ? 5 : 4) * numel(in[0]); }},
  };
  return all;
}

/// Whole numbers: their sums do not depend on the order.
std::atomic<double> g_products{0};
std::atomic<double> g_sweeps{0};

std::unique_ptr<at::ObserverContext> count_call(const at::RecordFunction& call) {
  const std::string_view name = call.name();
  const auto found = counts().find(name);
  if (found == counts().end()) return nullptr;
  (name.starts_with("aten::") ? g_products : g_sweeps).fetch_add(found->second(call.inputs()));
  return nullptr;
}

/// For as long as it lives, every operator that is called is counted.
class Counting {
 public:
  Counting()
      : handle_(at::addGlobalCallback(
            at::RecordFunctionCallback(&count_call).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
    g_products = 0;
    g_sweeps = 0;
  }
  ~Counting() { at::removeCallback(handle_); }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 private:
  at::CallbackHandle handle_;
};

}  // namespace

Operations count_operations(const std::function<void()>& work) {
  const Counting counting;
  work();
  return {g_products, g_sweeps};
}

}  // namespace dshn::train
