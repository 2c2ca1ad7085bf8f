#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "dshn/train/explain.hpp"

namespace dshn::cli {

/// An explanation and what its numbers are called in the data.
struct NamedExplanation {
  const data::Dataset* dataset = nullptr;
  std::vector<std::string> columns;  // of the features
  std::string model;                 // as the paper prints it
  int split = 0;
  train::Explanation found;

  bool of_node() const { return dataset->task == data::Task::node_classification; }
  const Hypergraph& hypergraph() const { return dataset->hypergraph; }
  Name name() const;
  bool of_numbers() const { return dataset->code.target == data::TargetKind::numbers; }
  /// What is known of the item: its class, its labels joined, or its number; empty where nothing is.
  std::string truth() const;
  std::string class_name(std::int64_t c) const;
  std::string feature_name(const train::FeatureEvidence& feature) const;
};

/// One split's weights of a run, loaded for a data set.
struct RunModel {
  const std::filesystem::path& run;
  int split;
  const train::Settings& settings;
  const data::Dataset& dataset;
  const train::LoadedModel& model;
};

/// What the model says of the item of this name and why, with at most `top` of each kind. UsageError where there is
/// none.
NamedExplanation explain_by_name(const RunModel& given, const std::string& name, std::size_t top);

/// "tail", "head", or "member" of an undirected hyperedge.
std::string role_word(const std::optional<Role>& role);

std::string page(const NamedExplanation& explanation, const Terminal& terminal);
nlohmann::ordered_json document(const NamedExplanation& explanation);

}  // namespace dshn::cli
