#include <complex>
#include <map>

#include "bindings.hpp"
#include "dshn/base/error.hpp"
#include "dshn/sheaf/assemble.hpp"
#include "dshn/sheaf/classical.hpp"
#include "dshn/sheaf/maps.hpp"
#include "dshn/sheaf/spectrum.hpp"

namespace dshn::python {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;

/// By the names that the program has for them.
Form form_from(const std::string& name) {
  static const std::map<std::string, Form> forms{
      {"L", Form::L}, {"Q", Form::Q}, {"L_N", Form::L_N}, {"Q_N", Form::Q_N}, {"I-Q_N", Form::I_minus_Q_N}};
  const auto found = forms.find(name);
  if (found == forms.end()) throw UsageError("form " + name + ": expected L, L_N, Q, Q_N or I-Q_N");
  return found->second;
}

/// Numbers of a vector that the array keeps.
template <typename T>
py::array handed_over(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

/// Row pointers, columns and values of a matrix in compressed rows.
py::tuple csr(sheaf::CsrMatrix matrix) {
  return py::make_tuple(handed_over(std::move(matrix.row_ptr)), handed_over(std::move(matrix.col)),
                        handed_over(std::move(matrix.values)));
}

py::tuple eigenpairs(const DirectedSheaf& self, const std::string& form, std::int64_t count, bool largest,
                     double tolerance) {
  sheaf::SpectrumOptions options;
  options.form = form_from(form);
  options.count = count;
  options.end = largest ? sheaf::End::largest : sheaf::End::smallest;
  options.tolerance = tolerance;
  const auto found = [&] {
    const py::gil_scoped_release unlocked;
    return sheaf::extreme_eigenpairs(self, options);
  }();
  if (!found.converged)
    throw Failure("only " + std::to_string(found.values.size()) + " of " + std::to_string(count) +
                  " eigenvalues converged");
  return py::make_tuple(found.values, sheaf::to_complex(found.vectors));
}

std::vector<sheaf::Arc> arcs_from(const std::vector<std::pair<Index, Index>>& pairs) {
  std::vector<sheaf::Arc> arcs;
  arcs.reserve(pairs.size());
  for (const auto& [from, to] : pairs) arcs.push_back({from, to});
  return arcs;
}

DirectedSheaf classical(const std::string& name, Index nodes,
                        const std::vector<std::pair<Index, Index>>& pairs, double charge,
                        const at::Tensor& maps) {
  const auto arcs = arcs_from(pairs);
  if (name == "graph") return sheaf::graph_laplacian(nodes, arcs);
  if (name == "sheaf") return sheaf::sheaf_laplacian(nodes, arcs, maps);
  if (name == "magnetic") return sheaf::magnetic_laplacian(nodes, arcs, charge);
  if (name == "sign-magnetic") return sheaf::sign_magnetic_laplacian(nodes, arcs);
  throw UsageError("no classical Laplacian is called " + name);
}

void bind_sheaf(py::module_& module) {
  py::class_<DirectedSheaf>(module, "Sheaf")
      .def(py::init([](const Hypergraph& hypergraph, double charge, const at::Tensor& maps, std::int64_t d,
                       bool add_identity) {
             return DirectedSheaf(hypergraph, charge, maps, d,
                                  add_identity ? sheaf::Degree::plus_identity : sheaf::Degree::blocks);
           }),
           Unlocked())
      .def_property_readonly("hypergraph", &DirectedSheaf::hypergraph)
      .def_property_readonly("charge", &DirectedSheaf::charge)
      .def_property_readonly("stalk_dimension", &DirectedSheaf::stalk_dimension)
      .def_property_readonly("dimension", &DirectedSheaf::dimension)
      .def_property_readonly("maps", &DirectedSheaf::maps)
      .def_property_readonly("real", &DirectedSheaf::is_real)
      .def_property_readonly("degree_blocks", &DirectedSheaf::degree_blocks)
      .def(
          "apply",
          [](const DirectedSheaf& self, const std::string& form, const at::Tensor& x) {
            return sheaf::to_complex(
                self.apply(form_from(form), sheaf::to_planar(x, self.stalk_dimension(), 2)));
          },
          Unlocked())
      .def(
          "energy",
          [](const DirectedSheaf& self, const at::Tensor& x, bool normalized) {
            return self.dirichlet_energy(sheaf::to_planar(x, self.stalk_dimension(), 2), normalized);
          },
          Unlocked())
      .def("spectral_bound", [](const DirectedSheaf& self,
                                const std::string& form) { return self.spectral_bound(form_from(form)); })
      .def("eigenpairs", &eigenpairs)
      .def("assemble", [](const DirectedSheaf& self, const std::string& form) {
        return csr([&] {
          const py::gil_scoped_release unlocked;
          return sheaf::assemble(self, form_from(form));
        }());
      });
}

}  // namespace

void bind_laplacian(py::module_& module) {
  bind_sheaf(module);
  module.def("map_kinds", &sheaf::map_kind_names);
  module.def("map_length", [](const std::string& kind, std::int64_t d, std::int64_t rank) {
    return sheaf::parameters_per_map(sheaf::map_kind(kind), d, rank);
  });
  module.def("maps_from_parameters",
             [](const std::string& kind, const at::Tensor& parameters, std::int64_t d, std::int64_t rank) {
               return sheaf::maps_from_parameters(sheaf::map_kind(kind), parameters, d, rank);
             });
  module.def("random_maps", [](const std::string& kind, std::int64_t count, std::int64_t d, std::int64_t rank,
                               std::uint64_t seed) {
    Random random(seed);
    return sheaf::random_maps(sheaf::map_kind(kind), count, d, random, rank);
  });
  module.def("classical_laplacian", &classical);
  module.def("duta_laplacian", [](const Hypergraph& hypergraph, const at::Tensor& maps, std::int64_t d) {
    return csr(sheaf::DutaLaplacian(hypergraph, maps, d).assemble());
  });
  module.def("zhou_laplacian", &sheaf::zhou_laplacian);
  module.def("generalized_directed_laplacian", &sheaf::generalized_directed_laplacian);
}

}  // namespace dshn::python
