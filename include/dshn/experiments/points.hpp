#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/data/dataset_shelf.hpp"

/// Points: a model on a data set with some options, trained on several splits and stored once.
namespace dshn::experiments {

/// What the paper reports; a figure without a deviation was read from a plot.
struct PaperFigure {
  double mean = 0;
  std::optional<double> std = {};
  bool out_of_memory = false;
};

struct Point {
  std::string data = {};
  std::string model = {};
  /// Options of this point, above everything else.
  Assignments set = {};
  /// Whether configurations may be drawn for it (Making::trials).
  bool search = false;
  /// Where it stands in the table.
  std::string row = {};
  std::string column = {};
  std::optional<PaperFigure> paper = {};

  /// DATA/MODEL, or DATA/MODEL@name=value,... : the same point of several experiments is made once.
  std::string id() const;
};

/// How points come about.
struct Making {
  int splits = 10;
  /// Configurations tried for a point on `search_splits` splits: the preset or the defaults first, then
  /// seeded draws from the declared search space. The best mean validation figure is trained on all splits.
  int trials = 1;
  int search_splits = 2;
  std::uint64_t seed = 0;
  std::string device = "cpu";
  /// Options of every run, whatever a trial draws: fewer epochs, say.
  Assignments set;
  /// Where presets/DATA/MODEL.toml are; empty for none.
  std::filesystem::path presets;
  /// Points (cells/), their unfinished runs (runs/) and the tables go here.
  std::filesystem::path folder;
  /// Each data set is read once for all points.
  std::shared_ptr<data::DatasetShelf> shelf = std::make_shared<data::DatasetShelf>();
  /// Take every point that is stored, however it was made, and make none.
  bool as_stored = false;
};

/// Version, commit, machine and date of what is made now.
nlohmann::ordered_json provenance(const std::string& device);

/// Options of DATA/MODEL.toml; nothing where there is no such file.
std::optional<Assignments> preset_of(const Making& making, const std::string& data, const std::string& model);

/// The paper's accuracy or F1 for a model on a data set of the registry.
std::optional<PaperFigure> paper_figure(const std::string& data, const std::string& model);

/// What is stored of a point that was made as asked now (or anyhow: Making::as_stored). A point whose
/// training failed has `failure`.
std::optional<nlohmann::ordered_json> stored_point(const Making& making, const Point& point);

/// The points to be made: not in the folder yet, made otherwise, or failed.
std::vector<Point> missing_points(const Making& making, const std::vector<Point>& points);

/// Makes one point and stores it, also when it fails. What a killed call left behind is used.
void make_point(const Making& making, const Point& point, const std::function<bool()>& should_stop);

/// Everything that decides what a point comes to, beside its preset.
nlohmann::ordered_json request_of(const Making& making, const Point& point);

}  // namespace dshn::experiments
