#pragma once

#include "dshn/train/cost_model.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// The heap is larger than what is held in it, by gaps that no tensor fits into: by this, as a rule of thumb from
/// bench/estimates.cpp. Without ops::keep_freed_memory the gaps are larger.
inline constexpr double kHeapGaps = 1.15;

/// Bytes that training one split takes beside those that are held, measured: the model is trained for two epochs on
/// made-up data of some thousand nodes, hyperedges and incidences in the same proportions, and again on half of that.
/// At every moment of a training the bytes are a sum of parts that do not grow with the data and parts that grow in
/// proportion, so that two points give the line; the highest line at the full size, with the gaps of a heap, is the
/// answer.
double probed_bytes(const Experiment& experiment);
/// The same of such data of another extent, from its beginning: what the model prepares is among the bytes.
double probed_bytes(const Experiment& experiment, const Extent& extent);

/// How many times as large as the larger probe such data of this extent are, at least 1.
double probe_divisor(const Experiment& experiment, const Extent& extent);

}  // namespace dshn::train
