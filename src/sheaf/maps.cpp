#include "dshn/sheaf/maps.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "dshn/base/error.hpp"
#include "sheaf/blocks.hpp"

namespace dshn::sheaf {
namespace {

constexpr std::array<std::pair<MapKind, const char*>, 5> kNames{{{MapKind::trivial, "trivial"},
                                                                 {MapKind::diagonal, "diagonal"},
                                                                 {MapKind::general, "general"},
                                                                 {MapKind::orthogonal, "orthogonal"},
                                                                 {MapKind::low_rank, "low-rank"}}};

/// v_k of every map, [nnz, d]: k zeros, a one, then the parameters [begin, begin + d-1-k).
at::Tensor reflection_vectors(const at::Tensor& parameters, std::int64_t d, std::int64_t k,
                              std::int64_t begin) {
  const at::Tensor zeros = at::zeros({parameters.size(0), k}, parameters.options());
  const at::Tensor one = at::ones({parameters.size(0), 1}, parameters.options());
  return at::cat({zeros, one, parameters.slice(1, begin, begin + d - 1 - k)}, 1);
}

at::Tensor householder_product(const at::Tensor& parameters, std::int64_t d) {
  at::Tensor product = at::eye(d, parameters.options()).expand({parameters.size(0), d, d});
  std::int64_t begin = 0;
  for (std::int64_t k = 0; k + 1 < d; ++k) {
    const at::Tensor v = reflection_vectors(parameters, d, k, begin);
    begin += d - 1 - k;
    // product H = product - (2 / |v|^2) (product v) v^T
    const at::Tensor image = at::matmul(product, v.unsqueeze(2));
    const at::Tensor scaled = v * (2 / (v * v).sum(1, true));
    product = product - image * scaled.unsqueeze(1);
  }
  return product.contiguous();
}

at::Tensor low_rank_maps(const at::Tensor& parameters, std::int64_t d, std::int64_t rank) {
  const std::int64_t factor = d * rank;
  const at::Tensor a = parameters.slice(1, 0, factor).reshape({parameters.size(0), d, rank});
  const at::Tensor b = parameters.slice(1, factor, 2 * factor).reshape({parameters.size(0), d, rank});
  const at::Tensor c = parameters.slice(1, 2 * factor, 2 * factor + d);
  return at::bmm(a, b.transpose(1, 2)) + at::diag_embed(c);
}

}  // namespace

const char* map_kind_name(MapKind kind) {
  for (const auto& [candidate, name] : kNames) {
    if (candidate == kind) return name;
  }
  throw UsageError("map kind: not one of the five kinds");
}

std::vector<std::string> map_kind_names() {
  std::vector<std::string> names;
  for (const auto& [kind, name] : kNames) names.emplace_back(name);
  return names;
}

MapKind map_kind(const std::string& name) {
  for (const auto& [kind, candidate] : kNames) {
    if (name == candidate) return kind;
  }
  throw UsageError(
      fmt::format("map kind '{}' is unknown; it is one of {}", name, fmt::join(map_kind_names(), ", ")));
}

std::int64_t parameters_per_map(MapKind kind, std::int64_t d, std::int64_t rank) {
  if (d < 1) throw UsageError(fmt::format("stalk dimension: expected at least 1, got {}", d));
  switch (kind) {
    case MapKind::trivial:
      return 0;
    case MapKind::diagonal:
      return d;
    case MapKind::general:
      return d * d;
    case MapKind::orthogonal:
      return d * (d - 1) / 2;
    case MapKind::low_rank:
      if (rank < 1 || rank > d) throw UsageError(fmt::format("rank: expected 1 to d = {}, got {}", d, rank));
      return 2 * d * rank + d;
  }
  throw UsageError("map kind: not one of the five kinds");
}

at::Tensor maps_from_parameters(MapKind kind, const at::Tensor& parameters, std::int64_t d,
                                std::int64_t rank) {
  const std::int64_t length = parameters_per_map(kind, d, rank);
  if (!parameters.defined() || !parameters.is_floating_point() || parameters.dim() != 2 ||
      parameters.size(1) != length) {
    throw UsageError(fmt::format("parameters: expected real [nnz, {}] for {} maps with d = {}, got {}",
                                 length, map_kind_name(kind), d, blocks::describe(parameters)));
  }
  switch (kind) {
    case MapKind::trivial:
      return at::ones({parameters.size(0), 1}, parameters.options());
    case MapKind::diagonal:
      return parameters;
    case MapKind::general:
      return parameters.reshape({parameters.size(0), d, d});
    case MapKind::orthogonal:
      return householder_product(parameters, d);
    case MapKind::low_rank:
      return low_rank_maps(parameters, d, rank);
  }
  throw UsageError("map kind: not one of the five kinds");
}

at::Tensor random_maps(MapKind kind, std::int64_t count, std::int64_t d, Random& random, std::int64_t rank) {
  at::Tensor parameters = at::empty({count, parameters_per_map(kind, d, rank)}, at::kDouble);
  auto* values = parameters.data_ptr<double>();
  for (std::int64_t i = 0; i < parameters.numel(); ++i) values[i] = random.normal();
  return maps_from_parameters(kind, parameters, d, rank);
}

}  // namespace dshn::sheaf
