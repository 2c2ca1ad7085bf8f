#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <array>
#include <cmath>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/hyperedge_scale.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cuda {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559;

/// The phase where the charge lives: reading a charge from the device would wait for it.
struct Phase {
  DevicePhase raw{false, nullptr, 1, 0};
  at::Tensor on_device;

  Phase(const OptionalTensor& q, const at::Tensor& x, cudaStream_t stream) {
    if (!q.has_value()) return;
    if (q->device().is_cpu()) {
      const double angle = -kTwoPi * q->item<double>();
      raw = {angle != 0, nullptr, std::cos(angle), std::sin(angle)};
      return;
    }
    on_device = at::empty({2}, x.options().dtype(at::kDouble));
    auto* phase = on_device.data_ptr<double>();
    AT_DISPATCH_FLOATING_TYPES(q->scalar_type(), "phase",
                               [&] { launch_phase(q->data_ptr<scalar_t>(), phase, stream); });
    raw = {true, phase, 1, 0};
  }
};

/// Everything that the four sweeps (forward and backward, to hyperedges and to nodes) have in common.
template <typename T>
struct Sweeps {
  Incidence incidence;
  cudaStream_t stream;
  Phase phase;
  at::Tensor maps;
  OptionalTensor weight;
  std::array<std::int64_t, 3> shape;  // blocks, planes, channels

  Sweeps(const at::Tensor& x, const at::Tensor& given_maps, const OptionalTensor& q,
         const OptionalTensor& given_weight, const Incidence& given)
      : incidence(given),
        stream(current_stream()),
        phase(q, x, stream),
        maps(given_maps),
        weight(given_weight),
        shape{x.size(1), x.size(2), x.size(3)} {}

  bool general() const { return maps.dim() == 3; }

  SumArgs<T> to_edges(const at::Tensor& in, const at::Tensor& out) const {
    SumArgs<T> args = sum(incidence.by_edge(), in, out);
    args.divide_by_size = true;
    args.weight = raw_or_null<T>(weight);
    return args;
  }

  SumArgs<T> to_nodes(const at::Tensor& in, const at::Tensor& out) const {
    SumArgs<T> args = sum(incidence.by_node(), in, out);
    args.conjugate = true;
    args.transpose = true;
    return args;
  }

  at::Tensor edge_rows(const at::Tensor& x) const {
    return at::empty({incidence.edges(), x.size(1), x.size(2), x.size(3)}, x.options());
  }

  void map_gradient(const at::Tensor& h, const at::Tensor& g, const at::Tensor& k, const at::Tensor& x,
                    const at::Tensor& g_maps) const {
    MapGradientArgs<T> args{};
    args.view = raw(incidence.by_edge());
    args.blocks = shape[0];
    args.planes = shape[1];
    args.channels = shape[2];
    args.map_blocks = maps.size(1);
    args.general = general();
    args.phase = phase.raw;
    args.h = h.data_ptr<T>();
    args.g = g.data_ptr<T>();
    args.k = k.data_ptr<T>();
    args.x = x.data_ptr<T>();
    args.g_maps = g_maps.data_ptr<T>();
    launch_map_gradient(args, stream);
  }

 private:
  SumArgs<T> sum(const View& view, const at::Tensor& in, const at::Tensor& out) const {
    SumArgs<T> args{};
    args.view = raw(view);
    args.blocks = shape[0];
    args.planes = shape[1];
    args.channels = shape[2];
    args.maps = maps.data_ptr<T>();
    args.map_blocks = maps.size(1);
    args.general = general();
    args.phase = phase.raw;
    args.in = in.data_ptr<T>();
    args.out = out.data_ptr<T>();
    return args;
  }
};

/// y and the rows of the hyperedges.
template <typename T>
TensorPair forward_as(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                      const OptionalTensor& weight, const Incidence& incidence, const RowEnd<T>& end) {
  const Sweeps<T> sweeps(x, maps, q, weight, incidence);
  const at::Tensor h = sweeps.edge_rows(x);
  const at::Tensor y = at::empty_like(x);
  run_sum(sweeps.to_edges(x, h), x, sweeps.stream);
  SumArgs<T> to_nodes = sweeps.to_nodes(h, y);
  to_nodes.end = end;
  run_sum(to_nodes, x, sweeps.stream);
  return {y, h};
}

template <typename T>
TensorPair forward(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                   const OptionalTensor& weight, const Incidence& incidence) {
  return forward_as<T>(x, maps, q, weight, incidence, {});
}

template <typename T>
TensorPair rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                     const OptionalTensor& weight, const OptionalTensor& skip, double p, const MaskKey& key,
                     const Incidence& incidence) {
  return forward_as<T>(x, maps, q, weight, incidence, {true, raw_or_null<T>(skip), device_mask(p, key)});
}

/// Inner products with the partner rows: one per row of the view and task of the kernel, summed afterwards.
template <typename T>
struct Dots {
  at::Tensor tail;  // [rows * tasks, 2]
  at::Tensor row;   // [rows, tasks]

  Dots(SumArgs<T>& args, const at::Tensor& partner, bool needs_tail, bool needs_row) {
    args.partner = partner.data_ptr<T>();
    const std::int64_t tasks = plan_sum(args).tasks;
    const at::TensorOptions options = partner.options().dtype(at::kDouble);
    if (needs_tail) {
      tail = at::zeros({args.view.rows * tasks, 2}, options);
      args.tail_dots = tail.data_ptr<double>();
    }
    if (needs_row) {
      row = at::zeros({args.view.rows, tasks}, options);
      args.row_dots = row.data_ptr<double>();
    }
  }
};

/// d/dq from the tail sums (P, Q) of both sweeps: with s = c + i S, the hyperedges give Im(conj(s) (P + iQ))
/// and the nodes Im(s (P + iQ)).
at::Tensor charge_gradient(const at::Tensor& edge_dots, const at::Tensor& node_dots, const Phase& phase,
                           const at::Tensor& q) {
  const at::Tensor edges = edge_dots.sum(0);
  const at::Tensor nodes = node_dots.sum(0);
  at::Tensor total;
  if (phase.on_device.defined()) {
    const at::Tensor& s = phase.on_device;
    total = (nodes[1] * s[0] + nodes[0] * s[1]) - (edges[1] * s[0] - edges[0] * s[1]);
  } else {
    const DevicePhase& s = phase.raw;
    total = (nodes[1] * s.re + nodes[0] * s.im) - (edges[1] * s.re - edges[0] * s.im);
  }
  return (total * kTwoPi).to(q.options()).view(q.sizes());
}

template <typename T>
TensorQuad backward(const at::Tensor& gy, const at::Tensor& x, const at::Tensor& h, const at::Tensor& maps,
                    const OptionalTensor& q, const OptionalTensor& weight, const Incidence& incidence,
                    const std::array<bool, 4>& needs) {
  const auto [needs_x, needs_maps, needs_q, needs_weight] = needs;
  const Sweeps<T> sweeps(x, maps, q, weight, incidence);
  at::Tensor gx;
  at::Tensor gmaps;
  at::Tensor gq;
  at::Tensor gweight;

  const at::Tensor k = sweeps.edge_rows(x);
  SumArgs<T> to_edges = sweeps.to_edges(gy, k);
  const Dots<T> edge_dots(to_edges, h, needs_q, needs_weight);
  run_sum(to_edges, x, sweeps.stream);
  if (needs_maps) {
    gmaps = at::empty_like(maps);
    sweeps.map_gradient(h, gy, k, x, gmaps);
  }
  if (needs_weight) gweight = weight_gradient(edge_dots.row.sum(1), *weight, sweeps.incidence);

  if (needs_x || needs_q) {
    gx = at::empty_like(x);
    SumArgs<T> to_nodes = sweeps.to_nodes(k, gx);
    const Dots<T> node_dots(to_nodes, x, needs_q, false);
    run_sum(to_nodes, x, sweeps.stream);
    if (needs_q) gq = charge_gradient(edge_dots.tail, node_dots.tail, sweeps.phase, *q);
  }
  return {needs_x ? gx : at::Tensor(), gmaps, gq, gweight};
}

const AtLoad kSheafSignlessOnCuda([] {
  signless_kernel.implement(at::kCUDA, forward<float>, forward<double>);
  rectified_kernel.implement(at::kCUDA, rectified<float>, rectified<double>);
  signless_gradient_kernel.implement(at::kCUDA, backward<float>, backward<double>);
});

}  // namespace
}  // namespace dshn::ops::cuda
