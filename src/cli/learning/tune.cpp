#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learning/threads.hpp"
#include "cli/learning/tune_request.hpp"
#include "cli/learning/tune_table.hpp"
#include "cli/learning/tune_watch.hpp"
#include "cli/learning/worker_processes.hpp"
#include "cli/learning_module.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/ops/keep_freed_memory.hpp"
#include "dshn/train/run.hpp"
#include "dshn/tune/confirmation.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/usable.hpp"

namespace dshn::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{250};
constexpr int kRowsPrinted = 10;

struct TuneFlags {
  TuneRequest request;
  std::filesystem::path out;
  std::string server;  // where the trials are; empty: in the folder
  std::string name;    // of the study there; empty: the folder's
  std::filesystem::path preset_out;
  int final_splits = 0;
  int jobs = 1;
  int threads = 1;
  bool resume = false;
  bool quiet = false;
  bool json = false;
  int worker_of = 0;  // of a worker process: the process that started it
};

tune::StudyPlace place_of(const TuneFlags& flags) {
  if (flags.server.empty()) return flags.out;
  const std::filesystem::path folder = std::filesystem::absolute(flags.out).lexically_normal();
  const std::filesystem::path last = folder.has_filename() ? folder : folder.parent_path();
  return {flags.out, tune::StoreAddress::on_server(
                         flags.server, flags.name.empty() ? last.filename().string() : flags.name)};
}

/// The words that lead to trials on a server; a password is not among them.
std::vector<std::string> server_words(const tune::StoreAddress& store) {
  if (!store.is_on_server()) return {};
  return {"--study", store.url(), "--study-name", store.study()};
}

void work_for(const TuneFlags& flags) {
  const StopRequest stop;
  stop_with(flags.worker_of);
  ops::keep_freed_memory();
  set_threads(flags.threads);
  try {
    tune::work(place_of(flags), [&] { return stop.requested(); });
  } catch (const train::Interrupted&) {
    return;  // whoever asked for it says how to go on
  }
}

std::string resume_command(const TuneFlags& flags) {
  std::string text = fmt::format("dshn tune --resume --out {}", flags.out.string());
  for (const std::string& word : server_words(place_of(flags).store)) text += " " + word;
  if (flags.jobs != 1) text += fmt::format(" --jobs {}", flags.jobs);
  if (flags.final_splits > 0) text += fmt::format(" --final-splits {}", flags.final_splits);
  if (!flags.preset_out.empty()) text += fmt::format(" --preset-out {}", flags.preset_out.string());
  return text;
}

train::Settings final_settings(const tune::StudyRequest& request, const Assignments& winner,
                               const TuneFlags& flags) {
  train::Settings settings = request.trial_settings(winner);
  settings.splits = flags.final_splits;
  return settings;
}

/// Data, options and splits are looked at before anything is written, and values that the data set does not
/// allow are left out.
tune::StudyRequest checked_request(const TuneFlags& flags, const Context& context) {
  tune::StudyRequest request = flags.request.start();
  const train::Experiment experiment(
      context.shelf->open(request.settings.data, train::open_options(request.settings)), request.settings);
  print_remarks(*experiment.dataset, context);
  for (const std::string& line : experiment.warnings) context.warn(line);
  request.judge_by(experiment.metric);
  std::vector<std::string> left_out;
  request.space = tune::usable_part(request.space, flags.request.chosen_names(), experiment, left_out);
  for (const std::string& line : left_out) context.warn(line);
  request.digests = data::named_digests(*experiment.dataset);
  std::vector<train::Settings> later;
  if (flags.final_splits > 0) later.push_back(final_settings(request, {}, flags));
  if (request.confirm > 0) later.push_back(tune::confirmation_settings(request));
  for (const train::Settings& settings : later) {
    const train::Experiment enough_splits(experiment.dataset, settings);
  }
  return request;
}

void start_study(const TuneFlags& flags, const Context& context) {
  const tune::StoreAddress store = place_of(flags).store;
  const bool has_file = !store.is_on_server() && std::filesystem::exists(store.file());
  if (!has_file && std::filesystem::exists(flags.out) && !std::filesystem::is_empty(flags.out))
    throw UsageError(
        fmt::format("{}: is not empty and holds no study; choose another --out", flags.out.string()));
  const tune::StudyRequest request = checked_request(flags, context);
  const int goal = flags.request.goal(request);
  io::make_folders(flags.out);
  tune::Store::create(store, request.to_text(), goal);
}

void open_study(const TuneFlags& flags, const Context& context) {
  const tune::StudyPlace place = place_of(flags);
  if (!tune::Store::holds_study(place.store)) {
    start_study(flags, context);
    return;
  }
  if (!flags.resume)
    throw UsageError(fmt::format(
        "{}: holds a study already; add --resume to go on with it, or choose another --out", place.text()));
  io::make_folders(flags.out);
  tune::Store store(place.store);
  const tune::StudyRequest stored = tune::StudyRequest::from_text(store.request());
  flags.request.check_same(stored, flags.out);
  tune::check_data(stored, *context.shelf->open(stored.settings.data, train::open_options(stored.settings)),
                   place);
  const tune::StudyRequest request = flags.request.gone_on(stored, flags.out);
  if (flags.request.given("--trials"))
    store.set_goal(flags.request.goal(request));
  else if (request.confirm > store.goal())
    throw UsageError(fmt::format("--confirm {}: there are only {} trials", request.confirm, store.goal()));
  store.set_request(request.to_text());
}

/// Has workers make the trials of a study, or of its confirmation, and shows how they get on.
void make_trials(const tune::StudyPlace& study, const TuneFlags& flags, const StopRequest& stop,
                 const Context& context) {
  const tune::Summary before = tune::Summary::read(study);
  const int left = before.goal - before.finished();
  if (left == 0) return;
  std::vector<std::string> words{"dshn",        "tune",
                                 "--out",       study.folder.string(),
                                 "--threads",   std::to_string(flags.threads),
                                 "--worker-of", std::to_string(getpid())};
  for (std::string& word : server_words(study.store)) words.push_back(std::move(word));
  // Words of a process can be read by all users of a machine.
  if (!study.store.password().empty()) setenv("PGPASSWORD", study.store.password().c_str(), /*overwrite=*/1);
  WorkerGroup workers(words, std::min(flags.jobs, left), flags.threads);
  TuneWatch watch(context.err, flags.quiet, before);
  while (workers.running() > 0) {
    if (stop.requested()) workers.ask_to_stop();
    watch.show(tune::Summary::read(study));
    std::this_thread::sleep_for(kBetweenLooks);
  }
  const tune::Summary after = tune::Summary::read(study);
  watch.show(after);
  if (after.finished() == after.goal) return;
  const std::string why = stop.requested()            ? "stopped"
                          : workers.trouble().empty() ? "the workers ended early"
                                                      : "a worker process " + workers.trouble();
  throw Failure(fmt::format("{}; {} of {} trials are {} and kept; go on with: {}", why, after.finished(),
                            after.goal, after.request.confirms ? "confirmed" : "finished",
                            resume_command(flags)));
}

/// The search, and the second look at its best trials.
void search(const TuneFlags& flags, const StopRequest& stop, const Context& context) {
  const tune::StudyPlace place = place_of(flags);
  make_trials(place, flags, stop, context);
  const tune::Summary searched = tune::Summary::read(place);
  const int asked = searched.request.confirm;
  if (asked == 0 || searched.count(tune::TrialState::completed) == 0) return;
  if (const int there = searched.count(tune::TrialState::completed); there < asked)
    context.warn(fmt::format("--confirm {}: {} trials were completed; these are confirmed", asked, there));
  tune::prepare_confirmation(place);
  make_trials(place.confirmation(), flags, stop, context);
  const auto confirmation = tune::read_confirmation(place);
  if (!confirmation->winner())
    throw Failure(fmt::format("all {} trials failed when they were trained again; the first one said: {}",
                              confirmation->goal, confirmation->trials[0].message));
}

/// A folder left by an earlier winner is of no use.
void clear_other_run(const train::Settings& settings, const std::filesystem::path& folder) {
  const std::filesystem::path config = folder / io::kConfigFile;
  if (!std::filesystem::exists(config)) {
    io::remove_tree(folder);
    return;
  }
  const train::Settings there = train::read_config(config);
  if (there.set != settings.set || there.splits != settings.splits || there.reading != settings.reading)
    io::remove_tree(folder);
}

/// The winner on more splits, and for the first time on test data.
tune::FinalFigure train_winner(const tune::Summary& summary, const TuneFlags& flags, const StopRequest& stop,
                               const Context& context) {
  const train::Settings settings = final_settings(summary.request, summary.best()->set, flags);
  ops::keep_freed_memory();
  const std::filesystem::path folder = flags.out / tune::kFinalFolder;
  clear_other_run(settings, folder);
  const train::Experiment experiment(context.shelf->open(settings.data, train::open_options(settings)),
                                     settings);
  train::prepare_folder(settings, folder, /*resume=*/true);
  if (flags.jobs > 1)
    run_workers(folder, flags.final_splits, flags.jobs, flags.quiet ? Terminal{} : context.err);
  train::SplitHooks hooks;
  hooks.should_stop = [&] { return stop.requested(); };
  try {
    const train::RunResult result = train::run(experiment, folder, hooks);
    return {flags.final_splits, result.val, result.test};
  } catch (const train::Interrupted& interrupted) {
    throw Failure(fmt::format("{}; go on with: {}", interrupted.what(), resume_command(flags)));
  }
}

std::string page(const tune::Summary& summary, const TuneFlags& flags, const Terminal& terminal) {
  const train::Settings& settings = summary.request.settings;
  const auto figure = [&](const train::MeanStd& f) { return summary.request.figure_text(f); };
  std::string text =
      fmt::format("{} on {}: {} trials ({} completed, {} pruned, {} failed)\n\n{}\n{}\n",
                  models::find_model(settings.model).title, settings.data, summary.finished(),
                  summary.count(tune::TrialState::completed), summary.count(tune::TrialState::pruned),
                  summary.count(tune::TrialState::failed), leaderboard(summary, kRowsPrinted, terminal),
                  importance_table(summary, terminal));
  text += fmt::format("best   trial {}, validation {} over {} splits\n", summary.best()->number,
                      terminal.paint(Paint::good, figure(summary.best()->figure())),
                      summary.best()->validation.size());
  if (const tune::Trial* again =
          summary.confirmation ? summary.confirmation->again(summary.best()->number) : nullptr)
    text += fmt::format("again  validation {} over {} fresh splits of seed {}, the best of {} trials\n",
                        figure(again->figure()), again->validation.size(),
                        tune::seed_range(summary.confirmation->seed, summary.confirmation->seeds),
                        summary.confirmation->goal);
  if (summary.final_figure)
    text += fmt::format("final  test {}, validation {} over {} splits\n", figure(summary.final_figure->test),
                        figure(summary.final_figure->validation), summary.final_figure->splits);
  const std::string preset = (flags.out / tune::kWinnerFile).string();
  return text + fmt::format("preset {}\n       dshn train --data {}{} --model {} --preset {}\n", preset,
                            settings.data, reading_words(settings.reading), settings.model, preset);
}

void write_study_files(const tune::Summary& summary, const TuneFlags& flags, const std::string& command) {
  io::write_file(flags.out / tune::kSummaryFile, tune::to_json(summary, command).dump(2) + "\n");
  if (summary.best() == nullptr) return;
  const std::string preset = tune::preset_text(summary, command);
  io::write_file(flags.out / tune::kWinnerFile, preset);
  if (!flags.preset_out.empty()) io::write_file(flags.preset_out, preset);
}

void run_tuning(const TuneFlags& flags, const Context& context) {
  if (flags.worker_of != 0) {
    work_for(flags);
    return;
  }
  const std::filesystem::path preset_folder = flags.preset_out.parent_path();
  if (!preset_folder.empty() && !std::filesystem::is_directory(preset_folder))
    throw UsageError(fmt::format("--preset-out {}: there is no such folder", flags.preset_out.string()));
  open_study(flags, context);
  const StopRequest stop;
  const auto command_of = [&](const tune::Summary& summary) {
    std::string text = command_text(summary.request, summary.goal);
    if (flags.final_splits > 0) text += fmt::format(" --final-splits {}", flags.final_splits);
    return text;
  };
  try {
    search(flags, stop, context);
  } catch (const Failure&) {
    const tune::Summary summary = tune::Summary::read(place_of(flags));
    write_study_files(summary, flags, command_of(summary));
    throw;
  }
  tune::Summary summary = tune::Summary::read(place_of(flags));
  // All are finished: what a kill left there is not needed.
  for (const std::filesystem::path& study : {flags.out, tune::confirmation_folder(flags.out)})
    io::remove_tree(study / tune::kTrialsFolder);
  write_study_files(summary, flags, command_of(summary));
  if (summary.best() == nullptr)
    throw Failure(fmt::format("all {} trials failed; the first one said: {}", summary.finished(),
                              summary.trials[0].message));
  if (flags.final_splits > 0) {
    summary.final_figure = train_winner(summary, flags, stop, context);
    write_study_files(summary, flags, command_of(summary));
  }
  if (flags.json)
    context.print_json(tune::to_json(summary, command_of(summary)));
  else
    context.print(page(summary, flags, context.out));
}

}  // namespace

void add_tune(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("tune", summary_of("tune"));
  const auto flags = std::make_shared<TuneFlags>();
  add_request_flags(*command, flags->request);
  command->add_option("--out", flags->out, "Study folder")->required();
  CLI::Option* const server = command->add_option(
      "--study", flags->server,
      "A PostgreSQL server that keeps the trials, for workers on many machines: postgresql://...");
  command
      ->add_option("--study-name", flags->name, "Name of the study there (default: that of the --out folder)")
      ->needs(server);
  command->add_flag("--resume", flags->resume, "Go on with the study in --out; more --trials extend it");
  command->add_option("--jobs", flags->jobs, "Worker processes side by side")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--threads", flags->threads, "Threads of each worker")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--final-splits", flags->final_splits,
                   "Train the winner on so many splits at the end and report its test figure")
      ->check(CLI::Range(1, 10000));
  command->add_option("--preset-out", flags->preset_out, "Write the winner's preset here too");
  command->add_flag("--quiet", flags->quiet, "No leaderboard while it runs");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_option("--worker-of", flags->worker_of, "Of a worker process")->group("");
  command->callback(
      [&context, flags] { context.action = [&context, flags] { run_tuning(*flags, context); }; });
}

}  // namespace dshn::cli
