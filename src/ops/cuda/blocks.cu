// Node degree blocks, their inverse square roots, and the maps they normalise, in float64 per node.
#include <type_traits>

#include "ops/block_math.hpp"
#include "ops/cuda/device.cuh"

namespace dshn::ops::cuda {
namespace {

/// Lanes that share the entries of a number: rows are short, and what they cost is the wait for memory.
constexpr int kTermLanes = 8;

/// The sum of term(row, entry, j) over the entries [begin, end), known to all lanes of the group. Every lane
/// of the warp must come here.
template <typename Term>
__device__ __forceinline__ double sum_of_terms(const Term& term, std::int64_t row, std::int64_t begin,
                                               std::int64_t end, std::int64_t j) {
  double sum = 0;
  for (std::int64_t i = begin + lane_index(kTermLanes); i < end; i += kTermLanes) sum += term(row, i, j);
  return group_sum(sum, kTermLanes);
}

/// out[row][j] = sum over the entries of the row of term(row, entry, j), a group of lanes per number.
template <typename Term, typename Out>
__global__ void __launch_bounds__(kThreads)
    term_rows(const DeviceView view, std::int64_t width, std::int64_t cut, const Term term,
              const double* partial, Out* out) {
  const std::int64_t at = group_index(kTermLanes);
  const std::int64_t row = divide(at, width);
  const bool active = row < view.rows;
  const std::int64_t j = at - row * width;
  const std::int64_t begin = active ? __ldg(view.ptr + row) : 0;
  const std::int64_t middle = active ? __ldg(view.split + row) : 0;
  const std::int64_t end = active ? __ldg(view.ptr + row + 1) : 0;
  const bool cut_tails = middle - begin > cut;
  const bool cut_heads = end - middle > cut;
  double sum = sum_of_terms(term, row, cut_tails ? middle : begin, cut_heads ? middle : end, j);
  if (!active || lane_index(kTermLanes) != 0) return;
  const auto add_piece = [&](std::int64_t piece) { sum += __ldg(partial + piece * width + j); };
  if (cut_tails) for_pieces(begin, middle, cut, add_piece);
  if (cut_heads) for_pieces(middle, end, cut, add_piece);
  out[at] = static_cast<Out>(sum);
}

template <typename Term>
__global__ void __launch_bounds__(kThreads) term_pieces(const DeviceView view, std::int64_t width,
                                                        std::int64_t cut, const Term term, double* partial) {
  const std::int64_t at = group_index(kTermLanes);
  const std::int64_t nth = divide(at, width);
  const std::int64_t j = at - nth * width;
  std::int64_t piece = 0;
  Range range{0, 0, 0};
  if (nth < view.piece_count) {
    piece = __ldg(view.pieces + nth);
    range = piece_range(view, cut, piece, kTermLanes);
  }
  const double sum = sum_of_terms(term, range.row, range.begin, range.end, j);
  if (range.begin < range.end && lane_index(kTermLanes) == 0) partial[piece * width + j] = sum;
}

template <typename Term, typename Out>
void sum_terms(const DeviceView& view, std::int64_t width, const Term& term, double* partial, Out* out,
               const char* name, cudaStream_t stream) {
  if (view.rows == 0) return;
  const std::int64_t cut = cut_length(view.entries);
  if (view.piece_count > 0) {
    term_pieces<<<grid_for(view.piece_count * width, kTermLanes), kThreads, 0, stream>>>(view, width, cut,
                                                                                         term, partial);
    launched(name);
  }
  term_rows<<<grid_for(view.rows * width, kTermLanes), kThreads, 0, stream>>>(view, width, cut, term, partial,
                                                                              out);
  launched(name);
}

/// One thread per number of the maps: body(incidence, node, number).
template <typename Body>
__global__ void __launch_bounds__(kThreads)
    for_map_numbers(const DeviceView by_edge, std::int64_t size, const Body body) {
  const std::int64_t at = group_index(1);
  const std::int64_t incidence = divide(at, size);
  if (incidence < by_edge.entries)
    body(incidence, static_cast<std::int64_t>(__ldg(by_edge.index + incidence)), at - incidence * size);
}

template <typename Body>
void launch_for_map_numbers(const DeviceView& by_edge, std::int64_t size, const Body& body, const char* name,
                            cudaStream_t stream) {
  if (by_edge.entries == 0) return;
  for_map_numbers<<<grid_for(by_edge.entries * size, 1), kThreads, 0, stream>>>(by_edge, size, body);
  launched(name);
}

/// Entry (a, b) of left^T right for d x d matrices, or number a of a product of diagonals.
template <typename L, typename R>
__device__ __forceinline__ double transposed_product(const L* left, const R* right, std::int64_t j,
                                                     std::int64_t d, bool general) {
  if (!general) return static_cast<double>(__ldg(left + j)) * static_cast<double>(__ldg(right + j));
  const std::int64_t a = divide(j, d);
  const std::int64_t b = j - a * d;
  double sum = 0;
  for (std::int64_t k = 0; k < d; ++k)
    sum += static_cast<double>(__ldg(left + k * d + a)) * static_cast<double>(__ldg(right + k * d + b));
  return sum;
}

template <typename T>
struct DegreeTerm {
  NodeBlockArgs<T> args;

  __device__ __forceinline__ double operator()(std::int64_t, std::int64_t entry, std::int64_t j) const {
    const T* map = args.maps + incidence_of(args.by_node, entry) * args.size();
    const double weight = args.weight == nullptr
                              ? 1.0
                              : static_cast<double>(__ldg(args.weight + __ldg(args.by_node.index + entry)));
    return weight * transposed_product(map, map, j, args.d, args.general);
  }
};

/// Number j of F (g + g^T).
template <typename T>
__device__ __forceinline__ double degree_product(const NodeBlockArgs<T>& args, const T* map, const double* g,
                                                 std::int64_t j) {
  if (!args.general) return 2 * static_cast<double>(__ldg(map + j)) * __ldg(g + j);
  const std::int64_t d = args.d;
  const std::int64_t k = divide(j, d);
  const std::int64_t a = j - k * d;
  double sum = 0;
  for (std::int64_t b = 0; b < d; ++b)
    sum += static_cast<double>(__ldg(map + k * d + b)) * (__ldg(g + b * d + a) + __ldg(g + a * d + b));
  return sum;
}

template <typename T>
struct DegreeGradient {
  NodeBlockArgs<T> args;
  const double* g;
  T* g_maps;

  __device__ __forceinline__ void operator()(std::int64_t incidence, std::int64_t node,
                                             std::int64_t j) const {
    const std::int64_t size = args.size();
    const double weight =
        args.weight == nullptr
            ? 1.0
            : static_cast<double>(__ldg(args.weight + row_of_entry(args.by_edge, incidence)));
    g_maps[incidence * size + j] =
        T(weight * degree_product(args, args.maps + incidence * size, g + node * size, j));
  }
};

/// <F^T F, g_u>, as half of <F, F (g + g^T)>.
template <typename T>
struct WeightTerm {
  NodeBlockArgs<T> args;
  const double* g;

  __device__ __forceinline__ double operator()(std::int64_t, std::int64_t entry, std::int64_t) const {
    const std::int64_t size = args.size();
    const T* map = args.maps + entry * size;
    const double* block = g + __ldg(args.by_edge.index + entry) * size;
    double share = 0;
    for (std::int64_t j = 0; j < size; ++j)
      share += 0.5 * degree_product(args, map, block, j) * static_cast<double>(__ldg(map + j));
    return share;
  }
};

/// F N_u, or gM N_u^T.
template <typename T>
struct ScaleMap {
  NodeBlockArgs<T> args;
  const double* blocks;
  bool transpose;
  T* out;

  __device__ __forceinline__ void operator()(std::int64_t incidence, std::int64_t node,
                                             std::int64_t j) const {
    const std::int64_t size = args.size();
    const T* map = args.maps + incidence * size;
    const double* block = blocks + node * size;
    double sum = 0;
    if (args.general) {
      const std::int64_t d = args.d;
      const std::int64_t a = divide(j, d);
      const std::int64_t b = j - a * d;
      for (std::int64_t k = 0; k < d; ++k)
        sum +=
            static_cast<double>(__ldg(map + a * d + k)) * __ldg(block + (transpose ? b * d + k : k * d + b));
    } else {
      sum = static_cast<double>(__ldg(map + j)) * __ldg(block + j);
    }
    out[incidence * size + j] = T(sum);
  }
};

template <typename T>
struct BlockGradientTerm {
  NodeBlockArgs<T> args;
  const T* gm;

  __device__ __forceinline__ double operator()(std::int64_t, std::int64_t entry, std::int64_t j) const {
    const std::int64_t at = incidence_of(args.by_node, entry) * args.size();
    return transposed_product(args.maps + at, gm + at, j, args.d, args.general);
  }
};

/// One thread per block. With D > 0 the work is done in its registers; larger blocks do not fit there, and
/// their work goes through the caches.
template <int D>
__global__ void __launch_bounds__(kThreads)
    inverse_roots(const double* blocks, std::int64_t count, int d, double* out, double* vectors,
                  double* values, double* work) {
  const std::int64_t u = group_index(1);
  if (u >= count) return;
  if constexpr (D > 0) {
    double a[D * D];
    double v[D * D];
    double l[D];
    double root[D * D];
    for (int i = 0; i < D * D; ++i) a[i] = blocks[u * (D * D) + i];
    inverse_sqrt_general(a, v, l, root, D);
    for (int i = 0; i < D * D; ++i) {
      out[u * (D * D) + i] = root[i];
      vectors[u * (D * D) + i] = v[i];
    }
    for (int i = 0; i < D; ++i) values[u * D + i] = l[i];
  } else {
    const std::int64_t at = u * d * d;
    for (int i = 0; i < d * d; ++i) work[at + i] = blocks[at + i];
    inverse_sqrt_general(work + at, vectors + at, values + u * d, out + at, d);
  }
}

template <int D>
__global__ void __launch_bounds__(kThreads)
    inverse_root_gradients(const double* g, const double* vectors, const double* values, std::int64_t count,
                           int d, double* out, double* work) {
  const std::int64_t u = group_index(1);
  if (u >= count) return;
  if constexpr (D > 0) {
    double gradient[D * D];
    double v[D * D];
    double l[D];
    double result[D * D];
    double scratch[D * D];
    for (int i = 0; i < D * D; ++i) {
      gradient[i] = g[u * (D * D) + i];
      v[i] = vectors[u * (D * D) + i];
    }
    for (int i = 0; i < D; ++i) l[i] = values[u * D + i];
    inverse_sqrt_gradient(gradient, v, l, result, scratch, D);
    for (int i = 0; i < D * D; ++i) out[u * (D * D) + i] = result[i];
  } else {
    const std::int64_t at = u * d * d;
    inverse_sqrt_gradient(g + at, vectors + at, values + u * d, out + at, work + at, d);
  }
}

__global__ void __launch_bounds__(kThreads)
    inverse_roots_of_diagonals(const double* blocks, std::int64_t count, std::int64_t d, double* out,
                               double* values) {
  const std::int64_t u = group_index(1);
  if (u < count) inverse_sqrt_diagonal(blocks + u * d, values + u * d, out + u * d, d);
}

__global__ void __launch_bounds__(kThreads)
    inverse_root_gradients_of_diagonals(const double* g, const double* values, std::int64_t numbers,
                                        double* out) {
  const std::int64_t i = group_index(1);
  if (i >= numbers) return;
  const double value = values[i];
  out[i] = value > 0 ? -0.5 * g[i] / (value * sqrt(value)) : 0.0;
}

/// body(constant) with the stalk dimensions that have a kernel of their own, else 0.
template <typename Body>
void with_dimension(std::int64_t d, const Body& body) {
  switch (d) {
    case 2:
      return body(std::integral_constant<int, 2>());
    case 3:
      return body(std::integral_constant<int, 3>());
    case 4:
      return body(std::integral_constant<int, 4>());
    default:
      return body(std::integral_constant<int, 0>());
  }
}

}  // namespace

template <typename T>
void launch_degree_blocks(const NodeBlockArgs<T>& args, double* blocks, double* partial,
                          cudaStream_t stream) {
  sum_terms(args.by_node, args.size(), DegreeTerm<T>{args}, partial, blocks, "degree_blocks", stream);
}

template <typename T>
void launch_degree_gradient(const NodeBlockArgs<T>& args, const double* g, T* g_maps, T* g_weight,
                            double* partial, cudaStream_t stream) {
  launch_for_map_numbers(args.by_edge, args.size(), DegreeGradient<T>{args, g, g_maps}, "degree_gradient",
                         stream);
  if (g_weight != nullptr)
    sum_terms(args.by_edge, 1, WeightTerm<T>{args, g}, partial, g_weight, "weight_gradient", stream);
}

template <typename T>
void launch_scale_maps(const NodeBlockArgs<T>& args, const double* blocks, T* out, cudaStream_t stream) {
  launch_for_map_numbers(args.by_edge, args.size(), ScaleMap<T>{args, blocks, false, out}, "scale_maps",
                         stream);
}

template <typename T>
void launch_scale_gradient(const NodeBlockArgs<T>& args, const T* gm, const double* blocks, T* g_maps,
                           double* g_blocks, double* partial, cudaStream_t stream) {
  NodeBlockArgs<T> of_gm = args;
  of_gm.maps = gm;
  launch_for_map_numbers(args.by_edge, args.size(), ScaleMap<T>{of_gm, blocks, true, g_maps},
                         "scale_gradient", stream);
  sum_terms(args.by_node, args.size(), BlockGradientTerm<T>{args, gm}, partial, g_blocks, "block_gradient",
            stream);
}

void launch_inverse_sqrt(const double* blocks, std::int64_t count, std::int64_t d, double* out,
                         double* vectors, double* values, double* work, cudaStream_t stream) {
  if (count == 0) return;
  if (vectors == nullptr) {
    inverse_roots_of_diagonals<<<grid_for(count, 1), kThreads, 0, stream>>>(blocks, count, d, out, values);
  } else {
    with_dimension(d, [&](auto dimension) {
      inverse_roots<dimension()><<<grid_for(count, 1), kThreads, 0, stream>>>(
          blocks, count, static_cast<int>(d), out, vectors, values, work);
    });
  }
  launched("inverse_sqrt");
}

void launch_inverse_sqrt_gradient(const double* g, const double* vectors, const double* values,
                                  std::int64_t count, std::int64_t d, double* out, double* work,
                                  cudaStream_t stream) {
  if (count == 0) return;
  if (vectors == nullptr) {
    inverse_root_gradients_of_diagonals<<<grid_for(count * d, 1), kThreads, 0, stream>>>(g, values, count * d,
                                                                                         out);
  } else {
    with_dimension(d, [&](auto dimension) {
      inverse_root_gradients<dimension()><<<grid_for(count, 1), kThreads, 0, stream>>>(
          g, vectors, values, count, static_cast<int>(d), out, work);
    });
  }
  launched("inverse_sqrt_gradient");
}

#define DSHN_INSTANTIATE(T)                                                                             \
  template void launch_degree_blocks<T>(const NodeBlockArgs<T>&, double*, double*, cudaStream_t);       \
  template void launch_degree_gradient<T>(const NodeBlockArgs<T>&, const double*, T*, T*, double*,      \
                                          cudaStream_t);                                                \
  template void launch_scale_maps<T>(const NodeBlockArgs<T>&, const double*, T*, cudaStream_t);         \
  template void launch_scale_gradient<T>(const NodeBlockArgs<T>&, const T*, const double*, T*, double*, \
                                         double*, cudaStream_t);
DSHN_INSTANTIATE(float)
DSHN_INSTANTIATE(double)
#undef DSHN_INSTANTIATE

}  // namespace dshn::ops::cuda
