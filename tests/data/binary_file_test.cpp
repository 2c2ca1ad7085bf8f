#include "dshn/data/binary_file.hpp"

#include <gmock/gmock.h>

#include "data/full_dataset.hpp"
#include "data/same_dataset.hpp"
#include "data/support.hpp"
#include "dshn/base/random.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/open.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/io/data_files.hpp"
#include "support/mapped_memory.hpp"

namespace dshn::data {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using ::testing::Not;
using testing::read_text;
using testing::write_text;

/// As the commands convert.
void convert(const fs::path& in, const fs::path& out, const OpenOptions& options = {}) {
  EXPECT_THAT(save_arrays(open_arrays(in.string(), options, out.extension() == ".dshn").loaded, out),
              IsEmpty());
}

/// But for where it was read from.
std::string differences_of_content(Dataset a, Dataset b) {
  for (Dataset* const dataset : {&a, &b}) {
    dataset->origin.clear();
    dataset->format.clear();
    dataset->notes.clear();  // they name files, with their folders
    dataset->splits_from.clear();
  }
  return testing::differences(a, b);
}

class BinaryFiles : public ::testing::Test {
 protected:
  /// A folder with tables: words, numbers, gaps, parts and times.
  fs::path tables() const {
    write_text(folder_ / "set/hypergraph.csv",
               "hyperedge,node,role,incidence_weight\nr,a,tail,1\nr,b,head,2.5\nr,c,head,1\ns,b,tail,1\ns,d,"
               "tail,1\n");
    write_text(folder_ / "set/nodes.csv",
               "node,town,age,label,split,year\na,Oslo,3,no,train,2001\nb,Rome,,yes,val,2002\nc,Oslo,5.5,no,"
               "test,2003\nd,Rome,1e-3,yes,train,2001\n");
    write_text(folder_ / "set/hyperedges.csv", "hyperedge,weight,kind,year\nr,2,new,2001\ns,1,old,2002\n");
    return folder_ / "set";
  }
  fs::path file() const { return folder_ / "set.dshn"; }
  void write(const Dataset& dataset) const {
    io::write_array_file(file(), io::kDatasetKind, to_arrays(dataset));
  }

  TemporaryFolder folder_;
};

TEST_F(BinaryFiles, KeepEveryFieldForEveryTaskAndTarget) {
  for (const auto task : {Task::node_classification, Task::hyperedge_classification}) {
    for (const auto target : {TargetKind::classes, TargetKind::numbers, TargetKind::labels}) {
      Dataset dataset = testing::full(task, target);
      write(dataset);
      dataset.name = "set";
      dataset.origin = file().string();
      dataset.format = "binary data set";
      EXPECT_EQ(testing::differences(BinaryFile(file()).dataset(), dataset), "");
    }
  }
}

TEST_F(BinaryFiles, AreTheDataSetThatTheTablesWere) {
  OpenOptions options;
  options.time_column = "year";
  convert(tables(), file(), options);

  const Dataset from_tables = open(tables().string(), options);
  const Dataset from_file = open(file().string());

  EXPECT_EQ(differences_of_content(from_file, from_tables), "");
  EXPECT_EQ(from_file.splits_from, from_tables.splits_from);
  EXPECT_EQ(from_file.notes, from_tables.notes);
  EXPECT_EQ(from_file.format, "binary data set");
  EXPECT_EQ(from_file.times.size(), 4U);
  EXPECT_EQ(digests_of(from_file), digests_of(from_tables));
}

TEST_F(BinaryFiles, BecomeTheSameFolderAgain) {
  convert(tables(), folder_ / "direct");
  convert(tables(), file());
  convert(file(), folder_ / "again");
  for (const char* name : {"nodes.npz", "hypergraph.hif.json.gz"})
    EXPECT_EQ(read_text(folder_ / "again" / name), read_text(folder_ / "direct" / name)) << name;
  convert(folder_ / "again", folder_ / "second.dshn");
  convert(folder_ / "second.dshn", folder_ / "third.dshn");
  EXPECT_EQ(read_text(folder_ / "third.dshn"), read_text(folder_ / "second.dshn"));
}

TEST_F(BinaryFiles, KeepArraysOfOtherTypesAndNames) {
  convert(tables(), folder_ / "folder");
  io::Loaded loaded = io::load(folder_ / "folder");
  loaded.arrays[io::kNodeFeatures] = io::Array::of(std::vector<double>{0.1, 1e-9, 3, 4}, {4});
  loaded.arrays.erase(io::kNodeFeatureNames);
  loaded.arrays["of_others"] = io::Array::of(std::vector<std::complex<double>>{{0, 1}}, {1});
  EXPECT_THAT(save_arrays(loaded, file()), IsEmpty());

  EXPECT_EQ(io::load(file()).arrays, loaded.arrays);
  const Dataset dataset = open(file().string());
  EXPECT_EQ(dataset.node_features.values()[1], 1e-9F);
  EXPECT_THAT(dataset.warnings, ::testing::Contains(HasSubstr("of_others is not understood")));
}

TEST_F(BinaryFiles, AreUsedWhereTheyLieAndStayAsLongAsTheDataSet) {
  write(testing::full(Task::node_classification, TargetKind::classes));
  Hypergraph hypergraph;
  Features sparse;
  {
    const Dataset dataset = BinaryFile(file()).dataset();
    const auto mapped = [&](auto values) {
      return test::is_mapped(values.data(), values.size_bytes(), file());
    };
    const Hypergraph& h = dataset.hypergraph;
    EXPECT_TRUE(mapped(h.member_nodes()) && mapped(h.edge_ptr()) && mapped(h.head_begin()));
    EXPECT_TRUE(mapped(h.node_ptr()) && mapped(h.node_edges()) && mapped(h.node_incidences()));
    EXPECT_TRUE(mapped(h.edge_weights()) && mapped(h.incidence_weights()));
    EXPECT_TRUE(test::is_mapped(h.node_names().text(0).data(), 1, file()));
    EXPECT_TRUE(mapped(dataset.node_features.values()));
    EXPECT_TRUE(mapped(dataset.edge_features.columns()) && mapped(dataset.edge_features.row_ptr()));
    hypergraph = h;
    sparse = dataset.edge_features;
  }
  EXPECT_EQ(hypergraph, testing::named_hypergraph());
  hypergraph = {};
  EXPECT_EQ(sparse.columns()[1], 8);
  EXPECT_TRUE(test::is_mapped_anywhere(file()));
  sparse = {};
  EXPECT_FALSE(test::is_mapped_anywhere(file()));
}

TEST_F(BinaryFiles, NamesKeepTheFileToo) {
  write(testing::full(Task::node_classification, TargetKind::classes));
  const Names names = BinaryFile(file()).dataset().hypergraph.node_names();
  EXPECT_EQ(names.quoted(3), "'\xc3\xa9 \"''");
  EXPECT_TRUE(test::is_mapped_anywhere(file()));
}

TEST_F(BinaryFiles, AreOpenedByTheHeaderAlone) {
  write(testing::full(Task::node_classification, TargetKind::classes));
  std::string bytes = read_text(file());
  const io::ArrayFile known(file(), io::kDatasetKind);
  const auto& members = known.arrays().at("members").bytes;
  const std::size_t at =
      bytes.find(std::string(reinterpret_cast<const char*>(members.data()), members.size()));
  bytes[at + 3] = '\x7f';
  write_text(folder_ / "bad.dshn", bytes);

  const BinaryFile file(folder_ / "bad.dshn");

  EXPECT_EQ(file.incidence_count(), 7);
  const std::string place = "bad.dshn, byte " + std::to_string(at) + ": the array 'members' is not";
  EXPECT_THAT(message_of<InvalidInput>([&] { file.dataset(); }), HasSubstr(place));
  EXPECT_THAT(message_of<InvalidInput>([&] { file.verify(); }), HasSubstr(place));
  EXPECT_THAT(message_of<InvalidInput>([&] { file.dataset(0); }),
              AllOf(HasSubstr("bad.dshn"), HasSubstr("is out of range; expected 0..5")));
}

/// What large arrays may have in them, whose digests nobody looks at: refused, or all can be computed.
TEST_F(BinaryFiles, AreRefusedOrSoundWhateverBitChangesWithoutDigests) {
  const Dataset whole = testing::full(Task::hyperedge_classification, TargetKind::labels);
  io::Arrays arrays = io::copies_of(to_arrays(whole));
  int refused = 0;
  for (auto& [name, array] : arrays) {
    for (std::size_t bit = 0; bit < 8 * array.bytes.size(); ++bit) {
      const std::byte before = array.bytes[bit / 8];
      array.bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      io::StoredArrays stored(io::views_of(arrays), "here");
      try {
        const Dataset dataset = dataset_from(stored);
        static_cast<void>(digests_of(dataset));
        static_cast<void>(measure(dataset));
        // More columns than any number has may be there; all of them at once need more memory than this test.
        for (const Features& features : {dataset.node_features, dataset.edge_features})
          if (features.cols() < 1000) static_cast<void>(features.dense_values());
      } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("here: "), Not(HasSubstr("\n"))));
        ++refused;
      }
      array.bytes[bit / 8] = before;
    }
  }
  EXPECT_GT(refused, 3000);
}

TEST_F(BinaryFiles, AreAsTheyWereOrRefusedWhateverBitChanges) {
  const Dataset whole = testing::full(Task::node_classification, TargetKind::numbers);
  write(whole);
  const std::string good = read_text(file());
  const Dataset before = open(file().string());
  Random random(7);
  int refused = 0;
  for (int change = 0; change < 600; ++change) {
    std::string bad = good;
    const std::size_t at = random.below(bad.size());
    bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
    write_text(folder_ / "bad.dshn", bad);
    try {
      EXPECT_EQ(digests_of(open((folder_ / "bad.dshn").string())), digests_of(before)) << at;
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("bad.dshn"), Not(HasSubstr("\n"))));
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

TEST_F(BinaryFiles, AreReadInAnotherWayWhereThatIsAsked) {
  OpenOptions options;
  options.time_column = "year";
  convert(tables(), file(), options);
  write_text(folder_ / "more.csv", "node,label\na,x\nb,y\nc,x\nd,x\n");

  const Dataset other = open(file().string(), open_options({{"labels", (folder_ / "more.csv").string()}}));
  EXPECT_EQ(other.code.class_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(other.code.node_columns, open(file().string()).code.node_columns);
  EXPECT_EQ(other.times, open(file().string()).times);

  const Dataset unweighed = open(file().string(), open_options({{"incidence_weights", "ignore"}}));
  EXPECT_FALSE(unweighed.hypergraph.has_incidence_weights());
  EXPECT_EQ(unweighed.labels, open(file().string()).labels);
}

TEST_F(BinaryFiles, AreReadAsAModelWasTrained) {
  convert(tables(), file());
  const Dataset trained = open(file().string());
  OpenOptions options;
  options.like = trained.code;
  EXPECT_EQ(open(file().string(), options).labels, trained.labels);

  std::swap(options.like->class_names[0], options.like->class_names[1]);
  EXPECT_EQ(open(file().string(), options).labels[0], 1 - trained.labels[0]);

  options.like->node_columns[0].words = {"Paris"};
  EXPECT_THAT(message_of<InvalidInput>([&] { open(file().string(), options); }),
              HasSubstr("features of nodes were made of columns of a table in another way"));
  options.like->target = TargetKind::numbers;
  options.like->node_columns.clear();
  EXPECT_THAT(message_of<InvalidInput>([&] { open(file().string(), options); }),
              HasSubstr("the model was trained on numbers"));
}

TEST_F(BinaryFiles, HoldAHypergraphAlone) {
  io::save({.hypergraph = testing::named_hypergraph()}, file());  // without what is ready for use
  EXPECT_FALSE(BinaryFile(file()).holds_dataset());
  EXPECT_EQ(open(file().string()).hypergraph, testing::named_hypergraph());
  EXPECT_THAT(message_of<InvalidInput>([&] { BinaryFile(file()).dataset(); }),
              HasSubstr("none that is ready"));
  BinaryFile(file()).verify();

  EXPECT_THAT(save_arrays({.hypergraph = testing::named_hypergraph()}, file()), IsEmpty());
  EXPECT_TRUE(BinaryFile(file()).holds_dataset());
}

TEST_F(BinaryFiles, OfOtherKindsAreRefused) {
  io::write_array_file(file(), "plan of a part", {});
  const auto fault = message_of<InvalidInput>([&] { open(file().string()); });
  EXPECT_THAT(fault, HasSubstr("byte 64: holds a plan of a part; expected a data set"));
  io::write_array_file(file(), io::kDatasetKind, {});
  EXPECT_THAT(message_of<InvalidInput>([&] { BinaryFile{file()}; }), HasSubstr("'node_begin' is missing"));
}

TEST_F(BinaryFiles, AreFoundByName) {
  write(testing::full(Task::node_classification, TargetKind::classes));
  EXPECT_EQ(open(file().string()).name, "set");
  EXPECT_EQ(open(file().string()).origin, file().string());
}

}  // namespace
}  // namespace dshn::data
