#include <dlfcn.h>

#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/models/registry.hpp"

namespace dshn::python {
namespace {

/// The file of the library that holds the models: programs and shared files lie in places relative to it.
std::string library_file() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&models::find_model), &info);
  return info.dli_fname == nullptr ? "" : info.dli_fname;
}

}  // namespace

py::object to_python(const nlohmann::ordered_json& document) {
  return py::module_::import("json").attr("loads")(document.dump());
}

}  // namespace dshn::python

PYBIND11_MODULE(_core, module) {
  using namespace dshn::python;
  module.doc() = "The C++ library behind dshn.";
  module.attr("version") = DSHN_VERSION;
  bind_errors(module);
  bind_hypergraph(module);
  bind_laplacian(module);
  bind_models(module);
  bind_data(module);
  bind_train(module);
  module.def("library_file", &library_file);
  module.def("set_thread_count", &dshn::set_thread_count);
}
