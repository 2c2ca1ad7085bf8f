#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learning/assignments.hpp"
#include "cli/learning/local_ranks.hpp"
#include "cli/learning/model_help.hpp"
#include "cli/learning/preset_flag.hpp"
#include "cli/learning/rank_flags.hpp"
#include "cli/learning/run_data.hpp"
#include "cli/learning/run_table.hpp"
#include "cli/learning/threads.hpp"
#include "cli/learning/train_auto.hpp"
#include "cli/learning/training_line.hpp"
#include "cli/learning/worker_processes.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "cli/seed_flag.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/ops/keep_freed_memory.hpp"
#include "dshn/parts/folder.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {
namespace {

struct TrainFlags {
  train::Settings settings;
  LoaderFlags loader;
  std::string split;
  std::vector<std::string> set;
  std::string preset = kPresetAuto;
  std::string config;
  std::filesystem::path out;
  bool resume = false;
  bool force = false;
  bool quiet = false;
  bool json = false;
  bool help_model = false;
  int jobs = 1;
  int threads = 0;
  RankFlags ranks;
  double minutes = 0;     // of --auto; 0: no search
  std::vector<int> only;  // splits of a worker process
  CLI::App* command = nullptr;

  bool given(const char* option) const { return command->count(option) > 0; }
};

/// What a configuration file or a preset says, overridden by what the command line says.
train::Settings settings_of(const TrainFlags& flags, const Context& context) {
  train::Settings settings = flags.settings;
  const bool resumed = flags.resume && std::filesystem::exists(flags.out / io::kConfigFile);
  if (resumed || !flags.config.empty()) {
    settings = resumed ? train::read_to_go_on(flags.out) : train::read_config(flags.config);
    if (resumed) train::check_stored(settings, flags.out / io::kConfigFile);
    if (flags.given("--data")) settings.data = flags.settings.data;
    if (flags.given("--model")) settings.model = flags.settings.model;
    if (flags.given("--splits")) settings.splits = flags.settings.splits;
    if (flags.given("--seed")) settings.seed = flags.settings.seed;
    if (flags.given("--device")) settings.device = flags.settings.device;
  }
  // What a stored configuration began with is in it, and a search takes the presets of all its models.
  const bool stored = resumed || !flags.config.empty() || flags.minutes > 0;
  if (!stored || flags.preset != kPresetAuto) {
    if (const auto preset = chosen_preset(flags.preset, settings, context))
      experiments::apply(*preset, settings);
  }
  for (const auto& [name, value] : parse_assignments("--set", flags.set)) settings.set[name] = value;
  if (flags.given("--split")) settings.set["split"] = flags.split;
  for (const auto& [name, value] : flags.loader.given()) settings.reading[name] = value;
  if (settings.data.empty())
    throw UsageError("--data is missing: the name of a data set, a folder or a file");
  return settings;
}

/// runs/DATA-MODEL, with a number behind it where that exists already.
std::filesystem::path new_folder(const std::string& data, const std::string& model) {
  const std::filesystem::path base =
      std::filesystem::path("runs") /
      fmt::format("{}-{}", std::filesystem::path(data).filename().string(), model);
  std::filesystem::path folder = base;
  for (int number = 2; std::filesystem::exists(folder); ++number)
    folder = fmt::format("{}-{}", base.string(), number);
  return folder;
}

std::string how_to_go_on(int ranks, const std::filesystem::path& folder) {
  return fmt::format("go on with: dshn train --resume{} --out {}",
                     ranks > 1 ? fmt::format(" --ranks {}", ranks) : "", folder.string());
}

std::string how_to_go_on(const train::Experiment& experiment, const std::filesystem::path& folder) {
  return how_to_go_on(experiment.part ? experiment.part->group->size() : 1, folder);
}

train::RunResult train_here(const train::Experiment& experiment, const std::filesystem::path& folder,
                            const TrainFlags& flags, const Context& context) {
  const StopRequest stop;
  const bool shows = !flags.quiet && train::writes_files(experiment);
  TrainingLine line(shows ? context.err : Terminal{}, experiment);
  train::SplitHooks hooks;
  hooks.on_epoch = [&](const train::EpochRecord& record) { line.show(record); };
  hooks.should_stop = [&] { return stop.requested(); };
  try {
    return train::run(experiment, folder, hooks, flags.only);
  } catch (const train::Interrupted& interrupted) {
    if (!flags.only.empty()) return {};  // whoever asked for it says how to go on
    throw Failure(fmt::format("{}; {}", interrupted.what(), how_to_go_on(experiment, folder)));
  } catch (const ranks::Lost& lost) {
    throw Failure(fmt::format("{}; {}", lost.what(), how_to_go_on(experiment, folder)));
  }
}

/// Where the run goes, and what it trains.
struct TrainingPlan {
  std::filesystem::path folder;
  train::Settings settings;
  bool searched = false;
};

/// Wrong options are reported before any data is read. Where a run goes on as it was, a wrong request is one of its
/// files'.
train::Experiment experiment_of(const train::Settings& settings, const TrainFlags& flags,
                                const Context& context) {
  const auto make = [&] {
    static_cast<void>(settings.all_options());
    return train::Experiment(context.shelf->open(settings.data, train::open_options(settings)), settings);
  };
  const bool as_it_was = flags.resume && flags.set.empty() && flags.loader.given().empty() &&
                         !flags.given("--preset") && !flags.given("--data") && !flags.given("--model") &&
                         !flags.given("--splits") && !flags.given("--split") && !flags.given("--device");
  return as_it_was ? of_run(flags.out, make) : make();
}

void print_remarks(const train::Experiment& experiment, const Context& context) {
  print_remarks(*experiment.dataset, context);
  for (const std::string& line : experiment.warnings) context.warn(line);
}

/// What a search is about: asked for now, or begun before.
tune::AutoState state_of(const TrainFlags& flags, const Context& context) {
  if (!flags.resume || !has_unfinished_search(flags.out))
    return {auto_request(settings_of(flags, context), flags.given("--model"), flags.minutes, flags.preset),
            {}};
  tune::AutoState state = *read_search(flags.out);
  if (flags.minutes > 0) state.request.seconds = 60 * flags.minutes;
  return state;
}

/// The settings as asked for, or what a search, begun here or before, finds to be the best.
TrainingPlan plan_of(const TrainFlags& flags, const Context& context) {
  const bool goes_on = flags.resume && has_unfinished_search(flags.out);
  if (flags.minutes == 0 && !goes_on) {
    const train::Settings settings = settings_of(flags, context);
    return {flags.out.empty() ? new_folder(settings.data, settings.model) : flags.out, settings};
  }
  if (flags.preset != kPresetAuto && flags.preset != kPresetNone)
    throw UsageError("--auto tries several models; expected --preset auto or none, not a file");
  tune::AutoState state = state_of(flags, context);
  tune::check(state.request);
  const std::string& data = state.request.settings.data;
  const std::filesystem::path folder = flags.out.empty() ? new_folder(data, "auto") : flags.out;
  // Bad data is refused before a folder is made.
  // The linear model predicts targets of every kind.
  const train::Experiment experiment =
      experiment_of(settings_of(state.request, {.model = "linear"}), flags, context);
  print_remarks(experiment, context);
  fit_to(state.request, experiment);
  if (flags.force) train::remove_run(folder);
  train::make_folder(folder, flags.resume);
  state = search_in(folder, std::move(state), flags.quiet, context);
  return {folder, winner_settings(state.request, state.board), /*searched=*/true};
}

void print_result(const train::RunResult& result, const train::Experiment& experiment,
                  const std::filesystem::path& folder, const TrainFlags& flags, const Context& context) {
  const auto searched = read_search(folder);
  if (!flags.json) {
    if (searched) context.print(auto_page(*searched, context.out) + "\n");
    context.print(run_table(result, experiment, folder, context.out));
    return;
  }
  nlohmann::ordered_json document = train::to_json(result, experiment, folder);
  if (searched) document["auto"] = to_json(searched->request, searched->board);
  context.print_json(document);
}

/// Of a training on several ranks.
struct RankRequest {
  std::filesystem::path parts;  // where the data lies cut; empty: it is whole
  train::Settings settings;
  std::filesystem::path folder;
};

RankRequest rank_request(TrainFlags flags, const Context& context) {
  RankRequest request;
  const auto whole = whole_of_parts(flags.settings.data);
  if (whole) request.parts = std::exchange(flags.settings.data, whole->settings.data);
  request.settings = settings_of(flags, context);
  train::check_trains_on_ranks(request.settings);
  if (whole) request.settings = train::settings_on_parts(request.settings, *whole);
  request.folder = flags.out.empty() ? new_folder(request.settings.data, request.settings.model) : flags.out;
  return request;
}

void begin_folder(const RankRequest& request, const TrainFlags& flags) {
  if (flags.force) train::remove_run(request.folder);
  train::prepare_folder(request.settings, request.folder, flags.resume);
}

/// This process is one of the ranks.
void train_as_rank(const ranks::Place& place, const RankRequest& request, const TrainFlags& flags,
                   const Context& context) {
  if (is_worker()) stop_with_master();
  const auto whole = [&] { return experiment_of(request.settings, flags, context); };
  const train::Experiment experiment =
      experiment_of_rank(place, request.parts, request.settings, flags.ranks, whole);
  const bool first = train::writes_files(experiment);
  if (first) begin_folder(request, flags);
  const train::RunResult result = train_here(experiment, request.folder, flags, context);
  if (first) print_result(result, experiment, request.folder, flags, context);
}

/// The parts that a training has cut for its own ranks, while it lasts.
class PartsOfRun {
 public:
  PartsOfRun(const train::Experiment& experiment, const std::filesystem::path& run, const RankFlags& flags)
      : folder_(run / io::kPartsFolder) {
    const train::ExperimentParts all = cut(experiment, flags.ranks, flags);
    parts::write(folder_, all.parts, all.whole.text());
  }
  ~PartsOfRun() { parts::remove(folder_); }
  PartsOfRun(const PartsOfRun&) = delete;
  PartsOfRun& operator=(const PartsOfRun&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Starts the ranks.
void train_on_ranks(RankRequest request, const TrainFlags& flags, const Context& context) {
  std::optional<PartsOfRun> made;
  int ranks = flags.ranks.ranks;
  if (request.parts.empty()) {
    refuse_standard_input(request.settings.data, request.settings.reading, "--ranks");
    const train::Experiment experiment = experiment_of(request.settings, flags, context);
    print_remarks(experiment, context);
    begin_folder(request, flags);
    request.parts = made.emplace(experiment, request.folder, flags.ranks).folder();
  } else {
    const int count = parts::count(request.parts);
    if (flags.given("--ranks") && count != ranks)
      throw UsageError(fmt::format("--ranks {}: {} has {} parts", ranks, request.parts.string(), count));
    ranks = count;
    begin_folder(request, flags);
  }
  std::vector<std::string> words{"dshn",
                                 "train",
                                 "--resume",
                                 "--out",
                                 request.folder.string(),
                                 "--data",
                                 request.parts.string(),
                                 "--rank-timeout",
                                 std::to_string(flags.ranks.patience)};
  if (flags.quiet) words.emplace_back("--quiet");
  if (flags.json) words.emplace_back("--json");
  if (flags.threads > 0) words.insert(words.end(), {"--threads", std::to_string(flags.threads)});
  run_ranks(words, ranks, flags.ranks.patience, how_to_go_on(ranks, request.folder));
}

/// Whether that was asked for, by a flag, by a launcher of several processes, or by data that lies in parts.
bool trains_on_ranks(const TrainFlags& flags, const std::optional<ranks::Place>& place) {
  const bool asked = place || flags.ranks.ranks > 1 || parts::holds_parts(flags.settings.data);
  if (asked && (flags.minutes > 0 || flags.jobs > 1 || !flags.only.empty()))
    throw UsageError("ranks train one run together; expected no --auto and no --jobs beside them");
  return asked;
}

void run_training(const TrainFlags& flags, const Context& context) {
  if (flags.help_model) {
    context.print(model_help(flags.settings.model, context.out));
    return;
  }
  check(flags.ranks);
  if (!flags.only.empty()) stop_with_master();
  ops::keep_freed_memory();
  set_threads(flags.threads);
  if (const auto place = place_of_this_process(flags.ranks); trains_on_ranks(flags, place)) {
    const RankRequest request = rank_request(flags, context);
    return place ? train_as_rank(*place, request, flags, context) : train_on_ranks(request, flags, context);
  }
  const auto [folder, settings, searched] = plan_of(flags, context);
  if (flags.jobs > 1) refuse_standard_input(settings.data, settings.reading, "--jobs");
  const train::Experiment experiment = experiment_of(settings, flags, context);
  if (flags.only.empty() && !searched) print_remarks(experiment, context);
  if (flags.force && !searched) train::remove_run(folder);
  train::prepare_folder(settings, folder, flags.resume || searched);
  const Terminal progress = flags.quiet ? Terminal{} : context.err;
  if (flags.jobs > 1) train::check_memory(experiment, std::nullopt, flags.jobs);
  if (flags.jobs > 1) run_workers(folder, static_cast<int>(experiment.splits.size()), flags.jobs, progress);
  const train::RunResult result = train_here(experiment, folder, flags, context);
  if (!flags.only.empty()) return;
  print_result(result, experiment, folder, flags, context);
}

}  // namespace

void add_train(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("train", summary_of("train"));
  const auto flags = std::make_shared<TrainFlags>();
  flags->command = command;
  train::Settings& settings = flags->settings;
  command->add_option("--data", settings.data, "A built-in name, a data set folder, or a file");
  command->add_option("--model", settings.model, "Which model (--help-model lists its options)")
      ->capture_default_str();
  command->add_option("--set", flags->set, "name=value of a model or training option; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  add_preset_flag(*command, flags->preset);
  CLI::Option* const config =
      command->add_option("--config", flags->config, "Run what a run folder's config.toml says")
          ->check(CLI::ExistingFile);
  command
      ->add_option("--auto", flags->minutes,
                   "Try several models and their options for so many minutes, and train the best one")
      ->type_name("MINUTES")
      ->check(CLI::Range(1e-9, 1e6))
      ->excludes(config);
  command->add_option("--splits", settings.splits, "How many splits (default: the data set's protocol)")
      ->check(CLI::Range(1, 10000));
  command->add_option("--split", flags->split, "How items are divided: 60/20/20, random, published, ...");
  add_seed(*command, "--seed", settings.seed, "Seed of splits, weights and dropout");
  command->add_option("--device", settings.device, "auto, cpu or cuda")->capture_default_str();
  command->add_option("--out", flags->out, "Run folder (default: runs/DATA-MODEL)");
  command->add_flag("--resume", flags->resume, "Go on with the run in --out after it was stopped")
      ->needs("--out");
  command->add_flag("--force", flags->force, "Replace the run in --out, but never anything else")
      ->needs("--out")
      ->excludes("--resume");
  command->add_option("--jobs", flags->jobs, "Processes that train splits side by side")
      ->check(CLI::Range(1, 256));
  add_rank_flags(*command, flags->ranks);
  command->add_option("--threads", flags->threads, "Threads of this process (default: all cores)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--only", flags->only, "Splits of a worker process")->group("");
  command->add_flag("--quiet", flags->quiet, "No progress line");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--help-model", flags->help_model, "Print the options of --model and exit");
  flags->loader.add_to(*command);
  command->callback(
      [&context, flags] { context.action = [&context, flags] { run_training(*flags, context); }; });
}

}  // namespace dshn::cli
