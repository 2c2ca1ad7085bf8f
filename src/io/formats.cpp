#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dshn/io/format.hpp"

namespace dshn::io {

// Each format's file defines the entry of its name.
#define DSHN_PLUG(name) Format name##_format();
#include "io/plugs.inc"
#undef DSHN_PLUG

const std::vector<Format>& formats() {
#define DSHN_PLUG(name) name##_format(),
  static const std::vector<Format> all{
#include "io/plugs.inc"
  };
#undef DSHN_PLUG
  return all;
}

bool Candidate::has(const std::string& member) const {
  return std::find(members.begin(), members.end(), member) != members.end();
}

bool Candidate::text() const {
  return !start.empty() && std::none_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
}

std::string input_formats() {
  std::vector<std::string> all;
  for (const Format& format : formats()) {
    if (!format.read) continue;
    const std::string names =
        format.extensions.empty() ? "" : fmt::format(" ({})", fmt::join(format.extensions, ", "));
    all.push_back(format.title + names);
  }
  return fmt::format("{}; text and JSON also compressed, .gz or .zst", fmt::join(all, ", "));
}

std::string output_names() {
  std::vector<std::string> files;
  std::string folder;
  for (const Format& format : formats()) {
    if (!format.write) continue;
    if (format.folder) {
      folder = fmt::format("no extension, or a slash at the end ({})", format.title);
    } else {
      files.push_back(fmt::format("{}{} ({})", fmt::join(format.extensions, ", "),
                                  format.compressible ? "[.gz|.zst]" : "", format.title));
    }
  }
  return fmt::format("{}, {}", fmt::join(files, ", "), folder);
}

std::string format_table() {
  std::string table =
      "| format | extensions | recognised by | read | written |\n| --- | --- | --- | --- | --- |\n";
  for (const Format& format : formats()) {
    std::vector<std::string> names;
    for (const std::string& extension : format.extensions) names.push_back(fmt::format("`{}`", extension));
    if (format.folder) names.emplace_back("folder");
    table += fmt::format("| [{}](#{}) | {}{} | {} | {} | {} |\n", format.title, format.section,
                         fmt::join(names, ", "), format.compressible ? " `[.gz\\|.zst]`" : "",
                         format.recognised_by, format.read ? "yes" : "", format.write ? "yes" : "");
  }
  return table;
}

}  // namespace dshn::io
