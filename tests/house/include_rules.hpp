#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dshn::house {

/// One row of the table of rooms in docs/architecture.md.
struct RoomRule {
  std::set<std::string> may_include;
  bool everything = false;
  bool torch = false;
};

using RoomRules = std::map<std::string, RoomRule>;

/// Reads the table that follows the "rooms:" marker. Throws std::runtime_error when there is none or a row is
/// odd.
RoomRules read_room_rules(const std::filesystem::path& architecture_page);

/// One line per broken rule under root/include/dshn and root/src: "file:line: what is wrong".
std::vector<std::string> broken_include_rules(const std::filesystem::path& root, const RoomRules& rules);

/// One line per source file under the given folders of root that has more than `limit` lines.
std::vector<std::string> files_longer_than(const std::filesystem::path& root,
                                           const std::vector<std::string>& folders, int limit);

}  // namespace dshn::house
