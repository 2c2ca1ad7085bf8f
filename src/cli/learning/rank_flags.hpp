#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "dshn/ranks/group.hpp"
#include "dshn/train/rank_part.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace dshn::cli {

/// The flags of a training on several ranks.
struct RankFlags {
  int ranks = 1;
  std::string backend = "auto";
  std::string method;  // of dividing the data; empty: the best there is
  double patience = 30;
};
void add_rank_flags(CLI::App& command, RankFlags& flags);

/// UsageError for a backend that this program does not have, or an unknown way to divide the data.
void check(const RankFlags& flags);

/// The place that a launcher of several processes has given to this one. UsageError where --ranks says another number.
std::optional<ranks::Place> place_of_this_process(const RankFlags& flags);

/// What the folder that is named as data says of the parts in it; nothing where it has none.
std::optional<train::WholeOfParts> whole_of_parts(const std::string& data);

/// The data of an experiment cut into so many parts.
train::ExperimentParts cut(const train::Experiment& experiment, int parts, const RankFlags& flags);

/// One rank's part: read from `folder` or, where that is empty, cut from the whole, which every rank then reads. Returns
/// when all ranks have come.
train::Experiment experiment_of_rank(const ranks::Place& place, const std::filesystem::path& folder,
                                     const train::Settings& settings, const RankFlags& flags,
                                     const std::function<train::Experiment()>& whole);

}  // namespace dshn::cli
