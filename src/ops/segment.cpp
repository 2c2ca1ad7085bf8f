// Checks and derivatives of reductions of per-incidence values, and of their adjoint `expand`.
#include <ATen/ATen.h>

#include "ops/operator.hpp"
#include "ops/parts.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops {
namespace {

/// In this part: a gradient of rows of hyperedges is what each part's use of them gives.
at::Tensor segment_sum_of(const at::Tensor& values, Over over, const Incidence& incidence) {
  return std::get<0>(reduce_kernel(flat(values), {}, true, over, Reduce::sum, incidence));
}

at::Tensor expanded(const at::Tensor& rows, Over over, const Incidence& incidence) {
  return over == Over::nodes ? expand_kernel(rows, {}, incidence) : expand_kernel({}, rows, incidence);
}

template <Reduce reduce>
struct Segment {
  static constexpr const char* kSchema =
      reduce == Reduce::sum    ? "segment_sum(Tensor values, str over, Incidence incidence) -> Tensor"
      : reduce == Reduce::mean ? "segment_mean(Tensor values, str over, Incidence incidence) -> Tensor"
                               : "segment_max(Tensor values, str over, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& values, Over over,
                            const Incidence& incidence) {
    check_rows(values, "values", incidence.incidences(), incidence);
    const auto [y, winner] = reduce_in_parts(flat(values), {}, true, over, reduce, incidence);
    if (ctx != nullptr) save(ctx, {winner}, incidence, over);
    return shaped_like(y, values);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const Incidence incidence = saved_incidence(ctx);
    const Over over = saved_over(ctx);
    const at::Tensor gy = gradient_in_parts(flat(grads[0]), over, incidence);
    at::Tensor g;
    if (reduce == Reduce::max)
      g = max_gradient_kernel(gy, ctx->get_saved_variables()[0], true, over, incidence);
    else
      g = expanded(reduce == Reduce::mean ? divided_by_size(gy, over, incidence) : gy, over, incidence);
    return {shaped_like(g, grads[0])};
  }
};

struct Expand {
  static constexpr char kSchema[] = "expand(Tensor rows, str over, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& rows, Over over,
                            const Incidence& incidence) {
    check_rows(rows, "rows", rows_over(incidence, over), incidence);
    if (ctx != nullptr) save(ctx, {}, incidence, over);
    return shaped_like(expanded(flat(rows), over, incidence), rows);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const Over over = saved_over(ctx);
    return {shaped_like(segment_sum_of(grads[0], over, saved_incidence(ctx)), grads[0])};
  }
};

struct IncidenceLinear {
  static constexpr char kSchema[] =
      "incidence_linear(Tensor node_rows, Tensor edge_rows, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& node_rows, const at::Tensor& edge_rows,
                            const Incidence& incidence) {
    check_rows(node_rows, "node_rows", rows_over(incidence, Over::nodes), incidence);
    std::vector<std::int64_t> shape = node_rows.sizes().vec();
    shape[0] = incidence.edges();
    check_like(edge_rows, "edge_rows", shape, node_rows, "node_rows", incidence);
    if (ctx != nullptr) save(ctx, {}, incidence);
    return shaped_like(expand_kernel(flat(node_rows), flat(edge_rows), incidence), node_rows);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const Incidence incidence = saved_incidence(ctx);
    variable_list gradients(2);
    for (const Over over : {Over::nodes, Over::edges}) {
      const std::size_t input = over == Over::nodes ? 0 : 1;
      if (!ctx->needs_input_grad(input)) continue;
      gradients[input] = shaped_like(segment_sum_of(grads[0], over, incidence), grads[0]);
    }
    return gradients;
  }
};

struct MemberLinear {
  static constexpr char kSchema[] =
      "member_linear(Tensor node_rows, Tensor member_rows, bool mean, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& node_rows, const at::Tensor& member_rows,
                            bool mean, const Incidence& incidence) {
    check_rows(node_rows, "node_rows", rows_over(incidence, Over::nodes), incidence);
    check_like(member_rows, "member_rows", node_rows.sizes(), node_rows, "node_rows", incidence);
    const Reduce reduce = mean ? Reduce::mean : Reduce::sum;
    const auto [edge_rows, winner] =
        reduce_in_parts(flat(member_rows), {}, false, Over::edges, reduce, incidence);
    if (ctx != nullptr) {
      save(ctx, {}, incidence);
      ctx->saved_data["mean"] = mean;
    }
    return shaped_like(expand_kernel(flat(node_rows), edge_rows, incidence), node_rows);
  }

  /// The mean of a hyperedge's gradients is what each of its members gets of them.
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const Incidence incidence = saved_incidence(ctx);
    const Reduce reduce = ctx->saved_data["mean"].toBool() ? Reduce::mean : Reduce::sum;
    const at::Tensor g = flat(grads[0]);
    variable_list gradients(2);
    if (ctx->needs_input_grad(0))
      gradients[0] = shaped_like(segment_sum_of(g, Over::nodes, incidence), grads[0]);
    if (ctx->needs_input_grad(1)) {
      const auto [g_edges, none] = reduce_in_parts(g, {}, true, Over::edges, reduce, incidence);
      const auto [g_members, no_winner] =
          reduce_kernel(g_edges, {}, false, Over::nodes, Reduce::sum, incidence);
      gradients[1] = shaped_like(g_members, grads[0]);
    }
    return gradients;
  }
};

struct SegmentSoftmax {
  static constexpr char kSchema[] = "segment_softmax(Tensor values, str over, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& values, Over over,
                            const Incidence& incidence) {
    check_rows(values, "values", incidence.incidences(), incidence);
    const at::Tensor y = softmax_in_parts(flat(values), {}, over, incidence);
    if (ctx != nullptr) save(ctx, {y}, incidence, over);
    return shaped_like(y, values);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const at::Tensor g = softmax_in_parts(ctx->get_saved_variables()[0], flat(grads[0]), saved_over(ctx),
                                          saved_incidence(ctx));
    return {shaped_like(g, grads[0])};
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<Segment<Reduce::sum>>(m);
  define<Segment<Reduce::mean>>(m);
  define<Segment<Reduce::max>>(m);
  define<Expand>(m);
  define<IncidenceLinear>(m);
  define<MemberLinear>(m);
  define<SegmentSoftmax>(m);
}

}  // namespace

at::Tensor segment_sum(const at::Tensor& values, Over over, const Incidence& incidence) {
  return call<Segment<Reduce::sum>>(values, over, incidence);
}

at::Tensor segment_mean(const at::Tensor& values, Over over, const Incidence& incidence) {
  return call<Segment<Reduce::mean>>(values, over, incidence);
}

at::Tensor segment_max(const at::Tensor& values, Over over, const Incidence& incidence) {
  return call<Segment<Reduce::max>>(values, over, incidence);
}

at::Tensor expand(const at::Tensor& rows, Over over, const Incidence& incidence) {
  return call<Expand>(rows, over, incidence);
}

at::Tensor incidence_linear(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                            const Incidence& incidence) {
  return call<IncidenceLinear>(node_rows, edge_rows, incidence);
}

at::Tensor member_linear(const at::Tensor& node_rows, const at::Tensor& member_rows, Pool pool,
                         const Incidence& incidence) {
  return call<MemberLinear>(node_rows, member_rows, pool == Pool::mean, incidence);
}

at::Tensor segment_softmax(const at::Tensor& values, Over over, const Incidence& incidence) {
  return call<SegmentSoftmax>(values, over, incidence);
}

}  // namespace dshn::ops
