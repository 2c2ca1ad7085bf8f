// Schemas of all registered operators. A leading underscore marks what only the autograd formulas call.
#include <torch/library.h>

TORCH_LIBRARY(dshn, m) {
  m.def("sheaf_signless(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor[] incidence) -> Tensor");
  m.def(
      "_sheaf_signless(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor[] incidence) -> (Tensor, "
      "Tensor)");
  m.def(
      "_sheaf_signless_backward(Tensor gy, Tensor x, Tensor h, Tensor maps, Tensor? q, Tensor? weight, "
      "Tensor[] incidence, bool[4] needs) -> (Tensor, Tensor, Tensor, Tensor)");
  m.def("degree_blocks(Tensor maps, Tensor? weight, Tensor[] incidence) -> Tensor");
  m.def(
      "_degree_blocks_backward(Tensor gd, Tensor maps, Tensor? weight, Tensor[] incidence) -> (Tensor, "
      "Tensor)");
  m.def("inverse_sqrt(Tensor blocks) -> Tensor");
  m.def("_inverse_sqrt(Tensor blocks) -> (Tensor, Tensor, Tensor)");
  m.def("_inverse_sqrt_backward(Tensor gn, Tensor vectors, Tensor values) -> Tensor");
  m.def("scale_maps(Tensor maps, Tensor blocks, Tensor[] incidence) -> Tensor");
  m.def(
      "_scale_maps_backward(Tensor gm, Tensor maps, Tensor blocks, Tensor[] incidence) -> (Tensor, Tensor)");
  m.def("sheaf_diffuse(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor[] incidence) -> Tensor");
}
