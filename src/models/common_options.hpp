#pragma once

#include "dshn/base/options.hpp"

/// Options that mean the same in several models, with the ranges of the paper's 'Hyperparameter tuning'.
namespace dshn::models {

OptionSpec hidden_width_option();
OptionSpec classifier_width_option();
OptionSpec dropout_option(double default_value, std::string help);
/// `paper`: the intended mathematics; `authors`: what the published code does. Not for a search to choose.
OptionSpec variant_option(std::string what_authors_do);

}  // namespace dshn::models
