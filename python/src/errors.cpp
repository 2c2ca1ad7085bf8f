#include "bindings.hpp"
#include "dshn/base/error.hpp"
#include "dshn/train/split_run.hpp"

namespace dshn::python {
namespace {

/// The classes are written in Python (dshn/errors.py), with their bases and their words.
void raise(const char* type, const std::string& message) {
  const py::object errors = py::module_::import("dshn.errors");
  PyErr_SetString(errors.attr(type).ptr(), message.c_str());
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const UsageError& error) {
    raise("UsageError", error.what());
  } catch (const InvalidInput& error) {
    raise("InvalidInput", error.what());
  } catch (const train::Interrupted& error) {
    raise("Interrupted", error.what());
  } catch (const Error& error) {
    raise("Failure", error.what());
  } catch (const c10::Error& error) {
    // Without the stack trace that libtorch puts behind its first line.
    raise("UsageError", first_line(error));
  }
}

}  // namespace

void bind_errors(py::module_& /*module*/) {
  // Local: torch shares pybind11's tables with this module.
  py::register_local_exception_translator(translate);
}

}  // namespace dshn::python
