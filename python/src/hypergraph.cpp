#include "dshn/hypergraph/hypergraph.hpp"

#include "bindings.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/open.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/hypergraph/components.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/hypergraph/statistics.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/load.hpp"

namespace dshn::python {
namespace {

template <typename T>
using Contiguous = py::array_t<T, py::array::c_style>;

template <typename T>
std::span<const T> span_of(const Contiguous<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

Names names_from(const py::object& given) {
  if (given.is_none()) return {};
  std::vector<Name> names;
  for (const py::handle item : given) {
    if (py::isinstance<py::int_>(item) && !py::isinstance<py::bool_>(item))
      names.push_back({py::str(item), true});
    else
      names.push_back(Name::string(py::cast<std::string>(item)));
  }
  return Names(names);
}

OnConflict on_conflict_from(const std::string& word) {
  return data::open_options({{"on_conflict", word}}).load.on_conflict;
}

Hypergraph make(Index nodes, Index edges, const Contiguous<Index>& edge, const Contiguous<Index>& node,
                const Contiguous<std::uint8_t>& role, const std::string& on_conflict,
                const std::vector<double>& weights, const std::vector<double>& incidence_weights,
                const py::object& node_names, const py::object& edge_names) {
  const auto roles = span_of(role);
  const IncidenceArrays arrays{span_of(edge),
                               span_of(node),
                               {reinterpret_cast<const Role*>(roles.data()), roles.size()},
                               incidence_weights};
  HypergraphExtras extras{weights, names_from(node_names), names_from(edge_names)};
  const OnConflict rule = on_conflict_from(on_conflict);
  const py::gil_scoped_release unlocked;
  return {nodes, edges, arrays, rule, std::move(extras)};
}

/// An array on the hypergraph's own memory, which it keeps alive.
template <typename T>
py::array view(const Hypergraph& hypergraph, std::span<const T> values) {
  if (values.empty()) return py::array_t<T>(0);
  const py::capsule owner(new Hypergraph(hypergraph),
                          [](void* kept) { delete static_cast<Hypergraph*>(kept); });
  py::array_t<T> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

template <typename T>
auto viewer(std::span<const T> (Hypergraph::*values)() const) {
  return [values](const Hypergraph& self) { return view(self, (self.*values)()); };
}

Index checked(Index item, Index count, const char* what) {
  if (item < 0 || item >= count)
    throw UsageError(std::string("there is no ") + what + " " + std::to_string(item) + "; expected 0 to " +
                     std::to_string(count - 1));
  return item;
}

py::object name_object(const Name& name) {
  return name.is_integer ? py::object(py::int_(py::str(name.text))) : py::object(py::str(name.text));
}

py::list name_list(const Names& names, Index count) {
  py::list list(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = name_object(names[i]);
  return list;
}

py::tuple load(const std::string& path, const Assignments& reading) {
  const auto loaded = [&] {
    const py::gil_scoped_release unlocked;
    return io::load(path, data::open_options(reading).load);
  }();
  return py::make_tuple(loaded.hypergraph, loaded.warnings);
}

py::dict statistics_of(const Hypergraph& hypergraph) {
  const Statistics found = statistics(hypergraph);
  py::dict figures;
  figures["n_nodes"] = found.n_nodes;
  figures["n_hyperedges"] = found.n_hyperedges;
  figures["n_incidences"] = found.n_incidences;
  figures["avg_hyperedge_size"] = found.avg_hyperedge_size;
  figures["avg_node_degree"] = found.avg_node_degree;
  figures["max_hyperedge_size"] = found.max_hyperedge_size;
  figures["max_node_degree"] = found.max_node_degree;
  figures["n_isolated_nodes"] = found.n_isolated_nodes;
  figures["n_directed_hyperedges"] = found.n_directed_hyperedges;
  return figures;
}

py::tuple synthetic(Index nodes, Index classes, Index intra, Index inter, Index h_min, Index h_max,
                    std::uint64_t seed) {
  const LabelledHypergraph made = synthetic_benchmark({nodes, classes, h_min, h_max, intra, inter, seed});
  return py::make_tuple(made.hypergraph, made.labels);
}

Hypergraph random(Index nodes, Index hyperedges, double mean_size, double directed_share,
                  std::uint64_t seed) {
  RandomOptions options;
  options.nodes = nodes;
  options.hyperedges = hyperedges;
  options.mean_size = mean_size;
  options.directed_share = directed_share;
  options.seed = seed;
  return random_hypergraph(options);
}

}  // namespace

void bind_hypergraph(py::module_& module) {
  py::class_<Hypergraph>(module, "Hypergraph")
      .def(py::init(&make))
      .def_property_readonly("n_nodes", &Hypergraph::node_count)
      .def_property_readonly("n_hyperedges", &Hypergraph::edge_count)
      .def_property_readonly("n_incidences", &Hypergraph::incidence_count)
      .def_property_readonly("edge_ptr", viewer(&Hypergraph::edge_ptr))
      .def_property_readonly("head_begin", viewer(&Hypergraph::head_begin))
      .def_property_readonly("member_nodes", viewer(&Hypergraph::member_nodes))
      .def_property_readonly("node_ptr", viewer(&Hypergraph::node_ptr))
      .def_property_readonly("node_head_begin", viewer(&Hypergraph::node_head_begin))
      .def_property_readonly("node_edges", viewer(&Hypergraph::node_edges))
      .def_property_readonly("node_incidences", viewer(&Hypergraph::node_incidences))
      .def_property_readonly("edge_weights", viewer(&Hypergraph::edge_weights))
      .def_property_readonly("incidence_weights", viewer(&Hypergraph::incidence_weights))
      .def_property_readonly("directed", &Hypergraph::has_directed_edges)
      .def_property_readonly("memory_bytes", &Hypergraph::memory_bytes)
      .def_property_readonly("node_names_implicit",
                             [](const Hypergraph& self) { return self.node_names().implicit(); })
      .def_property_readonly("edge_names_implicit",
                             [](const Hypergraph& self) { return self.edge_names().implicit(); })
      .def("node_name",
           [](const Hypergraph& self, Index v) {
             return name_object(self.node_names()[checked(v, self.node_count(), "node")]);
           })
      .def("edge_name",
           [](const Hypergraph& self, Index e) {
             return name_object(self.edge_names()[checked(e, self.edge_count(), "hyperedge")]);
           })
      .def("node_names",
           [](const Hypergraph& self) { return name_list(self.node_names(), self.node_count()); })
      .def("edge_names",
           [](const Hypergraph& self) { return name_list(self.edge_names(), self.edge_count()); })
      .def("tail", [](const Hypergraph& self,
                      Index e) { return view(self, self.tail(checked(e, self.edge_count(), "hyperedge"))); })
      .def("head", [](const Hypergraph& self,
                      Index e) { return view(self, self.head(checked(e, self.edge_count(), "hyperedge"))); })
      .def("edges_of",
           [](const Hypergraph& self, Index v) {
             return view(self, self.edges_of(checked(v, self.node_count(), "node")));
           })
      .def("__eq__", [](const Hypergraph& self, const Hypergraph& other) { return self == other; })
      .def(
          "reversed", [](const Hypergraph& self) { return reversed(self); }, Unlocked())
      .def(
          "without_direction", [](const Hypergraph& self) { return without_direction(self); }, Unlocked())
      .def(
          "with_self_loops", [](const Hypergraph& self) { return with_self_loops(self); }, Unlocked())
      .def("components", [](const Hypergraph& self) { return connected_components(self).of_node; })
      .def("statistics", &statistics_of);
  module.def("load_hypergraph", &load);
  module.def("save_hypergraph", [](const Hypergraph& hypergraph, const std::string& path) {
    const py::gil_scoped_release unlocked;
    return data::save_arrays({.hypergraph = hypergraph}, path);
  });
  module.def("synthetic", &synthetic);
  module.def("random_hypergraph", &random, Unlocked());
  module.def("from_directed_graph", [](Index nodes, const Contiguous<Index>& from,
                                       const Contiguous<Index>& to, const py::object& names) {
    return from_directed_graph(nodes, {span_of(from), span_of(to)}, names_from(names));
  });
}

}  // namespace dshn::python
