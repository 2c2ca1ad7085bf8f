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
  m.def(
      "sheaf_rectified(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor? skip, float p, "
      "Tensor? step_key, int call, Tensor[] incidence) -> Tensor");
  m.def(
      "_sheaf_rectified(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor? skip, float p, "
      "Tensor? step_key, int call, Tensor[] incidence) -> (Tensor, Tensor)");
  m.def("degree_blocks(Tensor maps, Tensor? weight, Tensor[] incidence) -> Tensor");
  m.def("_degree_blocks(Tensor maps, Tensor? weight, Tensor[] incidence) -> Tensor");
  m.def(
      "_degree_blocks_backward(Tensor gd, Tensor maps, Tensor? weight, Tensor[] incidence) -> (Tensor, "
      "Tensor)");
  m.def("inverse_sqrt(Tensor blocks) -> Tensor");
  m.def("_inverse_sqrt(Tensor blocks) -> (Tensor, Tensor, Tensor)");
  m.def("_inverse_sqrt_backward(Tensor gn, Tensor vectors, Tensor values) -> Tensor");
  m.def("scale_maps(Tensor maps, Tensor blocks, Tensor[] incidence) -> Tensor");
  m.def("_scale_maps(Tensor maps, Tensor blocks, Tensor[] incidence) -> Tensor");
  m.def(
      "_scale_maps_backward(Tensor gm, Tensor maps, Tensor blocks, Tensor[] incidence) -> (Tensor, Tensor)");
  m.def("dropout(Tensor x, float p, Tensor step_key, int call, int planes, int channels) -> Tensor");
  m.def("dropout_at(Tensor values, Tensor numbers, float p, Tensor step_key, int call) -> Tensor");
  m.def("rectify(Tensor y, Tensor? skip, float p, Tensor? step_key, int call) -> Tensor");
  m.def("_rectify(Tensor y, Tensor? skip, float p, Tensor? step_key, int call) -> Tensor");
  m.def("_rectify_backward(Tensor g, Tensor out, float p) -> Tensor");
  m.def("stalk_product(Tensor x, Tensor weight) -> Tensor");
  m.def("stalk_product_and_mean(Tensor x, Tensor weight) -> (Tensor, Tensor)");
  m.def("_stalk_product(Tensor x, Tensor weight, Tensor? added, bool mean) -> (Tensor, Tensor)");
  m.def("_stalk_weight_gradient(Tensor gy, Tensor x) -> Tensor");
  m.def("whiten(Tensor x, float epsilon) -> Tensor");
  m.def("_whiten(Tensor x, float epsilon) -> Tensor");
  m.def("_whiten_backward(Tensor g, Tensor x, float epsilon) -> Tensor");
  m.def("sheaf_diffuse(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor[] incidence) -> Tensor");

  m.def("gather_sum(Tensor x, Tensor? coefficients, str over, Tensor[] incidence) -> Tensor");
  m.def("gather_mean(Tensor x, str over, Tensor[] incidence) -> Tensor");
  m.def("gather_max(Tensor x, str over, Tensor[] incidence) -> Tensor");
  m.def("segment_sum(Tensor values, str over, Tensor[] incidence) -> Tensor");
  m.def("segment_mean(Tensor values, str over, Tensor[] incidence) -> Tensor");
  m.def("segment_max(Tensor values, str over, Tensor[] incidence) -> Tensor");
  m.def("expand(Tensor rows, str over, Tensor[] incidence) -> Tensor");
  m.def("incidence_linear(Tensor node_rows, Tensor edge_rows, Tensor[] incidence) -> Tensor");
  m.def("member_linear(Tensor node_rows, Tensor member_rows, bool mean, Tensor[] incidence) -> Tensor");
  m.def("segment_softmax(Tensor values, str over, Tensor[] incidence) -> Tensor");
  // `nodes`: over nodes, else over hyperedges; `reduce`: 0 sum, 1 mean, 2 max.
  m.def(
      "_gather(Tensor x, Tensor? coefficients, bool nodes, int reduce, Tensor[] incidence) -> (Tensor, "
      "Tensor)");
  m.def(
      "_gather_coefficients_backward(Tensor gy, Tensor x, int heads, bool nodes, Tensor[] incidence) -> "
      "Tensor");
  m.def("_gather_max_backward(Tensor gy, Tensor winner, bool nodes, Tensor[] incidence) -> Tensor");
  m.def("_segment(Tensor values, bool nodes, int reduce, Tensor[] incidence) -> (Tensor, Tensor)");
  m.def("_segment_max_backward(Tensor gy, Tensor winner, bool nodes, Tensor[] incidence) -> Tensor");
  m.def("_expand(Tensor? nodes, Tensor? edges, Tensor[] incidence) -> Tensor");
  m.def("_segment_softmax(Tensor values, bool nodes, Tensor[] incidence) -> Tensor");
  m.def("_segment_softmax_backward(Tensor gy, Tensor y, bool nodes, Tensor[] incidence) -> Tensor");
}
