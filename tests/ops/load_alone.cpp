// What torch.ops.load_library does, without Python: opens the library of the room ops in a program that knows
// only libtorch, finds the operators in the dispatcher and calls one with a gradient.
// Usage: ops_load_alone LIBRARY
#include <dlfcn.h>
#include <torch/custom_class.h>
#include <torch/torch.h>

#include <cstdio>
#include <vector>

namespace {

at::Tensor longs(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::kLong);
}

int failed(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

/// One hyperedge {0} -> {1}.
c10::IValue one_directed_edge() {
  const auto type = torch::getCustomClass("__torch__.torch.classes.dshn.Incidence");
  const auto object = c10::ivalue::Object::create(c10::StrongTypePtr(nullptr, type), 1);
  torch::jit::Stack stack{object, longs({0, 2}), longs({1}),
                          torch::tensor(std::vector<int>{0, 1}, torch::kInt), 2};
  type->getMethod("__init__").run(stack);
  return object;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return failed("usage: ops_load_alone LIBRARY");
  const c10::OperatorName name("dshn::sheaf_diffuse", "");
  if (c10::Dispatcher::singleton().findSchema(name))
    return failed("the operator was there before its library");
  if (dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == nullptr) return failed(dlerror());
  const auto op = c10::Dispatcher::singleton().findSchema(name);
  if (!op) return failed("dshn::sheaf_diffuse was not registered");

  // With trivial maps and q = 1/4: Q_N = [[1, i], [-i, 1]] / 2, with rows in the order of the nodes.
  const at::Tensor x = torch::zeros({2, 1, 2, 1});
  x[0][0][0][0] = 1;
  const at::Tensor maps = torch::ones({2, 1}).requires_grad_(true);
  const at::Tensor q = torch::tensor(0.25F);
  torch::jit::Stack stack{x, maps, q, c10::IValue(), one_directed_edge()};
  op->callBoxed(stack);
  const at::Tensor y = stack.at(0).toTensor();
  const at::Tensor expected = torch::tensor({0.5F, 0.0F, 0.0F, -0.5F}).view({2, 1, 2, 1});
  if (!at::allclose(y, expected, 1e-5, 1e-6)) return failed("dshn::sheaf_diffuse gave a wrong result");
  y.sum().backward();
  if (!maps.grad().defined()) return failed("dshn::sheaf_diffuse gave no gradient");
  return 0;
}
