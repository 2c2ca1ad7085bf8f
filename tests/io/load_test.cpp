#include "dshn/io/load.hpp"

#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/io/npy.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/sparse.hpp"
#include "dshn/io/table.hpp"
#include "io/numpy_files.hpp"
#include "io/test_files.hpp"
#include "support/real_data.hpp"

namespace dshn::io {
namespace {

using test::from_hex;
using test::message_of;
using test::put_file;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kHif = R"({"network-type":"directed","incidences":[
  {"edge":0,"node":0,"direction":"tail"},{"edge":0,"node":1,"direction":"head"}]})";

std::string load_error(const std::filesystem::path& path) {
  return message_of<InvalidInput>([&] { load(path); }).value_or("");
}

TEST(Load, RecognisesContentUnderAnyName) {
  const TemporaryFolder folder;
  const auto format_of = [&](const std::string& content) {
    put_file(folder / "data.bin", content);
    return load(folder / "data.bin").format;
  };
  EXPECT_THAT(format_of(kHif), StartsWith("HIF"));
  EXPECT_EQ(format_of("hyperedge,node\n0,1\n"), "hyperedge list, comma-separated text");
  EXPECT_EQ(format_of("from to\n0 1\n"), "list of arcs, blank-separated text");
  const std::vector<std::int64_t> row_ptr{0, 1, 2};
  const std::vector<std::int64_t> col{1, 0};
  const std::vector<std::complex<double>> ones{1, 1};
  write_sparse(folder / "m.npz", {row_ptr, col, ones, true});
  EXPECT_EQ(format_of(test::get_file(folder / "m.npz")), "adjacency matrix (scipy sparse npz)");
  write_npz(folder / "h.npz", {{"edges", Array::of(std::vector<std::int64_t>{0, 1}, {1, 2})},
                               {"node_labels", Array::of(std::vector<std::int64_t>{0, 1}, {2})}});
  EXPECT_EQ(format_of(test::get_file(folder / "h.npz")), "heterophilous-graphs npz");
}

TEST(Load, RecognisesLinqsByItsExtension) {
  const TemporaryFolder folder;
  put_file(folder / "c.cites", "1\t2\n1\t3\n");

  EXPECT_EQ(load(folder / "c.cites").format, "LINQS citations");
}

TEST(Load, RecognisesFolders) {
  const TemporaryFolder folder;
  put_file(folder / "hypergraph.hif.json", kHif);
  EXPECT_THAT(load(folder.path()).format, StartsWith("data set folder, HIF"));
  write_npz(folder / "nodes.npz", {{"y", Array::of(std::vector<std::int64_t>{4, 5}, {2})}});

  const Loaded loaded = load(folder.path());

  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(4, 5));
  const TemporaryFolder webkb;
  put_file(webkb / "out1_graph_edges.txt", "0\t1\n");
  put_file(webkb / "out1_node_feature_label.txt", "0\t1\t0\n1\t1\t0\n");
  EXPECT_EQ(load(webkb.path()).format, "WebKB text files");
}

TEST(Load, UnknownContentListsWhatIsSupported) {
  const TemporaryFolder folder;
  const auto error_with = [&](const std::string& name, const std::string& content) {
    put_file(folder / name, content);
    return load_error(folder / name);
  };
  EXPECT_THAT(
      load_error(folder.path()),
      AllOf(HasSubstr("not a data set folder"),
            HasSubstr("expected one of: data set folder, binary data set (.dshn), HIF (.json, .hif), ")));
  EXPECT_THAT(error_with("a.png", std::string("\x89PNG\r\n\x1a\n\0\0", 10)),
              HasSubstr("unknown content; expected one of: "));
  EXPECT_THAT(error_with("a.npy", from_hex(test::kNpyFloat64)),
              HasSubstr("a single NumPy array is no graph"));
  EXPECT_THAT(error_with("a.npz", from_hex(test::kNpzStored)),
              HasSubstr("with the arrays a, b holds no graph"));
  EXPECT_THAT(error_with("empty", ""), HasSubstr("the file is empty"));
  EXPECT_THAT(error_with("a.npz", "PK\x03\x04 and nothing more"), HasSubstr("no end-of-archive record"));
  EXPECT_THAT(load_error(folder / "none"), HasSubstr("no such file or folder"));
}

TEST(Load, WorkbooksAndUtf16AreRefusedWithWhatHelps) {
  const TemporaryFolder folder;
  const std::string zip =
      std::string("PK\x03\x04\x14\0\0\0\x08\0", 10) + std::string(20, '\0') + "[Content_Types].xml";
  const std::string older = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + std::string(600, '\0');
  const std::string utf16 = "\xff\xfe" + std::string("i\0d\0,\0x\0\n\0", 10);
  for (const auto& [content, help] : {std::pair(zip, "a workbook; save its sheet as CSV in UTF-8"),
                                      std::pair(older, "a workbook; save its sheet as CSV in UTF-8"),
                                      std::pair(utf16, "text in UTF-16; save it as UTF-8")}) {
    put_file(folder / "book", content);
    EXPECT_THAT(load_error(folder / "book"), HasSubstr(help)) << "as a hypergraph";
    EXPECT_THAT(message_of<InvalidInput>([&] { Table{folder / "book"}; }).value_or(""), HasSubstr(help))
        << "as labels or features";
  }
}

TEST(Load, FolderWithoutPermissionIsInvalidInput) {
  if (::geteuid() == 0) GTEST_SKIP() << "NOT TESTED: root may read every folder";
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "closed");
  std::filesystem::permissions(folder / "closed", std::filesystem::perms::none);

  EXPECT_NE(load_error(folder / "closed"), "");

  std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_all);
}

/// Every prepared data set loads, and converts to a hyperedge list and back without loss.
TEST(RealFolders, LoadAndConvertWithoutLoss) {
  DSHN_NEEDS_REAL_DATA("cora");
  const TemporaryFolder folder;
  int sets = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dshn::test::real_data())) {
    if (!std::filesystem::exists(entry.path() / "stats.json")) continue;
    SCOPED_TRACE(entry.path());
    const Loaded loaded = load(entry.path());

    save({.hypergraph = loaded.hypergraph}, folder / "list.tsv.gz");

    EXPECT_EQ(load(folder / "list.tsv.gz").hypergraph, loaded.hypergraph);
    EXPECT_FALSE(loaded.arrays.empty());
    ++sets;
  }
  EXPECT_GE(sets, 1);
}

}  // namespace
}  // namespace dshn::io
