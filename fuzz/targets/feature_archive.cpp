#include "data/feature_archive.hpp"

#include "dshn/io/npz.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::feature_archive {
namespace {

using io::Array;

Array numbers(const std::vector<std::int64_t>& values) {
  return Array::of(values, {static_cast<std::int64_t>(values.size())});
}

std::string archive(const io::Arrays& arrays) {
  io::write_npz(scratch() / "seed.npz", arrays, false);
  return content_of(scratch() / "seed.npz");
}

std::vector<std::string> valid() {
  const Array x = Array::of(std::vector<float>{1, 2, 3, 4}, {2, 2});
  return {archive({{"x", x},
                   {"ids", numbers({2, 0})},
                   {"names", Array::of(std::vector<std::string>{"a", "b"}, {2})}}),
          archive({{"format", Array::of(std::vector<std::string>{"csr"}, {})},
                   {"shape", numbers({2, 3})},
                   {"indptr", numbers({0, 1, 2})},
                   {"indices", numbers({2, 0})},
                   {"data", Array::of(std::vector<double>{1, 0.5}, {2})},
                   {"ids", numbers({1, 3})}})};
}

std::vector<std::string> malformed() {
  const Array x = Array::of(std::vector<float>{1, 2, 3, 4}, {2, 2});
  return {"", archive({{"x", x}}), archive({{"x", x}, {"ids", numbers({0, 0})}}),
          archive({{"x", x}, {"ids", numbers({0})}}), archive({{"ids", numbers({0, 1})}})};
}

void read(std::string_view bytes) {
  static const Hypergraph hypergraph = plain_hypergraph();
  const data::Items items = data::nodes_of(hypergraph);
  const auto archived = data::read_feature_archive(file_with(bytes, "file.npz").string(), items);
  require(archived.features.rows() == items.count, "every item has a row");
  require(archived.names.empty() || static_cast<Index>(archived.names.size()) == archived.features.cols(),
          "every column has a name, or none");
}

}  // namespace

Target target() {
  return {"feature_archive", valid, malformed, read};
}

}  // namespace dshn::fuzz::feature_archive
