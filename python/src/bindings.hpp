#pragma once

// The type casters of tensors come with libtorch's own binding.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <torch/csrc/utils/pybind.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "dshn/base/options.hpp"
#include "dshn/hypergraph/hypergraph.hpp"

/// The extension module dshn._core: what the pure Python of the package stands on. One file for each topic; what is
/// convenient to people is written in Python.
namespace dshn::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_hypergraph(py::module_& module);
void bind_laplacian(py::module_& module);
void bind_models(py::module_& module);
void bind_data(py::module_& module);
void bind_train(py::module_& module);

/// Long work without Python's lock.
using Unlocked = py::call_guard<py::gil_scoped_release>;

/// A JSON document as Python's dictionaries and lists.
py::object to_python(const nlohmann::ordered_json& document);

/// Name, default, what is expected, and a line of help of each option.
py::list option_list(const std::vector<OptionSpec>& options);

}  // namespace dshn::python
