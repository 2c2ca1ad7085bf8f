#pragma once

#include <filesystem>
#include <functional>

#include "dshn/train/load_model.hpp"
#include "dshn/train/run.hpp"

namespace dshn::train {

/// Probabilities of classes or labels, or numbers in the units of the data: [items, width], float64 on the CPU.
at::Tensor predict(const LoadedModel& loaded);

/// What a trained model makes of each item before its last linear layer, [items, width] in float32; its scores
/// where it has no such layer.
at::Tensor embeddings(const LoadedModel& loaded);

/// The run's figures on train, val and test again, from the weights of those splits that are stored.
/// InvalidInput where none is, and where the data is no longer what the run was trained on.
RunResult evaluate(const Experiment& experiment, const std::filesystem::path& run);

/// The figures of each stored split's model on all labelled items of another data set: `test` and
/// `test_figures` of what is returned. InvalidInput where there is no labelled item or a class that the model
/// does not know.
RunResult evaluate_on(const std::filesystem::path& run, const Settings& settings,
                      const data::Dataset& dataset);

/// Over all items of a data set whose targets are known. InvalidInput where there are none, and for a class that the
/// model does not know.
std::shared_ptr<const Figures> figures_on(const data::Dataset& dataset, const Objective& objective,
                                          const at::Tensor& predictions);

/// CSV with a row for each item: id, with a split its part, where there are targets the true one, the predicted one,
/// and a probability for each class or label. These are called by their words, and the labels of an item are joined
/// by ';'; what is not known is empty.
void write_predictions(const std::function<void(std::string_view)>& write, const data::Dataset& dataset,
                       const Objective& objective, const at::Tensor& predictions,
                       const data::Split* split = nullptr);
/// Into a file that appears complete or not at all.
void write_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                       const Objective& objective, const at::Tensor& predictions,
                       const data::Split* split = nullptr);

/// The same of an experiment that several ranks have parts of, from the predictions of each: one file, which rank 0
/// writes.
void write_predictions_of_ranks(const std::filesystem::path& path, const Experiment& experiment,
                                const SplitResult& split);

/// A row for each item, by id: an .npz with the arrays ids and embeddings, or CSV. UsageError for other names.
void write_embeddings(const std::filesystem::path& path, const data::Dataset& dataset,
                      const at::Tensor& rows);

}  // namespace dshn::train
