// One process that trains, searches and opens data sets for a long time: memory and open files must not grow.
// Usage: soak [EPOCHS TRIALS OPENS]; prints what they are at ten moments of each part. Status 1 where they grow.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "dshn/data/open.hpp"
#include "dshn/io/load.hpp"
#include "dshn/ops/keep_freed_memory.hpp"
#include "dshn/train/run.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"
#include "support/temporary_folder.hpp"

namespace dshn {
namespace {

constexpr int kMoments = 10;
/// A leak of 1 kB an epoch, trial or data set would be more than this in a long run.
constexpr double kSlackMib = 8;

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * 4096 / (1 << 20);
}

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// Looks ten times at what a part of the work holds. What it holds by the second look is what it needs.
class Watch {
 public:
  Watch(const char* what, int count) : what_(what), every_(std::max(1, count / kMoments)) {}

  /// After each of the things that are counted.
  void done_one() {
    if (++done_ % every_ != 0) return;
    memory_.push_back(resident_mib());
    files_.push_back(open_files());
    fmt::print("{} {}: resident {:.1f} MiB, {} open files\n", done_, what_, memory_.back(), files_.back());
    std::fflush(stdout);
  }
  bool is_flat() const {
    const bool flat =
        memory_.size() >= 2 && memory_.back() <= memory_[1] + kSlackMib && files_.back() <= files_[1];
    fmt::print("{}: {}\n", what_, flat ? "flat" : "GROWS");
    return flat;
  }

 private:
  const char* what_;
  int every_;
  int done_ = 0;
  std::vector<double> memory_;
  std::vector<std::ptrdiff_t> files_;
};

train::Settings small_settings() {
  train::Settings settings;
  settings.data = "synthetic-generated-io10";
  settings.model = "hgnn";
  settings.splits = 1;
  settings.set = {{"hidden_width", "4"}, {"patience", "1000000"}};
  return settings;
}

bool trains(const TemporaryFolder& folder, int epochs) {
  train::Settings settings = small_settings();
  settings.set["epochs"] = std::to_string(epochs);
  Watch watch("epochs", epochs);
  train::SplitHooks hooks;
  hooks.on_epoch = [&](const train::EpochRecord&) { watch.done_one(); };
  train::run(train::Experiment(settings), folder / "run", hooks);
  return watch.is_flat();
}

bool searches(const TemporaryFolder& folder, int trials) {
  tune::StudyRequest request;
  request.settings = small_settings();
  request.settings.set = {{"epochs", "1"}};
  request.space = tune::search_space("hgnn", request.settings.set);
  request.sampler = "random";
  const std::filesystem::path study = folder / "study";
  std::filesystem::create_directories(study);
  tune::Store::create(tune::database_file(study), request.to_text(), 1);
  Watch watch("trials", trials);
  for (int goal = 1; goal <= trials; ++goal) {
    tune::Store(tune::database_file(study)).set_goal(goal);
    tune::work(study, {});
    watch.done_one();
  }
  return watch.is_flat();
}

bool opens(const TemporaryFolder& folder, int count) {
  const std::string set = (folder / "set").string();
  io::save({data::open("synthetic-generated-io10").hypergraph}, set);
  Watch watch("opens", count);
  for (int i = 0; i < count; ++i) {
    (void)data::open(set);
    watch.done_one();
  }
  return watch.is_flat();
}

}  // namespace
}  // namespace dshn

int main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  dshn::ops::keep_freed_memory();
  const dshn::TemporaryFolder folder;
  bool flat = dshn::trains(folder, number(1, 20'000));
  flat = dshn::searches(folder, number(2, 2'000)) && flat;
  flat = dshn::opens(folder, number(3, 2'000)) && flat;
  return flat ? 0 : 1;
}
