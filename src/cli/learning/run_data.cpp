#include "cli/learning/run_data.hpp"

#include <fmt/format.h>

#include "cli/loader_flags.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {

RunData open_run_data(const std::filesystem::path& run, const std::string& other, const Assignments& reading,
                      const Context& context) {
  RunData opened{train::read_run(run), nullptr};
  train::Settings& settings = opened.settings;
  if (!other.empty()) {
    settings.data = other;
    settings.reading = data::without_files(settings.reading);
  }
  for (const auto& [name, value] : reading) settings.reading[name] = value;
  data::OpenOptions options = train::open_options(settings);
  if (!other.empty()) {
    const auto inputs = train::read_inputs(run);
    if (!inputs) {
      throw InvalidInput(fmt::format(
          "{}: a run of version 0.1, which did not keep how features were scaled; train again to use "
          "the model on other data",
          run.string()));
    }
    options.like = inputs->code;
    options.task = inputs->task;
  }
  const auto open = [&] { return context.shelf->open(settings.data, options); };
  opened.dataset = other.empty() && reading.empty() ? of_run(run, open) : open();
  print_remarks(*opened.dataset, context);
  if (other.empty()) train::check_unchanged(*opened.dataset, run);
  return opened;
}

}  // namespace dshn::cli
