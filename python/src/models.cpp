#include "bindings.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/feature_matrix.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/safetensors.hpp"

namespace dshn::python {
namespace {

using models::Input;
using models::Model;

py::dict option_entry(const OptionSpec& option) {
  py::dict entry;
  entry["name"] = option.name;
  entry["default"] = option.default_value;
  entry["expected"] = option.expected();
  entry["help"] = option.help;
  return entry;
}

}  // namespace

py::list option_list(const std::vector<OptionSpec>& options) {
  py::list list;
  for (const OptionSpec& option : options) list.append(option_entry(option));
  return list;
}

namespace {

py::list registry() {
  py::list list;
  for (const models::ModelEntry& model : models::all_models()) {
    py::dict entry;
    entry["name"] = model.name;
    entry["title"] = model.title;
    entry["summary"] = model.summary;
    entry["is_rule"] = model.is_rule;
    entry["options"] = option_list(model.options);
    list.append(entry);
  }
  return list;
}

std::shared_ptr<Model> create(const std::string& name, const Assignments& options,
                              const models::Sizes& sizes) {
  const models::ModelEntry& entry = models::find_model(name);
  return entry.create(Options(entry.options, options), sizes);
}

/// (name, tensor) of all parameters, or of all buffers, by the dotted names of their modules.
template <typename Items>
py::list named(const Items& items) {
  py::list list;
  for (const auto& item : items) list.append(py::make_tuple(item.key(), item.value()));
  return list;
}

/// By their entries where the library would store a data set's features so: the same speed, and the same bits.
nn::FeatureRows rows_of(const at::Tensor& given) {
  const at::Tensor x = given.layout() == at::kStrided ? given : given.to_dense();
  if (x.requires_grad() || !x.is_cpu()) return x;
  const data::Features alike(static_cast<Index>(x.size(0)), static_cast<Index>(x.size(1)),
                             std::vector<float>());
  if (!alike.worth_entries(0) || !alike.worth_entries(x.count_nonzero().item<std::int64_t>())) return x;
  return nn::FeatureRows::by_entries(x);
}

Input with_features(const Input& input, const at::Tensor& x, const ops::OptionalTensor& edge_x) {
  Input changed = input;
  changed.x = rows_of(x);
  changed.edge_x = edge_x.has_value() ? *edge_x : at::Tensor();
  return changed;
}

}  // namespace

void bind_models(py::module_& module) {
  py::class_<models::Sizes>(module, "Sizes")
      .def(py::init([](std::int64_t nodes, std::int64_t edges, std::int64_t features,
                       std::int64_t edge_features, std::int64_t classes, bool of_nodes) {
        return models::Sizes{nodes,    edges,
                             features, edge_features,
                             classes,  of_nodes ? models::Target::nodes : models::Target::hyperedges};
      }));
  py::class_<Input>(module, "Input")
      .def(py::init([](const Hypergraph& hypergraph, const at::Tensor& x, const at::Device& device) {
             return Input(hypergraph, x, {}).to(device, x.scalar_type());
           }),
           Unlocked())
      .def("with_features", &with_features, Unlocked());
  py::class_<nn::MaskStream>(module, "MaskStream")
      .def(
          py::init([](std::uint64_t seed, const at::Device& device) { return nn::MaskStream(seed, device); }))
      .def("start", &nn::MaskStream::start);
  py::class_<Model, std::shared_ptr<Model>>(module, "Model")
      .def("parameters", [](const Model& self) { return named(self.named_parameters()); })
      .def("buffers", [](const Model& self) { return named(self.named_buffers()); })
      .def("decays", &Model::decays)
      .def("train", [](Model& self, bool on) { self.train(on); })
      .def("prepare", &Model::prepare, Unlocked())
      .def(
          "forward",
          [](Model& self, const Input& input, bool training, nn::MaskStream& masks) {
            return self.forward(input, {training, &masks});
          },
          Unlocked())
      .def(
          "represent",
          [](Model& self, const Input& input) -> ops::OptionalTensor {
            const at::Tensor rows = self.represent(input, {});
            return rows.defined() ? ops::OptionalTensor(rows) : ops::OptionalTensor();
          },
          Unlocked())
      .def("sheaves", [](Model& self, const Input& input) {
        py::list list;
        for (const models::LayerSheaf& layer : self.sheaves(input)) {
          if (layer.charges.defined() || layer.degrees_alone)
            throw UsageError(
                "the sheaf has a charge for each hyperedge, or degrees alone, and is no Laplacian of one "
                "charge");
          list.append(py::make_tuple(layer.maps, layer.charge, layer.stalk_dimension, layer.add_identity));
        }
        return list;
      });
  module.def("models", &registry);
  module.def("create_model", &create);
  module.def("write_safetensors",
             [](const std::string& path, const std::map<std::string, at::Tensor>& tensors,
                const std::map<std::string, std::string>& metadata) {
               train::write_safetensors(path, {tensors, metadata});
             });
  module.def("read_safetensors", [](const std::string& path) {
    const train::TensorFile file = train::read_safetensors(path);
    return py::make_tuple(file.tensors, file.metadata);
  });
}

}  // namespace dshn::python
