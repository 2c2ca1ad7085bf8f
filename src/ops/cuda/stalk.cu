// A d x d matrix on the blocks of every row, and the gradient of that matrix.
#include <type_traits>

#include "ops/cuda/device.cuh"

namespace dshn::ops::cuda {
namespace {

constexpr int kWarp = 32;

/// A thread takes the same columns of all blocks of a row.
template <typename T, int V, int D>
__global__ void __launch_bounds__(kThreads) stalk_products(const StalkArgs<T> args) {
  const std::int64_t at = group_index(1);
  const std::int64_t packs = args.length / V;
  const std::int64_t row = divide(at, packs);
  if (row >= args.rows) return;
  const std::int64_t column = (at - row * packs) * V;
  const std::int64_t first = row * D * args.length + column;
  Pack<T, V> in[D];
#pragma unroll
  for (int j = 0; j < D; ++j) in[j] = load<T, V>(args.x + first + j * args.length);
  constexpr T kShare = T(1) / T(D);
  Pack<T, V> added{};
  if (args.added != nullptr) {
    added = load<T, V>(args.added + row * args.length + column);
#pragma unroll
    for (int v = 0; v < V; ++v) added.at[v] *= kShare;
  }
#pragma unroll
  for (int i = 0; i < D; ++i) {
    Pack<T, V> sum = added;
#pragma unroll
    for (int j = 0; j < D; ++j) {
      const T factor = __ldg(args.weight + i * D + j);
#pragma unroll
      for (int v = 0; v < V; ++v) sum.at[v] += factor * in[j].at[v];
    }
    store(args.y + first + i * args.length, sum);
  }
  if (args.mean == nullptr) return;
  Pack<T, V> mean{};
#pragma unroll
  for (int j = 0; j < D; ++j) {
#pragma unroll
    for (int v = 0; v < V; ++v) mean.at[v] += in[j].at[v] * kShare;
  }
  store(args.mean + row * args.length + column, mean);
}

/// Any d: a thread per number.
template <typename T>
__global__ void __launch_bounds__(kThreads) stalk_products_any(const StalkArgs<T> args) {
  const std::int64_t at = group_index(1);
  const std::int64_t block = divide(at, args.length);  // row * d + i
  const std::int64_t row = divide(block, args.d);
  if (row >= args.rows) return;
  const std::int64_t column = at - block * args.length;
  const T* from = args.x + row * args.d * args.length + column;
  const T* factors = args.weight + (block - row * args.d) * args.d;
  const T share = T(1) / static_cast<T>(args.d);
  T sum = args.added == nullptr ? T(0) : __ldg(args.added + row * args.length + column) * share;
  T mean = 0;
  for (std::int64_t j = 0; j < args.d; ++j) {
    const T number = __ldg(from + j * args.length);
    sum += __ldg(factors + j) * number;
    mean += number * share;
  }
  args.y[at] = sum;
  if (args.mean != nullptr && block == row * args.d) args.mean[row * args.length + column] = mean;
}

/// Warps that share the columns of all rows: enough for every card, and a number that shapes alone decide.
std::int64_t gradient_warps(std::int64_t columns) {
  constexpr std::int64_t kMost = 8192;
  const std::int64_t wanted = pieces_of(columns, kWarp);
  return wanted < kMost ? wanted : kMost;
}

/// partial[warp][i][j] = the warp's share of sum g_i x_j, all numbers in one pass.
template <typename T, int D>
__global__ void __launch_bounds__(kThreads)
    stalk_gradients(const T* g, const T* x, double* partial, std::int64_t columns, std::int64_t length,
                    std::int64_t warps) {
  const std::int64_t warp = group_index(kWarp);
  double sums[D * D] = {};
  for (std::int64_t at = warp * kWarp + lane_index(kWarp); warp < warps && at < columns;
       at += warps * kWarp) {
    const std::int64_t row = divide(at, length);
    const std::int64_t first = row * D * length + (at - row * length);
    double other[D];
#pragma unroll
    for (int j = 0; j < D; ++j) other[j] = static_cast<double>(__ldg(x + first + j * length));
#pragma unroll
    for (int i = 0; i < D; ++i) {
      const auto own = static_cast<double>(__ldg(g + first + i * length));
#pragma unroll
      for (int j = 0; j < D; ++j) sums[i * D + j] += own * other[j];
    }
  }
#pragma unroll
  for (int k = 0; k < D * D; ++k) {
    const double sum = group_sum(sums[k], kWarp);
    if (warp < warps && lane_index(kWarp) == k % kWarp) partial[warp * (D * D) + k] = sum;
  }
}

/// Any d: a warp per share and number.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    stalk_gradients_any(const T* g, const T* x, double* partial, std::int64_t columns, std::int64_t d,
                        std::int64_t length, std::int64_t warps) {
  const std::int64_t group = group_index(kWarp);  // warp * d * d + number
  const std::int64_t warp = divide(group, d * d);
  const std::int64_t number = group - warp * d * d;
  const std::int64_t i = divide(number, d) * length;
  const std::int64_t j = (number - divide(number, d) * d) * length;
  double sum = 0;
  for (std::int64_t at = warp * kWarp + lane_index(kWarp); warp < warps && at < columns;
       at += warps * kWarp) {
    const std::int64_t row = divide(at, length);
    const std::int64_t first = row * d * length + (at - row * length);
    sum += static_cast<double>(__ldg(g + first + i)) * static_cast<double>(__ldg(x + first + j));
  }
  sum = group_sum(sum, kWarp);
  if (warp < warps && lane_index(kWarp) == 0) partial[group] = sum;
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    add_gradients(const double* partial, T* gradient, std::int64_t warps, std::int64_t numbers) {
  const std::int64_t number = group_index(kWarp);
  double sum = 0;
  for (std::int64_t warp = lane_index(kWarp); number < numbers && warp < warps; warp += kWarp)
    sum += __ldg(partial + warp * numbers + number);
  sum = group_sum(sum, kWarp);
  if (number < numbers && lane_index(kWarp) == 0) gradient[number] = static_cast<T>(sum);
}

/// body(constant) with the stalk dimensions that have kernels of their own; false for others.
template <typename Body>
bool with_stalk(std::int64_t d, const Body& body) {
  switch (d) {
    case 1:
      body(std::integral_constant<int, 1>());
      return true;
    case 2:
      body(std::integral_constant<int, 2>());
      return true;
    case 3:
      body(std::integral_constant<int, 3>());
      return true;
    case 4:
      body(std::integral_constant<int, 4>());
      return true;
    case 5:
      body(std::integral_constant<int, 5>());
      return true;
    case 6:
      body(std::integral_constant<int, 6>());
      return true;
    default:
      return false;
  }
}

}  // namespace

template <typename T>
void launch_stalk_product(const StalkArgs<T>& args, cudaStream_t stream) {
  if (args.rows == 0 || args.length == 0) return;
  constexpr int kPack = sizeof(T) == 4 ? 4 : 1;
  const bool packs = args.length % kPack == 0 && aligned(args.x) && aligned(args.y) && aligned(args.added) &&
                     aligned(args.mean);
  const bool known = packs && with_stalk(args.d, [&](auto dimension) {
                       stalk_products<T, kPack, decltype(dimension)::value>
                           <<<grid_for(args.rows * (args.length / kPack), 1), kThreads, 0, stream>>>(args);
                     });
  if (!known)
    stalk_products_any<<<grid_for(args.rows * args.d * args.length, 1), kThreads, 0, stream>>>(args);
  launched("stalk_product");
}

std::int64_t stalk_partial_rows(std::int64_t rows, std::int64_t length) {
  return gradient_warps(rows * length);
}

template <typename T>
void launch_stalk_gradient(const T* g, const T* x, T* gradient, double* partial, std::int64_t rows,
                           std::int64_t d, std::int64_t length, cudaStream_t stream) {
  const std::int64_t columns = rows * length;
  const std::int64_t warps = gradient_warps(columns);
  if (warps > 0) {
    const bool known = with_stalk(d, [&](auto dimension) {
      stalk_gradients<T, decltype(dimension)::value>
          <<<grid_for(warps, kWarp), kThreads, 0, stream>>>(g, x, partial, columns, length, warps);
    });
    if (!known) {
      stalk_gradients_any<<<grid_for(warps * d * d, kWarp), kThreads, 0, stream>>>(g, x, partial, columns, d,
                                                                                   length, warps);
    }
    launched("stalk_gradients");
  }
  add_gradients<<<grid_for(d * d, kWarp), kThreads, 0, stream>>>(partial, gradient, warps, d * d);
  launched("add_gradients");
}

#define DSHN_INSTANTIATE(T)                                                                           \
  template void launch_stalk_product<T>(const StalkArgs<T>&, cudaStream_t);                           \
  template void launch_stalk_gradient<T>(const T*, const T*, T*, double*, std::int64_t, std::int64_t, \
                                         std::int64_t, cudaStream_t);
DSHN_INSTANTIATE(float)
DSHN_INSTANTIATE(double)
#undef DSHN_INSTANTIATE

}  // namespace dshn::ops::cuda
