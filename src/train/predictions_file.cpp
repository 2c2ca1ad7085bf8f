#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/table.hpp"
#include "dshn/train/predict.hpp"

namespace dshn::train {
namespace {

const Names& item_names(const data::Dataset& dataset) {
  const bool nodes = dataset.task == data::Task::node_classification;
  return nodes ? dataset.hypergraph.node_names() : dataset.hypergraph.edge_names();
}

std::string id_field(const data::Dataset& dataset, std::int64_t item) {
  const Name name = item_names(dataset)[item];
  return io::csv_field(name.text, name.is_integer, ',');
}

/// Of a class: a word is quoted where it must be, a number stays a number.
std::string class_field(const data::Dataset& dataset, Index c) {
  if (c < 0) return "";
  const std::string word = dataset.class_name(c);
  return io::csv_field(word, io::looks_like_integer(word), ',');
}

std::vector<const char*> parts_of(const data::Split* split, std::int64_t items) {
  std::vector<const char*> part(items, "");
  if (split == nullptr) return part;
  for (const Index item : split->train) part[item] = "train";
  for (const Index item : split->val) part[item] = "val";
  for (const Index item : split->test) part[item] = "test";
  return part;
}

std::string header(const data::Dataset& dataset, bool with_part, bool with_label, std::int64_t classes) {
  std::string line = "id";
  if (with_part) line += ",part";
  if (with_label) line += ",label";
  line += ",predicted";
  for (Index c = 0; c < classes; ++c) {
    const bool word = !dataset.code.class_names.empty();
    line += ',' + io::csv_field((word ? "p_" : "p") + dataset.class_name(c), /*is_integer=*/false, ',');
  }
  return line + '\n';
}

}  // namespace

void write_predictions(const std::function<void(std::string_view)>& write, const data::Dataset& dataset,
                       const at::Tensor& probabilities, const data::Split* split) {
  const bool with_label = !dataset.labels.empty();
  const std::vector<const char*> part = parts_of(split, probabilities.size(0));
  write(header(dataset, split != nullptr, with_label, probabilities.size(1)));
  const auto p = probabilities.accessor<double, 2>();
  const at::Tensor predicted = probabilities.argmax(1);
  for (std::int64_t i = 0; i < probabilities.size(0); ++i) {
    std::string line = id_field(dataset, i);
    if (split != nullptr) line += fmt::format(",{}", part[i]);
    if (with_label) line += ',' + class_field(dataset, dataset.labels[i]);
    line += ',' + class_field(dataset, static_cast<Index>(predicted.data_ptr<std::int64_t>()[i]));
    for (std::int64_t c = 0; c < probabilities.size(1); ++c) line += fmt::format(",{:.6g}", p[i][c]);
    write(line + '\n');
  }
}

void write_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                       const at::Tensor& probabilities, const data::Split* split) {
  io::AtomicFile file(path);
  write_predictions([&](std::string_view text) { file.write(text); }, dataset, probabilities, split);
  file.commit();
}

void write_embeddings(const std::filesystem::path& path, const data::Dataset& dataset,
                      const at::Tensor& rows) {
  const std::string extension = path.extension().string();
  const auto* values = rows.data_ptr<float>();
  if (extension == ".npz") {
    std::vector<std::string> ids;
    for (std::int64_t i = 0; i < rows.size(0); ++i) ids.push_back(item_names(dataset)[i].text);
    io::write_npz(path, {{"ids", io::Array::of(ids, {rows.size(0)})},
                         {"embeddings", io::Array::of(std::vector<float>(values, values + rows.numel()),
                                                      {rows.size(0), rows.size(1)})}});
    return;
  }
  if (extension != ".csv")
    throw UsageError(fmt::format("{}: expected a name that ends in .npz or .csv", path.string()));
  io::AtomicFile file(path);
  std::string line = "id";
  for (std::int64_t j = 0; j < rows.size(1); ++j) line += fmt::format(",e{}", j);
  file.write(line + '\n');
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    line = id_field(dataset, i);
    for (std::int64_t j = 0; j < rows.size(1); ++j)
      line += fmt::format(",{:.9g}", values[i * rows.size(1) + j]);
    file.write(line + '\n');
  }
  file.commit();
}

}  // namespace dshn::train
