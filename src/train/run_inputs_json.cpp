#include "train/run_inputs_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/json_shape.hpp"

namespace dshn::train {
namespace {

using io::Shape;
using nlohmann::ordered_json;

constexpr const char* kInputsFormat = "dshn-inputs";
constexpr int kInputsVersion = 1;
/// For each column a scale is made: a few bytes may not ask for all of the memory.
constexpr std::int64_t kMostColumns = 10'000'000;

/// What to_json writes. Numbers of the data are of any size, and looked at one by one.
Shape features_shape() {
  const Shape columns = Shape::integer(0, kMostColumns);
  return Shape::object({{"kinds", Shape::list(Shape::text())},
                        {"scaling", Shape::integer(0, static_cast<int>(data::Scaling::by_kind))},
                        {"columns", columns},
                        {"random_columns", columns},
                        {"seed", Shape::seed()},
                        optional("one_hot_columns", columns)});
}

Shape inputs_shape() {
  const Shape words = Shape::list(Shape::text());
  const Shape columns = Shape::list(
      Shape::object({{"name", Shape::text()}, {"words", words}, {"marks_missing", Shape::flag()}}));
  const Shape place = Shape::object({{"path", Shape::text()}, {"from_here", Shape::text()}});
  const Shape digests = Shape::object({{"hypergraph", Shape::text()},
                                       {"features", Shape::text()},
                                       {"labels", Shape::text()},
                                       {"splits", words}});
  return Shape::object({{"format", Shape::text()},
                        {"version", Shape::count()},
                        {"data", Shape::text()},
                        {"places", Shape::map(place)},
                        {"items", Shape::text()},
                        {"class_names", words},
                        {"stored_columns", Shape::count()},
                        {"stored_names", words},
                        {"node_columns", columns},
                        {"hyperedge_columns", columns},
                        {"features", features_shape()},
                        {"options", Shape::map(Shape::text())},
                        {"digests", digests}});
}

ordered_json columns_json(const std::vector<data::ColumnCode>& columns) {
  ordered_json out = ordered_json::array();
  for (const data::ColumnCode& column : columns) {
    out.push_back({{"name", column.name},
                   {"words", column.words},
                   {"fill", column.fill},
                   {"marks_missing", column.marks_missing}});
  }
  return out;
}

std::vector<data::ColumnCode> columns_from(const ordered_json& list) {
  std::vector<data::ColumnCode> columns;
  for (const ordered_json& column : list) {
    columns.push_back({column.at("name").get<std::string>(),
                       column.at("words").get<std::vector<std::string>>(), column.at("fill").get<double>(),
                       column.at("marks_missing").get<bool>()});
  }
  return columns;
}

ordered_json features_json(const data::FeatureOptions& features) {
  ordered_json kinds = ordered_json::array();
  for (const data::FeatureKind kind : features.kinds) kinds.push_back(data::feature_kind_name(kind));
  ordered_json out{{"kinds", kinds},
                   {"scaling", static_cast<int>(features.scaling)},
                   {"columns", features.scale->cols()},
                   {"random_columns", features.random_columns},
                   {"seed", features.seed}};
  if (features.one_hot_columns) out["one_hot_columns"] = *features.one_hot_columns;
  if (features.scale->changes_any()) {
    out["centre"] = features.scale->centre;
    out["deviation"] = features.scale->deviation;
  }
  return out;
}

/// Columns of numbers that are finite, as many as were announced.
std::vector<double> scale_column(const ordered_json& features, const char* key, Index cols) {
  auto values = features.at(key).get<std::vector<double>>();
  if (static_cast<Index>(values.size()) == cols &&
      std::ranges::all_of(values, [](double v) { return std::isfinite(v); }))
    return values;
  throw InvalidInput(fmt::format("'{}' has {} numbers; expected {} finite ones", key, values.size(), cols));
}

data::FeatureOptions features_from(const ordered_json& features) {
  data::FeatureOptions options;
  options.kinds.clear();
  for (const ordered_json& kind : features.at("kinds"))
    options.kinds.push_back(data::feature_kind(kind.get<std::string>()));
  options.scaling = static_cast<data::Scaling>(features.at("scaling").get<int>());
  options.random_columns = features.at("random_columns").get<Index>();
  options.seed = features.at("seed").get<std::uint64_t>();
  if (features.contains("one_hot_columns"))
    options.one_hot_columns = features["one_hot_columns"].get<Index>();
  const Index cols = features.at("columns").get<Index>();
  options.scale = features.contains("centre") ? data::FeatureScale{scale_column(features, "centre", cols),
                                                                   scale_column(features, "deviation", cols)}
                                              : data::FeatureScale::none(cols);
  return options;
}

ordered_json places_json(const RunInputs& inputs) {
  ordered_json out = ordered_json::object();
  for (const auto& [name, place] : inputs.places)
    out[name] = {{"path", place.absolute.string()}, {"from_here", place.relative.string()}};
  return out;
}

/// Where the targets are no classes: their kind, and of numbers the scale of each split.
void add_target(ordered_json& document, const RunInputs& inputs) {
  if (inputs.code.target == data::TargetKind::classes) return;
  ordered_json scales = ordered_json::array();
  for (const TargetScale& scale : inputs.target_scales)
    scales.push_back({{"centre", scale.centre}, {"deviation", scale.deviation}});
  document["target"] = {{"kind", data::target_kind_name(inputs.code.target)}, {"scales", scales}};
}

void read_target(const ordered_json& target, RunInputs& inputs) {
  const auto word = target.at("kind").get<std::string>();
  const std::optional<data::TargetKind> kind = data::target_kind(word);
  if (!kind) throw InvalidInput(fmt::format("there is no kind of target '{}'", word));
  inputs.code.target = *kind;
  for (const ordered_json& scale : target.at("scales")) {
    const auto columns = static_cast<Index>(scale.at("centre").size());
    inputs.target_scales.push_back(
        {scale_column(scale, "centre", columns), scale_column(scale, "deviation", columns)});
  }
}

RunInputs parsed(const ordered_json& document) {
  static const Shape shape = inputs_shape();
  if (const std::string fault = shape.fault(document); !fault.empty()) throw InvalidInput(fault);
  if (document.at("format") != kInputsFormat || document.at("version") != kInputsVersion)
    throw InvalidInput(fmt::format("not of format {} version {}", kInputsFormat, kInputsVersion));
  RunInputs inputs;
  inputs.data = document.at("data").get<std::string>();
  for (const auto& [name, place] : document.at("places").items())
    inputs.places[name] = {place.at("path").get<std::string>(), place.at("from_here").get<std::string>()};
  inputs.task = document.at("items").get<std::string>() == "node" ? data::Task::node_classification
                                                                  : data::Task::hyperedge_classification;
  const ordered_json& digests = document.at("digests");
  inputs.digests = {digests.at("hypergraph").get<std::string>(), digests.at("features").get<std::string>(),
                    digests.at("labels").get<std::string>()};
  inputs.split_digests = digests.at("splits").get<std::vector<std::string>>();
  inputs.code = {document.at("class_names").get<std::vector<std::string>>(),
                 columns_from(document.at("node_columns")), columns_from(document.at("hyperedge_columns")),
                 data::TargetKind::classes};
  if (document.contains("target")) read_target(document["target"], inputs);
  inputs.stored_columns = document.at("stored_columns").get<Index>();
  inputs.stored_names = document.at("stored_names").get<std::vector<std::string>>();
  inputs.features = features_from(document.at("features"));
  inputs.options = document.at("options").get<Assignments>();
  return inputs;
}

}  // namespace

ordered_json to_json(const RunInputs& inputs) {
  ordered_json document{{"format", kInputsFormat},
                        {"version", kInputsVersion},
                        {"data", inputs.data},
                        {"places", places_json(inputs)},
                        {"items", data::item_word(inputs.task)},
                        {"class_names", inputs.code.class_names},
                        {"stored_columns", inputs.stored_columns},
                        {"stored_names", inputs.stored_names},
                        {"node_columns", columns_json(inputs.code.node_columns)},
                        {"hyperedge_columns", columns_json(inputs.code.edge_columns)},
                        {"features", features_json(inputs.features)},
                        {"options", inputs.options},
                        {"digests",
                         {{"hypergraph", inputs.digests.hypergraph},
                          {"features", inputs.digests.features},
                          {"labels", inputs.digests.labels},
                          {"splits", inputs.split_digests}}}};
  add_target(document, inputs);
  return document;
}

RunInputs inputs_from_json(const std::string& text, const std::string& where) {
  const ordered_json document = io::parse_json(text, where, "training");
  try {
    return parsed(document);
  } catch (const ordered_json::exception&) {
    throw InvalidInput(fmt::format("{}: not what a training wrote; train again into a new folder", where));
  } catch (const Error& error) {
    throw InvalidInput(fmt::format("{}: {}; train again into a new folder", where, error.what()));
  }
}

}  // namespace dshn::train
