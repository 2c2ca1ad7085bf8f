#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "dshn/experiments/cells.hpp"

/// How the options of a cell are found: its preset or the defaults, or the winner of a study.
namespace dshn::experiments {

/// What the table asks for, and above it what the cell asks for: no search touches these.
Assignments fixed_options(const Recipe& recipe, const Cell& cell);

/// Whether a study chooses the cell's options.
bool is_searched(const Recipe& recipe, const Cell& cell);

/// Values that the study of a cell tries beside those that its model declares.
std::map<std::string, std::vector<std::string>> further_values(const Recipe& recipe, const Cell& cell);

struct Choice {
  Assignments options = {};
  /// How many trials there were and the validation figures by which these won; null without a study.
  nlohmann::ordered_json study = {};
};

/// A study is kept in FOLDER/studies, where a stopped or killed call goes on and more trials add to it, and its
/// winner in FOLDER/presets. UsageError where a study that was asked for otherwise is there.
Choice choose_options(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop);

}  // namespace dshn::experiments
