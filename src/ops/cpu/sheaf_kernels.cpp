// Compiled once per instruction set, with DSHN_ISA naming it: see CMakeLists.txt. The loops over channels are
// contiguous and written for the compiler's vectoriser; the order of summation inside a row is fixed.
#include "ops/cpu/sheaf_kernels.hpp"

#include <algorithm>

#include "ops/cpu/row_loops.hpp"

namespace dshn::ops::cpu::DSHN_ISA {
namespace {

/// Multiplies a row by re + i im, plane pairs in place.
template <typename T>
void rotate(T* row, const RowShape& shape, T re, T im) {
  const std::int64_t f = shape.channels;
  for (T* pair = row; pair != row + shape.row(); pair += 2 * f) {
    T* __restrict a = pair;
    T* __restrict b = pair + f;
#pragma omp simd
    for (std::int64_t c = 0; c < f; ++c) {
      const T x = a[c];
      const T y = b[c];
      a[c] = re * x - im * y;
      b[c] = re * y + im * x;
    }
  }
}

/// conj(a) . b as (real, imaginary).
template <typename T>
void complex_dot(const T* a, const T* b, const RowShape& shape, double* result) {
  const std::int64_t f = shape.channels;
  result[0] = exact_dot(a, b, shape.row());
  result[1] = 0;
  for (std::int64_t at = 0; at < shape.row(); at += 2 * f) {
    result[1] += exact_dot(a + at, b + at + f, f) - exact_dot(a + at + f, b + at, f);
  }
}

/// Asks for what the entry `distance` entries further on will read; entries past the last one are nobody's.
template <typename T>
struct Ahead {
  const GatherArgs<T>& args;
  std::int64_t distance;
  std::int64_t last;  // entries
  const T* also;      // another table of rows that is read at the same places, or null

  Ahead(const GatherArgs<T>& gather, std::int64_t last_row, const T* other = nullptr)
      : args(gather),
        distance(rows_ahead<T>(gather.shape.row())),
        last(gather.view.ptr[last_row]),
        also(other) {}

  void prefetch(std::int64_t entry) const {
    const std::int64_t i = entry + distance;
    if (i >= last) return;
    const std::int64_t size = args.shape.row();
    const std::int64_t at = args.view.index[i] * size;
    prefetch_row(args.in + at, size);
    if (also != nullptr) prefetch_row(also + at, size);
    if (args.view.position != nullptr) prefetch_line(args.maps + args.view.position[i] * args.shape.map());
  }
};

/// row += map_i in_i over entries [begin, end), for maps that scale blocks. Four at a time: the accumulator's
/// traffic would otherwise be as large as the gathered rows'.
template <typename T>
void add_scaled(const GatherArgs<T>& args, const Ahead<T>& ahead, T* row, std::int64_t begin,
                std::int64_t end) {
  const std::int64_t blocks = args.shape.blocks;
  const std::int64_t length = args.shape.length;
  const std::int64_t size = args.shape.row();
  std::int64_t i = begin;
  for (; i + 4 <= end; i += 4) {
    const T* x[4];
    const T* a[4];
    for (int j = 0; j < 4; ++j) {
      x[j] = args.in + args.view.index[i + j] * size;
      a[j] = args.maps + args.view.incidence(i + j) * blocks;
      ahead.prefetch(i + j);
    }
    for (std::int64_t k = 0; k < blocks; ++k) {
      const T a0 = a[0][k];
      const T a1 = a[1][k];
      const T a2 = a[2][k];
      const T a3 = a[3][k];
      const T* __restrict x0 = x[0] + k * length;
      const T* __restrict x1 = x[1] + k * length;
      const T* __restrict x2 = x[2] + k * length;
      const T* __restrict x3 = x[3] + k * length;
      T* __restrict out = row + k * length;
#pragma omp simd
      for (std::int64_t c = 0; c < length; ++c)
        out[c] += (a0 * x0[c] + a1 * x1[c]) + (a2 * x2[c] + a3 * x3[c]);
    }
  }
  for (; i < end; ++i) {
    ahead.prefetch(i);
    const T* x = args.in + args.view.index[i] * size;
    const T* a = args.maps + args.view.incidence(i) * blocks;
    for (std::int64_t k = 0; k < blocks; ++k) {
      const T factor = a[k];
      const T* __restrict from = x + k * length;
      T* __restrict out = row + k * length;
#pragma omp simd
      for (std::int64_t c = 0; c < length; ++c) out[c] += factor * from[c];
    }
  }
}

/// row += map in, a D x D matrix acting on D blocks.
template <typename T, int D>
void multiply_block(const T (&map)[D][D], const T* __restrict in, T* __restrict row, std::int64_t length) {
#pragma omp simd
  for (std::int64_t c = 0; c < length; ++c) {
    T x[D];
    for (int j = 0; j < D; ++j) x[j] = in[j * length + c];
    for (int i = 0; i < D; ++i) {
      T sum = map[i][0] * x[0];
      for (int j = 1; j < D; ++j) sum += map[i][j] * x[j];
      row[i * length + c] += sum;
    }
  }
}

template <typename T, int D>
void add_general(const GatherArgs<T>& args, const Ahead<T>& ahead, T* row, std::int64_t begin,
                 std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    ahead.prefetch(i);
    const T* stored = args.maps + args.view.incidence(i) * D * D;
    T map[D][D];
    for (int a = 0; a < D; ++a) {
      for (int b = 0; b < D; ++b) map[a][b] = args.transpose ? stored[b * D + a] : stored[a * D + b];
    }
    multiply_block<T, D>(map, args.in + args.view.index[i] * args.shape.row(), row, args.shape.length);
  }
}

/// The same for a stalk dimension without a compiled copy.
template <typename T>
void add_general_any(const GatherArgs<T>& args, const Ahead<T>& ahead, T* row, std::int64_t begin,
                     std::int64_t end) {
  const std::int64_t d = args.shape.blocks;
  const std::int64_t length = args.shape.length;
  for (std::int64_t i = begin; i < end; ++i) {
    ahead.prefetch(i);
    const T* map = args.maps + args.view.incidence(i) * d * d;
    const T* in = args.in + args.view.index[i] * args.shape.row();
    for (std::int64_t a = 0; a < d; ++a) {
      for (std::int64_t b = 0; b < d; ++b) {
        const T factor = args.transpose ? map[b * d + a] : map[a * d + b];
        const T* __restrict from = in + b * length;
        T* __restrict out = row + a * length;
#pragma omp simd
        for (std::int64_t c = 0; c < length; ++c) out[c] += factor * from[c];
      }
    }
  }
}

template <typename T>
using AddRows = void (*)(const GatherArgs<T>&, const Ahead<T>&, T*, std::int64_t, std::int64_t);

template <typename T>
AddRows<T> choose_add(const RowShape& shape) {
  if (!shape.general) return add_scaled<T>;
  switch (shape.blocks) {
    case 1:
      return add_scaled<T>;
    case 2:
      return add_general<T, 2>;
    case 3:
      return add_general<T, 3>;
    case 4:
      return add_general<T, 4>;
    case 5:
      return add_general<T, 5>;
    case 6:
      return add_general<T, 6>;
    default:
      return add_general_any<T>;
  }
}

template <typename T>
void gather_row(const GatherArgs<T>& args, const Ahead<T>& ahead, AddRows<T> add, std::int64_t r) {
  const std::int64_t size = args.shape.row();
  const RawView& view = args.view;
  T* row = args.out + r * size;
  const T* partner = args.partner == nullptr ? nullptr : args.partner + r * size;
  std::fill_n(row, size, T(0));
  add(args, ahead, row, view.ptr[r], view.split[r]);
  if (args.tail_dots != nullptr) complex_dot(row, partner, args.shape, args.tail_dots + 2 * r);
  if (args.rotate && view.split[r] != view.ptr[r]) rotate(row, args.shape, args.phase_re, args.phase_im);
  add(args, ahead, row, view.split[r], view.ptr[r + 1]);
  if (args.scale != nullptr) scale(row, size, args.scale[r]);
  if (args.row_dots != nullptr) args.row_dots[r] = exact_dot(row, partner, size);
}

template <typename T>
void gather(const GatherArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const AddRows<T> add = choose_add<T>(args.shape);
  const Ahead<T> ahead(args, end);
  for (std::int64_t r = begin; r < end; ++r) gather_row(args, ahead, add, r);
}

/// The gradient of one map: block (a, b) is h_a . g_b + k_a . x_b, for a scaling map only where a = b.
template <typename T>
void differentiate(const RowShape& shape, const T* h, const T* g, const T* k, const T* x, T* g_map) {
  const std::int64_t length = shape.length;
  for (std::int64_t a = 0; a < shape.row(); a += length) {
    if (!shape.general) {
      *g_map++ = dot(h + a, g + a, k + a, x + a, length);
      continue;
    }
    for (std::int64_t b = 0; b < shape.row(); b += length) *g_map++ = dot(h + a, g + b, k + a, x + b, length);
  }
}

/// The maps' gradient for entries [begin, end) of one hyperedge with rows h and k. The rows g of its members
/// were just gathered; the rows x were asked for at the same time, unless the hyperedge is too large to keep
/// them.
template <typename T>
void differentiate_members(const GatherArgs<T>& args, const MapGradientArgs<T>& gradient, const T* h,
                           const T* k, std::int64_t begin, std::int64_t end, bool large) {
  const std::int64_t size = args.shape.row();
  const std::int64_t distance = large ? rows_ahead<T>(size) : end;
  for (std::int64_t i = begin; i < end; ++i) {
    if (i + distance < end) prefetch_row(gradient.x + args.view.index[i + distance] * size, size);
    const std::int64_t at = args.view.index[i] * size;
    differentiate(args.shape, h, args.in + at, k, gradient.x + at,
                  gradient.g_maps + args.view.incidence(i) * args.shape.map());
  }
}

template <typename T, bool gathers>
void map_gradient_of(const GatherArgs<T>& args, const MapGradientArgs<T>& gradient, std::int64_t begin,
                     std::int64_t end, T* scratch) {
  constexpr std::int64_t kKeptBytes = 1 << 18;
  const std::int64_t size = args.shape.row();
  const RawView& view = args.view;
  const AddRows<T> add = choose_add<T>(args.shape);
  const Ahead<T> with_x(args, end, gradient.x);
  const Ahead<T> without_x(args, end);
  for (std::int64_t e = begin; e < end; ++e) {
    const std::int64_t bytes = (view.ptr[e + 1] - view.ptr[e]) * size * static_cast<std::int64_t>(sizeof(T));
    const bool large = !gathers || 2 * bytes > kKeptBytes;
    if (gathers) gather_row(args, large ? without_x : with_x, add, e);
    const T* h = gradient.h + e * size;
    const T* k = args.out + e * size;
    differentiate_members(args, gradient, h, k, view.split[e], view.ptr[e + 1], large);
    if (view.split[e] == view.ptr[e]) continue;
    if (args.rotate) {  // Re <h, s g> = Re <conj(s) h, g>: turn the hyperedge's rows, once, instead of the
                        // members'
      std::copy_n(h, size, scratch);
      std::copy_n(k, size, scratch + size);
      rotate(scratch, args.shape, args.phase_re, -args.phase_im);
      rotate(scratch + size, args.shape, args.phase_re, -args.phase_im);
      h = scratch;
      k = scratch + size;
    }
    differentiate_members(args, gradient, h, k, view.ptr[e], view.split[e], large);
  }
}

}  // namespace

extern const SheafKernels<float> kFloatSheafKernels{gather<float>, map_gradient_of<float, true>,
                                                    map_gradient_of<float, false>};
extern const SheafKernels<double> kDoubleSheafKernels{gather<double>, map_gradient_of<double, true>,
                                                      map_gradient_of<double, false>};

}  // namespace dshn::ops::cpu::DSHN_ISA
