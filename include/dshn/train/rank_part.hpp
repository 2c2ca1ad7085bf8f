#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dshn/parts/part.hpp"
#include "dshn/parts/partition.hpp"
#include "dshn/ranks/exchange.hpp"
#include "dshn/ranks/group.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/figures.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::train {

/// What several processes (ranks) that train one experiment together must know of the whole, each beside its part: as
/// text it lies with the parts in their folder.
struct WholeOfParts {
  /// What fixes features and splits, which are made before the cut: data, reading, seed, splits and some options.
  Settings settings;
  RunInputs inputs;
  std::string protocol;
  std::int64_t items = 0;
  /// Of the partition: parts of two of them do not go together.
  std::string division;

  std::string text() const;
  /// InvalidInput, beginning with `where`, for text that is not of text().
  static WholeOfParts from_text(const std::string& text, const std::string& where);
};

/// The options that are settled when an experiment is cut.
const std::vector<std::string>& options_of_parts();

/// An experiment cut into parts: features as the model takes them, splits as they are trained on.
struct ExperimentParts {
  std::vector<parts::Part> parts;
  WholeOfParts whole;
};
ExperimentParts cut(const Experiment& experiment, const parts::Partition& partition);

/// UsageError for a rule, which is worked out at once, and for mini-batches.
void check_trains_on_ranks(const Settings& settings);

/// The settings of a training on parts: as asked for, with what the cut has settled. UsageError where something else
/// was asked for by name, and what check_trains_on_ranks() refuses.
Settings settings_on_parts(Settings asked, const WholeOfParts& whole);

/// What one rank has.
struct RankPart {
  parts::Plan plan;
  WholeOfParts whole;
  std::shared_ptr<const ranks::Group> group;
  /// What the operators have sent to the other ranks so far.
  std::shared_ptr<ranks::Traffic> traffic = std::make_shared<ranks::Traffic>();
  at::Tensor items;  // Long: the numbers in the whole of the items here
  at::Tensor own;    // Long: which of them this rank counts

  /// Of all ranks: rows of the items here, in the order of the whole. Undefined on other ranks than 0.
  at::Tensor whole_rows(const at::Tensor& rows) const;
  /// What of such rows is of the items here.
  at::Tensor rows_here(const at::Tensor& whole_rows) const;
  /// The sum over the ranks.
  double sum(double value) const;
  /// Those of all ranks together: `empty` with what each has.
  std::unique_ptr<Figures> together(std::unique_ptr<Figures> empty, const Figures& mine) const;
};

/// Whether this process writes the files of the experiment's run: all do but ranks other than 0.
bool writes_files(const Experiment& experiment);

/// This rank's experiment. InvalidInput or UsageError on all ranks where one of them has another program, other options
/// or a part of another whole: the message names it.
Experiment experiment_on_part(parts::Part part, const WholeOfParts& whole, const Settings& settings,
                              std::shared_ptr<const ranks::Group> group);

}  // namespace dshn::train
