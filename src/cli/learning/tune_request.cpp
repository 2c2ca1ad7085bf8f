#include "cli/learning/tune_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/learning/assignments.hpp"
#include "cli/seed_flag.hpp"
#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/tune/confirmation.hpp"
#include "dshn/tune/sampler.hpp"

namespace dshn::cli {
namespace {

using Lists = std::map<std::string, std::vector<std::string>>;

Lists parse_lists(const std::vector<std::string>& words) {
  Lists lists;
  for (const auto& [name, values] : parse_assignments("--space", words)) {
    lists[name] = CLI::detail::split(values, ',');
    if (values.empty()) lists[name].clear();
  }
  return lists;
}

std::string text_of(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

const tune::Parameter* find(const tune::SearchSpace& space, const std::string& name) {
  const auto found =
      std::find_if(space.begin(), space.end(), [&](const tune::Parameter& p) { return p.name == name; });
  return found == space.end() ? nullptr : &*found;
}

[[noreturn]] void refuse(const std::filesystem::path& study, const std::string& what,
                         const std::string& stored, const std::string& asked) {
  throw UsageError(
      fmt::format("{}: is a study with {} {}, not {}; leave the flag away or choose another --out",
                  study.string(), what, stored, asked));
}

struct Preset {
  std::string file;
  Assignments set;
};

std::vector<Preset> read_presets(const std::vector<std::string>& files) {
  std::vector<Preset> presets;
  for (const std::string& file : files) presets.push_back({file, train::read_config(file).set});
  return presets;
}

/// The value that a preset gives an option, or its default.
std::string value_in(const Preset& preset, const std::string& name, const std::string& model) {
  if (const auto set = preset.set.find(name); set != preset.set.end()) return set->second;
  for (const auto* specs : {&models::find_model(model).options, &train::training_options()})
    for (const OptionSpec& spec : *specs)
      if (spec.name == name) return spec.default_value;
  return "";
}

/// What presets set beside the space holds for all trials: it must be the same in all of them.
void fix_beside_space(tune::StudyRequest& request, const std::vector<Preset>& presets) {
  const Assignments typed = request.settings.set;
  for (const Preset& preset : presets) {
    for (const auto& [name, value] : preset.set) {
      const auto fixed = typed.find(name);
      if (fixed != typed.end() && fixed->second != value)
        throw UsageError(
            fmt::format("--start {}: has {}={}, but --set says {}", preset.file, name, value, fixed->second));
      if (find(request.space, name) != nullptr) continue;
      for (const Preset& other : presets)
        if (const std::string there = value_in(other, name, request.settings.model);
            fixed == typed.end() && there != value)
          throw UsageError(fmt::format("--start {}: has {}={}, but {} has {}; --space {}={},{} tries both",
                                       preset.file, name, value, other.file, there, name, value, there));
      request.settings.set[name] = value;
    }
  }
}

}  // namespace

bool TuneRequest::given(const char* option) const {
  return command->count(option) > 0;
}

Assignments TuneRequest::fixed() const {
  Assignments values = parse_assignments("--set", set);
  if (given("--split")) values["split"] = split;
  return values;
}

std::vector<std::string> TuneRequest::chosen_names() const {
  std::vector<std::string> names;
  for (const auto& [name, values] : parse_assignments("--space", space)) names.push_back(name);
  return names;
}

tune::StudyRequest TuneRequest::start() const {
  if (defaults.settings.data.empty())
    throw UsageError("--data is missing: the name of a data set, a folder or a file");
  if (models::find_model(defaults.settings.model).is_rule)
    throw UsageError(fmt::format("--model {}: is a rule without training; there is nothing to tune",
                                 defaults.settings.model));
  refuse_standard_input(defaults.settings.data, loader.given(), "tune");
  tune::StudyRequest request = defaults;
  request.settings.set = fixed();
  request.settings.reading = loader.given();
  request.settings.training();
  request.settings.model_options();
  request.space = tune::search_space(request.settings.model, request.settings.set, parse_lists(space));
  if (!start_files.empty()) start_at_presets(request);
  tune::make_sampler(request.sampler, 0)->propose(request.space, {}, 0);
  return request;
}

void TuneRequest::start_at_presets(tune::StudyRequest& request) const {
  if (tune::make_sampler(request.sampler, 0)->exhaustive())
    throw UsageError(
        fmt::format("--start: a {} has no first configuration; use another --sampler", request.sampler));
  const std::vector<Preset> presets = read_presets(start_files);
  fix_beside_space(request, presets);
  for (const Preset& preset : presets) {
    auto [wider, first] = tune::starting_at(request.space, request.settings.model, preset.set);
    request.space = std::move(wider);
    for (const tune::FirstTrial& other : request.first)
      if (other.set == first)
        throw UsageError(fmt::format("--start {}: is the same configuration as {}", preset.file, other.from));
    request.first.push_back({std::move(first), preset.file});
  }
}

int TuneRequest::goal(const tune::StudyRequest& request) const {
  const std::uint64_t size = tune::size_of(request.space);
  const bool whole_grid = !given("--trials") && tune::make_sampler(request.sampler, 0)->exhaustive();
  constexpr std::uint64_t kMostTrials = 100000;
  if (whole_grid && size > kMostTrials)
    throw UsageError(
        fmt::format("the grid has {} configurations; say how many with --trials, or narrow it with --set and "
                    "--space",
                    size));
  if (!whole_grid && static_cast<std::uint64_t>(trials) > size)
    throw UsageError(
        fmt::format("--trials {}: there are only {} configurations, and none is tried twice", trials, size));
  const int goal = whole_grid ? static_cast<int>(size) : trials;
  if (static_cast<int>(request.first.size()) > goal)
    throw UsageError(
        fmt::format("--trials {}: are fewer than the {} presets of --start", goal, request.first.size()));
  if (request.confirm > goal)
    throw UsageError(fmt::format("--confirm {}: there are only {} trials", request.confirm, goal));
  return goal;
}

tune::StudyRequest TuneRequest::gone_on(tune::StudyRequest stored, const std::filesystem::path& study) const {
  if (given("--confirm-splits") && stored.confirm_splits != defaults.confirm_splits) {
    if (tune::read_confirmation(study))
      refuse(study, "--confirm-splits", std::to_string(stored.confirm_splits),
             std::to_string(defaults.confirm_splits));
    stored.confirm_splits = defaults.confirm_splits;
  }
  if (given("--confirm")) stored.confirm = defaults.confirm;
  return stored;
}

void TuneRequest::check_same(const tune::StudyRequest& stored, const std::filesystem::path& study) const {
  const train::Settings& ours = defaults.settings;
  const train::Settings& theirs = stored.settings;
  const auto same = [&](const char* flag, const auto& was, const auto& asked) {
    if (given(flag) && was != asked) refuse(study, flag, fmt::format("{}", was), fmt::format("{}", asked));
  };
  same("--data", theirs.data, ours.data);
  same("--model", theirs.model, ours.model);
  same("--splits", theirs.splits, ours.splits);
  same("--seed", theirs.seed, ours.seed);
  same("--seeds", stored.seeds, defaults.seeds);
  same("--device", theirs.device, ours.device);
  same("--objective", stored.objective, defaults.objective);
  same("--sampler", stored.sampler, defaults.sampler);
  same("--halving", stored.halving, defaults.halving);
  same("--eta", stored.eta, defaults.eta);
  if (given("--start"))
    throw UsageError(
        fmt::format("--start: {} has begun; leave the flag away or choose another --out", study.string()));
  for (const auto& [name, value] : fixed()) {
    const auto was = theirs.set.find(name);
    if (was == theirs.set.end() || was->second != value)
      refuse(study, "--set " + name, was == theirs.set.end() ? "free" : was->second, value);
  }
  for (const auto& [name, value] : loader.given()) {
    const auto was = theirs.reading.find(name);
    if (was == theirs.reading.end() || was->second != value)
      refuse(study, reading_flag(name), was == theirs.reading.end() ? "left away" : was->second, value);
  }
  for (const auto& [name, values] : parse_lists(space)) {
    const tune::Parameter* was = find(stored.space, name);
    const tune::SearchSpace asked = tune::search_space(theirs.model, {}, {{name, values}});
    if (was == nullptr || was->values != find(asked, name)->values)
      refuse(study, "--space " + name, was == nullptr ? "not searched" : text_of(was->values),
             text_of(values));
  }
}

void add_request_flags(CLI::App& command, TuneRequest& request) {
  request.command = &command;
  train::Settings& settings = request.defaults.settings;
  settings.splits = 3;
  command.add_option("--data", settings.data, "A built-in name, a data set folder, or a file");
  command.add_option("--model", settings.model, "Which model ('dshn train --help-model' lists its options)")
      ->capture_default_str();
  command.add_option("--trials", request.trials, "Configurations to try (grid: all)")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_option("--splits", settings.splits, "The first so many splits are trained for a trial")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      .add_option(
          "--objective", request.defaults.objective,
          "best: the validation figure of a split's best epoch; steady: the mean of the 21 epochs around "
          "it, for small validation parts")
      ->check(CLI::IsMember({"best", "steady"}))
      ->capture_default_str();
  command
      .add_option("--sampler", request.defaults.sampler,
                  fmt::format("{}", fmt::join(tune::sampler_names(), ", ")))
      ->capture_default_str();
  command.add_flag("--halving,!--no-halving", request.defaults.halving,
                   "Stop trials that are behind after their first splits (default: yes)");
  command.add_option("--eta", request.defaults.eta, "Halving: the best 1/eta go on after 1, eta, ... splits")
      ->check(CLI::Range(2, 100))
      ->capture_default_str();
  command.add_option("--split", request.split, "How items are divided: 60/20/20, random, published, ...");
  add_seed(command, "--seed", settings.seed, "Seed of proposals, splits, weights and dropout");
  command
      .add_option("--seeds", request.defaults.seeds,
                  "Take the splits from so many seeds in turn, the first of --seed, the next of the next one")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--device", settings.device, "auto, cpu or cuda")->capture_default_str();
  command.add_option("--set", request.set, "name=value, the same in all trials; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command
      .add_option(
          "--start", request.start_files,
          "Preset that is tried first, may be repeated; what it sets beside the space holds for all trials")
      ->take_all()
      ->allow_extra_args(false)
      ->check(CLI::ExistingFile);
  command
      .add_option(
          "--confirm", request.defaults.confirm,
          "At the end train the best so many trials again, on fresh splits and weights, and name the winner "
          "by that validation")
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--confirm-splits", request.defaults.confirm_splits,
                  "Splits of that (default: all of the data set's protocol)")
      ->check(CLI::Range(1, 10000));
  command.add_option("--space", request.space, "name=v1,v2,... to search instead of the declared values")
      ->take_all()
      ->allow_extra_args(false);
  request.loader.add_to(command);
}

std::string command_text(const tune::StudyRequest& request, int trials) {
  const train::Settings& settings = request.settings;
  std::string text =
      fmt::format("dshn tune --data {} --model {} --trials {} --splits {} --sampler {} --seed {}",
                  settings.data, settings.model, trials, settings.splits, request.sampler, settings.seed);
  text += reading_words(settings.reading);
  if (request.seeds > 1) text += fmt::format(" --seeds {}", request.seeds);
  if (settings.device != "auto") text += fmt::format(" --device {}", settings.device);
  if (request.objective != tune::StudyRequest{}.objective)
    text += fmt::format(" --objective {}", request.objective);
  if (!request.halving) text += " --no-halving";
  if (request.halving && request.eta != tune::StudyRequest{}.eta)
    text += fmt::format(" --eta {}", request.eta);
  for (const tune::FirstTrial& trial : request.first) text += fmt::format(" --start {}", trial.from);
  if (request.confirm > 0) text += fmt::format(" --confirm {}", request.confirm);
  if (request.confirm_splits > 0) text += fmt::format(" --confirm-splits {}", request.confirm_splits);
  for (const auto& [name, value] : settings.set) text += fmt::format(" --set {}={}", name, value);
  const tune::SearchSpace declared = tune::search_space(settings.model);
  for (const tune::Parameter& parameter : request.space) {
    const tune::Parameter* usual = find(declared, parameter.name);
    if (usual == nullptr || usual->values != parameter.values)
      text += fmt::format(" --space {}={}", parameter.name, text_of(parameter.values));
  }
  return text;
}

}  // namespace dshn::cli
