#include "ops/checks.hpp"

#include <ATen/ATen.h>

namespace dshn::ops {
namespace {

std::string shape_text(at::IntArrayRef shape) {
  std::ostringstream text;
  text << '[';
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text << ", ";
    if (shape[i] < 0)
      text << '*';
    else
      text << shape[i];
  }
  text << ']';
  return text.str();
}

bool shape_fits(const at::Tensor& tensor, at::IntArrayRef shape) {
  if (tensor.dim() != static_cast<std::int64_t>(shape.size())) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0 && tensor.size(static_cast<std::int64_t>(i)) != shape[i]) return false;
  }
  return true;
}

void check_index(const at::Tensor& tensor, const char* argument, at::ScalarType type, std::int64_t length,
                 const at::Device& device) {
  check(tensor.defined() && tensor.scalar_type() == type && tensor.dim() == 1 && tensor.size(0) == length &&
            tensor.is_contiguous() && tensor.device() == device,
        argument, std::string(c10::toString(type)) + " " + shape_text({length}) + " on " + device.str(),
        describe(tensor));
}

/// A row pointer begins at 0 and ends at the number of incidences.
void check_ends(const at::Tensor& ptr, const char* argument, std::int64_t nnz) {
  const auto* values = ptr.data_ptr<std::int64_t>();
  const std::int64_t last = values[ptr.size(0) - 1];
  check(values[0] == 0 && last == nnz, argument, "offsets from 0 to nnz = " + std::to_string(nnz),
        std::to_string(values[0]) + " to " + std::to_string(last));
}

}  // namespace

std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "nothing";
  return std::string(c10::toString(tensor.scalar_type())) + " " + shape_text(tensor.sizes()) + " on " +
         tensor.device().str();
}

void check_incidence(const Incidence& in) {
  for (const at::Tensor& tensor : in.tensors())
    check(tensor.defined() && tensor.dim() == 1, "incidence", "9 one-dimensional tensors", describe(tensor));
  const at::Device device = in.by_edge.ptr.device();
  const std::int64_t nnz = in.incidences();
  check_index(in.by_edge.ptr, "incidence[0] (edge_ptr)", at::kLong, in.edges() + 1, device);
  check_index(in.by_edge.split, "incidence[1] (edge_split)", at::kLong, in.edges(), device);
  check_index(in.by_edge.index, "incidence[2] (edge_nodes)", at::kInt, nnz, device);
  check_index(in.by_node.ptr, "incidence[3] (node_ptr)", at::kLong, in.nodes() + 1, device);
  check_index(in.by_node.split, "incidence[4] (node_split)", at::kLong, in.nodes(), device);
  check_index(in.by_node.index, "incidence[5] (node_edges)", at::kInt, nnz, device);
  check_index(in.by_node.position, "incidence[6] (node_incidences)", at::kLong, nnz, device);
  check_index(in.by_edge.pieces, "incidence[7] (edge_pieces)", at::kInt, in.by_edge.pieces.size(0), device);
  check_index(in.by_node.pieces, "incidence[8] (node_pieces)", at::kInt, in.by_node.pieces.size(0), device);
  if (!device.is_cpu()) return;  // reading a value there would wait for the device
  check_ends(in.by_edge.ptr, "incidence[0] (edge_ptr)", nnz);
  check_ends(in.by_node.ptr, "incidence[3] (node_ptr)", nnz);
}

void check_tensor(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape,
                  const Incidence& incidence) {
  const at::Device device = incidence.by_edge.ptr.device();
  const bool floating =
      tensor.defined() && (tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kDouble);
  check(floating && shape_fits(tensor, shape) && tensor.device() == device, argument,
        "Float or Double " + shape_text(shape) + " on " + device.str(), describe(tensor));
}

void check_like(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape, const at::Tensor& like,
                const char* like_what, const Incidence& incidence) {
  check_tensor(tensor, argument, shape, incidence);
  check(tensor.scalar_type() == like.scalar_type(), argument,
        std::string("the type of the ") + like_what + ", " + c10::toString(like.scalar_type()),
        describe(tensor));
}

void check_mask(double p, const at::Tensor& step_key, const at::Tensor& x) {
  check(p >= 0 && p < 1, "p", "a probability in [0, 1)", p);
  check(step_key.defined() && step_key.scalar_type() == at::kLong && step_key.numel() == 1 &&
            step_key.device() == x.device(),
        "step_key", "one Long on " + x.device().str(), describe(step_key));
}

void check_maps(const at::Tensor& maps, const Incidence& incidence) {
  const bool general = maps.defined() && maps.dim() == 3;
  const std::int64_t d = general ? maps.size(1) : -1;
  if (general)
    check_tensor(maps, "maps", {incidence.incidences(), d, d}, incidence);
  else
    check_tensor(maps, "maps", {incidence.incidences(), -1}, incidence);
  check(maps.size(1) >= 1, "maps", "a stalk dimension of at least 1 in dimension 1", describe(maps));
}

void check_weight(const OptionalTensor& weight, const at::Tensor& maps, const Incidence& incidence) {
  if (!weight.has_value()) return;
  check_like(*weight, "weight", {incidence.edges()}, maps, "maps", incidence);
  if (!weight->device().is_cpu()) return;  // reading a value there would wait for the device
  const at::Tensor good = weight->detach().gt(0).logical_and(weight->detach().isfinite());
  if (good.all().item<bool>()) return;
  const auto first = good.logical_not().nonzero()[0].item<std::int64_t>();
  check(false, "weight", "finite positive hyperedge weights",
        std::to_string(weight->detach()[first].item<double>()) + " for hyperedge " + std::to_string(first));
}

}  // namespace dshn::ops
