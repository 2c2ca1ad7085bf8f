// Writes a random data set as a folder and as a binary file, and opens each in a process of its own: seconds until it is
// open, until it may be used, until all of it was read once, and the peak memory of the process, as ratios too.
// Usage: binary_bench [INCIDENCES] [FOLDER]
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "dshn/data/binary_file.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/data/open.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/io/data_files.hpp"

namespace {

using namespace dshn;
namespace fs = std::filesystem;

constexpr Index kFeatures = 16;
constexpr Index kMembers = 10;

struct Measured {
  double open = 0;    // what is in it is known
  double usable = 0;  // a data set to train on
  double read = 0;    // all of it was looked at once
  double peak = 0;    // MiB
  std::string digest;
};

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// In a process that does nothing else.
void open_and_print(const std::string& path) {
  const Clock clock;
  double opened = 0;
  if (path.ends_with(".dshn")) {
    const data::BinaryFile file(path);
    opened = clock.seconds();
  }
  const data::Dataset dataset = data::open(path);
  const double usable = clock.seconds();
  if (opened == 0) opened = usable;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double peak = static_cast<double>(usage.ru_maxrss) / 1024;
  const data::DataDigests digests = data::digests_of(dataset);
  fmt::print("{} {} {} {} {}-{}-{}\n", opened, usable, clock.seconds(), peak, digests.hypergraph,
             digests.features, digests.labels);
}

Measured measure(const fs::path& path) {
  const std::string command =
      fmt::format("'{}' open '{}'", fs::read_symlink("/proc/self/exe").string(), path.string());
  FILE* const output = popen(command.c_str(), "r");
  Measured measured;
  char digest[64] = {};
  const int fields = output == nullptr
                         ? 0
                         : std::fscanf(output, "%lf %lf %lf %lf %63s", &measured.open, &measured.usable,
                                       &measured.read, &measured.peak, digest);
  if (output == nullptr || pclose(output) != 0 || fields != 5) std::exit(1);
  measured.digest = digest;
  return measured;
}

io::Loaded made_data(Offset incidences) {
  RandomOptions options;
  options.hyperedges = static_cast<Index>(incidences / kMembers);
  options.nodes = 2 * options.hyperedges;
  options.size_law = SizeLaw::poisson;
  options.mean_size = kMembers;
  io::Loaded loaded;
  loaded.hypergraph = random_hypergraph(options);
  loaded.arrays[io::kNodeLabels] = io::Array::of(random_labels(options.nodes, 5, 1), {options.nodes});
  loaded.arrays[io::kNodeFeatures] =
      io::Array::of(random_features(options.nodes, kFeatures, 1), {options.nodes, kFeatures});
  return loaded;
}

std::string row(const char* what, const Measured& m) {
  return fmt::format("{:<12} {:12.6f} {:12.6f} {:12.6f} {:12.0f}\n", what, m.open, m.usable, m.read, m.peak);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "open") {
    open_and_print(argv[2]);
    return 0;
  }
  const Offset incidences = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const fs::path folder = argc > 2 ? fs::path(argv[2]) : fs::temp_directory_path();
  const fs::path text = folder / "dshn-binary-bench";
  const fs::path binary = folder / "dshn-binary-bench.dshn";
  {
    const io::Loaded loaded = made_data(incidences);
    fmt::print("{} nodes, {} hyperedges, {} incidences, {} features of each node\n",
               loaded.hypergraph.node_count(), loaded.hypergraph.edge_count(),
               loaded.hypergraph.incidence_count(), kFeatures);
    data::save_arrays(loaded, text);
    data::save_arrays(loaded, binary);
  }
  const Measured of_text = measure(text);
  const Measured of_binary = measure(binary);
  fmt::print("{:<12} {:>12} {:>12} {:>12} {:>12}\n", "", "open, s", "usable, s", "all read, s", "peak, MiB");
  fmt::print("{}{}", row("folder", of_text), row("binary", of_binary));
  fmt::print("{:<12} {:>12.0f} {:>12.1f} {:>12.1f} {:>12.2f}\n", "ratio", of_text.open / of_binary.open,
             of_text.usable / of_binary.usable, of_text.read / of_binary.read, of_text.peak / of_binary.peak);
  fs::remove_all(text);
  fs::remove(binary);
  if (of_text.digest == of_binary.digest) return 0;
  fmt::print("the two are NOT the same data set\n");
  return 1;
}
