#include <fmt/format.h>
#include <fmt/ranges.h>
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

std::vector<const char*> parts_of(const data::Split* split, std::int64_t items) {
  std::vector<const char*> part(items, "");
  if (split == nullptr) return part;
  for (const Index item : split->train) part[item] = "train";
  for (const Index item : split->val) part[item] = "val";
  for (const Index item : split->test) part[item] = "test";
  return part;
}

}  // namespace

void write_predictions(const std::function<void(std::string_view)>& write, const data::Dataset& dataset,
                       const Objective& objective, const at::Tensor& predictions, const data::Split* split) {
  const std::vector<const char*> part = parts_of(split, predictions.size(0));
  write(
      fmt::format("id{},{}\n", split != nullptr ? ",part" : "", fmt::join(objective.columns(dataset), ",")));
  const at::Tensor rows = predictions.contiguous();
  for (Index i = 0; i < rows.size(0); ++i) {
    std::string line = id_field(dataset, i);
    if (split != nullptr) line += fmt::format(",{}", part[i]);
    const double* const row = rows.data_ptr<double>() + i * rows.size(1);
    write(fmt::format("{},{}\n", line, fmt::join(objective.fields(dataset, i, row), ",")));
  }
}

void write_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                       const Objective& objective, const at::Tensor& predictions, const data::Split* split) {
  io::AtomicFile file(path);
  write_predictions([&](std::string_view text) { file.write(text); }, dataset, objective, predictions, split);
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
