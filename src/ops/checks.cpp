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

bool is_float_or_double(const at::Tensor& tensor) {
  return tensor.defined() && (tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kDouble);
}

}  // namespace

std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "nothing";
  return std::string(c10::toString(tensor.scalar_type())) + " " + shape_text(tensor.sizes()) + " on " +
         tensor.device().str();
}

void check_index(const at::Tensor& tensor, const char* argument, at::ScalarType type, std::int64_t length,
                 const at::Device& device) {
  check(tensor.defined() && tensor.scalar_type() == type && tensor.dim() == 1 && tensor.size(0) == length &&
            tensor.device() == device,
        argument, std::string(c10::toString(type)) + " " + shape_text({length}) + " on " + device.str(),
        describe(tensor));
}

void check_tensor(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape,
                  const Incidence& incidence) {
  const at::Device device = incidence.device();
  check(is_float_or_double(tensor) && shape_fits(tensor, shape) && tensor.device() == device, argument,
        "Float or Double " + shape_text(shape) + " on " + device.str(), describe(tensor));
}

void check_like(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape, const at::Tensor& like,
                const char* like_what, const Incidence& incidence) {
  check_tensor(tensor, argument, shape, incidence);
  check(tensor.scalar_type() == like.scalar_type(), argument,
        std::string("the type of the ") + like_what + ", " + c10::toString(like.scalar_type()),
        describe(tensor));
}

void check_planar(const at::Tensor& signal, const char* argument) {
  check(is_float_or_double(signal) && signal.dim() == 4 && (signal.size(2) == 1 || signal.size(2) == 2),
        argument, "Float or Double [rows, d, planes, f] with 1 or 2 planes", describe(signal));
}

void check_mask(double p, const MaskKey& key, const at::Tensor& x) {
  check(p >= 0 && p < 1, "p", "a probability in [0, 1)", p);
  check(key.step_key.defined() && key.step_key.scalar_type() == at::kLong && key.step_key.numel() == 1 &&
            key.step_key.device() == x.device(),
        "step_key", "one Long on " + x.device().str(), describe(key.step_key));
  if (!key.rows.defined()) return;
  check(x.dim() > 0 && x.device().is_cpu(), "x", "rows on cpu, because they are some of a larger array",
        describe(x));
  check_index(key.rows, "rows", at::kLong, x.size(0), x.device());
  check(key.rows.is_contiguous(), "rows", "a contiguous tensor", describe(key.rows));
}

void check_rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  check_planar(y, "y");
  const bool fits =
      !skip.has_value() ||
      (skip->sizes() == y.sizes() && skip->scalar_type() == y.scalar_type() && skip->device() == y.device());
  check(fits, "skip", "like y, " + describe(y), describe(skip.value_or(at::Tensor())));
  if (p != 0) check_mask(p, key, y);
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
