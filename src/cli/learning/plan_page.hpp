#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/terminal.hpp"
#include "dshn/train/cost_model.hpp"

namespace dshn::cli {

/// What `dshn plan` has worked out.
struct PlanReport {
  std::string data;  // the name of what is there; empty: sizes alone
  std::string model;
  train::Extent whole;
  train::Division division;
  bool cut_is_guessed = false;  // as of nodes that are dealt out at random
  train::Fleet fleet;
  train::RankCost cost;
  train::Plan processors;
  train::Plan cards;
};

std::string plan_page(const PlanReport& report, const Terminal& terminal);
nlohmann::ordered_json plan_document(const PlanReport& report);

}  // namespace dshn::cli
