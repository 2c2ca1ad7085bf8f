#include "dshn/parts/folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "data/full_dataset.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/parts/cut.hpp"
#include "parts/same_part.hpp"
#include "parts/stored_dataset.hpp"
#include "parts/stored_plan.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::parts {
namespace {

namespace fs = std::filesystem;
using dshn::test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Part> some_parts(std::vector<std::int32_t> part_of_node = {0, 0, 1, 1, 2, 2}) {
  std::vector<Part> parts =
      cut(data::testing::full(data::Task::node_classification, data::TargetKind::classes),
          {3, std::move(part_of_node)});
  for (Part& part : parts) {
    part.dataset.warnings = {"a", ""};
    part.dataset.notes = {"one\ntwo"};
  }
  return parts;
}

void expect_same(const fs::path& folder, const std::vector<Part>& parts, const std::string& about) {
  ASSERT_EQ(count(folder), static_cast<int>(parts.size()));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const StoredPart stored = read(folder, static_cast<int>(p));
    EXPECT_EQ(testing::differences(stored.part, parts[p]), "");
    EXPECT_EQ(stored.about, about);
  }
}

TEST(PartFolder, KeepsEveryFieldForEveryTaskAndTarget) {
  const TemporaryFolder folder;
  for (const auto task : {data::Task::node_classification, data::Task::hyperedge_classification}) {
    for (const auto target :
         {data::TargetKind::classes, data::TargetKind::numbers, data::TargetKind::labels}) {
      const std::vector<Part> parts = cut(data::testing::full(task, target), {3, {0, 2, 1, 1, 2, 0}});
      write(folder / "parts", parts, "{\"seed\": 3}\n\xe2\x82\xac");
      expect_same(folder / "parts", parts, "{\"seed\": 3}\n\xe2\x82\xac");
    }
  }
}

TEST(PartFolder, KeepsWarningsNotesAndEntriesWithoutValues) {
  std::vector<Part> parts = some_parts();
  parts[0].dataset.node_feature_names = {"x", "y", "z"};
  parts[0].dataset.node_features = {2, 3, data::Features::Entries{{0, 2, 3}, {0, 2, 1}, {}}};
  const TemporaryFolder folder;
  write(folder / "parts", parts, "");
  expect_same(folder / "parts", parts, "");
}

TEST(PartFolder, KeepsPartsWithoutAnything) {
  const TemporaryFolder folder;
  const std::vector<Part> parts = cut({}, {2, {}});
  write(folder / "parts", parts, "");
  expect_same(folder / "parts", parts, "");
}

TEST(PartFolder, IsReplacedByOtherParts) {
  const TemporaryFolder folder;
  write(folder / "parts", some_parts(), "first");
  const std::vector<Part> fewer = cut({}, {1, {}});
  write(folder / "parts", fewer, "second");
  expect_same(folder / "parts", fewer, "second");
  EXPECT_FALSE(fs::exists(folder / "parts/part-02"));
  fs::create_directory(folder / "empty");
  write(folder / "empty", fewer, "");
  expect_same(folder / "empty", fewer, "");
}

TEST(PartFolder, IsNeverWrittenOverAnythingElse) {
  const TemporaryFolder folder;
  write(folder / "parts", some_parts(), "");
  const auto refused = [&](const std::string& name) {
    return message_of<UsageError>([&] { write(folder / name, some_parts(), "other"); });
  };
  io::write_file(folder / "file", "x");
  EXPECT_THAT(refused("file"), HasSubstr("is a file"));
  io::write_file(folder / "parts/part-01/mine.txt", "x");
  EXPECT_THAT(refused("parts"), AllOf(HasSubstr("parts"), HasSubstr("never replaced")));
  EXPECT_EQ(read(folder / "parts", 0).about, "");
  fs::create_directories(folder / "foreign/part-00");
  io::write_file(folder / "foreign/parts.json", "{\"format\": \"of somebody else\"}");
  EXPECT_THAT(refused("foreign"), HasSubstr("never replaced"));
  EXPECT_EQ(io::read_file(folder / "file"), "x");
}

TEST(PartFolder, IsThereWholeOrNotAtAllWhereWritingFails) {
  const TemporaryFolder folder;
  write(folder / "parts", some_parts(), "former");
  const std::vector<Part> others =
      cut(data::testing::full(data::Task::node_classification, data::TargetKind::classes),
          {1, std::vector<std::int32_t>(6, 0)});
  for (std::int64_t call = 1;; ++call) {
    io::plan_fault(io::Fault::fail, call, EIO);
    try {
      write(folder / "parts", others, "new");
    } catch (const Failure&) {
    }
    const bool happened = io::fault_record().happened;
    io::plan_fault(io::Fault::none, 0, 0);
    const bool is_new = read(folder / "parts", 0).about == "new";
    expect_same(folder / "parts", is_new ? others : some_parts(), is_new ? "new" : "former");
    if (!happened) break;
    ASSERT_LT(call, 1000);
  }
  EXPECT_EQ(read(folder / "parts", 0).about, "new");
}

TEST(PartFolder, RefusesPartsThatAreNotAWhole) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<Part>& parts) {
    return message_of<UsageError>([&] { write(folder / "parts", parts, ""); });
  };
  std::vector<Part> parts = some_parts();
  std::swap(parts[0], parts[1]);
  EXPECT_THAT(refused(parts), HasSubstr("part 1 of 3 stands at place 0"));
  parts.pop_back();
  EXPECT_THAT(refused(parts), HasSubstr("all parts of one whole"));
  EXPECT_THAT(refused({}), HasSubstr("no parts"));
  parts = some_parts();
  parts[1].dataset.hypergraph = parts[0].dataset.hypergraph;
  parts[1].plan.nodes.push_back(5);
  EXPECT_THAT(refused(parts), HasSubstr("part 1: the plan and the hypergraph"));
  EXPECT_THAT(message_of<UsageError>([&] { write(folder / "parts", some_parts(), "\xff"); }),
              HasSubstr("UTF-8"));
  EXPECT_FALSE(fs::exists(folder / "parts"));
}

/// A folder of parts to be damaged.
class DamagedPartFolder : public ::testing::Test {
 protected:
  DamagedPartFolder() { write(parts(), some_parts(), "about"); }

  fs::path parts() const { return folder_ / "parts"; }
  std::string fault(int part) const {
    return message_of<InvalidInput>([&] { read(parts(), part); });
  }

  TemporaryFolder folder_;
};

TEST_F(DamagedPartFolder, HasNoPartOutOfRange) {
  for (const int part : {-1, 3}) {
    EXPECT_THAT(message_of<UsageError>([&] { read(parts(), part); }),
                AllOf(HasSubstr(parts().string()), HasSubstr("expected 0 to 2")));
  }
}

TEST_F(DamagedPartFolder, NamesAPartOfAnotherDivision) {
  write(folder_ / "other", some_parts({0, 1, 1, 1, 2, 2}), "about");
  for (const char* file : {"plan.dshn", "dataset.dshn"}) {
    const fs::path place = fs::path("part-01") / file;
    const std::string mine = io::read_file(parts() / place);
    io::write_file(parts() / place, io::read_file(folder_ / "other" / place));
    EXPECT_THAT(fault(1), AllOf(HasSubstr((parts() / place).string()), HasSubstr("belongs to other parts")));
    EXPECT_EQ(read(parts(), 0).about, "about");
    io::write_file(parts() / place, mine);
  }
  EXPECT_EQ(read(parts(), 1).about, "about");
}

TEST_F(DamagedPartFolder, NamesAFileThatIsMissing) {
  EXPECT_THAT(message_of<InvalidInput>([&] { count(folder_ / "nowhere"); }),
              AllOf(HasSubstr("nowhere/parts.json"), HasSubstr("no such file")));
  for (const char* file : {"part-02/dataset.dshn", "part-02/plan.dshn", "parts.json"}) {
    io::remove_tree(parts() / file);
    EXPECT_THAT(fault(2), AllOf(HasSubstr(file), HasSubstr("no such file")));
  }
}

TEST_F(DamagedPartFolder, NamesAnotherFormatOrVersion) {
  const std::string header = io::read_file(parts() / "parts.json");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = header;
    text.replace(text.find(from), from.size(), to);
    io::write_file(parts() / "parts.json", text);
    return fault(0);
  };
  EXPECT_THAT(with("dshn-parts", "dshn-party"), HasSubstr("the format is not 'dshn-parts'"));
  EXPECT_THAT(with("\"version\": 1", "\"version\": 2"), HasSubstr("version 2, expected 1"));
  EXPECT_THAT(with("\"parts\": 3", "\"parts\": 4"), HasSubstr("digests of 3 parts, expected 4"));
  EXPECT_THAT(with("\"nodes\": 6", "\"nodes\": 7"), HasSubstr("expected 7"));
  EXPECT_THAT(with("\"about\"", "\"abort\""), HasSubstr("about"));
  EXPECT_THAT(with("{", "["), HasSubstr("not JSON"));
}

TEST_F(DamagedPartFolder, IsReadAsItWasOrRefusedWhateverBitChanges) {
  const std::vector<Part> whole = some_parts();
  Random random(11);
  int refused = 0;
  for (const char* file : {"parts.json", "part-01/plan.dshn", "part-01/dataset.dshn"}) {
    const std::string good = io::read_file(parts() / file);
    for (int change = 0; change < 300; ++change) {
      std::string bad = good;
      const std::size_t at = random.below(bad.size());
      bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
      std::ofstream(parts() / file, std::ios::binary) << bad;
      try {
        const StoredPart stored = read(parts(), 1);
        EXPECT_EQ(testing::differences(stored.part, whole[1]), "") << file << " byte " << at;
      } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr(parts().string()), Not(HasSubstr("\n"))));
        ++refused;
      }
    }
    std::ofstream(parts() / file, std::ios::binary) << good;
  }
  EXPECT_GT(refused, 500);
}

TEST_F(DamagedPartFolder, IsRefusedWhereverAFileEnds) {
  Random random(12);
  for (const char* file : {"parts.json", "part-01/plan.dshn", "part-01/dataset.dshn"}) {
    const std::string good = io::read_file(parts() / file);
    for (int change = 0; change < 100; ++change) {
      // The last byte of the header ends its line.
      std::ofstream(parts() / file, std::ios::binary) << good.substr(0, random.below(good.size() - 1));
      EXPECT_THAT(fault(1), HasSubstr(file));
    }
    std::ofstream(parts() / file, std::ios::binary) << good;
  }
}

/// What a reader says that is not held up by digests.
std::string fault_of_plan(const io::Arrays& arrays) {
  return message_of<InvalidInput>([&] {
    io::StoredArrays stored(io::views_of(arrays), "p");
    plan_from(stored);
  });
}

std::string fault_of_dataset(const io::Arrays& arrays, const Plan& plan) {
  return message_of<InvalidInput>([&] {
    io::StoredArrays stored(io::views_of(arrays), "d");
    dataset_from(stored, plan);
  });
}

/// The same with each number of each array changed to others, one at a time, and each array left out.
template <typename Read>
void expect_no_crash(const io::Arrays& arrays, const Read& read_again) {
  for (const auto& [name, array] : arrays) {
    io::Arrays changed = arrays;
    changed.erase(name);
    read_again(changed);
    const std::size_t width = io::item_size(array.dtype);
    for (std::size_t at = 0; at < array.bytes.size(); at += width) {
      for (const int byte : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        changed = arrays;
        std::fill_n(changed.at(name).bytes.begin() + static_cast<std::ptrdiff_t>(at), width,
                    static_cast<std::byte>(byte));
        read_again(changed);
      }
    }
    changed = arrays;
    changed.at(name).bytes.resize(array.bytes.size() + width);
    changed.at(name).shape = {array.shape[0] + 1};
    read_again(changed);
  }
}

TEST(StoredPlan, IsRefusedOrSoundWhateverItsNumbers) {
  for (const Part& part : some_parts()) {
    expect_no_crash(io::copies_of(to_arrays(part.plan)), [](const io::Arrays& arrays) {
      EXPECT_THAT(fault_of_plan(arrays), Not(HasSubstr("(another type)")));
    });
  }
}

TEST(StoredDataset, IsRefusedOrSoundWhateverItsNumbers) {
  for (const Part& part : some_parts()) {
    expect_no_crash(io::copies_of(data::to_arrays(part.dataset)), [&](const io::Arrays& arrays) {
      EXPECT_THAT(fault_of_dataset(arrays, part.plan), Not(HasSubstr("(another type)")));
    });
  }
}

TEST(StoredPlan, SaysWhichArrayIsWrong) {
  const Part part = some_parts()[1];
  const auto with = [&](const char* name, auto values) {
    io::ArrayViews arrays = to_arrays(part.plan);
    io::put_kept(arrays, name, std::move(values));
    return fault_of_plan(io::copies_of(arrays));
  };
  EXPECT_EQ(with("nodes", std::vector<Index>{2, 9}), "p: the array 'nodes' has 9 at 1, expected 0 to 5");
  EXPECT_EQ(with("nodes", std::vector<Index>{3, 2}), "p: the array 'nodes' does not ascend");
  EXPECT_THAT(with("loops", std::vector<Index>{0}), HasSubstr("'loops' has 1 entries, expected 2"));
  EXPECT_THAT(with("sizes", std::vector<Index>{0}),
              HasSubstr("'sizes' is int32 of shape (1,), expected int64"));
  EXPECT_THAT(with("more", std::vector<Index>{0}), HasSubstr("'more' is not expected"));
}

TEST(StoredDataset, SaysWhichArrayIsWrong) {
  const Part part = some_parts()[1];
  const auto with = [&](const char* name, auto values) {
    io::ArrayViews arrays = data::to_arrays(part.dataset);
    io::put_kept(arrays, name, std::move(values));
    return fault_of_dataset(io::copies_of(arrays), part.plan);
  };
  EXPECT_THAT(with("labels", std::vector<Index>{0, 2}), HasSubstr("'labels' has classes out of range"));
  EXPECT_THAT(with("task", std::vector<std::int64_t>{2}), HasSubstr("'task' is 2, expected 0 to 1"));
  EXPECT_THAT(with("splits", std::vector<Index>{0, 1, 7}), HasSubstr("'splits' has items out of range"));
  EXPECT_THAT(with("x", std::vector<float>{0}), HasSubstr("'x' has 1 entries, expected 4"));
}

}  // namespace
}  // namespace dshn::parts
