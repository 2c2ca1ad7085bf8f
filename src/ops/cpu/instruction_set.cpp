#include <cstdlib>
#include <string_view>

#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/segment_kernels.hpp"
#include "ops/cpu/sheaf_kernels.hpp"

namespace dshn::ops::cpu {

// Defined by the copies of sheaf_kernels.cpp, segment_kernels.cpp and dense_kernels.cpp.
#define DSHN_DECLARE_KERNELS(isa)                            \
  namespace isa {                                            \
  extern const SheafKernels<float> kFloatSheafKernels;       \
  extern const SheafKernels<double> kDoubleSheafKernels;     \
  extern const SegmentKernels<float> kFloatSegmentKernels;   \
  extern const SegmentKernels<double> kDoubleSegmentKernels; \
  extern const DenseKernels<float> kFloatDenseKernels;       \
  extern const DenseKernels<double> kDoubleDenseKernels;     \
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

#ifdef DSHN_X86_KERNELS
#define DSHN_CHOSEN(kernels)                     \
  (chosen_isa() == Isa::avx512 ? avx512::kernels \
   : chosen_isa() == Isa::avx2 ? avx2::kernels   \
                               : portable::kernels)
#else
#define DSHN_CHOSEN(kernels) portable::kernels
#endif

template <>
const SheafKernels<float>& sheaf_kernels<float>() {
  return DSHN_CHOSEN(kFloatSheafKernels);
}
template <>
const SheafKernels<double>& sheaf_kernels<double>() {
  return DSHN_CHOSEN(kDoubleSheafKernels);
}
template <>
const SegmentKernels<float>& segment_kernels<float>() {
  return DSHN_CHOSEN(kFloatSegmentKernels);
}
template <>
const SegmentKernels<double>& segment_kernels<double>() {
  return DSHN_CHOSEN(kDoubleSegmentKernels);
}
template <>
const DenseKernels<float>& dense_kernels<float>() {
  return DSHN_CHOSEN(kFloatDenseKernels);
}
template <>
const DenseKernels<double>& dense_kernels<double>() {
  return DSHN_CHOSEN(kDoubleDenseKernels);
}

const char* instruction_set() {
  constexpr const char* kNames[] = {"portable", "avx2", "avx512"};
  return kNames[static_cast<int>(chosen_isa())];
}

}  // namespace dshn::ops::cpu
