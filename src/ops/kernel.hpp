#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <c10/core/DeviceGuard.h>

#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/ops/dropout.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::ops {

/// Null where there is no tensor.
template <typename T>
const T* raw_or_null(const OptionalTensor& tensor) {
  return tensor.has_value() ? tensor->data_ptr<T>() : nullptr;
}

/// Runs something when the library is loaded.
struct AtLoad {
  explicit AtLoad(void (*work)()) { work(); }
};

template <typename Signature>
class Kernel;

/// A function that each kind of device implements for float and for double: what an operator calls once its
/// arguments are checked, contiguous and on one device. Libtorch does not know it, so nobody can call it with
/// other arguments; profilers see it by its name.
template <typename Result, typename... Args>
class Kernel<Result(Args...)> {
 public:
  using Function = Result (*)(Args...);

  explicit constexpr Kernel(const char* name) : name_(name) {}

  /// At load. Null where there is none for a type.
  void implement(at::DeviceType device, Function for_float, Function for_double) {
    (device == at::kCPU ? cpu_ : cuda_) = {for_float, for_double};
  }
  bool exists_on(at::DeviceType device) const { return on(device).for_double != nullptr; }

  /// Runs where its first tensor is, for the type of that.
  Result operator()(Args... args) const {
    const at::Tensor* first = nullptr;
    ((first = first == nullptr ? tensor_in(args) : first), ...);
    const Functions functions = on(first->device().type());
    const bool is_float = first->scalar_type() == at::kFloat;
    const Function function = is_float ? functions.for_float : functions.for_double;
    if (function == nullptr || (!is_float && first->scalar_type() != at::kDouble)) {
      throw UsageError(std::string(name_) + ": expected a device and a type that have a kernel, got " +
                       first->device().str() + " and " + c10::toString(first->scalar_type()));
    }
    c10::OptionalDeviceGuard guard;
    if (first->is_cuda()) guard.reset_device(first->device());
    at::RecordFunction record(at::RecordScope::FUNCTION);
    if (record.isActive()) {
      const std::vector<c10::IValue> inputs{recorded(args)...};
      record.before(name_, c10::ArrayRef<const c10::IValue>(inputs.data(), inputs.size()));
    }
    return function(args...);
  }

 private:
  struct Functions {
    Function for_float = nullptr;
    Function for_double = nullptr;
  };

  Functions on(at::DeviceType device) const {
    if (device == at::kCPU) return cpu_;
    return device == at::kCUDA ? cuda_ : Functions{};
  }

  template <typename T>
  static const at::Tensor* tensor_in(const T& value) {
    if constexpr (std::is_same_v<T, at::Tensor>) return &value;
    if constexpr (std::is_same_v<T, OptionalTensor>) return value.has_value() ? &*value : nullptr;
    return nullptr;
  }

  template <typename T>
  static c10::IValue recorded(const T& value) {
    if constexpr (std::is_enum_v<T>)
      return static_cast<std::int64_t>(value);
    else if constexpr (std::is_same_v<T, Incidence>)
      return value.ivalue();
    else if constexpr (std::is_same_v<T, MaskKey>)
      return value.call;
    else
      return value;
  }

  const char* name_;
  Functions cpu_;
  Functions cuda_;
};

}  // namespace dshn::ops
