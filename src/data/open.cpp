#include "dshn/data/open.hpp"

#include <fmt/format.h>

#include "data/synthetic.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/assemble.hpp"
#include "dshn/data/catalog.hpp"

namespace dshn::data {
namespace fs = std::filesystem;
namespace {

Dataset load(const fs::path& path, const std::string& name, const OpenOptions& options,
             std::optional<Task> task) {
  return assemble(io::load(path, options.load), {name, path.string(), options.task ? options.task : task});
}

Dataset open_built_in(const Entry& entry, const OpenOptions& options) {
  const std::string name(entry.name);
  if (entry.source.availability == Availability::generated) return generate_synthetic(name, options.seed);
  if (const auto folder = locate(name)) {
    Dataset dataset = load(loadable(*folder, entry), name, options, entry.task);
    // The remark says what the public files lack beside the complete folder.
    if (is_download(*folder, entry) && !entry.source.remark.empty()) {
      dataset.warnings.emplace_back(entry.source.remark);
    }
    return dataset;
  }
  if (const auto generated = generated_name(name)) {
    Dataset dataset = generate_synthetic(*generated, options.seed);
    dataset.warnings.push_back(
        fmt::format("the authors' files of {} are not here: this is {}, generated with seed {}", name,
                    *generated, options.seed));
    return dataset;
  }
  const bool fetchable = entry.source.availability == Availability::download;
  throw InvalidInput(missing_message(entry, /*name_folders=*/true),
                     fetchable ? Topic{"not-fetched", name} : Topic{});
}

/// The last part of a path without its extensions; of a folder, its name.
std::string name_of(const fs::path& path) {
  const fs::path clean = fs::absolute(path).lexically_normal();
  std::string name = (clean.has_filename() ? clean : clean.parent_path()).filename().string();
  if (!fs::is_directory(path)) name = name.substr(0, name.find('.', 1));
  return name;
}

[[noreturn]] void refuse(const std::string& what) {
  if (what.find_first_of("/.") != std::string::npos) {
    throw InvalidInput(fmt::format("{}: no such file or folder", what));
  }
  const std::string nearest = nearest_name(what);
  throw UsageError(fmt::format("\"{}\" is neither a built-in data set nor a file or folder{}", what,
                               nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)),
                   nearest.empty() ? Topic{"unknown-data"} : Topic{});
}

}  // namespace

Dataset open(const std::string& what, const OpenOptions& options) {
  if (what.empty()) throw UsageError("the name of a data set is empty");
  if (const Entry* entry = find_entry(what)) return open_built_in(*entry, options);
  if (what.find('/') == std::string::npos && what != "." && what != "..") {
    if (const auto folder = locate(what)) return load(*folder, what, options, {});
  }
  std::error_code error;
  const fs::file_status status = fs::status(what, error);
  if (error && status.type() != fs::file_type::not_found) {
    throw InvalidInput(fmt::format("{}: {}", what, error.message()));
  }
  if (!fs::exists(status)) refuse(what);
  return load(what, name_of(what), options, {});
}

}  // namespace dshn::data
