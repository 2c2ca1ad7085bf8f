#include "cli/learning/run_details.hpp"

#include <fmt/format.h>

#include <functional>

#include "dshn/base/error.hpp"
#include "dshn/sheaf/spectrum.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/learned_sheaf.hpp"
#include "dshn/train/representation.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {
namespace {

using nlohmann::ordered_json;

/// Points of the scatter plot; more would only cover each other.
constexpr Index kMostPoints = 5000;
/// Incidences on the page; more make it slow to open.
constexpr Offset kMostIncidences = 1'000'000;
/// Bars of each kind of an explanation.
constexpr std::size_t kExplanationRows = 10;

/// What `make` gives, or why it could not.
ordered_json or_reason(const std::function<ordered_json()>& make) {
  try {
    return make();
  } catch (const std::exception& problem) {
    return {{"missing", first_line(problem)}};
  }
}

/// A sheaf whose operator the room of spectra knows, or why it does not.
sheaf::DirectedSheaf shown_sheaf(const Hypergraph& hypergraph, const models::LayerSheaf& used) {
  if (used.charges.defined())
    throw UsageError("each hyperedge has a charge of its own (q=learn-per-hyperedge)");
  if (used.degrees_alone)
    throw UsageError("normalisation=degree: the operator is none of the forms whose spectrum is known");
  return {hypergraph, used.charge, used.maps, used.stalk_dimension,
          used.add_identity ? sheaf::Degree::plus_identity : sheaf::Degree::blocks};
}

/// What a density cannot show. None where it is not found in about the time that the density takes.
std::vector<double> smallest_eigenvalue(const sheaf::DirectedSheaf& sheaf) {
  if (!sheaf::has_spectrum()) return {};
  sheaf::SpectrumOptions options;
  options.tolerance = 1e-6;
  options.max_restarts = 30;
  const sheaf::Eigenpairs found = sheaf::extreme_eigenpairs(sheaf, options);
  return found.converged ? found.values : std::vector<double>();
}

/// Eigenvalues of L_N, or their density where there are many, and the words for the sheaf they are of.
ordered_json spectrum(const train::LoadedModel& loaded, const Hypergraph& hypergraph) {
  const std::optional<models::LayerSheaf> learned = train::learned_sheaf(loaded);
  const models::LayerSheaf used =
      learned.value_or(models::LayerSheaf{at::ones({hypergraph.incidence_count(), 1}, at::kDouble), 0, 1});
  const std::string words =
      learned ? fmt::format("with the maps (d = {}) that the last layer of split 0 has learned, q = {:.4g}{}",
                            used.stalk_dimension, used.charge, used.add_identity ? ", D_V + I" : "")
              : "with trivial maps (d = 1) and q = 0: this model shows no maps of its own";
  const sheaf::DirectedSheaf shown = shown_sheaf(hypergraph, used);
  const sheaf::SpectrumOverview found = sheaf::spectrum_overview(shown);
  if (!found.eigenvalues.empty())
    return {{"sheaf", words}, {"eigenvalues", report::short_numbers(found.eigenvalues)}};
  return {{"sheaf", words},
          {"lambda", report::short_numbers(found.density.lambda)},
          {"density", report::short_numbers(found.density.density)},
          {"smallest", report::short_numbers(smallest_eigenvalue(shown))}};
}

ordered_json points(const train::LoadedModel& loaded, const report::Predictions& predictions,
                    std::uint64_t seed) {
  const train::Representation seen = train::representation(loaded);
  const double* xy = seen.plane.data_ptr<double>();
  ordered_json columns = report::point_columns(predictions, {xy, xy + seen.plane.numel()}, kMostPoints, seed);
  columns["shown"] = seen.of;
  columns["shares"] = {seen.first_share, seen.second_share};
  return columns;
}

/// A run of version 0.1 does not know what its data was, except by the labels.
void check_labels(const data::Dataset& dataset, const report::Predictions& predictions) {
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

ordered_json RunDetails::explanations(const std::function<RunModel()>& given) const {
  ordered_json list = ordered_json::array();
  for (const std::string& name : explained_) {
    ordered_json one = or_reason([&] { return document(explain_by_name(given(), name, kExplanationRows)); });
    if (one.contains("missing")) one["id"] = name;
    list.push_back(std::move(one));
  }
  return list;
}

/// The hypergraph, by its place on the page, and the classes that were predicted.
void RunDetails::add_drawing(ordered_json& result, const data::Dataset& dataset,
                             const report::Predictions& predictions) {
  const Shown& part = shown(dataset);
  const bool nodes = dataset.task == data::Task::node_classification;
  result["hypergraph"] = part.place;
  result["predictions"] =
      report::prediction_columns(predictions, nodes ? part.excerpt.nodes : part.excerpt.edges);
}

ordered_json RunDetails::of(const std::filesystem::path& run) {
  ordered_json result;
  const ordered_json whole = or_reason([&]() -> ordered_json {
    train::Settings settings = train::read_run(run);
    settings.device = "auto";  // the run's own may not be on this machine
    const auto dataset = shelf_.open(settings.data, train::open_options(settings));
    train::check_unchanged(*dataset, run);
    std::optional<train::LoadedModel> loaded;
    const auto model = [&]() -> const train::LoadedModel& {
      if (!loaded) loaded = train::load_model(run, 0, settings, *dataset);
      return *loaded;
    };
    if (dataset->code.target == data::TargetKind::classes) {
      const report::Predictions predictions = report::read_predictions(run);
      check_labels(*dataset, predictions);
      add_drawing(result, *dataset, predictions);
      result["representation"] = or_reason([&] { return points(model(), predictions, settings.seed); });
    } else {
      const ordered_json reason{{"missing", fmt::format("it is drawn in the colours of classes, and this run "
                                                        "predicts {}",
                                                        data::target_kind_name(dataset->code.target))}};
      result["drawing"] = reason;
      result["representation"] = reason;
    }
    result["spectrum"] = or_reason([&] { return spectrum(model(), dataset->hypergraph); });
    if (!explained_.empty())
      result["explanations"] = explanations([&] { return RunModel{run, 0, settings, *dataset, model()}; });
    return {};
  });
  return whole.contains("missing") ? whole : result;
}

}  // namespace dshn::cli
