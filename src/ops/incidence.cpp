#include "dshn/ops/incidence.hpp"

#include <ATen/ATen.h>
#include <torch/custom_class.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

#include "ops/checks.hpp"
#include "ops/incidence_class.hpp"
#include "ops/long_ranges.hpp"

namespace dshn::ops {
namespace {

using Views = c10::intrusive_ptr<IncidenceViews>;

/// A tensor on memory that `owner` keeps, and that it keeps alive itself.
template <typename T>
at::Tensor on_memory(std::span<const T> values, at::ScalarType type,
                     const std::shared_ptr<const void>& owner) {
  if (values.empty()) return at::empty({0}, type);
  return at::from_blob(
      const_cast<T*>(values.data()), {static_cast<std::int64_t>(values.size())}, [owner](void*) {}, type);
}

template <typename T>
std::span<const T> values_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<T>(), static_cast<std::size_t>(tensor.size(0))};
}

at::Tensor pieces_of_long_ranges(const at::Tensor& row_ptr, const at::Tensor& row_split) {
  const at::Tensor on_cpu[2] = {row_ptr.to(at::kCPU), row_split.to(at::kCPU)};
  const auto ptr = values_of<Offset>(on_cpu[0]);
  const auto split = values_of<Offset>(on_cpu[1]);
  const std::int64_t cut = cut_length(ptr.back());
  std::vector<std::int32_t> pieces;
  const auto cut_range = [&](std::int64_t first, std::int64_t last) {
    if (last - first <= cut) return;
    for_pieces(first, last, cut,
               [&](std::int64_t piece) { pieces.push_back(static_cast<std::int32_t>(piece)); });
  };
  for (std::size_t row = 0; row < split.size(); ++row) {
    cut_range(ptr[row], split[row]);
    cut_range(split[row], ptr[row + 1]);
  }
  return at::tensor(pieces, at::kInt).to(row_ptr.device());
}

View view_of(const at::Tensor& ptr, const at::Tensor& split, const at::Tensor& index,
             const at::Tensor& position) {
  return {ptr, split, index, position, pieces_of_long_ranges(ptr, split)};
}

/// All entries are tails.
View view_without_heads(const at::Tensor& ptr, const at::Tensor& index, const at::Tensor& position) {
  return view_of(ptr, ptr.slice(0, 1), index, position);
}

/// Of a view on the CPU, whose entries are all tails.
View transposed(const View& view, std::int64_t columns) {
  const auto ptr = values_of<Offset>(view.ptr);
  const auto column = values_of<Index>(view.index);
  const at::Tensor ends = at::zeros({columns + 1}, at::kLong);
  const at::Tensor index = at::empty_like(view.index);
  const at::Tensor position = at::empty({view.index.size(0)}, at::kLong);
  auto* const end = ends.data_ptr<Offset>();
  for (const Index c : column) ++end[c + 1];
  std::partial_sum(end, end + columns + 1, end);
  std::vector<Offset> next(end, end + columns);
  for (std::size_t row = 0; row + 1 < ptr.size(); ++row) {
    for (Offset entry = ptr[row]; entry < ptr[row + 1]; ++entry) {
      const Offset place = next[column[entry]]++;
      index.data_ptr<Index>()[place] = static_cast<Index>(row);
      position.data_ptr<Offset>()[place] = entry;
    }
  }
  return view_without_heads(ends, index, position);
}

View moved(const View& view, const at::Device& device) {
  return {view.ptr.to(device), view.split.to(device), view.index.to(device), view.position.to(device),
          view.pieces.to(device)};
}

Index count_of(std::int64_t count, const char* argument) {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  check(count >= 0 && count <= kMost, argument, "a number from 0 to " + std::to_string(kMost), count);
  return static_cast<Index>(count);
}

void check_range(const at::Tensor& ids, const char* argument, Index count) {
  if (ids.size(0) == 0) return;
  const auto [least, greatest] = std::pair(ids.min().item<std::int64_t>(), ids.max().item<std::int64_t>());
  check(least >= 0 && greatest < count, argument, "numbers from 0 to " + std::to_string(count - 1),
        std::to_string(least) + " to " + std::to_string(greatest));
}

void check_ids(const at::Tensor& ids, const char* argument, std::int64_t length, Index count) {
  const bool integers = ids.defined() && (ids.scalar_type() == at::kInt || ids.scalar_type() == at::kLong);
  check(integers && ids.dim() == 1 && ids.size(0) == length && ids.device().is_cpu(), argument,
        "Int or Long [" + std::to_string(length) + "] on cpu", describe(ids));
  check_range(ids, argument, count);
}

/// Offsets from 0 to nnz that never fall, each split within its row.
void check_offsets(std::span<const Offset> ptr, std::span<const Offset> split, Offset nnz,
                   const char* argument) {
  check(ptr.front() == 0 && ptr.back() == nnz, argument, "offsets from 0 to nnz = " + std::to_string(nnz),
        std::to_string(ptr.front()) + " to " + std::to_string(ptr.back()));
  for (std::size_t row = 0; row < split.size(); ++row) {
    if (ptr[row] <= split[row] && split[row] <= ptr[row + 1]) continue;
    const std::string range =
        std::to_string(ptr[row]) + " to " + std::to_string(ptr[row + 1]) + " in row " + std::to_string(row);
    check(ptr[row] <= ptr[row + 1], argument, "offsets that do not fall", range);
    check(false, "edge_split", "an offset from " + range, split[row]);
  }
}

Incidence of_arrays(const at::Tensor& edges, const at::Tensor& nodes, const OptionalTensor& is_head,
                    std::int64_t node_count, std::int64_t edge_count) {
  const Index n = count_of(node_count, "node_count");
  const Index m = count_of(edge_count, "edge_count");
  check(edges.defined() && edges.dim() == 1, "edges", "one dimension", describe(edges));
  const std::int64_t nnz = edges.size(0);
  check_ids(edges, "edges", nnz, m);
  check_ids(nodes, "nodes", nnz, n);
  const at::Tensor edge = edges.to(at::kInt).contiguous();
  const at::Tensor node = nodes.to(at::kInt).contiguous();
  std::vector<Role> role;
  if (is_head.has_value()) {
    check_index(*is_head, "is_head", at::kBool, nnz, at::kCPU);
    const at::Tensor flags = is_head->contiguous();
    for (const bool head : values_of<bool>(flags)) role.push_back(head ? Role::head : Role::tail);
  }
  return Incidence(Hypergraph(n, m, {values_of<Index>(edge), values_of<Index>(node), role}));
}

/// A row for the tails of each hyperedge and one for its heads.
std::shared_ptr<const Exchange> exchange_of_halves(const Exchange& exchange, const View& by_half) {
  Whole whole = exchange.whole();
  whole.edges *= 2;
  whole.edge_numbers = at::stack({2 * whole.edge_numbers, 2 * whole.edge_numbers + 1}, 1).view({-1});
  whole.edge_owned = whole.edge_owned.repeat_interleave(2);
  whole.edge_directed = at::zeros_like(whole.edge_owned);
  whole.edge_sizes = by_half.row_sizes();
  exchange.on(whole, 2)->begin_sum(whole.edge_sizes)();
  return exchange.on(whole, 2);
}

/// What the operators that use nothing else read of it: edge_ptr, edge_split, edge_nodes.
std::vector<at::Tensor> copies_of_tensors(const Views& views) {
  const View& view = views->by_edge;
  return {view.ptr.clone(), view.split.clone(), view.index.clone()};
}

}  // namespace

at::Tensor View::row_sizes() const {
  return ptr.slice(0, 1) - ptr.slice(0, 0, -1);
}

at::Tensor View::rows() const {
  return at::arange(split.size(0), split.options()).repeat_interleave(row_sizes());
}

IncidenceViews::IncidenceViews(View edges, View by_node, std::shared_ptr<const Exchange> others)
    : by_edge(std::move(edges)),
      nodes(by_node.split.size(0)),
      exchange(std::move(others)),
      by_node_(std::move(by_node)) {}

IncidenceViews::IncidenceViews(View edges, std::int64_t count) : by_edge(std::move(edges)), nodes(count) {
  // Streams of a GPU would not wait for the one that makes it.
  if (!by_edge.ptr.device().is_cpu()) by_node();
}

const View& IncidenceViews::by_node() const {
  std::call_once(made_, [this] {
    if (by_node_.ptr.defined()) return;
    const at::Device device = by_edge.ptr.device();
    by_node_ = moved(transposed(moved(by_edge, at::kCPU), nodes), device);
  });
  return by_node_;
}

Incidence::Incidence(const Hypergraph& h, const at::Device& device) {
  const auto longs = [&](std::span<const Offset> values) { return on_memory(values, at::kLong, h.owner()); };
  const auto ints = [&](std::span<const Index> values) { return on_memory(values, at::kInt, h.owner()); };
  views_ = c10::make_intrusive<IncidenceViews>(
      view_of(longs(h.edge_ptr()), longs(h.head_begin()), ints(h.member_nodes()), longs({})),
      view_of(longs(h.node_ptr()), longs(h.node_head_begin()), ints(h.node_edges()),
              longs(h.node_incidences())));
  *this = to(device);
}

Incidence::Incidence(const at::Tensor& edge_ptr, const at::Tensor& edge_split, const at::Tensor& edge_nodes,
                     std::int64_t nodes) {
  const Index n = count_of(nodes, "nodes");
  for (const auto& [tensor, name] : {std::pair(edge_ptr, "edge_ptr"), std::pair(edge_split, "edge_split"),
                                     std::pair(edge_nodes, "edge_nodes")})
    check(tensor.defined() && tensor.dim() == 1, name, "one dimension", describe(tensor));
  const Index m = count_of(edge_split.size(0), "edge_split");
  const at::Device device = edge_ptr.device();
  check_index(edge_ptr, "edge_ptr", at::kLong, Offset{m} + 1, device);
  check_index(edge_split, "edge_split", at::kLong, m, device);
  check_index(edge_nodes, "edge_nodes", at::kInt, edge_nodes.size(0), device);
  const at::Tensor ptrs = edge_ptr.to(at::kCPU).contiguous();
  const at::Tensor splits = edge_split.to(at::kCPU).contiguous();
  const at::Tensor members = edge_nodes.to(at::kCPU).contiguous();
  const auto ptr = values_of<Offset>(ptrs);
  const auto split = values_of<Offset>(splits);
  const auto node = values_of<Index>(members);
  check_offsets(ptr, split, static_cast<Offset>(node.size()), "edge_ptr");

  std::vector<Index> edge(node.size());
  std::vector<Role> role(node.size(), Role::tail);
  for (Index e = 0; e < m; ++e) {
    std::fill(edge.begin() + ptr[e], edge.begin() + ptr[e + 1], e);
    std::fill(role.begin() + split[e], role.begin() + ptr[e + 1], Role::head);
  }
  const Hypergraph h(n, m, {edge, node, role});
  const auto unsorted = std::mismatch(node.begin(), node.end(), h.member_nodes().begin()).first;
  if (unsorted != node.end()) {
    const std::string place = std::to_string(unsorted - node.begin());
    check(false, "edge_nodes", "tails and heads of each hyperedge in ascending order",
          "node " + std::to_string(*unsorted) + " at entry " + place);
  }
  *this = Incidence(h, device);
}

Incidence Incidence::of_rows(const at::Tensor& row_ptr, const at::Tensor& columns,
                             std::int64_t column_count) {
  const Index count = count_of(column_count, "column_count");
  check(row_ptr.defined() && row_ptr.dim() == 1 && row_ptr.size(0) > 0 && row_ptr.scalar_type() == at::kLong,
        "row_ptr", "Long [rows + 1]", describe(row_ptr));
  check(columns.defined() && columns.dim() == 1, "columns", "one dimension", describe(columns));
  check_index(columns, "columns", at::kInt, columns.size(0), row_ptr.device());
  const at::Tensor ptr = row_ptr.contiguous();
  const at::Tensor cpu_ptr = ptr.to(at::kCPU);
  const auto offsets = values_of<Offset>(cpu_ptr);
  check_offsets(offsets, offsets.subspan(1), columns.size(0), "row_ptr");

  check_range(columns, "columns", count);
  const at::Tensor cpu_columns = columns.to(at::kCPU).contiguous();
  const auto column = values_of<Index>(cpu_columns);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    for (Offset entry = offsets[row] + 1; entry < offsets[row + 1]; ++entry) {
      if (column[entry - 1] < column[entry]) continue;
      check(false, "columns", "those of each row in ascending order",
            "another order after entry " + std::to_string(entry - 1));
    }
  }
  const at::Tensor none = at::empty({0}, ptr.options());
  return Incidence(c10::make_intrusive<IncidenceViews>(view_without_heads(ptr, columns.contiguous(), none),
                                                       std::int64_t{count}));
}

Incidence::Incidence(const c10::IValue& value) : views_(value.toCustomClass<IncidenceViews>()) {}

c10::IValue Incidence::ivalue() const {
  return views_;
}

Incidence Incidence::to(const at::Device& device) const {
  if (this->device() == device) return *this;
  check(exchange() == nullptr, "device", "cpu, because this is a part of a hypergraph", device.str());
  return Incidence(c10::make_intrusive<IncidenceViews>(moved(by_edge(), device), moved(by_node(), device)));
}

Incidence Incidence::as_part(std::shared_ptr<const Exchange> exchange) const {
  return Incidence(c10::make_intrusive<IncidenceViews>(by_edge(), by_node(), std::move(exchange)));
}

Incidence Incidence::halves() const {
  const View& edges = by_edge();
  const View& nodes = by_node();
  const at::Tensor ptr =
      at::cat({at::stack({edges.ptr.slice(0, 0, -1), edges.split}, 1).view({-1}), edges.ptr.slice(0, -1)});
  const at::Tensor is_head =
      at::arange(incidences(), nodes.split.options()) >= nodes.split.index_select(0, nodes.rows());
  const View by_half = view_without_heads(ptr, edges.index, edges.position);
  return Incidence(c10::make_intrusive<IncidenceViews>(
      by_half, view_without_heads(nodes.ptr, (2 * nodes.index + is_head).to(at::kInt), nodes.position),
      exchange() ? exchange_of_halves(*exchange(), by_half) : nullptr));
}

void register_incidence_class() {
  using State = std::tuple<std::vector<at::Tensor>, std::int64_t>;
  static const auto registered =
      torch::class_<IncidenceViews>("dshn", "Incidence")
          .def(torch::init([](const at::Tensor& edge_ptr, const at::Tensor& edge_split,
                              const at::Tensor& edge_nodes, std::int64_t nodes) {
                 return Incidence(edge_ptr, edge_split, edge_nodes, nodes).views();
               }),
               "",
               {torch::arg("edge_ptr"), torch::arg("edge_split"), torch::arg("edge_nodes"),
                torch::arg("nodes")})
          .def_static("of_arrays",
                      [](const at::Tensor& edges, const at::Tensor& nodes, const OptionalTensor& is_head,
                         std::int64_t node_count, std::int64_t edge_count) {
                        return of_arrays(edges, nodes, is_head, node_count, edge_count).views();
                      })
          .def("nodes", [](const Views& self) { return Incidence(self).nodes(); })
          .def("edges", [](const Views& self) { return Incidence(self).edges(); })
          .def("incidences", [](const Views& self) { return Incidence(self).incidences(); })
          .def("device", [](const Views& self) { return Incidence(self).device(); })
          .def("to", [](const Views& self, at::Device device) { return Incidence(self).to(device).views(); })
          .def("tensors", copies_of_tensors)
          .def_pickle(
              [](const Views& self) { return State(copies_of_tensors(self), Incidence(self).nodes()); },
              [](const State& state) {
                const auto& [tensors, nodes] = state;
                check(tensors.size() == 3, "state", "3 tensors", tensors.size());
                return Incidence(tensors[0], tensors[1], tensors[2], nodes).views();
              });
}

}  // namespace dshn::ops
