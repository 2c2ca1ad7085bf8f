#include "models/common_options.hpp"

namespace dshn::models {

OptionSpec hidden_width_option() {
  return integer_option("hidden_width", 64, 1, 4096, {"64", "128", "256", "512"}, "channels of a node");
}

OptionSpec classifier_width_option() {
  return integer_option("classifier_width", 64, 1, 4096, {"64", "128", "256"},
                        "hidden width of the classifier");
}

OptionSpec dropout_option(double default_value, std::string help) {
  return real_option("dropout", default_value, 0, 0.95,
                     {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}, std::move(help));
}

OptionSpec variant_option(std::string what_authors_do) {
  OptionSpec option = choice_option(
      "variant", "paper", {"paper", "authors"},
      "paper: the published mathematics; authors: what their code does, " + std::move(what_authors_do));
  option.search.clear();
  return option;
}

}  // namespace dshn::models
