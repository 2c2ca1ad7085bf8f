// Memory that runs out while a file is read: at every allocation in turn, for this one alone or for all from then on.
// What comes out is std::bad_alloc or an error of ours, or the same as ever; no crash, and nothing is kept.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/data/open.hpp"
#include "dshn/io/item_table.hpp"
#include "dshn/io/json_shape.hpp"
#include "dshn/io/load.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/safetensors.hpp"
#include "io/test_files.hpp"

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> alive{0};
std::atomic<std::int64_t> first_refused{kNever};
std::atomic<std::int64_t> last_refused{kNever};
std::atomic<std::size_t> smallest_refused{0};

void* allocate(std::size_t size, std::size_t alignment) {
  const std::int64_t number = size < smallest_refused ? 0 : ++allocations;
  void* memory = nullptr;
  if (number == 0 || number < first_refused || number > last_refused)
    memory = alignment == 0 ? std::malloc(size)
                            : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  ++alive;
  return memory;
}

void give_back(void* memory) {
  if (memory != nullptr) --alive;
  std::free(memory);
}

}  // namespace

// The other forms of new and delete call these.
void* operator new(std::size_t size) {
  return allocate(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) {
  return allocate(size, 0);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give_back(memory);
}

namespace dshn::io {
namespace {

/// Makes the allocations from `first` to `last` fail while it lives, counted from now on.
class Scarcity {
 public:
  Scarcity(std::int64_t first, std::int64_t last) {
    allocations = 0;
    first_refused = first;
    last_refused = last;
  }
  ~Scarcity() { first_refused = last_refused = kNever; }
  Scarcity(const Scarcity&) = delete;
  Scarcity& operator=(const Scarcity&) = delete;
};

using Read = std::function<void()>;

std::int64_t allocations_of(const Read& read) {
  read();  // what is made once and kept is made now
  const Scarcity none(kNever, kNever);
  read();
  return allocations;
}

/// Whether the memory ran out, as opposed to another way having been found.
bool runs_out(const Read& read) {
  try {
    read();
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const Error&) {
    return true;
  }
}

/// Allocations of fewer bytes than `least` always go well.
void expect_survives(const char* what, const Read& read, std::size_t least = 0) {
  smallest_refused = least;
  const std::int64_t count = allocations_of(read);
  ASSERT_GT(count, 2) << what;
  std::int64_t refusals = 0;
  for (const bool for_good : {false, true}) {
    for (std::int64_t k = 1; k <= count; ++k) {
      const std::int64_t before = alive;
      bool ran_out = false;
      {
        const Scarcity scarcity(k, for_good ? kNever - 1 : k);
        ran_out = runs_out(read);
      }
      refusals += ran_out ? 1 : 0;
      ASSERT_EQ(alive, before) << what << ": allocation " << k << " of " << count
                               << " failed, memory was kept";
    }
  }
  EXPECT_GT(refusals, count) << what;  // nearly all of twice as many
  smallest_refused = 0;
  std::cout << what << ": " << 2 * count << " points, " << refusals << " ended in an error\n";
}

/// The destructor of a document of nlohmann-json allocates room for as many values as an object has members, and ends the
/// process where there is none; what is as large as that is not refused where such a document is read.
constexpr std::size_t kLargerThanDocuments = 300;

const char* const kHif =
    R"({"network-type": "directed", "metadata": {"name": "a"}, "incidences": [{"edge": "e", "node": 1, "direction": "head"}, {"edge": "e", "node": 2, "direction": "tail", "weight": 2.5}, {"edge": 7, "node": 3, "direction": "tail"}], "nodes": [{"node": 1, "attrs": {"x": 1.5, "word": "long enough not to be kept inside of a string"}}]})";

class ScarceMemory : public testing::Test {
 protected:
  std::filesystem::path file(const char* name, std::string_view text) const {
    test::put_file(folder_ / name, text);
    return folder_ / name;
  }
  TemporaryFolder folder_;
};

TEST_F(ScarceMemory, IsSurvivedByReadersOfHypergraphs) {
  const auto hif = file("a.json", kHif);
  const auto csv = file("a.csv", "hyperedge,node,role\n\"a \"\"name\"\" with quotes\",x,head\ne,y,tail\n");
  const auto arcs = file("a.arcs", "1 2\n2 3\n3 1\n");
  const auto reactions = file("a.txt", "a + 2 b -> c\nc -> a + b\n");
  expect_survives("HIF", [&] { (void)load(hif); });
  expect_survives("hyperedge list", [&] { (void)load(csv); });
  expect_survives("arc list", [&] { (void)load(arcs); });
  expect_survives("reactions", [&] { (void)load(reactions); });
  save(load(hif), folder_ / "a.json.gz");
  expect_survives("HIF, compressed", [&] { (void)load(folder_ / "a.json.gz"); });
  save(load(hif), folder_ / "set");
  expect_survives("data set folder", [&] { (void)load(folder_ / "set"); });
  expect_survives("data set", [&] { (void)data::open((folder_ / "set").string()); });
}

TEST_F(ScarceMemory, IsSurvivedByReadersOfArrays) {
  const Arrays arrays{{"x", Array::of(std::vector<double>(40, 1.5), {8, 5})},
                      {"y", Array::of(std::vector<std::int64_t>(60, 7), {60})}};
  write_npz(folder_ / "a.npz", arrays);
  write_npz(folder_ / "stored.npz", arrays, /*deflate=*/false);
  write_safetensors(folder_ / "a.safetensors", {arrays, {{"format", std::string(2000, 'f')}}});
  expect_survives("npz", [&] { (void)read_npz(folder_ / "a.npz"); });
  expect_survives("npz, stored", [&] { (void)read_npz(folder_ / "stored.npz"); });
  expect_survives(
      "safetensors", [&] { (void)read_safetensors(folder_ / "a.safetensors"); }, kLargerThanDocuments);
}

TEST_F(ScarceMemory, IsSurvivedByReadersOfText) {
  const std::string word(2000, 'w');
  const std::string json = nlohmann::json{{"title", word}, {"notes", {word, word}}, {"n", 1.5}}.dump();
  expect_survives(
      "JSON", [&] { (void)parse_json(json, "a file", "a test"); }, kLargerThanDocuments);
  const auto table =
      file("nodes.csv", "node,x,word\na,1.5,\"a \"\"word\"\" of some length\"\nb,,w\n").string();
  const NameIndex names(Names({Name::string("a"), Name::string("b")}), 2);
  expect_survives("table of nodes", [&] { (void)read_item_table(table, {"node", &names}); });
}

}  // namespace
}  // namespace dshn::io
