// Checks and derivatives of the node degree blocks, their inverse roots and the maps they normalise.
#include <ATen/ATen.h>

#include "dshn/ops/sheaf.hpp"
#include "ops/operator.hpp"

namespace dshn::ops {
namespace {

struct DegreeBlocks {
  static constexpr char kSchema[] =
      "degree_blocks(Tensor maps, Tensor? weight, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& given_maps, const OptionalTensor& weight,
                            const Incidence& incidence) {
    check_maps(given_maps, incidence);
    check_weight(weight, given_maps, incidence);
    const at::Tensor maps = given_maps.contiguous();
    const OptionalTensor w = contiguous(weight);
    if (ctx != nullptr) save(ctx, {maps, value_or_undefined(w)}, incidence);
    return degree_kernel(maps, w, incidence);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const auto [gmaps, gweight] =
        degree_gradient_kernel(saved[0], optional_of(saved[1]), grads[0].contiguous(), saved_incidence(ctx));
    return {gmaps, gweight};
  }
};

void check_blocks(const at::Tensor& blocks) {
  check(blocks.scalar_type() == at::kDouble &&
            (blocks.dim() == 2 || (blocks.dim() == 3 && blocks.size(1) == blocks.size(2))),
        "blocks", "Double [n, k] or [n, d, d]", describe(blocks));
}

struct InverseSqrt {
  static constexpr char kSchema[] = "inverse_sqrt(Tensor blocks) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& blocks) {
    check_blocks(blocks);
    const auto [result, vectors, values] = inverse_sqrt_kernel(blocks.contiguous());
    if (ctx != nullptr) ctx->save_for_backward({vectors, values});
    return result;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    return {inverse_sqrt_gradient_kernel(grads[0].contiguous(), saved[0], saved[1])};
  }
};

struct ScaleMaps {
  static constexpr char kSchema[] = "scale_maps(Tensor maps, Tensor blocks, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& given_maps,
                            const at::Tensor& given_blocks, const Incidence& incidence) {
    check_maps(given_maps, incidence);
    std::vector<std::int64_t> shape = given_maps.sizes().vec();
    shape[0] = incidence.nodes();
    check_tensor(given_blocks, "blocks", shape, incidence);
    check_blocks(given_blocks);
    const at::Tensor maps = given_maps.contiguous();
    const at::Tensor blocks = given_blocks.contiguous();
    if (ctx != nullptr) save(ctx, {maps, blocks}, incidence);
    return scale_maps_kernel(maps, blocks, incidence);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const auto [gmaps, gblocks] =
        scale_maps_gradient_kernel(grads[0].contiguous(), saved[0], saved[1], saved_incidence(ctx));
    return {gmaps, gblocks};
  }
};

struct SheafDiffuse {
  static constexpr char kSchema[] =
      "sheaf_diffuse(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext*, const at::Tensor& x, const at::Tensor& maps,
                            const OptionalTensor& q, const OptionalTensor& weight,
                            const Incidence& incidence) {
    return sheaf_signless(x, normalize_maps(maps, weight, incidence), q, weight, incidence);
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<DegreeBlocks>(m);
  define<InverseSqrt>(m);
  define<ScaleMaps>(m);
  define_composite<SheafDiffuse>(m);
}

}  // namespace

at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence) {
  return call<DegreeBlocks>(maps, weight, incidence);
}

at::Tensor inverse_sqrt(const at::Tensor& blocks) {
  return call<InverseSqrt>(blocks);
}

at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, const Incidence& incidence) {
  return call<ScaleMaps>(maps, blocks, incidence);
}

at::Tensor normalize_maps(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence) {
  return scale_maps(maps, inverse_sqrt(degree_blocks(maps, weight, incidence)), incidence);
}

at::Tensor sheaf_diffuse(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                         const OptionalTensor& weight, const Incidence& incidence) {
  return call<SheafDiffuse>(x, maps, q, weight, incidence);
}

}  // namespace dshn::ops
