#include <cstdlib>
#include <string_view>

#include "ops/cpu/sheaf_kernels.hpp"

namespace dshn::ops::cpu {

// Defined by the copies of sheaf_kernels.cpp.
#define DSHN_DECLARE_KERNELS(isa)                   \
  namespace isa {                                   \
  extern const SheafKernels<float> float_kernels;   \
  extern const SheafKernels<double> double_kernels; \
  }
DSHN_DECLARE_KERNELS(portable)
#ifdef DSHN_X86_KERNELS
DSHN_DECLARE_KERNELS(avx2)
DSHN_DECLARE_KERNELS(avx512)
#endif

namespace {

enum class Isa { portable, avx2, avx512 };

Isa best_isa() {
#ifdef DSHN_X86_KERNELS
  const char* text = std::getenv("DSHN_ISA");
  const std::string_view limit = text == nullptr ? "avx512" : text;
  if (limit == "portable") return Isa::portable;
  if (limit != "avx2" && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return Isa::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::avx2;
#endif
  return Isa::portable;
}

Isa chosen_isa() {
  static const Isa isa = best_isa();
  return isa;
}

}  // namespace

template <>
const SheafKernels<float>& sheaf_kernels<float>() {
#ifdef DSHN_X86_KERNELS
  if (chosen_isa() == Isa::avx512) return avx512::float_kernels;
  if (chosen_isa() == Isa::avx2) return avx2::float_kernels;
#endif
  return portable::float_kernels;
}

template <>
const SheafKernels<double>& sheaf_kernels<double>() {
#ifdef DSHN_X86_KERNELS
  if (chosen_isa() == Isa::avx512) return avx512::double_kernels;
  if (chosen_isa() == Isa::avx2) return avx2::double_kernels;
#endif
  return portable::double_kernels;
}

const char* instruction_set() {
  constexpr const char* kNames[] = {"portable", "avx2", "avx512"};
  return kNames[static_cast<int>(chosen_isa())];
}

}  // namespace dshn::ops::cpu
