#include "house/include_rules.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <stdexcept>

namespace dshn::house {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::size_t begin = 1;
  for (std::size_t bar = row.find('|', begin); bar != std::string::npos; bar = row.find('|', begin)) {
    cells.push_back(row.substr(begin, bar - begin));
    begin = bar + 1;
  }
  return cells;
}

std::vector<std::string> code_words(const std::string& text) {
  static const std::regex code("`([^`]+)`");
  std::vector<std::string> words;
  for (std::sregex_iterator it(text.begin(), text.end(), code), end; it != end; ++it) {
    words.push_back((*it)[1]);
  }
  return words;
}

bool is_source(const fs::path& file) {
  static const std::set<std::string> extensions{".hpp", ".cpp", ".cuh", ".cu"};
  return extensions.contains(file.extension().string());
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whose header an #include names.
struct Target {
  std::string room;
  bool is_private = false;
};

std::string first_component(const fs::path& path) {
  return path.begin()->string();
}

/// Empty for headers that are not ours. Private headers are found beside the including file or from src/.
std::optional<Target> target_of(const std::string& header, const fs::path& including, const fs::path& root) {
  if (header.starts_with("dshn/")) return Target{first_component(header.substr(5)), false};
  for (const fs::path& base : {including.parent_path(), root / "src"}) {
    const fs::path resolved = (base / header).lexically_normal();
    if (!fs::exists(resolved)) continue;
    const fs::path in_src = resolved.lexically_relative(root / "src");
    if (!in_src.empty() && first_component(in_src) != "..") return Target{first_component(in_src), true};
    const fs::path in_public = resolved.lexically_relative(root / "include" / "dshn");
    if (!in_public.empty() && first_component(in_public) != "..")
      return Target{first_component(in_public), false};
  }
  return std::nullopt;
}

bool is_torch(const std::string& header) {
  return header.starts_with("torch/") || header.starts_with("ATen/") || header.starts_with("c10/");
}

/// What is wrong with one #include; empty when nothing is.
std::string complaint(const std::string& room, const RoomRule& rule, bool in_public,
                      const std::string& header, const std::optional<Target>& target) {
  if (is_torch(header)) return rule.torch ? "" : "room " + room + " may not include torch (" + header + ")";
  if (!target) return "";
  if (target->is_private && in_public) return "a public header includes the private header " + header;
  if (target->room == room) return "";
  if (target->is_private) return "room " + room + " includes a private header of another room, " + header;
  if (rule.everything || rule.may_include.contains(target->room)) return "";
  return "room " + room + " may not include room " + target->room + " (" + header + ")";
}

void check_file(const fs::path& file, const std::string& room, const RoomRule& rule, bool in_public,
                const fs::path& root, std::vector<std::string>& broken) {
  static const std::regex include(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  int number = 0;
  for (const std::string& line : lines_of(file)) {
    ++number;
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string header = match[1];
    const std::string what = complaint(room, rule, in_public, header, target_of(header, file, root));
    if (!what.empty()) {
      broken.push_back(file.lexically_relative(root).string() + ":" + std::to_string(number) + ": " + what);
    }
  }
}

}  // namespace

RoomRules read_room_rules(const fs::path& architecture_page) {
  RoomRules rules;
  bool marked = false;
  for (const std::string& line : lines_of(architecture_page)) {
    if (line.starts_with("<!-- rooms:")) marked = true;
    if (!marked || !line.starts_with("| `")) {
      if (marked && !rules.empty()) break;
      continue;
    }
    const auto cells = cells_of(line);
    if (cells.size() != 4)
      throw std::runtime_error("a row of the table of rooms has not four cells: " + line);
    RoomRule rule;
    const auto rooms = code_words(cells[2]);
    rule.may_include.insert(rooms.begin(), rooms.end());
    rule.everything = cells[2] == " everything ";
    rule.torch = cells[3] == " yes ";
    const bool says_who = rule.everything || !rooms.empty() || cells[2] == " nothing ";
    if (!says_who || (!rule.torch && cells[3] != " no "))
      throw std::runtime_error("cannot read the row: " + line);
    rules.emplace(code_words(cells[0]).at(0), rule);
  }
  if (rules.empty()) throw std::runtime_error("no table of rooms in " + architecture_page.string());
  return rules;
}

std::vector<std::string> broken_include_rules(const fs::path& root, const RoomRules& rules) {
  std::vector<std::string> broken;
  for (const bool in_public : {true, false}) {
    const fs::path base = in_public ? root / "include" / "dshn" : root / "src";
    for (const fs::path& file : sources_below(base)) {
      const std::string room = first_component(file.lexically_relative(base));
      const auto rule = rules.find(room);
      if (rule == rules.end()) {
        broken.push_back(file.lexically_relative(root).string() + ": not in a room of docs/architecture.md");
      } else {
        check_file(file, room, rule->second, in_public, root, broken);
      }
    }
  }
  return broken;
}

std::vector<std::string> files_longer_than(const fs::path& root, const std::vector<std::string>& folders,
                                           int limit) {
  std::vector<std::string> too_long;
  for (const std::string& folder : folders) {
    for (const fs::path& file : sources_below(root / folder)) {
      const auto count = lines_of(file).size();
      if (count > static_cast<std::size_t>(limit)) {
        too_long.push_back(file.lexically_relative(root).string() + ": " + std::to_string(count) + " lines");
      }
    }
  }
  return too_long;
}

}  // namespace dshn::house
