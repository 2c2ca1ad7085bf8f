#include <mutex>
#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/load_model.hpp"
#include "dshn/train/predict.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::python {
namespace {

using train::Experiment;
using train::RunResult;
using train::Settings;
using Shared = std::shared_ptr<data::Dataset>;

/// Python's part in a training: it hears of epochs, and its signals and errors end the run.
class Watcher {
 public:
  explicit Watcher(py::object on_epoch) : on_epoch_(std::move(on_epoch)) {}

  void hear(const train::EpochRecord& record) {
    const std::lock_guard lock(mutex_);
    if (stopped_ || on_epoch_.is_none()) return;
    const py::gil_scoped_acquire locked;
    try {
      on_epoch_(record.split, record.epoch, record.loss, record.train, record.val, record.val_loss);
    } catch (py::error_already_set& error) {
      keep(error);
    }
  }

  bool should_stop() {
    const std::lock_guard lock(mutex_);
    if (stopped_) return true;
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return false;
    py::error_already_set error;
    keep(error);
    return true;
  }

  /// With Python's lock held, when the run has ended.
  void rethrow() {
    if (!failed_) return;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
    throw py::error_already_set();
  }

 private:
  /// Ctrl-C is what Interrupted stands for; all else goes to the caller as it is.
  void keep(py::error_already_set& error) {
    stopped_ = true;
    if (error.matches(PyExc_KeyboardInterrupt)) return;
    raised_ = error.value();
    failed_ = true;
  }

  std::mutex mutex_;
  py::object on_epoch_;
  py::object raised_;
  bool stopped_ = false;
  bool failed_ = false;
};

RunResult run(const Experiment& experiment, const std::string& folder, bool resume, py::object on_epoch) {
  Watcher watcher(std::move(on_epoch));
  train::SplitHooks hooks;
  hooks.on_epoch = [&](const train::EpochRecord& record) { watcher.hear(record); };
  hooks.should_stop = [&] { return watcher.should_stop(); };
  try {
    const py::gil_scoped_release unlocked;
    if (!folder.empty()) train::prepare_folder(experiment.settings, folder, resume);
    return train::run(experiment, folder, hooks);
  } catch (const train::Interrupted&) {
    watcher.rethrow();
    throw;
  }
}

const train::SplitResult& split_of(const RunResult& result, std::size_t split) {
  if (split < result.splits.size()) return result.splits[split];
  throw UsageError("split " + std::to_string(split) + ": the run has " +
                   std::to_string(result.splits.size()));
}

/// The run's own data set, which must not have changed; or another one, given or by name, read in the same manner.
Shared data_of_run(const std::string& run, Settings& settings, const std::string& other,
                   const Assignments& reading) {
  const data::OpenOptions options = train::options_for_data(run, settings, other, reading);
  auto dataset = std::make_shared<data::Dataset>(data::open(settings.data, options));
  if (other.empty()) train::check_unchanged(*dataset, run);
  return dataset;
}

at::Tensor predict(const std::string& run, int split, const Settings& settings, const data::Dataset& dataset,
                   bool embeddings) {
  const train::LoadedModel model = train::load_model(run, split, settings, dataset);
  return embeddings ? train::embeddings(model) : train::predict(model);
}

void bind_settings(py::module_& module) {
  py::class_<Settings>(module, "Settings")
      .def(py::init<>())
      .def_readwrite("data", &Settings::data)
      .def_readwrite("model", &Settings::model)
      .def_readwrite("splits", &Settings::splits)
      .def_readwrite("seed", &Settings::seed)
      .def_readwrite("device", &Settings::device)
      .def_readwrite("set", &Settings::set)
      .def_readwrite("preset", &Settings::preset)
      .def_readwrite("reading", &Settings::reading)
      .def("all_options", &Settings::all_options);
  module.def("training_options", [] { return option_list(train::training_options()); });
  module.def("read_config", [](const std::string& path) { return train::read_config(path); });
  module.def("read_run", [](const std::string& folder) { return train::read_run(folder); });
  module.def("remove_run", [](const std::string& folder) { train::remove_run(folder); });
}

}  // namespace

void bind_train(py::module_& module) {
  bind_settings(module);
  py::class_<Experiment>(module, "Experiment")
      .def(py::init(
               [](const Shared& dataset, const Settings& settings) { return Experiment(dataset, settings); }),
           Unlocked())
      .def_readonly("warnings", &Experiment::warnings)
      .def_readonly("protocol", &Experiment::protocol)
      .def_readonly("metric", &Experiment::metric)
      .def_property_readonly("settings", [](const Experiment& self) { return self.settings; })
      .def_property_readonly("n_splits", [](const Experiment& self) { return self.splits.size(); })
      .def("split",
           [](const Experiment& self, std::size_t split) {
             const data::Split& parts = self.splits.at(split);
             return py::make_tuple(parts.train, parts.val, parts.test);
           })
      // The features as the model is given them, zeros included.
      .def(
          "features", [](const Experiment& self) { return self.input.x.dense(); }, Unlocked())
      .def("edge_features", [](const Experiment& self) -> ops::OptionalTensor {
        return self.input.edge_x.defined() ? ops::OptionalTensor(self.input.edge_x) : ops::OptionalTensor();
      });
  py::class_<RunResult>(module, "RunResult")
      .def("document",
           [](const RunResult& self, const Experiment& experiment, const std::string& folder) {
             return to_python(train::to_json(self, experiment, folder));
           })
      .def("probabilities",
           [](const RunResult& self, std::size_t split) { return split_of(self, split).predictions; })
      .def("weights", [](const RunResult& self, std::size_t split) { return split_of(self, split).weights; });
  module.def("run", &run);
  module.def(
      "data_of_run",
      [](const std::string& run, Settings settings, const std::string& other, const Assignments& reading) {
        const Shared dataset = data_of_run(run, settings, other, reading);
        return std::pair(dataset, settings);
      },
      Unlocked());
  module.def("predict", &predict, Unlocked());
}

}  // namespace dshn::python
