#include "cli/learning/run_details.hpp"

#include <fmt/format.h>

#include <functional>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/sheaf/spectrum.hpp"
#include "dshn/train/learned_sheaf.hpp"
#include "dshn/train/representation.hpp"

namespace dshn::cli {
namespace {

using nlohmann::ordered_json;

/// Points of the scatter plot; more would only cover each other.
constexpr Index kMostPoints = 5000;
/// Incidences on the page; more make it slow to open.
constexpr Offset kMostIncidences = 1'000'000;

/// What `make` gives, or why it could not.
ordered_json or_reason(const std::function<ordered_json()>& make) {
  try {
    return make();
  } catch (const std::exception& problem) {
    return {{"missing", first_line(problem)}};
  }
}

/// Eigenvalues of L_N, or their density where there are many, and the words for the sheaf they are of.
ordered_json spectrum(const std::filesystem::path& run, const train::Settings& settings,
                      const data::Dataset& dataset) {
  const std::optional<models::LayerSheaf> learned = train::learned_sheaf(run, 0, settings, dataset);
  const Hypergraph& hypergraph = dataset.hypergraph;
  const models::LayerSheaf used =
      learned.value_or(models::LayerSheaf{at::ones({hypergraph.incidence_count(), 1}, at::kDouble), 0, 1});
  const std::string words =
      learned ? fmt::format("with the maps (d = {}) that the last layer of split 0 has learned, q = {:.4g}",
                            used.stalk_dimension, used.charge)
              : "with trivial maps (d = 1) and q = 0: this model shows no maps of its own";
  const sheaf::DirectedSheaf sheaf(hypergraph, used.charge, used.maps, used.stalk_dimension);
  const sheaf::SpectrumOverview found = sheaf::spectrum_overview(sheaf);
  if (!found.eigenvalues.empty())
    return {{"sheaf", words}, {"eigenvalues", report::short_numbers(found.eigenvalues)}};
  return {{"sheaf", words},
          {"lambda", report::short_numbers(found.density.lambda)},
          {"density", report::short_numbers(found.density.density)}};
}

ordered_json points(const std::filesystem::path& run, const train::Settings& settings,
                    const data::Dataset& dataset, const report::Predictions& predictions) {
  const train::Representation seen = train::representation(run, 0, settings, dataset);
  const double* xy = seen.plane.data_ptr<double>();
  ordered_json columns =
      report::point_columns(predictions, {xy, xy + seen.plane.numel()}, kMostPoints, settings.seed);
  columns["shown"] = seen.of;
  columns["shares"] = {seen.first_share, seen.second_share};
  return columns;
}

void check_unchanged(const data::Dataset& dataset, const report::Predictions& predictions) {
  if (dataset.labels == predictions.label) return;
  throw InvalidInput(fmt::format(
      "{}: the data set is not the one that the run was trained on: its labels differ", dataset.name));
}

}  // namespace

const RunDetails::Shown& RunDetails::shown(const data::Dataset& dataset) {
  const auto found = shown_.find(&dataset);
  if (found != shown_.end()) return found->second;
  const Shown fresh{report::choose_excerpt(dataset.hypergraph, kMostIncidences), hypergraphs_.size()};
  hypergraphs_.push_back(report::hypergraph_columns(dataset, fresh.excerpt));
  return shown_.emplace(&dataset, fresh).first->second;
}

ordered_json RunDetails::of(const std::filesystem::path& run) {
  ordered_json result;
  const ordered_json whole = or_reason([&]() -> ordered_json {
    train::Settings settings = train::read_config(run / io::kConfigFile);
    settings.device = "auto";  // the run's own may not be on this machine
    const auto dataset = shelf_.open(settings.data, train::open_options(settings));
    const Shown& part = shown(*dataset);
    const report::Predictions predictions = report::read_predictions(run);
    check_unchanged(*dataset, predictions);
    const bool nodes = dataset->task == data::Task::node_classification;
    result["hypergraph"] = part.place;
    result["predictions"] =
        report::prediction_columns(predictions, nodes ? part.excerpt.nodes : part.excerpt.edges);
    result["representation"] = or_reason([&] { return points(run, settings, *dataset, predictions); });
    result["spectrum"] = or_reason([&] { return spectrum(run, settings, *dataset); });
    return {};
  });
  return whole.contains("missing") ? whole : result;
}

}  // namespace dshn::cli
