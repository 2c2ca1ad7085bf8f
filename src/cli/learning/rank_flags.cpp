#include "cli/learning/rank_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "dshn/base/error.hpp"
#include "dshn/parts/divide.hpp"
#include "dshn/parts/folder.hpp"

namespace dshn::cli {

void add_rank_flags(CLI::App& command, RankFlags& flags) {
  command
      .add_option(
          "--ranks", flags.ranks,
          "Processes that train together, each on its part of the data; also found out under torchrun, "
          "mpirun and srun")
      ->check(CLI::Range(1, 1024));
  command.add_option("--partition", flags.method, "How ranks divide the data: metis, block or random");
  command.add_option("--backend", flags.backend, "How ranks send messages: auto or gloo")
      ->capture_default_str();
  command.add_option("--rank-timeout", flags.patience, "Seconds after which a silent rank ends the training")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
}

void check(const RankFlags& flags) {
  if (!flags.method.empty()) static_cast<void>(parts::method(flags.method));
  if (flags.backend == "auto" || flags.backend == "gloo") return;
  const char* const why =
      flags.backend == "nccl" ? "this program was built without NCCL, and ranks train on CPUs; " : "";
  throw UsageError(fmt::format("--backend {}: {}expected auto or gloo", flags.backend, why));
}

std::optional<ranks::Place> place_of_this_process(const RankFlags& flags) {
  const auto place = ranks::place_of([](const char* name) { return std::getenv(name); });
  if (place && flags.ranks > 1 && flags.ranks != place->size)
    throw UsageError(
        fmt::format("--ranks {}: this process was started as one of {}", flags.ranks, place->size));
  return place;
}

std::optional<train::WholeOfParts> whole_of_parts(const std::string& data) {
  if (!parts::holds_parts(data)) return std::nullopt;
  return train::WholeOfParts::from_text(parts::about(data), data);
}

train::ExperimentParts cut(const train::Experiment& experiment, int parts, const RankFlags& flags) {
  const parts::Method method = flags.method.empty() ? parts::best_method() : parts::method(flags.method);
  return train::cut(experiment, parts::divide(experiment.dataset->hypergraph, parts, method, 0));
}

train::Experiment experiment_of_rank(const ranks::Place& place, const std::filesystem::path& folder,
                                     const train::Settings& settings, const RankFlags& flags,
                                     const std::function<train::Experiment()>& whole) {
  parts::Part mine;
  train::WholeOfParts of;
  if (folder.empty()) {
    train::ExperimentParts all = cut(whole(), place.size, flags);
    mine = std::move(all.parts[static_cast<std::size_t>(place.rank)]);
    of = std::move(all.whole);
  } else {
    if (const int count = parts::count(folder); count != place.size)
      throw UsageError(
          fmt::format("{}: has {} parts, but there are {} ranks", folder.string(), count, place.size));
    parts::StoredPart stored = parts::read(folder, place.rank);
    mine = std::move(stored.part);
    of = train::WholeOfParts::from_text(stored.about, folder.string());
  }
  ranks::Patience patience;
  patience.for_messages = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * flags.patience));
  return train::experiment_on_part(std::move(mine), of, train::settings_on_parts(settings, of),
                                   ranks::Group::join(place, patience));
}

}  // namespace dshn::cli
