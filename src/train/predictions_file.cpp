#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/table.hpp"
#include "dshn/train/predict.hpp"
#include "dshn/train/rank_part.hpp"

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

std::string header(const data::Dataset& dataset, const Objective& objective, bool with_parts) {
  return fmt::format("id{},{}\n", with_parts ? ",part" : "", fmt::join(objective.columns(dataset), ","));
}

std::string line(const data::Dataset& dataset, const Objective& objective, Index item, const double* row,
                 const char* part) {
  const std::string place = part != nullptr ? fmt::format(",{}", part) : "";
  return fmt::format("{}{},{}\n", id_field(dataset, item), place,
                     fmt::join(objective.fields(dataset, item, row), ","));
}

/// The lines of the items that this rank counts, and how long each is.
struct Lines {
  std::string text;
  std::vector<std::int64_t> lengths;
};

Lines own_lines(const Experiment& experiment, const SplitResult& split) {
  const data::Dataset& dataset = *experiment.dataset;
  const std::shared_ptr<const Objective> objective = experiment.objective(split.split);
  const at::Tensor rows = split.predictions.contiguous();
  const std::vector<const char*> part = parts_of(&experiment.splits[split.split], rows.size(0));
  const at::Tensor& own = experiment.part->own;
  Lines lines;
  for (std::int64_t i = 0; i < own.size(0); ++i) {
    const auto item = static_cast<Index>(own.data_ptr<std::int64_t>()[i]);
    const std::string one =
        line(dataset, *objective, item, rows.data_ptr<double>() + item * rows.size(1), part[item]);
    lines.lengths.push_back(static_cast<std::int64_t>(one.size()));
    lines.text += one;
  }
  return lines;
}

}  // namespace

void write_predictions_of_ranks(const std::filesystem::path& path, const Experiment& experiment,
                                const SplitResult& split) {
  const RankPart& part = *experiment.part;
  Lines mine = own_lines(experiment, split);
  const at::Tensor numbers = part.group->gathered(part.items.index_select(0, part.own));
  const at::Tensor lengths = part.group->gathered(at::tensor(mine.lengths, at::kLong));
  const at::Tensor text = part.group->gathered(at::from_blob(
      mine.text.data(), {static_cast<std::int64_t>(mine.text.size())}, at::TensorOptions(at::kByte)));
  if (!numbers.defined()) return;  // another rank writes
  const auto [sorted, order] = numbers.sort();
  const at::Tensor ends = lengths.cumsum(0);
  io::AtomicFile file(path);
  file.write(header(*experiment.dataset, *experiment.objective(split.split), /*with_parts=*/true));
  const auto* const bytes = reinterpret_cast<const char*>(text.data_ptr<std::uint8_t>());
  for (std::int64_t i = 0; i < order.size(0); ++i) {
    const std::int64_t k = order.data_ptr<std::int64_t>()[i];
    const std::int64_t length = lengths.data_ptr<std::int64_t>()[k];
    file.write({bytes + ends.data_ptr<std::int64_t>()[k] - length, static_cast<std::size_t>(length)});
  }
  file.commit();
}

void write_predictions(const std::function<void(std::string_view)>& write, const data::Dataset& dataset,
                       const Objective& objective, const at::Tensor& predictions, const data::Split* split) {
  const std::vector<const char*> part = parts_of(split, predictions.size(0));
  write(header(dataset, objective, split != nullptr));
  const at::Tensor rows = predictions.contiguous();
  for (Index i = 0; i < rows.size(0); ++i)
    write(line(dataset, objective, i, rows.data_ptr<double>() + i * rows.size(1),
               split != nullptr ? part[i] : nullptr));
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
