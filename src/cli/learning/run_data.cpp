#include "cli/learning/run_data.hpp"

#include "cli/loader_flags.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {

RunData open_run_data(const std::filesystem::path& run, const std::string& other, const Assignments& reading,
                      const Context& context) {
  RunData opened{train::read_run(run), nullptr};
  train::Settings& settings = opened.settings;
  const data::OpenOptions options = train::options_for_data(run, settings, other, reading);
  const auto open = [&] { return context.shelf->open(settings.data, options); };
  opened.dataset = other.empty() && reading.empty() ? of_run(run, open) : open();
  print_remarks(*opened.dataset, context);
  if (other.empty()) train::check_unchanged(*opened.dataset, run);
  return opened;
}

}  // namespace dshn::cli
