#include "cli/run_details.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "dshn/hypergraph/error.hpp"
#include "dshn/hypergraph/random.hpp"
#include "dshn/sheaf/maps.hpp"
#include "dshn/sheaf/spectral_density.hpp"
#include "dshn/sheaf/spectrum.hpp"
#include "dshn/train/representation.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/safetensors.hpp"

namespace dshn::cli {
namespace {

using nlohmann::ordered_json;

/// Points of the scatter plot; more would only cover each other.
constexpr Index kMostPoints = 5000;
/// Incidences on the page; more make it slow to open.
constexpr Offset kMostIncidences = 1'000'000;
/// Up to this many nodes all eigenvalues are found, else their density is estimated.
constexpr Index kMostEigenvalues = 1000;

/// What `make` gives, or why it could not.
ordered_json or_reason(const std::function<ordered_json()>& make) {
  try {
    return make();
  } catch (const std::exception& problem) {
    const std::string text = problem.what();  // libtorch puts a stack trace behind the first line
    return {{"missing", text.substr(0, text.find('\n'))}};
  }
}

/// The charge that the run's Laplacian had, and the words for it.
struct Charge {
  double value = 0;
  std::string words;
};

Charge charge_of(const train::Settings& settings, const std::filesystem::path& run) {
  const models::Assignments values = settings.model_options().values();
  const auto q = values.find("q");
  if (q == values.end()) return {0, "q = 0, as this model has no charge"};
  if (q->second != "learn" && q->second != "learn-per-layer")
    return {settings.model_options().real("q"), fmt::format("q = {}", q->second)};
  const train::TensorFile weights =
      train::read_safetensors(train::split_folder(run, 0) / "model.safetensors");
  const double learned = weights.tensors.at("q").flatten()[0].item<double>();
  return {learned, fmt::format("q = {:.4f}, learned by the first layer of split 0", learned)};
}

ordered_json rounded_column(const std::vector<double>& values, double scale) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(std::round(value * scale) / scale);
  return list;
}

ordered_json compute_spectrum(const Hypergraph& hypergraph, double charge) {
  Random random(0);
  const sheaf::DirectedSheaf sheaf(
      hypergraph, charge,
      sheaf::random_maps(sheaf::MapKind::trivial, hypergraph.incidence_count(), 1, random), 1);
  if (hypergraph.node_count() <= kMostEigenvalues && sheaf::has_spectrum()) {
    sheaf::SpectrumOptions options;
    options.count = sheaf.dimension();
    return {{"eigenvalues", rounded_column(sheaf::extreme_eigenpairs(sheaf, options).values, 1e4)}};
  }
  const sheaf::SpectralDensity density = sheaf::spectral_density(sheaf);
  return {{"lambda", rounded_column(density.lambda, 1e4)}, {"density", rounded_column(density.density, 1e4)}};
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

RunDetails::Opened& RunDetails::open(const train::Settings& settings) {
  const models::Options training = settings.training();
  const std::string key = fmt::format("{}\n{}\n{}\n{}", settings.data, settings.seed,
                                      training.text("features"), training.text("scaling"));
  const auto found = opened_.find(key);
  if (found != opened_.end()) return found->second;
  Opened fresh;
  fresh.dataset = train::open_featured(settings, training);
  fresh.excerpt = report::choose_excerpt(fresh.dataset.hypergraph, kMostIncidences);
  fresh.place = hypergraphs_.size();
  hypergraphs_.push_back(report::hypergraph_columns(fresh.dataset, fresh.excerpt));
  return opened_.emplace(key, std::move(fresh)).first->second;
}

const ordered_json& RunDetails::spectrum(Opened& opened, double charge) {
  const auto found = opened.spectra.find(charge);
  if (found != opened.spectra.end()) return found->second;
  return opened.spectra[charge] = compute_spectrum(opened.dataset.hypergraph, charge);
}

ordered_json RunDetails::of(const std::filesystem::path& run) {
  ordered_json result;
  const ordered_json whole = or_reason([&]() -> ordered_json {
    train::Settings settings = train::read_config(run / "config.toml");
    settings.device = "auto";  // the run's own may not be on this machine
    Opened& opened = open(settings);
    const report::Predictions predictions = report::read_predictions(run);
    check_unchanged(opened.dataset, predictions);
    const bool nodes = opened.dataset.task == data::Task::node_classification;
    result["hypergraph"] = opened.place;
    result["predictions"] =
        report::prediction_columns(predictions, nodes ? opened.excerpt.nodes : opened.excerpt.edges);
    result["representation"] = or_reason([&] { return points(run, settings, opened.dataset, predictions); });
    result["spectrum"] = or_reason([&]() -> ordered_json {
      const Charge charge = charge_of(settings, run);
      ordered_json columns = spectrum(opened, charge.value);
      columns["charge"] = charge.words;
      return columns;
    });
    return {};
  });
  return whole.contains("missing") ? whole : result;
}

}  // namespace dshn::cli
