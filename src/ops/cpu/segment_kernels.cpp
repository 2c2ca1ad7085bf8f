// Compiled once per instruction set, with DSHN_ISA naming it: see CMakeLists.txt. The order of summation
// inside a row is fixed.
#include "ops/cpu/segment_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "ops/cpu/row_loops.hpp"

namespace dshn::ops::cpu::DSHN_ISA {
namespace {

template <typename T>
const T* row_of(const ReduceArgs<T>& args, std::int64_t entry) {
  const std::int64_t row = args.from_incidences ? args.view.incidence(entry) : args.view.index[entry];
  return args.in + row * args.columns;
}

/// out += the rows of entries [begin, end), four at a time to spare the accumulator's traffic.
template <typename T>
void add_rows(const ReduceArgs<T>& args, T* __restrict out, std::int64_t begin, std::int64_t end) {
  const std::int64_t columns = args.columns;
  std::int64_t i = begin;
  for (; i + 4 <= end; i += 4) {
    for (std::int64_t j = i + 4; j < std::min(i + 8, end); ++j) prefetch_row(row_of(args, j), columns);
    const T* __restrict x0 = row_of(args, i);
    const T* __restrict x1 = row_of(args, i + 1);
    const T* __restrict x2 = row_of(args, i + 2);
    const T* __restrict x3 = row_of(args, i + 3);
#pragma omp simd
    for (std::int64_t c = 0; c < columns; ++c) out[c] += (x0[c] + x1[c]) + (x2[c] + x3[c]);
  }
  for (; i < end; ++i) {
    const T* __restrict x = row_of(args, i);
#pragma omp simd
    for (std::int64_t c = 0; c < columns; ++c) out[c] += x[c];
  }
}

template <typename T>
void sum(const ReduceArgs<T>& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t r = begin; r < end; ++r) {
    T* out = args.out + r * args.columns;
    const std::int64_t first = args.view.ptr[r];
    const std::int64_t last = args.view.ptr[r + 1];
    std::fill_n(out, args.columns, T(0));
    add_rows(args, out, first, last);
    if (args.mean && last - first > 1) scale(out, args.columns, T(1) / static_cast<T>(last - first));
  }
}

/// Takes the entries of x that are larger than the best so far (or NaN) and remembers whose they are.
template <typename T>
void keep_larger(const T* __restrict x, std::int32_t whose, T* __restrict best,
                 std::int32_t* __restrict winner, std::int64_t columns) {
#pragma omp simd
  for (std::int64_t c = 0; c < columns; ++c) {
    const bool larger =
        x[c] > best[c] || x[c] != x[c];  // NOLINT(misc-redundant-expression): true for NaN only
    best[c] = larger ? x[c] : best[c];
    winner[c] = larger ? whose : winner[c];
  }
}

template <typename T>
void max(const ReduceArgs<T>& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t r = begin; r < end; ++r) {
    T* best = args.out + r * args.columns;
    std::int32_t* winner = args.winner + r * args.columns;
    const std::int64_t first = args.view.ptr[r];
    const std::int64_t last = args.view.ptr[r + 1];
    const bool empty = first == last;
    std::fill_n(winner, args.columns, empty ? -1 : args.view.index[first]);
    if (empty)
      std::fill_n(best, args.columns, T(0));
    else
      std::copy_n(row_of(args, first), args.columns, best);
    for (std::int64_t i = first + 1; i < last; ++i) {
      if (i + 2 < last) prefetch_row(row_of(args, i + 2), args.columns);
      keep_larger(row_of(args, i), args.view.index[i], best, winner, args.columns);
    }
  }
}

template <typename T>
void expand(const ExpandArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t columns = args.columns;
  for (std::int64_t e = begin; e < end; ++e) {
    const T* edge = args.edges == nullptr ? nullptr : args.edges + e * columns;
    for (std::int64_t i = args.view.ptr[e]; i < args.view.ptr[e + 1]; ++i) {
      T* __restrict out = args.out + i * columns;
      if (args.nodes == nullptr) {
        std::copy_n(edge, columns, out);
        continue;
      }
      const T* __restrict node = args.nodes + args.view.index[i] * columns;
      if (edge == nullptr) {
        std::copy_n(node, columns, out);
        continue;
      }
#pragma omp simd
      for (std::int64_t c = 0; c < columns; ++c) out[c] = node[c] + edge[c];
    }
  }
}

template <typename T>
void dots(const DotArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t part = args.columns / args.heads;
  for (std::int64_t r = begin; r < end; ++r) {
    const T* row = args.rows + r * args.columns;
    for (std::int64_t i = args.view.ptr[r]; i < args.view.ptr[r + 1]; ++i) {
      const T* other = args.others + args.view.index[i] * args.columns;
      T* out = args.out + args.view.incidence(i) * args.heads;
      for (std::int64_t head = 0; head < args.heads; ++head)
        out[head] = dot(row + head * part, other + head * part, part);
    }
  }
}

template <typename T>
void winners_to_other_ends(const WinnerArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t columns = args.columns;
  for (std::int64_t r = begin; r < end; ++r) {
    const auto self = static_cast<std::int32_t>(r);
    T* __restrict out = args.out + r * columns;
    std::fill_n(out, columns, T(0));
    for (std::int64_t i = args.view.ptr[r]; i < args.view.ptr[r + 1]; ++i) {
      const T* __restrict g = args.g + args.view.index[i] * columns;
      const std::int32_t* __restrict winner = args.winner + args.view.index[i] * columns;
#pragma omp simd
      for (std::int64_t c = 0; c < columns; ++c) out[c] += winner[c] == self ? g[c] : T(0);
    }
  }
}

template <typename T>
void winners_to_incidences(const WinnerArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t columns = args.columns;
  for (std::int64_t r = begin; r < end; ++r) {
    const T* __restrict g = args.g + r * columns;
    const std::int32_t* __restrict winner = args.winner + r * columns;
    for (std::int64_t i = args.view.ptr[r]; i < args.view.ptr[r + 1]; ++i) {
      const std::int32_t other = args.view.index[i];
      T* __restrict out = args.out + args.view.incidence(i) * columns;
#pragma omp simd
      for (std::int64_t c = 0; c < columns; ++c) out[c] = winner[c] == other ? g[c] : T(0);
    }
  }
}

/// body(column, offset) for the numbers of a row of the view, entry after entry.
template <typename Body>
void for_row(const RawView& view, std::int64_t columns, std::int64_t r, const Body& body) {
  for (std::int64_t i = view.ptr[r]; i < view.ptr[r + 1]; ++i) {
    const std::int64_t at = view.incidence(i) * columns;
    for (std::int64_t c = 0; c < columns; ++c) body(c, at + c);
  }
}

template <typename T>
void softmax(const SoftmaxArgs<T>& args, std::int64_t begin, std::int64_t end, T* scratch) {
  T* largest = scratch;
  T* total = scratch + args.columns;
  for (std::int64_t r = begin; r < end; ++r) {
    const std::int64_t first = args.view.ptr[r];
    if (first == args.view.ptr[r + 1]) continue;
    std::copy_n(args.in + args.view.incidence(first) * args.columns, args.columns, largest);
    std::fill_n(total, args.columns, T(0));
    for_row(args.view, args.columns, r, [&](std::int64_t c, std::int64_t at) {
      if (args.in[at] > largest[c]) largest[c] = args.in[at];
    });
    for_row(args.view, args.columns, r, [&](std::int64_t c, std::int64_t at) {
      args.out[at] = std::exp(args.in[at] - largest[c]);
      total[c] += args.out[at];
    });
    for_row(args.view, args.columns, r, [&](std::int64_t c, std::int64_t at) { args.out[at] /= total[c]; });
  }
}

/// dv_i = y_i (g_i - sum_j y_j g_j).
template <typename T>
void softmax_gradient(const SoftmaxArgs<T>& args, std::int64_t begin, std::int64_t end, T* scratch) {
  T* mean = scratch;
  for (std::int64_t r = begin; r < end; ++r) {
    std::fill_n(mean, args.columns, T(0));
    for_row(args.view, args.columns, r,
            [&](std::int64_t c, std::int64_t at) { mean[c] += args.in[at] * args.g[at]; });
    for_row(args.view, args.columns, r,
            [&](std::int64_t c, std::int64_t at) { args.out[at] = args.in[at] * (args.g[at] - mean[c]); });
  }
}

template <typename T>
constexpr SegmentKernels<T> kKernels{sum<T>,
                                     max<T>,
                                     expand<T>,
                                     dots<T>,
                                     winners_to_other_ends<T>,
                                     winners_to_incidences<T>,
                                     softmax<T>,
                                     softmax_gradient<T>};

}  // namespace

extern const SegmentKernels<float> kFloatSegmentKernels = kKernels<float>;
extern const SegmentKernels<double> kDoubleSegmentKernels = kKernels<double>;

}  // namespace dshn::ops::cpu::DSHN_ISA
