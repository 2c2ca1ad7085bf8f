#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <vector>

#include "ops/cpu/raw.hpp"
#include "ops/cpu/sheaf_kernels.hpp"
#include "ops/cpu/work_pieces.hpp"
#include "ops/hyperedge_scale.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cpu {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559;

RowShape shape_of(const at::Tensor& x, const at::Tensor& maps) {
  const std::int64_t row = x.size(1) * x.size(2) * x.size(3);
  const std::int64_t blocks = maps.size(1);
  return {blocks, row / blocks, x.size(2), x.size(3), maps.dim() == 3};
}

/// s = exp(-2 pi i q); rotation is skipped where there is no charge or it is zero.
struct Phase {
  bool rotate = false;
  double re = 1;
  double im = 0;

  explicit Phase(const OptionalTensor& q) {
    if (!q.has_value()) return;
    const double angle = -kTwoPi * q->item<double>();
    rotate = angle != 0;
    re = std::cos(angle);
    im = std::sin(angle);
  }
};

/// Everything that the four sweeps (forward and backward, to hyperedges and to nodes) have in common.
template <typename T>
struct Sweeps {
  Incidence incidence;
  RowShape shape;
  Phase phase;
  at::Tensor maps;
  at::Tensor edge_scale;

  Sweeps(const at::Tensor& x, const at::Tensor& given_maps, const OptionalTensor& q,
         const OptionalTensor& weight, const Incidence& given)
      : incidence(given),
        shape(shape_of(x, given_maps)),
        phase(q),
        maps(given_maps),
        edge_scale(hyperedge_scale(weight, incidence, x.scalar_type())) {}

  GatherArgs<T> to_edges(const at::Tensor& in, const at::Tensor& out) const {
    GatherArgs<T> args = gather(incidence.by_edge(), in, out);
    args.phase_im = T(phase.im);
    args.scale = edge_scale.data_ptr<T>();
    return args;
  }

  GatherArgs<T> to_nodes(const at::Tensor& in, const at::Tensor& out) const {
    GatherArgs<T> args = gather(incidence.by_node(), in, out);
    args.phase_im = T(-phase.im);
    args.transpose = true;
    return args;
  }

  void nodes(const GatherArgs<T>& args) const { run(args, {0, incidence.nodes()}); }

  /// Hyperedges that other parts have too come first: the others are swept while messages are under way.
  void edges(const GatherArgs<T>& args, const at::Tensor& out) const {
    const Rows shared = shared_edges();
    run(args, shared);
    const Exchange::Finish finish = begin_sum(out);
    run(args, {shared.end, incidence.edges()});
    finish();
  }

  /// The same and, from the same rows while they are in the cache, the maps' gradient.
  void edges(const GatherArgs<T>& args, const at::Tensor& out, const MapGradientArgs<T>& gradient) const {
    const Rows shared = shared_edges();
    run(args, shared);
    const Exchange::Finish finish = begin_sum(out);
    run(args, gradient, sheaf_kernels<T>().gather_and_map_gradient, {shared.end, incidence.edges()});
    finish();
    run(args, gradient, sheaf_kernels<T>().map_gradient, shared);
  }

  at::Tensor edge_rows(const at::Tensor& x) const {
    return at::empty({incidence.edges(), x.size(1), x.size(2), x.size(3)}, x.options());
  }

 private:
  struct Rows {
    std::int64_t begin;
    std::int64_t end;
  };

  Rows shared_edges() const { return {0, incidence.exchange() ? incidence.exchange()->shared() : 0}; }

  Exchange::Finish begin_sum(const at::Tensor& out) const {
    return incidence.exchange() ? incidence.exchange()->begin_sum(out) : [] {};
  }

  template <typename Body>
  static void in_pieces(const RawView& view, const Rows& rows, std::int64_t cost, const Body& body) {
    parallel_rows_by_cost(
        view.ptr + rows.begin, rows.end - rows.begin, cost,
        [&](std::int64_t begin, std::int64_t end) { body(rows.begin + begin, rows.begin + end); });
  }

  void run(const GatherArgs<T>& args, const Rows& rows) const {
    const auto kernel = sheaf_kernels<T>().gather;
    in_pieces(args.view, rows, shape.row(),
              [&](std::int64_t begin, std::int64_t end) { kernel(args, begin, end); });
  }

  template <typename Kernel>
  void run(const GatherArgs<T>& args, const MapGradientArgs<T>& gradient, Kernel kernel,
           const Rows& rows) const {
    in_pieces(args.view, rows, 3 * shape.row(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<T> scratch(2 * shape.row());
      kernel(args, gradient, begin, end, scratch.data());
    });
  }

  GatherArgs<T> gather(const View& view, const at::Tensor& in, const at::Tensor& out) const {
    GatherArgs<T> args{};
    args.view = raw(view);
    args.shape = shape;
    args.maps = maps.data_ptr<T>();
    args.rotate = phase.rotate;
    args.phase_re = T(phase.re);
    args.in = in.data_ptr<T>();
    args.out = out.data_ptr<T>();
    return args;
  }
};

template <typename T>
TensorPair forward(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                   const OptionalTensor& weight, const Incidence& incidence) {
  const Sweeps<T> sweeps(x, maps, q, weight, incidence);
  const at::Tensor h = sweeps.edge_rows(x);
  const at::Tensor y = at::empty_like(x);
  sweeps.edges(sweeps.to_edges(x, h), h);
  sweeps.nodes(sweeps.to_nodes(h, y));
  return {y, h};
}

/// Column sums of [rows, 2], one after the other: libtorch's sum depends on the number of threads.
std::array<double, 2> sum_in_order(const at::Tensor& pairs) {
  std::array<double, 2> sum{0, 0};
  const double* values = pairs.data_ptr<double>();
  for (std::int64_t r = 0; r < pairs.size(0); ++r) {
    sum[0] += values[2 * r];
    sum[1] += values[2 * r + 1];
  }
  return sum;
}

/// d/dq from the tail sums (P, Q) of both sweeps: with s = c + i S, the hyperedges give Im(conj(s) (P + iQ))
/// and the nodes Im(s (P + iQ)).
at::Tensor charge_gradient(const at::Tensor& edge_dots, const at::Tensor& node_dots, const Phase& phase,
                           const at::Tensor& q) {
  const auto edges = sum_in_order(edge_dots);
  const auto nodes = sum_in_order(node_dots);
  const double total =
      (nodes[1] * phase.re + nodes[0] * phase.im) - (edges[1] * phase.re - edges[0] * phase.im);
  return at::full(q.sizes(), kTwoPi * total, q.options());
}

double* new_doubles(at::Tensor& tensor, at::IntArrayRef shape) {
  tensor = at::empty(shape, at::kDouble);
  return tensor.data_ptr<double>();
}

template <typename T>
TensorQuad backward(const at::Tensor& gy, const at::Tensor& x, const at::Tensor& h, const at::Tensor& maps,
                    const OptionalTensor& q, const OptionalTensor& weight, const Incidence& incidence,
                    const std::array<bool, 4>& needs) {
  const auto [needs_x, needs_maps, needs_q, needs_weight] = needs;
  const Sweeps<T> sweeps(x, maps, q, weight, incidence);
  const std::int64_t n = sweeps.incidence.nodes();
  const std::int64_t m = sweeps.incidence.edges();
  at::Tensor gx;
  at::Tensor gmaps;
  at::Tensor gq;
  at::Tensor gweight;
  at::Tensor edge_dots;
  at::Tensor row_dots;

  const at::Tensor k = sweeps.edge_rows(x);
  GatherArgs<T> to_edges = sweeps.to_edges(gy, k);
  to_edges.partner = h.data_ptr<T>();
  if (needs_q) to_edges.tail_dots = new_doubles(edge_dots, {m, 2});
  if (needs_weight) to_edges.row_dots = new_doubles(row_dots, {m});
  if (needs_maps) {
    gmaps = at::empty_like(maps);
    sweeps.edges(to_edges, k, {x.data_ptr<T>(), h.data_ptr<T>(), gmaps.data_ptr<T>()});
  } else {
    sweeps.edges(to_edges, k);
  }
  if (needs_weight) gweight = weight_gradient(row_dots, *weight, sweeps.incidence);

  if (needs_x || needs_q) {
    gx = at::empty_like(x);
    GatherArgs<T> to_nodes = sweeps.to_nodes(k, gx);
    at::Tensor node_dots;
    to_nodes.partner = x.data_ptr<T>();
    if (needs_q) to_nodes.tail_dots = new_doubles(node_dots, {n, 2});
    sweeps.nodes(to_nodes);
    if (needs_q) gq = charge_gradient(edge_dots, node_dots, sweeps.phase, *q);
  }
  return {needs_x ? gx : at::Tensor(), gmaps, gq, gweight};
}

const AtLoad kSheafSignlessOnCpu([] {
  signless_kernel.implement(at::kCPU, forward<float>, forward<double>);
  signless_gradient_kernel.implement(at::kCPU, backward<float>, backward<double>);
});

}  // namespace
}  // namespace dshn::ops::cpu
