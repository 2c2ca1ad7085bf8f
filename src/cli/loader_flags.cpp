#include "cli/loader_flags.hpp"

#include <CLI/CLI.hpp>

#include "cli/progress.hpp"
#include "dshn/data/open.hpp"

namespace dshn::cli {
namespace {

OnConflict conflict_rule(const std::string& word) {
  if (word == "keep-tail") return OnConflict::keep_tail;
  return word == "keep-head" ? OnConflict::keep_head : OnConflict::error;
}

io::MissingDirection direction_rule(const std::string& word) {
  if (word == "tail") return io::MissingDirection::tail;
  return word == "undirected" ? io::MissingDirection::undirected : io::MissingDirection::error;
}

}  // namespace

void LoaderFlags::add_to(CLI::App& command) {
  const std::string group = "Reading";
  command
      .add_option("--on-conflict", on_conflict_,
                  "A node listed twice in a hyperedge: refuse it, or keep one role")
      ->check(CLI::IsMember({"error", "keep-tail", "keep-head"}))
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--missing-direction", missing_direction_,
          "An incidence without a direction in a directed file: refuse it, take it as a tail, or take "
          "its hyperedge as undirected")
      ->check(CLI::IsMember({"error", "tail", "undirected"}))
      ->capture_default_str()
      ->group(group);
  command.add_option("--tail-column", tail_column_, "The column of an arc list that holds the tails")
      ->check(CLI::IsMember({0, 1}))
      ->capture_default_str()
      ->group(group);
}

io::LoadOptions LoaderFlags::options() const {
  io::LoadOptions options;
  options.on_conflict = conflict_rule(on_conflict_);
  options.missing_direction = direction_rule(missing_direction_);
  options.first_column_is_tail = tail_column_ == 0;
  return options;
}

data::Dataset LoaderFlags::open(const std::string& what, const Context& context) const {
  ProgressBar bar(context.err, "reading " + what);
  data::OpenOptions settings;
  settings.load = options();
  settings.load.progress = [&bar](std::int64_t done, std::int64_t total) { bar.update(done, total); };
  return data::open(what, settings);
}

}  // namespace dshn::cli
