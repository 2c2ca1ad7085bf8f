#pragma once

#include <cstdint>

#include "ops/cpu/raw_view.hpp"

namespace dshn::ops::cpu {

/// A row of the signal is `blocks` blocks of `length` numbers; inside, runs of [re(0..f) | im(0..f)]
/// alternate when planes is 2. A scaling map holds one number per block, a general map a blocks x blocks
/// matrix.
struct RowShape {
  std::int64_t blocks;
  std::int64_t length;
  std::int64_t planes;
  std::int64_t channels;  // f
  bool general;

  std::int64_t row() const { return blocks * length; }
  std::int64_t map() const { return general ? blocks * blocks : blocks; }
};

/// out_r = scale_r * ( phase * sum over tail entries of map_i in_i  +  sum over head entries of map_i in_i )
///
/// With transpose, maps act transposed. No rotation happens where `rotate` is false.
template <typename T>
struct GatherArgs {
  RawView view;
  RowShape shape;
  const T* maps;
  bool transpose;
  bool rotate;
  T phase_re, phase_im;
  const T* scale;  // [rows], or null for 1
  const T* in;
  T* out;
  /// A row of its own for each output row, for the inner products below; may be null when neither is asked
  /// for.
  const T* partner;
  /// [rows, 2], or null: (P, Q) with P + iQ = conj(tail sum before phase and scale) . partner
  double* tail_dots;
  /// [rows], or null: Re( conj(out_r) . partner_r )
  double* row_dots;
};

/// Gradient of the maps, seen from the hyperedges, as soon as the gather of the rows g has given k_e: for
/// each incidence (u, e)
///   g_map = Re( h_e conj(s g_u)^T ) + Re( conj(k_e) (s x_u)^T ),    s = phase on tails, 1 on heads
template <typename T>
struct MapGradientArgs {
  const T* x;  // node rows: signal
  const T* h;  // hyperedge rows kept from the forward sweep
  T* g_maps;
};

/// The inner loops, compiled once per instruction set from one source, on rows [begin, end) of the view.
template <typename T>
struct SheafKernels {
  void (*gather)(const GatherArgs<T>& args, std::int64_t begin, std::int64_t end);
  /// For the by-hyperedge view. Needs two rows of scratch.
  void (*gather_and_map_gradient)(const GatherArgs<T>& args, const MapGradientArgs<T>& gradient,
                                  std::int64_t begin, std::int64_t end, T* scratch);
  /// The second half alone, where `out` has k_e already.
  void (*map_gradient)(const GatherArgs<T>& args, const MapGradientArgs<T>& gradient, std::int64_t begin,
                       std::int64_t end, T* scratch);
};

/// The fastest set this machine can run. DSHN_ISA=portable|avx2|avx512 in the environment asks for a lower
/// one.
template <typename T>
const SheafKernels<T>& sheaf_kernels();
template <>
const SheafKernels<float>& sheaf_kernels<float>();
template <>
const SheafKernels<double>& sheaf_kernels<double>();
/// Name of that set.
const char* instruction_set();

}  // namespace dshn::ops::cpu
