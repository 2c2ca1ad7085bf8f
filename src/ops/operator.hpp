#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <string>
#include <string_view>

#include "dshn/ops/segment.hpp"
#include "ops/checks.hpp"
#include "ops/incidence_class.hpp"
#include "ops/kernels.hpp"

/// What makes an operator of one definition: a struct with
///
///   static constexpr char kSchema[] = "name(Tensor x, ..., Incidence incidence) -> Tensor";
///   static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, ..., const Incidence& incidence);
///   static variable_list backward(AutogradContext* ctx, const variable_list& grads);
///
/// forward() checks its arguments and, where there is a context, saves what backward() needs. backward() gives
/// the gradients of the leading arguments; without it there are none. `define<Op>(m)` in a
/// TORCH_LIBRARY_FRAGMENT registers it with autograd and without, and `call<Op>(...)` is how C++ calls it:
/// through the same door as Python.
namespace dshn::ops {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// "edges" and "nodes", as the registered operators spell it.
inline const char* text_of(Over over) {
  return over == Over::edges ? "edges" : "nodes";
}
/// Throws UsageError on any other text.
inline Over over_of(const std::string& text) {
  check(text == "edges" || text == "nodes", "over", "\"edges\" or \"nodes\"", "\"" + text + "\"");
  return text == "edges" ? Over::edges : Over::nodes;
}

/// How an argument passes the dispatcher, where its own type may not.
template <typename T>
struct Passing {
  using Type = T;
  static T into(T value) { return value; }
  static T out_of(T value) { return value; }
};
template <>
struct Passing<const Incidence&> {
  using Type = const c10::intrusive_ptr<IncidenceViews>&;
  static Type into(const Incidence& incidence) { return incidence.views(); }
  static Incidence out_of(Type views) {
    if (!views.defined()) throw UsageError("incidence: expected an Incidence, got nothing");
    return Incidence(views);
  }
};
template <>
struct Passing<Over> {
  using Type = std::string;
  static Type into(Over over) { return text_of(over); }
  static Over out_of(const Type& text) { return over_of(text); }
};

namespace operator_detail {

inline variable_list list_of(const at::Tensor& tensor) {
  return {tensor};
}
inline variable_list list_of(const TensorPair& pair) {
  return {std::get<0>(pair), std::get<1>(pair)};
}
template <typename Result>
Result result_of(const variable_list& list) {
  if constexpr (std::is_same_v<Result, TensorPair>)
    return {list[0], list[1]};
  else
    return list[0];
}

constexpr std::string_view name_in(std::string_view schema) {
  return schema.substr(0, schema.find('('));
}

template <typename Op, typename Forward = decltype(&Op::forward)>
struct Registered;

template <typename Op>
class Recorded : public torch::autograd::Function<Recorded<Op>> {
 public:
  template <typename... Args>
  static variable_list forward(AutogradContext* ctx, const Args&... args) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    return list_of(Op::forward(ctx, args...));
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    // The formulas are not themselves differentiable: autograd asks for that by keeping gradients enabled.
    if (at::GradMode::is_enabled()) {
      throw UsageError(std::string(name_in(Op::kSchema)) +
                       ": no second derivative is implemented; call backward without create_graph (or detach "
                       "the gradient first)");
    }
    variable_list gradients = Op::backward(ctx, grads);
    gradients.resize(Registered<Op>::kArguments);
    return gradients;
  }
};

template <typename Op, typename Result, typename... Args>
struct Registered<Op, Result (*)(AutogradContext*, Args...)> {
  static constexpr std::size_t kArguments = sizeof...(Args);

  static Result recorded(typename Passing<Args>::Type... args) {
    return result_of<Result>(Recorded<Op>::apply(Passing<Args>::out_of(args)...));
  }
  static Result unrecorded(typename Passing<Args>::Type... args) {
    return Op::forward(nullptr, Passing<Args>::out_of(args)...);
  }
  static Result call(Args... args) {
    static const auto handle = c10::Dispatcher::singleton()
                                   .findSchemaOrThrow(full_name().c_str(), "")
                                   .template typed<Result(typename Passing<Args>::Type...)>();
    return handle.call(Passing<Args>::into(args)...);
  }

 private:
  static std::string full_name() { return "dshn::" + std::string(name_in(Op::kSchema)); }
};

template <typename Op>
std::string declare(torch::Library& m) {
  register_incidence_class();
  std::string schema = Op::kSchema;
  constexpr std::string_view kIncidence = "Incidence incidence";
  if (const std::size_t at = schema.find(kIncidence); at != std::string::npos)
    schema.insert(at, "__torch__.torch.classes.dshn.");
  m.def(schema.c_str());
  return std::string(name_in(Op::kSchema));
}

}  // namespace operator_detail

/// On any device, with autograd and without (inference mode).
template <typename Op>
void define(torch::Library& m) {
  using Registered = operator_detail::Registered<Op>;
  const std::string name = operator_detail::declare<Op>(m);
  if constexpr (requires { &Op::backward; })
    m.impl(name.c_str(), torch::dispatch(c10::DispatchKey::Autograd, &Registered::recorded));
  m.impl(name.c_str(), torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, &Registered::unrecorded));
}

/// An operator whose forward() is made of differentiable operators.
template <typename Op>
void define_composite(torch::Library& m) {
  const std::string name = operator_detail::declare<Op>(m);
  m.impl(name.c_str(), torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd,
                                       &operator_detail::Registered<Op>::unrecorded));
}

template <typename Op, typename... Args>
auto call(const Args&... args) {
  return operator_detail::Registered<Op>::call(args...);
}

/// The tensor, or an undefined one.
inline at::Tensor value_or_undefined(const OptionalTensor& tensor) {
  return tensor.has_value() ? *tensor : at::Tensor();
}
inline OptionalTensor optional_of(const at::Tensor& tensor) {
  return tensor.defined() ? OptionalTensor(tensor) : OptionalTensor();
}
inline OptionalTensor contiguous(const OptionalTensor& tensor) {
  return tensor.has_value() ? OptionalTensor(tensor->contiguous()) : tensor;
}

/// What backward() finds again.
inline void save(AutogradContext* ctx, const variable_list& tensors, const Incidence& incidence,
                 Over over = Over::edges) {
  ctx->save_for_backward(tensors);
  ctx->saved_data["incidence"] = incidence.ivalue();
  ctx->saved_data["over"] = static_cast<std::int64_t>(over);
}
inline Incidence saved_incidence(AutogradContext* ctx) {
  return Incidence(ctx->saved_data["incidence"]);
}
inline Over saved_over(AutogradContext* ctx) {
  return static_cast<Over>(ctx->saved_data["over"].toInt());
}

}  // namespace dshn::ops
