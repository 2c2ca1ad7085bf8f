// How often the pseudo-inverse of a diagonal D_u takes an entry for zero in training: by the rule for matrices, a
// share of the block's largest entry, and by the rule that is used, each entry by itself.
// Usage: null_entries DATA PRESET...       (a name, folder or file, and presets of DSHN or DSHNLight)
#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include <cstdio>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/train/run.hpp"
#include "ops/block_math.hpp"

namespace dshn::bench {
namespace {

/// Entries of diagonal blocks that go through dshn::inverse_sqrt on this thread while the object lives.
class Counts {
 public:
  Counts()
      : handle_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(&begin).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
    current() = this;
  }
  ~Counts() {
    at::removeCallback(handle_);
    current() = nullptr;
  }
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;

  double entries = 0;
  double zeros = 0;      // exactly: isolated nodes, dropped maps
  double by_share = 0;   // others that the rule for matrices takes for zero
  double by_itself = 0;  // others that the rule for diagonals does

 private:
  static Counts*& current() {
    static thread_local Counts* counts = nullptr;
    return counts;
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    if (std::string(function.name()) != "dshn::inverse_sqrt" || function.inputs().empty()) return nullptr;
    const at::Tensor blocks = function.inputs()[0].toTensor().detach();
    if (blocks.dim() == 2) current()->add(blocks);
    return nullptr;
  }

  void add(const at::Tensor& blocks) {
    const auto count = [](const at::Tensor& which) {
      return static_cast<double>(which.sum().item<std::int64_t>());
    };
    const at::Tensor positive = blocks > 0;
    entries += static_cast<double>(blocks.numel());
    zeros += count(positive.logical_not());
    by_share += count(positive.logical_and(blocks <= ops::kNullShare * blocks.amax({1}, true)));
    by_itself += count(positive.logical_and(blocks <= ops::kNullEntry));
  }

  at::CallbackHandle handle_;
};

void measure(const std::string& data, const std::string& preset) {
  train::Settings settings = train::read_config(preset);
  settings.data = data;
  settings.model = preset.find("light") == std::string::npos ? "dshn" : "dshn-light";
  settings.device = "cpu";
  settings.splits = 2;
  const train::Experiment experiment(settings);
  const Counts counts;
  const train::RunResult result = train::run_in_memory(experiment);
  std::printf(
      "%s %s: %.0f entries, zero %.0f, null by their share %.0f (%.3f %%), by themselves %.0f; test %.2f\n",
      data.c_str(), settings.model.c_str(), counts.entries, counts.zeros, counts.by_share,
      100 * counts.by_share / counts.entries, counts.by_itself, 100 * result.test.mean);
}

}  // namespace
}  // namespace dshn::bench

int main(int argc, char** argv) {
  try {
    for (int i = 2; i < argc; ++i) dshn::bench::measure(argv[1], argv[i]);
  } catch (const dshn::Error& error) {
    std::fprintf(stderr, "null_entries: %s\n", error.what());
    return 1;
  }
  return argc > 2 ? 0 : 2;
}
