#include "dshn/experiments/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/safetensors.hpp"
#include "dshn/tune/space.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

fs::path point_file(const Making& making, const Point& point) {
  return making.folder / "cells" / (point.id() + ".json");
}

/// What the table asks for, and above it what the point asks for.
Assignments fixed_options(const Making& making, const Point& point) {
  Assignments fixed = making.set;
  for (const auto& [name, value] : point.set) fixed[name] = value;
  return fixed;
}

/// Values that the search of a point tries beside what the model declares: the reading of it, where its
/// authors' code has another than their mathematics, and, on sets with one feature or none, what stands for
/// features. The paper says neither.
std::map<std::string, std::vector<std::string>> further_values(const Point& point) {
  std::map<std::string, std::vector<std::string>> further;
  for (const OptionSpec& spec : models::find_model(point.model).options)
    if (spec.name == "variant") further["variant"] = {"paper", "authors"};
  const data::Entry* entry = data::find_entry(point.data);
  if (entry != nullptr && entry->paper && entry->paper->features.value_or(0) <= 1)
    further["features"] = {"auto", "role-degrees", "random"};
  return further;
}

/// Options of trial number `trial`: the preset first, then draws from the model's search space.
Assignments trial_options(const Making& making, const Point& point, int trial) {
  if (trial == 0) return preset_of(making, point.data, point.model).value_or(Assignments{});
  Random random = Random(making.seed).fork(static_cast<std::uint64_t>(trial));
  const tune::Space space = tune::search_space(point.model, {}, further_values(point));
  return tune::assignments(space, tune::draw(space, random));
}

bool same_run(const train::Settings& a, const train::Settings& b) {
  return a.data == b.data && a.model == b.model && a.splits == b.splits && a.seed == b.seed &&
         a.device == b.device && a.set == b.set;
}

/// Ready for training: what a killed call left there goes on, unless it was asked for otherwise.
void prepare_run(const train::Settings& settings, const fs::path& folder) {
  bool resume = fs::exists(folder / io::kConfigFile);
  if (resume && !same_run(train::read_config(folder / io::kConfigFile), settings)) {
    fs::remove_all(folder);
    resume = false;
  }
  train::prepare_folder(settings, folder, resume);
}

/// The figures of several configurations of one point, trained together.
std::vector<train::RunResult> train_point(const Making& making, const Point& point,
                                          const std::vector<Assignments>& configurations, int splits,
                                          const fs::path& folder, const std::function<bool()>& should_stop) {
  std::vector<train::Experiment> experiments;
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    train::Settings settings;
    settings.data = point.data;
    settings.model = point.model;
    settings.splits = splits;
    settings.seed = making.seed;
    settings.device = making.device;
    settings.set = configurations[i];
    for (const auto& [name, value] : fixed_options(making, point)) settings.set[name] = value;
    folders.push_back(folder / fmt::format("{:02d}", i));
    prepare_run(settings, folders[i]);
    experiments.emplace_back(making.shelf->open(settings.data, train::open_options(settings)), settings);
  }
  std::vector<train::RunRequest> requests;
  for (std::size_t i = 0; i < experiments.size(); ++i) requests.push_back({&experiments[i], folders[i]});
  train::SplitHooks hooks;
  hooks.should_stop = should_stop;
  return train::run_together(requests, hooks);
}

Assignments chosen_options(const Making& making, const Point& point, const fs::path& runs,
                           const std::function<bool()>& should_stop) {
  std::vector<Assignments> drawn;
  for (int trial = 0; trial < (point.search ? std::max(1, making.trials) : 1); ++trial)
    drawn.push_back(trial_options(making, point, trial));
  if (drawn.size() == 1) return drawn[0];
  const auto tried = train_point(making, point, drawn, making.search_splits, runs / "trials", should_stop);
  const auto worse = [](const train::RunResult& a, const train::RunResult& b) {
    return std::pair(a.failure.empty(), a.val.mean) < std::pair(b.failure.empty(), b.val.mean);
  };
  return drawn[std::max_element(tried.begin(), tried.end(), worse) - tried.begin()];
}

ordered_json percent(const train::MeanStd& figure) {
  return {{"mean", 100 * figure.mean}, {"std", 100 * figure.std}};
}

/// Where learned charges ended, a list per split: one charge, or one per layer. Null where none is learned.
ordered_json learned_charges(const fs::path& run, std::size_t splits) {
  ordered_json charges;
  for (std::size_t split = 0; split < splits; ++split) {
    const train::TensorFile weights =
        train::read_safetensors(io::split_folder(run, static_cast<int>(split)) / io::kModelFile);
    const auto found = weights.tensors.find("q");
    if (found == weights.tensors.end()) return nullptr;
    const at::Tensor q = found->second.to(at::kDouble).contiguous();
    charges.push_back(std::vector<double>(q.data_ptr<double>(), q.data_ptr<double>() + q.numel()));
  }
  return charges;
}

ordered_json figures_of(const Making& making, const Point& point, const std::function<bool()>& should_stop) {
  const fs::path runs = making.folder / "runs" / point.id();
  const Assignments best = chosen_options(making, point, runs, should_stop);
  const train::RunResult result =
      train_point(making, point, {best}, making.splits, runs / "chosen", should_stop)[0];
  if (!result.failure.empty()) throw Failure(result.failure);
  ordered_json figures{{"chosen", best},
                       {"validation", percent(result.val)},
                       {"test", percent(result.test)},
                       {"parameters", result.parameters},
                       {"epoch_ms", result.epoch_ms}};
  for (const train::SplitResult& split : result.splits) figures["splits"].push_back(100 * split.test);
  if (ordered_json charges = learned_charges(runs / "chosen" / "00", result.splits.size());
      !charges.is_null())
    figures["charges"] = std::move(charges);
  fs::remove_all(runs);
  return figures;
}

}  // namespace

std::string Point::id() const {
  std::string id = data + "/" + model;
  char between = '@';
  for (const auto& [name, value] : set) {
    id += between + name + "=" + value;
    between = ',';
  }
  return id;
}

std::optional<Assignments> preset_of(const Making& making, const std::string& data,
                                     const std::string& model) {
  const fs::path file = making.presets / data / (model + ".toml");
  if (making.presets.empty() || !fs::exists(file)) return std::nullopt;
  return train::read_config(file).set;
}

std::optional<PaperFigure> paper_figure(const std::string& data, const std::string& model) {
  const data::Entry* entry = data::find_entry(data);
  const std::string& title = models::find_model(model).title;
  if (entry == nullptr) return std::nullopt;
  for (const data::PaperResult& row : entry->results) {
    if (row.model != title) continue;
    PaperFigure figure;
    figure.out_of_memory = !row.score;
    if (row.score) figure.mean = row.score->mean;
    if (row.score) figure.std = row.score->std;
    return figure;
  }
  return std::nullopt;
}

ordered_json request_of(const Making& making, const Point& point) {
  ordered_json request{{"splits", making.splits},
                       {"trials", point.search ? making.trials : 1},
                       {"search_splits", making.search_splits},
                       {"seed", making.seed},
                       {"set", fixed_options(making, point)}};
  if (point.search && making.trials > 1) request["further_values"] = further_values(point);
  return request;
}

std::optional<ordered_json> stored_point(const Making& making, const Point& point) {
  std::ifstream file(point_file(making, point));
  if (!file) return std::nullopt;
  ordered_json document = ordered_json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return std::nullopt;
  if (making.as_stored) return document;
  if (document.value("request", ordered_json()) != request_of(making, point)) return std::nullopt;
  const ordered_json preset = preset_of(making, point.data, point.model).value_or(Assignments{});
  if (document.value("preset", preset) != preset) return std::nullopt;
  return document;
}

std::vector<Point> missing_points(const Making& making, const std::vector<Point>& points) {
  std::vector<Point> missing;
  if (making.as_stored) return missing;
  for (const Point& point : points) {
    const auto stored = stored_point(making, point);
    if (!stored || stored->contains("failure")) missing.push_back(point);
  }
  return missing;
}

void make_point(const Making& making, const Point& point, const std::function<bool()>& should_stop) {
  ordered_json document{{"data", point.data},
                        {"model", point.model},
                        {"request", request_of(making, point)},
                        {"made", provenance(making.device)},
                        {"preset", preset_of(making, point.data, point.model).value_or(Assignments{})}};
  try {
    document.update(figures_of(making, point, should_stop));
  } catch (const train::Interrupted&) {
    throw;
  } catch (const Error& error) {  // diverged, or too large for the memory: the others go on
    document["failure"] = error.what();
  }
  const fs::path file = point_file(making, point);
  fs::create_directories(file.parent_path());
  io::write_file(file, document.dump(2) + "\n");
}

}  // namespace dshn::experiments
