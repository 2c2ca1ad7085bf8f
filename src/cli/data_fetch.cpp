#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/fetch.hpp"

namespace dshn::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct FetchFlags {
  std::vector<std::string> names;
  std::string folder;
  std::string mirror;
  bool json = false;
};

/// Before anything is downloaded: a typing error in the last name must not show after an hour.
void check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (data::find_entry(name) != nullptr) continue;
    const std::string meant = data::nearest_name(name);
    throw UsageError(
        fmt::format("there is no built-in data set '{}'; {}", name,
                    meant.empty() ? "'dshn data list' names them" : "did you mean " + meant + "?"));
  }
}

std::int64_t bytes_in(const fs::path& folder) {
  std::int64_t total = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) total += static_cast<std::int64_t>(entry.file_size());
  }
  return total;
}

fs::path fetch_one(const std::string& name, const FetchFlags& flags, const Context& context) {
  ProgressBar bar(context.err, name);
  data::FetchOptions options;
  if (!flags.folder.empty()) options.folder = flags.folder;
  if (!flags.mirror.empty()) options.mirror = flags.mirror;
  options.progress = [&bar](const data::FetchProgress& progress) {
    bar.update(progress.done, progress.total);
    return true;
  };
  return data::fetch(name, options);
}

void fetch_all(const FetchFlags& flags, const Context& context) {
  check_names(flags.names);
  Json sets = Json::array();
  for (const std::string& name : flags.names) {
    const fs::path folder = fetch_one(name, flags, context);
    const std::int64_t bytes = bytes_in(folder);
    sets.push_back({{"name", name}, {"path", folder.string()}, {"bytes", bytes}});
    if (!flags.json) {
      context.print(fmt::format("{}: {} in {}\n", name, human_bytes(bytes), printable(folder.string())));
    }
  }
  if (flags.json) context.print_json({{"fetched", sets}});
}

}  // namespace

void add_data_fetch(CLI::App& data, Context& context) {
  CLI::App* command = data.add_subcommand("fetch", "Download built-in data sets and check their hashes");
  const auto flags = std::make_shared<FetchFlags>();
  command->add_option("NAME", flags->names, "Names from 'dshn data list'")->required();
  command->add_option("--dir", flags->folder, "Put the sets under this folder instead of the user's cache");
  command->add_option("--mirror", flags->mirror,
                      "Take the files from below this address instead of the public one");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback(
      [&context, flags] { context.action = [&context, flags] { fetch_all(*flags, context); }; });
}

}  // namespace dshn::cli
