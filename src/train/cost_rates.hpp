#pragma once

#include "dshn/train/cost_model.hpp"

/// Fitted, not derived: `scripts/rank-costs PROGRAM` measures and prints those of a core, `scripts/rank-costs PROGRAM
/// --cards` those of a card, from the table of epochs in docs/benchmarks.md. docs/scaling.md says on what machines,
/// and how far off they are.
namespace dshn::train {

inline constexpr Rates kProcessor{.call = 0,
                                  .byte = 4.6e-10,
                                  .product = 3.9e-11,
                                  .sweep = 0,
                                  .exchange = 1.5e-3,
                                  .peer = 2.7e-5,
                                  .local_byte = 9.5e-9,
                                  .own_bytes = 1.86e8};

inline constexpr Rates kCard{.call = 1.8e-6,
                             .byte = 5.4e-13,
                             .product = 2.1e-14,
                             .sweep = 1.1e-13,
                             .exchange = kProcessor.exchange,
                             .peer = kProcessor.peer,
                             .local_byte = kProcessor.local_byte,
                             .own_bytes = 1e9};

}  // namespace dshn::train
