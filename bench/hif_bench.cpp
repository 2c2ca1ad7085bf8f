// Writes a random directed hypergraph of ten million incidences as HIF and streams it back, plain and gzip,
// beside the rate at which the same file can merely be read. Usage: hif_bench [INCIDENCES] [FOLDER]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dshn/base/random.hpp"
#include "dshn/io/hif.hpp"
#include "io/byte_stream.hpp"
#include "io/json_reader.hpp"

namespace {

using namespace dshn;
namespace fs = std::filesystem;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Hypergraph random_hypergraph(Offset incidences) {
  constexpr Offset kMembers = 10;
  const auto edges = static_cast<Index>(incidences / kMembers);
  const Index nodes = edges;
  Random random(1);
  std::vector<Index> edge(incidences);
  std::vector<Index> node(incidences);
  std::vector<Role> role(incidences);
  for (Offset i = 0; i < incidences; ++i) {
    edge[i] = static_cast<Index>(i / kMembers);
    node[i] = static_cast<Index>(random.below(nodes));
    role[i] = i % kMembers < kMembers / 2 ? Role::tail : Role::head;
  }
  return {nodes, edges + 1, {edge, node, role}, OnConflict::keep_tail};
}

Offset bytes_in(const fs::path& path) {
  const auto reader = io::open_bytes(path);
  std::vector<char> block(1 << 20);
  Offset total = 0;
  while (const std::size_t got = reader->read(block)) total += static_cast<Offset>(got);
  return total;
}

void print(const char* what, double bytes, double time) {
  fmt::print("  {:<42} {:8.3f} s {:9.1f} MB/s\n", what, time, bytes / time / 1e6);
}

bool measure(const Hypergraph& hypergraph, const fs::path& path) {
  const double write_time = seconds([&] { io::write_hif(hypergraph, path); });
  Offset text_bytes = 0;
  const double decode_time = seconds([&] { text_bytes = bytes_in(path); });
  const double skip_time = seconds([&] {
    const auto bytes = io::open_bytes(path);
    io::JsonReader reader(*bytes);
    reader.skip();
    reader.finish();
  });
  const double validate_time = seconds([&] { (void)io::validate_hif(path); });
  io::Loaded loaded;
  const double load_time = seconds([&] { loaded = io::read_hif(path); });

  fmt::print("{}: {} incidences, {:.1f} MB of text, {:.1f} MB on disk\n", path.filename().string(),
             hypergraph.incidence_count(), static_cast<double>(text_bytes) / 1e6,
             static_cast<double>(fs::file_size(path)) / 1e6);
  const auto bytes = static_cast<double>(text_bytes);
  print("write", bytes, write_time);
  print("read and decompress only", bytes, decode_time);
  print("check the JSON", bytes, skip_time);
  print("validate against the schema", bytes, validate_time);
  print("load, with construction", bytes, load_time);
  const bool equal = loaded.hypergraph == hypergraph;
  fmt::print("  what was read {} what was written\n", equal ? "equals" : "DIFFERS FROM");
  return equal;
}

}  // namespace

int main(int argc, char** argv) {
  const Offset incidences = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const fs::path folder = argc > 2 ? fs::path(argv[2]) : fs::temp_directory_path();
  const Hypergraph hypergraph = random_hypergraph(incidences);
  bool good = true;
  for (const char* extension : {".hif.json", ".hif.json.gz"}) {
    const fs::path path = folder / (std::string("dshn_hif_bench") + extension);
    good = measure(hypergraph, path) && good;
    fs::remove(path);
  }
  return good ? 0 : 1;
}
