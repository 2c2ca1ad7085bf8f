#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/learning/laplacian_report.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "cli/seed_flag.hpp"
#include "cli/text.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/base/system_memory.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/matrix_market.hpp"
#include "dshn/io/npy.hpp"
#include "dshn/sheaf/maps.hpp"
#include "dshn/sheaf/signals.hpp"
#include "dshn/sheaf/spectral_density.hpp"

namespace dshn::cli {
namespace {

namespace fs = std::filesystem;
using sheaf::DirectedSheaf;
using sheaf::Form;

const std::map<std::string, Form> kForms{
    {"L", Form::L}, {"Q", Form::Q}, {"L_N", Form::L_N}, {"Q_N", Form::Q_N}, {"I-Q_N", Form::I_minus_Q_N}};

struct LaplacianFlags {
  std::string data;
  double q = 0.25;
  std::string maps = "trivial";
  std::int64_t d = 1;
  std::int64_t rank = 1;
  std::uint64_t seed = 0;
  std::string form = "L_N";
  std::int64_t spectrum = 0;
  std::string density;
  std::string energy;
  std::string exported;
  LoaderFlags loader;
  bool force = false;
  bool json = false;
};

void require_memory(std::int64_t bytes, const std::string& what, const std::string& hint) {
  const std::int64_t available = available_memory();
  if (bytes <= available) return;
  throw Failure(fmt::format("{} needs {} of memory, {} are available; {}", what, human_bytes(bytes),
                            human_bytes(available), hint));
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.ends_with(end) && text.size() > end.size();
}

void check_output(const std::string& flag, const std::string& path, bool force) {
  std::error_code ignored;
  if (!path.empty() && !force && fs::is_regular_file(path, ignored)) {
    throw UsageError(fmt::format("{}: {} exists already; choose another name, or say --force to overwrite it",
                                 flag, path));
  }
}

/// What can be refused without reading the data.
void check(const LaplacianFlags& flags) {
  if (!std::isfinite(flags.q))
    throw UsageError(fmt::format("--q: expected a finite number, got {}", flags.q));
  sheaf::parameters_per_map(sheaf::map_kind(flags.maps), flags.d, flags.rank);
  if (flags.spectrum > 0 && !sheaf::has_spectrum()) {
    throw Failure("--spectrum: this build has no Spectra; install it and Eigen, and build again");
  }
  if (!flags.exported.empty() && !ends_with(flags.exported, ".mtx") && !ends_with(flags.exported, ".npz")) {
    throw UsageError(
        fmt::format("--export: expected a name that ends in .mtx (Matrix Market) or .npz (scipy), got {}",
                    flags.exported));
  }
  check_output("--export", flags.exported, flags.force);
  check_output("--density", flags.density, flags.force);
}

DirectedSheaf build(const LaplacianFlags& flags, const Hypergraph& hypergraph) {
  const sheaf::MapKind& kind = sheaf::map_kind(flags.maps);
  require_memory(sheaf::random_maps_bytes(kind, hypergraph.incidence_count(), flags.d),
                 fmt::format("{} maps with d = {}", flags.maps, flags.d),
                 "choose a smaller --d or a simpler kind of --maps");
  Random random(flags.seed);
  return {hypergraph, flags.q,
          sheaf::random_maps(kind, hypergraph.incidence_count(), flags.d, random, flags.rank), flags.d};
}

std::vector<double> numbers(const at::Tensor& tensor) {
  const double* values = tensor.data_ptr<double>();
  return {values, values + tensor.numel()};
}

/// [n*d], [n*d, f] or [n, d, f], real or complex.
at::Tensor read_signal(const DirectedSheaf& sheaf, const std::string& path) {
  const io::Array array = io::read_npy(path);
  const std::int64_t n = sheaf.hypergraph().node_count();
  const std::int64_t d = sheaf.stalk_dimension();
  const auto& shape = array.shape;
  const bool flat = (shape.size() == 1 || shape.size() == 2) && shape[0] == n * d;
  const bool deep = shape.size() == 3 && shape[0] == n && shape[1] == d;
  if (!flat && !deep) {
    throw InvalidInput(fmt::format("{}: expected a signal of shape ({}, f) or ({}, {}, f), got {}", path,
                                   n * d, n, d, io::shape_text(shape)));
  }
  const auto values = array.as<std::complex<double>>(path);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i].real()) || !std::isfinite(values[i].imag())) {
      throw InvalidInput(fmt::format("{}: element {} is not a finite number", path, i));
    }
  }
  return sheaf::signal_of(sheaf, values, shape.size() == 1 ? 1 : shape.back());
}

LaplacianReport::Energy measure_energy(const DirectedSheaf& sheaf, const LaplacianFlags& flags) {
  const at::Tensor x = flags.energy == "constant" ? sheaf::constant_signal(sheaf)
                       : flags.energy == "random" ? sheaf::random_signal(sheaf, flags.seed)
                                                  : read_signal(sheaf, flags.energy);
  return {flags.energy, numbers(sheaf.dirichlet_energy(x)), numbers(sheaf.dirichlet_energy(x, false)),
          numbers(sheaf::squared_norms(x))};
}

void find_eigenvalues(LaplacianReport& report, const LaplacianFlags& flags, const Context& context) {
  sheaf::SpectrumOptions options;
  options.form = report.form;
  options.count = flags.spectrum;
  options.seed = flags.seed;
  if (options.count > report.sheaf->dimension()) {
    throw UsageError(fmt::format("--spectrum: expected at most {} (nodes times d), got {}",
                                 report.sheaf->dimension(), options.count));
  }
  report.smallest = sheaf::extreme_eigenpairs(*report.sheaf, options);
  options.end = sheaf::End::largest;
  report.largest = sheaf::extreme_eigenpairs(*report.sheaf, options);
  for (const auto& [pairs, end] :
       {std::pair(&*report.smallest, "smallest"), std::pair(&*report.largest, "largest")}) {
    if (pairs->converged) continue;
    context.warn(fmt::format("the {} eigenvalues did not converge: {} of {} found, see their residuals", end,
                             pairs->values.size(), options.count));
  }
}

void write_density(const LaplacianReport& report, const LaplacianFlags& flags) {
  sheaf::DensityOptions options;
  options.form = report.form;
  options.seed = flags.seed;
  const sheaf::SpectralDensity density = sheaf::spectral_density(*report.sheaf, options);
  std::string text = "lambda,density\n";
  for (std::size_t i = 0; i < density.lambda.size(); ++i) {
    text += fmt::format("{},{}\n", density.lambda[i], density.density[i]);
  }
  io::write_file(flags.density, text);
}

/// The matrix itself while it grows, and for .npz its arrays beside it.
void require_memory_for_export(const DirectedSheaf& sheaf, std::int64_t blocks, bool npz) {
  require_memory(sheaf::assembled_cost(sheaf, blocks).bytes * (npz ? 3 : 2), "--export: the assembled matrix",
                 "the operator itself needs no matrix: leave --export out");
}

LaplacianReport::Export write_matrix(const LaplacianReport& report, const LaplacianFlags& flags) {
  const Hypergraph& h = report.sheaf->hypergraph();
  const bool npz = flags.exported.ends_with(".npz");
  // One hyperedge alone may be too much; that is known before anything is counted.
  Offset largest = 0;
  for (Index e = 0; e < h.edge_count(); ++e) largest = std::max(largest, h.size(e));
  require_memory_for_export(*report.sheaf, largest * largest, npz);
  require_memory_for_export(*report.sheaf,
                            report.assembled.exact ? report.assembled.blocks : sheaf::block_count(h), npz);
  const sheaf::CsrMatrix matrix = sheaf::assemble(*report.sheaf, report.form);
  const io::HermitianRows rows{matrix.row_ptr, matrix.col, matrix.values, matrix.real};
  if (npz)
    io::write_sparse(flags.exported, rows);
  else
    io::write_matrix_market(flags.exported, rows);
  return {flags.exported, matrix.entries()};
}

void laplacian(const LaplacianFlags& flags, const Context& context) {
  check(flags);
  const data::Dataset dataset = flags.loader.open(flags.data, context);
  print_remarks(dataset, context);
  Activity activity(context.err, "computing");
  const DirectedSheaf sheaf = build(flags, dataset.hypergraph);
  LaplacianReport report;
  report.data = flags.data;
  report.maps = flags.maps;
  report.sheaf = &sheaf;
  report.form = kForms.at(flags.form);
  report.assembled = sheaf::estimate_blocks(dataset.hypergraph);
  if (!flags.energy.empty()) report.energy = measure_energy(sheaf, flags);
  if (flags.spectrum > 0) find_eigenvalues(report, flags, context);
  if (!flags.density.empty()) {
    write_density(report, flags);
    report.density_file = flags.density;
  }
  if (!flags.exported.empty()) report.exported = write_matrix(report, flags);
  activity.stop();
  if (flags.json) {
    context.print_json(document(report));
  } else {
    context.print(page(report, context.out));
  }
}

}  // namespace

void add_laplacian(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("laplacian", summary_of("laplacian"));
  const auto flags = std::make_shared<LaplacianFlags>();
  command->add_option("--data", flags->data, "A built-in name, a data set folder, or a file")->required();
  command->add_option("--q", flags->q, "Charge: how much direction counts, 0 forgets it")
      ->capture_default_str();
  command->add_option("--maps", flags->maps, "Restriction maps; all but trivial are random")
      ->check(CLI::IsMember(sheaf::map_kind_names()))
      ->capture_default_str();
  command->add_option("--d", flags->d, "Stalk dimension")
      ->check(CLI::Range(1, 1 << 15))
      ->capture_default_str();
  command->add_option("--rank", flags->rank, "Rank of the product in low-rank maps, at most d")
      ->capture_default_str();
  add_seed(*command, "--seed", flags->seed, "Of random maps, signals and starting vectors");
  command->add_option("--form", flags->form, "Matrix that --spectrum, --density and --export are about")
      ->check(CLI::IsMember(kForms))
      ->capture_default_str();
  command->add_option("--spectrum", flags->spectrum, "How many eigenvalues at either end")
      ->check(CLI::PositiveNumber);
  command->add_option("--density", flags->density, "Write the estimated spectral density to this CSV file");
  command->add_option("--energy", flags->energy,
                      "Dirichlet energy of a signal: constant, random, or a .npy file of n*d rows");
  command->add_option("--export", flags->exported,
                      "Write the assembled matrix: .mtx (Matrix Market) or .npz (scipy)");
  command->add_flag("--force", flags->force, "Overwrite what is there");
  command->add_flag("--json", flags->json, "Print one JSON document");
  flags->loader.add_to(*command);
  command->callback(
      [&context, flags] { context.action = [&context, flags] { laplacian(*flags, context); }; });
}

}  // namespace dshn::cli
