#include "cli/learning/run_data.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {

RunData open_run_data(const std::filesystem::path& run, const std::string& other, const Context& context) {
  RunData opened{train::read_run(run), nullptr};
  data::OpenOptions options = train::open_options(opened.settings);
  if (!other.empty()) {
    const auto inputs = train::read_inputs(run);
    if (!inputs) {
      throw InvalidInput(fmt::format(
          "{}: a run of version 0.1, which did not keep how features were scaled; train again to use "
          "the model on other data",
          run.string()));
    }
    opened.settings.data = other;
    options.like = inputs->code;
    options.task = inputs->task;
  }
  opened.dataset = context.shelf->open(opened.settings.data, options);
  for (const std::string& line : opened.dataset->warnings) context.warn(line);
  if (other.empty()) train::check_unchanged(*opened.dataset, run);
  return opened;
}

}  // namespace dshn::cli
