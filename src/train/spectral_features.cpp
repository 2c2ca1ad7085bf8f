#include "train/spectral_features.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"
#include "dshn/sheaf/leading_eigenvectors.hpp"

namespace dshn::train {
namespace {

data::Features make(const Hypergraph& hypergraph, Index columns, double charge) {
  const at::Tensor trivial_maps = at::ones({hypergraph.incidence_count(), 1}, at::kDouble);
  const sheaf::DirectedSheaf sheaf(hypergraph, charge, trivial_maps, 1);
  // Planes of a node are side by side: a row has the real parts of all vectors, then the imaginary ones.
  const at::Tensor vectors = sheaf::leading_eigenvectors(sheaf, {.count = columns}).vectors.contiguous();
  const double scale = std::sqrt(static_cast<double>(hypergraph.node_count()));
  const auto* from = vectors.data_ptr<double>();
  std::vector<float> values(vectors.numel());
  std::transform(from, from + values.size(), values.begin(),
                 [&](double value) { return static_cast<float>(scale * value); });
  return {hypergraph.node_count(), static_cast<Index>(sheaf.planes()) * columns, std::move(values)};
}

/// One request, which the first who comes fulfils while the others wait.
struct SpectralRequest {
  std::weak_ptr<const void> hypergraph;
  Index columns;
  double charge;
  std::once_flag made;
  data::Features features;

  SpectralRequest(const Hypergraph& of, Index column_count, double at_charge)
      : hypergraph(of.owner()), columns(column_count), charge(at_charge) {}
};

std::shared_ptr<SpectralRequest> request_for(const Hypergraph& hypergraph, Index columns, double charge) {
  static std::mutex mutex;
  static std::vector<std::shared_ptr<SpectralRequest>> requests;
  const std::lock_guard<std::mutex> lock(mutex);
  std::erase_if(requests, [](const auto& request) { return request->hypergraph.expired(); });
  const auto found = std::find_if(requests.begin(), requests.end(), [&](const auto& request) {
    return request->hypergraph.lock() == hypergraph.owner() && request->columns == columns &&
           request->charge == charge;
  });
  if (found != requests.end()) return *found;
  return requests.emplace_back(std::make_shared<SpectralRequest>(hypergraph, columns, charge));
}

}  // namespace

data::Features spectral_features(const Hypergraph& hypergraph, Index columns, double charge) {
  if (columns > hypergraph.node_count()) {
    throw UsageError(fmt::format("spectral_columns={}: there are {} nodes, expected at most as many columns",
                                 columns, hypergraph.node_count()));
  }
  const std::shared_ptr<SpectralRequest> request = request_for(hypergraph, columns, charge);
  std::call_once(request->made, [&] { request->features = make(hypergraph, columns, charge); });
  return request->features;
}

}  // namespace dshn::train
