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
  check(tensor.scalar_type() == type && tensor.dim() == 1 && tensor.size(0) == length &&
            tensor.is_contiguous() && tensor.device() == device,
        argument, std::string(c10::toString(type)) + " " + shape_text({length}) + " on " + device.str(),
        describe(tensor));
}

}  // namespace

std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "nothing";
  return std::string(c10::toString(tensor.scalar_type())) + " " + shape_text(tensor.sizes()) + " on " +
         tensor.device().str();
}

void check_incidence(const Incidence& in) {
  const at::Device device = in.by_edge.ptr.device();
  const std::int64_t nnz = in.incidences();
  check_index(in.by_edge.ptr, "incidence[0] (edge_ptr)", at::kLong, in.edges() + 1, device);
  check_index(in.by_edge.split, "incidence[1] (edge_split)", at::kLong, in.edges(), device);
  check_index(in.by_edge.index, "incidence[2] (edge_nodes)", at::kInt, nnz, device);
  check_index(in.by_node.ptr, "incidence[3] (node_ptr)", at::kLong, in.nodes() + 1, device);
  check_index(in.by_node.split, "incidence[4] (node_split)", at::kLong, in.nodes(), device);
  check_index(in.by_node.index, "incidence[5] (node_edges)", at::kInt, nnz, device);
  check_index(in.by_node.position, "incidence[6] (node_incidences)", at::kLong, nnz, device);
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
                const Incidence& incidence) {
  check_tensor(tensor, argument, shape, incidence);
  check(tensor.scalar_type() == like.scalar_type(), argument,
        std::string("the type of the signal, ") + c10::toString(like.scalar_type()), describe(tensor));
}

}  // namespace dshn::ops
