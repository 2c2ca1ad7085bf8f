#pragma once

#include <filesystem>
#include <set>

#include "cli/terminal.hpp"
#include "dshn/tune/study.hpp"

namespace dshn::cli {

/// Shows on standard error how a study goes on: a leaderboard that is redrawn in place on a terminal, a line
/// for each finished trial elsewhere, nothing when quiet.
class TuneWatch {
 public:
  TuneWatch(const Terminal& err, bool quiet, const tune::Summary& before);
  ~TuneWatch() { erase(); }
  TuneWatch(const TuneWatch&) = delete;
  TuneWatch& operator=(const TuneWatch&) = delete;

  void show(const tune::Summary& summary);

 private:
  void draw(const tune::Summary& summary);
  void erase();

  Terminal err_;
  bool quiet_;
  std::set<int> told_;
  std::string drawn_;
};

}  // namespace dshn::cli
