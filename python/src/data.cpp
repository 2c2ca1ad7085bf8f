#include "bindings.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/assemble.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/open.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/io/load.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::python {
namespace {

using data::Dataset;
using Shared = std::shared_ptr<Dataset>;

/// Numbers as the files of data sets hold them.
template <typename T>
bool take(const py::array& given, io::Array& array) {
  if (!py::isinstance<py::array_t<T>>(given)) return false;
  const py::array_t<T, py::array::c_style> values(given);
  array = io::Array::of(std::vector<T>(values.data(), values.data() + values.size()),
                        {given.shape(), given.shape() + given.ndim()});
  return true;
}

io::Arrays arrays_from(const py::dict& given) {
  io::Arrays arrays;
  for (const auto& [key, value] : given) {
    const auto name = py::cast<std::string>(key);
    io::Array& array = arrays[name];
    if (py::isinstance<py::list>(value)) {
      const auto words = py::cast<std::vector<std::string>>(value);
      array = io::Array::of(words, {static_cast<std::int64_t>(words.size())});
      continue;
    }
    const auto numbers = py::cast<py::array>(value);
    if (!take<float>(numbers, array) && !take<double>(numbers, array) &&
        !take<std::int64_t>(numbers, array) && !take<bool>(numbers, array))
      throw UsageError("array " + name + ": expected float32, float64, int64 or bool");
  }
  return arrays;
}

std::optional<data::Task> task_from(const std::string& word) {
  return data::open_options({{"task", word}}).task;
}

Shared assemble(const Hypergraph& hypergraph, const py::dict& arrays, const std::string& name,
                const std::string& task) {
  io::Loaded loaded{.hypergraph = hypergraph, .arrays = arrays_from(arrays), .format = "memory"};
  const py::gil_scoped_release unlocked;
  return std::make_shared<Dataset>(data::assemble(std::move(loaded), {name, name, task_from(task)}));
}

Shared open(const std::string& what, const Assignments& reading, std::uint64_t seed) {
  data::OpenOptions options = data::open_options(reading);
  options.seed = seed;
  return std::make_shared<Dataset>(data::open(what, options));
}

std::vector<std::string> save(const Hypergraph& hypergraph, const py::dict& arrays, const std::string& path) {
  const io::Loaded loaded{.hypergraph = hypergraph, .arrays = arrays_from(arrays)};
  const py::gil_scoped_release unlocked;
  return data::save_arrays(loaded, path);
}

/// A number for each item and column, on the data set's own memory where all of them are stored.
py::object feature_array(const Shared& dataset, const data::Features& features) {
  if (features.cols() == 0) return py::none();
  const std::vector<py::ssize_t> shape{features.rows(), features.cols()};
  if (features.sparse()) {
    const std::vector<float> values = features.dense_values();
    return py::array_t<float>(shape, values.data());
  }
  const py::capsule owner(new Shared(dataset), [](void* kept) { delete static_cast<Shared*>(kept); });
  py::array_t<float> array(shape, features.values().data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// Numbers, or labels as 0 and 1; nothing of classes.
py::object target_array(const Dataset& dataset) {
  if (dataset.values.empty()) return py::none();
  const py::ssize_t columns = dataset.class_count;
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(dataset.values.size()) / columns, columns};
  return py::array_t<double>(shape, dataset.values.data());
}

py::list split_list(const Dataset& dataset) {
  py::list list;
  for (const data::Split& split : dataset.splits) {
    list.append(
        py::make_tuple(py::array_t<Index>(static_cast<py::ssize_t>(split.train.size()), split.train.data()),
                       py::array_t<Index>(static_cast<py::ssize_t>(split.val.size()), split.val.data()),
                       py::array_t<Index>(static_cast<py::ssize_t>(split.test.size()), split.test.data())));
  }
  return list;
}

py::list catalogue() {
  py::list list;
  for (const data::Entry& entry : data::registry())
    list.append(py::make_tuple(std::string(entry.name), std::string(entry.title), data::is_here(entry.name)));
  return list;
}

}  // namespace

void bind_data(py::module_& module) {
  py::class_<Dataset, Shared>(module, "Dataset")
      .def_readonly("name", &Dataset::name)
      .def_readonly("hypergraph", &Dataset::hypergraph)
      .def_property_readonly("of_nodes",
                             [](const Dataset& self) { return self.task == data::Task::node_classification; })
      .def_property_readonly("features",
                             [](const Shared& self) { return feature_array(self, self->node_features); })
      .def_property_readonly("edge_features",
                             [](const Shared& self) { return feature_array(self, self->edge_features); })
      .def_readonly("feature_names", &Dataset::node_feature_names)
      .def_readonly("edge_feature_names", &Dataset::edge_feature_names)
      .def_property_readonly("labels",
                             [](const Dataset& self) {
                               return py::array_t<Index>(static_cast<py::ssize_t>(self.labels.size()),
                                                         self.labels.data());
                             })
      .def_property_readonly(
          "target", [](const Dataset& self) { return std::string(data::target_kind_name(self.code.target)); })
      .def_property_readonly("targets", &target_array)
      .def_readonly("n_classes", &Dataset::class_count)
      .def_property_readonly("class_names", [](const Dataset& self) { return self.code.class_names; })
      .def_property_readonly("splits", &split_list)
      .def_readonly("warnings", &Dataset::warnings)
      .def_readonly("notes", &Dataset::notes)
      .def_property_readonly("ce_homophily",
                             [](const Dataset& self) { return data::measure(self).ce_homophily; });
  module.def("assemble_dataset", &assemble);
  module.def("open_dataset", &open, Unlocked());
  module.def("save_dataset", &save);
  module.def("catalogue", &catalogue);
}

}  // namespace dshn::python
