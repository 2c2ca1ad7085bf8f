// Compiled once per instruction set, with DSHN_ISA naming it: see CMakeLists.txt. The loops over channels are
// contiguous and written for the compiler's vectoriser; the order of summation inside a row is fixed.
#include "ops/cpu/sheaf_kernels.hpp"

#include <algorithm>
#include <vector>

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
  result[0] = static_cast<double>(dot(a, b, shape.row()));
  result[1] = 0;
  for (std::int64_t at = 0; at < shape.row(); at += 2 * f) {
    result[1] += static_cast<double>(dot(a + at, b + at + f, f) - dot(a + at + f, b + at, f));
  }
}

/// row += map_i in_i over entries [begin, end), for maps that scale blocks. Four at a time: the accumulator's
/// traffic would otherwise be as large as the gathered rows'.
template <typename T>
void add_scaled(const GatherArgs<T>& args, T* row, std::int64_t begin, std::int64_t end) {
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
      if (i + 4 + j < end) prefetch_row(args.in + args.view.index[i + 4 + j] * size, size);
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
void add_general(const GatherArgs<T>& args, T* row, std::int64_t begin, std::int64_t end) {
  const std::int64_t size = args.shape.row();
  for (std::int64_t i = begin; i < end; ++i) {
    if (i + 2 < end) prefetch_row(args.in + args.view.index[i + 2] * size, size);
    const T* stored = args.maps + args.view.incidence(i) * D * D;
    T map[D][D];
    for (int a = 0; a < D; ++a) {
      for (int b = 0; b < D; ++b) map[a][b] = args.transpose ? stored[b * D + a] : stored[a * D + b];
    }
    multiply_block<T, D>(map, args.in + args.view.index[i] * size, row, args.shape.length);
  }
}

/// The same for a stalk dimension without a compiled copy.
template <typename T>
void add_general_any(const GatherArgs<T>& args, T* row, std::int64_t begin, std::int64_t end) {
  const std::int64_t d = args.shape.blocks;
  const std::int64_t length = args.shape.length;
  for (std::int64_t i = begin; i < end; ++i) {
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
using AddRows = void (*)(const GatherArgs<T>&, T*, std::int64_t, std::int64_t);

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
void gather(const GatherArgs<T>& args, std::int64_t row_begin, std::int64_t row_end) {
  const std::int64_t size = args.shape.row();
  const AddRows<T> add = choose_add<T>(args.shape);
  for (std::int64_t r = row_begin; r < row_end; ++r) {
    T* row = args.out + r * size;
    const T* partner = args.partner == nullptr ? nullptr : args.partner + r * size;
    std::fill_n(row, size, T(0));
    add(args, row, args.view.ptr[r], args.view.split[r]);
    if (args.tail_dots != nullptr) complex_dot(row, partner, args.shape, args.tail_dots + 2 * r);
    if (args.rotate && args.view.split[r] != args.view.ptr[r])
      rotate(row, args.shape, args.phase_re, args.phase_im);
    add(args, row, args.view.split[r], args.view.ptr[r + 1]);
    if (args.scale != nullptr) scale(row, size, args.scale[r]);
    if (args.row_dots != nullptr) args.row_dots[r] = static_cast<double>(dot(row, partner, size));
  }
}

template <typename T>
void map_gradient_entry(const MapGradientArgs<T>& args, const T* x, const T* g, std::int64_t entry) {
  const RowShape& shape = args.shape;
  const std::int64_t length = shape.length;
  const T* h = args.h + args.view.index[entry] * shape.row();
  const T* k = args.k + args.view.index[entry] * shape.row();
  T* out = args.g_maps + args.view.incidence(entry) * shape.map();
  for (std::int64_t a = 0; a < shape.blocks; ++a) {
    const std::int64_t first = shape.general ? 0 : a;
    const std::int64_t last = shape.general ? shape.blocks : a + 1;
    for (std::int64_t b = first; b < last; ++b) {
      const T* __restrict ha = h + a * length;
      const T* __restrict ka = k + a * length;
      const T* __restrict gb = g + b * length;
      const T* __restrict xb = x + b * length;
      T sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t c = 0; c < length; ++c) sum += ha[c] * gb[c] + ka[c] * xb[c];
      *out++ = sum;
    }
  }
}

template <typename T>
void map_gradient(const MapGradientArgs<T>& args, std::int64_t row_begin, std::int64_t row_end) {
  const std::int64_t size = args.shape.row();
  std::vector<T> rotated_x(args.rotate ? size : 0);
  std::vector<T> rotated_g(args.rotate ? size : 0);
  for (std::int64_t u = row_begin; u < row_end; ++u) {
    const T* x = args.x + u * size;
    const T* g = args.g + u * size;
    const bool has_tails = args.view.split[u] != args.view.ptr[u];
    const T* tail_x = x;
    const T* tail_g = g;
    if (args.rotate && has_tails) {
      std::copy_n(x, size, rotated_x.data());
      std::copy_n(g, size, rotated_g.data());
      rotate(rotated_x.data(), args.shape, args.phase_re, args.phase_im);
      rotate(rotated_g.data(), args.shape, args.phase_re, args.phase_im);
      tail_x = rotated_x.data();
      tail_g = rotated_g.data();
    }
    for (std::int64_t i = args.view.ptr[u]; i < args.view.ptr[u + 1]; ++i) {
      const bool is_tail = i < args.view.split[u];
      map_gradient_entry(args, is_tail ? tail_x : x, is_tail ? tail_g : g, i);
    }
  }
}

}  // namespace

extern const SheafKernels<float> float_kernels{gather<float>, map_gradient<float>};
extern const SheafKernels<double> double_kernels{gather<double>, map_gradient<double>};

}  // namespace dshn::ops::cpu::DSHN_ISA
