#include "data/synthetic.hpp"

#include <fmt/format.h>

#include <charconv>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"

namespace dshn::data {
namespace {

constexpr std::string_view kAuthors = "synthetic-io";
constexpr std::string_view kGenerated = "synthetic-generated-io";

}  // namespace

std::optional<std::string> generated_name(std::string_view name) {
  if (!name.starts_with(kAuthors)) return std::nullopt;
  return std::string(kGenerated) + std::string(name.substr(kAuthors.size()));
}

Dataset generate_synthetic(const std::string& name, std::uint64_t seed) {
  SyntheticOptions options;
  const char* digits = name.data() + kGenerated.size();
  const char* end = name.data() + name.size();
  const bool fits = name.starts_with(kGenerated) && std::from_chars(digits, end, options.inter).ptr == end;
  if (!fits) throw UsageError(fmt::format("{} is not a generated data set", name));
  options.seed = seed;

  LabelledHypergraph made = synthetic_benchmark(options);
  Dataset dataset;
  dataset.name = name;
  dataset.hypergraph = made.hypergraph;
  dataset.labels = std::move(made.labels);
  dataset.class_count = options.classes;
  dataset.origin = fmt::format("generated, seed {}", seed);
  dataset.format = "generated";
  dataset.generated = true;
  return dataset;
}

}  // namespace dshn::data
