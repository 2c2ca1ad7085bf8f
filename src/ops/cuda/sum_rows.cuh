#pragma once

#include "ops/cuda/device.cuh"
#include "ops/cuda/mask.cuh"

/// Sums of rows over the entries of a view. A group of lanes shares a row; a lane keeps a pack of channels of
/// both planes, so that the phase needs no exchange. The policy says which blocks a lane keeps and what an
/// entry adds to them:
///   kBlocks, kPlanes, kPack, Number
///   units(args)                      packs in a row
///   Place(args, unit)                where a unit is: `offset` of its first number, `stride` of its blocks
///   add<U>(args, place, self, entry, sum)   adds U entries
namespace dshn::ops::cuda {

template <typename Policy>
struct Accumulator {
  Pack<typename Policy::Number, Policy::kPack> at[Policy::kBlocks][Policy::kPlanes];

  template <typename Body>
  __device__ __forceinline__ void for_each(const Body& body) {
#pragma unroll
    for (int b = 0; b < Policy::kBlocks; ++b) {
#pragma unroll
      for (int p = 0; p < Policy::kPlanes; ++p) {
#pragma unroll
        for (int v = 0; v < Policy::kPack; ++v) body(at[b][p].at[v]);
      }
    }
  }
};

/// sum += the entries [begin, end), as many at a time as fit the registers: their loads are in flight
/// together.
template <typename Policy, typename Args>
__device__ __forceinline__ void add_entries(const Args& args, const typename Policy::Place& place,
                                            std::int64_t self, std::int64_t begin, std::int64_t end,
                                            Accumulator<Policy>& sum) {
  constexpr int kTogether = Policy::kTogether;
  std::int64_t i = begin;
  for (; i + kTogether <= end; i += kTogether) Policy::template add<kTogether>(args, place, self, i, sum);
  if constexpr (kTogether > 2) {
    if (i + 2 <= end) {
      Policy::template add<2>(args, place, self, i, sum);
      i += 2;
    }
  }
  if constexpr (kTogether > 1) {
    if (i < end) Policy::template add<1>(args, place, self, i, sum);
  }
}

/// sum += a row of numbers at this place.
template <typename Policy>
__device__ __forceinline__ void add_row(const typename Policy::Number* row, std::int64_t channels,
                                        const typename Policy::Place& place, Accumulator<Policy>& sum) {
#pragma unroll
  for (int b = 0; b < Policy::kBlocks; ++b) {
#pragma unroll
    for (int p = 0; p < Policy::kPlanes; ++p) {
      const auto pack =
          load<typename Policy::Number, Policy::kPack>(row + place.offset + b * place.stride + p * channels);
#pragma unroll
      for (int v = 0; v < Policy::kPack; ++v) sum.at[b][p].at[v] += pack.at[v];
    }
  }
}

/// The entries of a range, or the partial sums that sum_pieces left where the range is long.
template <typename Policy, typename Args>
__device__ __forceinline__ void add_range(const Args& args, const typename Policy::Place& place,
                                          std::int64_t self, std::int64_t begin, std::int64_t end,
                                          std::int64_t cut, Accumulator<Policy>& sum) {
  if (end - begin <= cut) {
    add_entries<Policy>(args, place, self, begin, end, sum);
    return;
  }
  for_pieces(begin, end, cut, [&](std::int64_t piece) {
    add_row<Policy>(args.partial + piece * args.row(), args.channels, place, sum);
  });
}

template <typename Policy, typename Args>
__device__ __forceinline__ void store_row(typename Policy::Number* row, const Args& args,
                                          const typename Policy::Place& place,
                                          const Accumulator<Policy>& sum) {
#pragma unroll
  for (int b = 0; b < Policy::kBlocks; ++b) {
#pragma unroll
    for (int p = 0; p < Policy::kPlanes; ++p)
      store(row + place.offset + b * place.stride + p * args.channels, sum.at[b][p]);
  }
}

/// conj(sum) . partner of this lane's numbers, as (real, imaginary).
template <typename Policy, typename Args>
__device__ __forceinline__ double2 dot_partner(const Args& args, std::int64_t row,
                                               const typename Policy::Place& place,
                                               const Accumulator<Policy>& sum) {
  Accumulator<Policy> other{};
  add_row<Policy>(args.partner + row * args.row(), args.channels, place, other);
  double2 dot = make_double2(0, 0);
#pragma unroll
  for (int b = 0; b < Policy::kBlocks; ++b) {
#pragma unroll
    for (int v = 0; v < Policy::kPack; ++v) {
#pragma unroll
      for (int p = 0; p < Policy::kPlanes; ++p)
        dot.x += static_cast<double>(sum.at[b][p].at[v]) * static_cast<double>(other.at[b][p].at[v]);
      if constexpr (Policy::kPlanes == 2) {
        dot.y += static_cast<double>(sum.at[b][0].at[v]) * static_cast<double>(other.at[b][1].at[v]) -
                 static_cast<double>(sum.at[b][1].at[v]) * static_cast<double>(other.at[b][0].at[v]);
      }
    }
  }
  return dot;
}

/// Multiplies by the phase, or its conjugate.
template <typename Policy, typename Args>
__device__ __forceinline__ void rotate(const Args& args, Accumulator<Policy>& sum) {
  if constexpr (Policy::kPlanes == 2) {
    using T = typename Policy::Number;
    const T re = T(args.phase.on_device == nullptr ? args.phase.re : __ldg(args.phase.on_device));
    const T given = T(args.phase.on_device == nullptr ? args.phase.im : __ldg(args.phase.on_device + 1));
    const T im = args.conjugate ? -given : given;
#pragma unroll
    for (int b = 0; b < Policy::kBlocks; ++b) {
#pragma unroll
      for (int v = 0; v < Policy::kPack; ++v) {
        const T x = sum.at[b][0].at[v];
        const T y = sum.at[b][1].at[v];
        sum.at[b][0].at[v] = re * x - im * y;
        sum.at[b][1].at[v] = re * y + im * x;
      }
    }
  }
}

/// dropout(complex_relu(sum + skip)), with the numbers that rectify.cu gives the entries.
template <typename Policy, typename Args>
__device__ __forceinline__ void rectify_row(const Args& args, std::int64_t row,
                                            const typename Policy::Place& place, Accumulator<Policy>& sum) {
  using T = typename Policy::Number;
  if (args.end.skip != nullptr) add_row<Policy>(args.end.skip + row * args.row(), args.channels, place, sum);
  const Mask mask(args.end.mask);
  const auto scale = static_cast<T>(args.end.mask.scale);
  const std::int64_t run = args.planes * args.channels;
  const std::int64_t first_block = divide(place.offset, run);
  const std::int64_t channel = place.offset - first_block * run;
#pragma unroll
  for (int b = 0; b < Policy::kBlocks; ++b) {
    const std::int64_t number = (row * args.blocks + first_block + b) * args.channels + channel;
#pragma unroll
    for (int v = 0; v < Policy::kPack; ++v) {
      const bool kept = passes(sum.at[b][0].at[v]) && mask.keeps(number + v);
#pragma unroll
      for (int p = 0; p < Policy::kPlanes; ++p) sum.at[b][p].at[v] = kept ? sum.at[b][p].at[v] * scale : T(0);
    }
  }
}

template <typename Policy, typename Args>
__global__ void __launch_bounds__(kThreads)
    sum_rows(const Args args, int lanes, int tasks, std::int64_t cut) {
  using T = typename Policy::Number;
  const std::int64_t group = group_index(lanes);
  const std::int64_t row = divide(group, tasks);
  const auto task = static_cast<int>(group - row * tasks);
  const int unit = task * lanes + lane_index(lanes);
  const bool active = row < args.view.rows && unit < Policy::units(args);
  const typename Policy::Place place(args, active ? unit : 0);
  const std::int64_t begin = active ? __ldg(args.view.ptr + row) : 0;
  const std::int64_t middle = active ? __ldg(args.view.split + row) : 0;
  const std::int64_t end = active ? __ldg(args.view.ptr + row + 1) : 0;
  Accumulator<Policy> sum{};
  add_range<Policy>(args, place, row, begin, middle, cut, sum);
  if (args.tail_dots != nullptr) {  // the same for every thread: the whole warp meets in group_sum
    double2 dot = active ? dot_partner<Policy>(args, row, place, sum) : make_double2(0, 0);
    dot.x = group_sum(dot.x, lanes);
    dot.y = group_sum(dot.y, lanes);
    if (row < args.view.rows && lane_index(lanes) == 0) {
      args.tail_dots[2 * group] = dot.x;
      args.tail_dots[2 * group + 1] = dot.y;
    }
  }
  if (args.phase.rotate) rotate<Policy>(args, sum);
  add_range<Policy>(args, place, row, middle, end, cut, sum);
  if (active) {
    if (args.divide_by_size || args.weight != nullptr) {
      const T weight = args.weight == nullptr ? T(1) : __ldg(args.weight + row);
      const T scale = args.divide_by_size && end - begin > 1 ? weight / static_cast<T>(end - begin) : weight;
      sum.for_each([scale](T& number) { number *= scale; });
    }
    if (args.end.rectifies) rectify_row<Policy>(args, row, place, sum);
    store_row<Policy>(args.out + row * args.row(), args, place, sum);
  }
  if (args.row_dots != nullptr) {
    const double dot = group_sum(active ? dot_partner<Policy>(args, row, place, sum).x : 0.0, lanes);
    if (row < args.view.rows && lane_index(lanes) == 0) args.row_dots[group] = dot;
  }
}

template <typename Policy, typename Args>
__global__ void __launch_bounds__(kThreads)
    sum_pieces(const Args args, int lanes, int tasks, std::int64_t cut) {
  const std::int64_t group = group_index(lanes);
  const std::int64_t nth = divide(group, tasks);
  const auto task = static_cast<int>(group - nth * tasks);
  const int unit = task * lanes + lane_index(lanes);
  if (nth >= args.view.piece_count) return;  // whole groups: the others search together
  const std::int64_t piece = __ldg(args.view.pieces + nth);
  const Range range = piece_range(args.view, cut, piece, lanes);
  if (unit >= Policy::units(args)) return;
  const typename Policy::Place place(args, unit);
  Accumulator<Policy> sum{};
  add_entries<Policy>(args, place, range.row, range.begin, range.end, sum);
  store_row<Policy>(args.partial + piece * args.row(), args, place, sum);
}

template <typename Policy, typename Args>
SumPlan plan_with(const Args& args) {
  const std::int64_t units = Policy::units(args);
  return {pieces_of(units, group_lanes(units)), partial_rows(args.view)};
}

template <typename Policy, typename Args>
void launch_with(const Args& args, cudaStream_t stream) {
  const SumPlan plan = plan_with<Policy>(args);
  const int lanes = group_lanes(Policy::units(args));
  const auto tasks = static_cast<int>(plan.tasks);
  const std::int64_t cut = cut_length(args.view.entries);
  if (args.view.piece_count > 0) {
    sum_pieces<Policy>
        <<<grid_for(args.view.piece_count * tasks, lanes), kThreads, 0, stream>>>(args, lanes, tasks, cut);
    launched("sum_pieces");
  }
  sum_rows<Policy><<<grid_for(args.view.rows * tasks, lanes), kThreads, 0, stream>>>(args, lanes, tasks, cut);
  launched("sum_rows");
}

/// The row of `in` that an entry reads.
template <typename Args>
__device__ __forceinline__ std::int64_t source_row(const Args& args, std::int64_t entry,
                                                   std::int64_t incidence) {
  return args.by_incidence ? incidence : static_cast<std::int64_t>(__ldg(args.view.index + entry));
}

/// General maps of 2 to 6 blocks on packs of four float32 channels; false where there is no such kernel.
bool plan_general(const SumArgs<float>& args, SumPlan& plan);
void launch_general(const SumArgs<float>& args, cudaStream_t stream);

/// Whether all rows can be read in packs of 16 bytes.
template <typename T>
bool packs_fit(const SumArgs<T>& args) {
  return sizeof(T) == 4 && args.channels % 4 == 0 && aligned(args.in) && aligned(args.out) &&
         aligned(args.partner) && aligned(args.end.skip) && aligned(args.maps) && aligned(args.winner);
}

}  // namespace dshn::ops::cuda
