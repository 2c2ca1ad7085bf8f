#include "dshn/nn/elementwise.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "dshn/ops/parallel_pieces.hpp"

namespace dshn::nn {
namespace {

/// A multiple of every vector's length.
constexpr std::int64_t kPiece = 1 << 15;

/// function(begin, count) of each piece, on one thread each, into a tensor like x.
template <typename Function>
at::Tensor by_pieces(const at::Tensor& x, const Function& function) {
  at::Tensor result = at::empty(x.sizes(), x.options());
  const at::Tensor flat = result.view({-1});
  ops::cpu::parallel_pieces((x.numel() + kPiece - 1) / kPiece, [&](std::int64_t first, std::int64_t last) {
    const at::NoGradGuard no_grad;
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    for (std::int64_t begin = first * kPiece; begin < std::min(last * kPiece, x.numel()); begin += kPiece) {
      const std::int64_t count = std::min(kPiece, x.numel() - begin);
      flat.narrow(0, begin, count).copy_(function(begin, count));
    }
  });
  return result;
}

/// Rule::value(x, p), and Rule::gradient(upstream, x, y, p) for y = value, which may look at x if Rule::kOfInput.
template <typename Rule>
class Elementwise : public torch::autograd::Function<Elementwise<Rule>> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, double p) {
    const at::Tensor whole = x.contiguous();
    const at::Tensor flat = whole.view({-1});
    at::Tensor y = by_pieces(whole, [&](std::int64_t begin, std::int64_t count) {
      return Rule::value(flat.narrow(0, begin, count), p);
    });
    context->save_for_backward({Rule::kOfInput ? whole : at::Tensor(), y});
    context->saved_data["p"] = p;
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const double p = context->saved_data["p"].toDouble();
    const at::Tensor g = upstream[0].contiguous().view({-1});
    const at::Tensor y = saved[1].view({-1});
    const at::Tensor x = Rule::kOfInput ? saved[0].view({-1}) : y;
    at::Tensor gradient = by_pieces(saved[1], [&](std::int64_t begin, std::int64_t count) {
      const auto part = [&](const at::Tensor& values) { return values.narrow(0, begin, count); };
      return Rule::gradient(part(g), part(x), part(y), p);
    });
    return {gradient, at::Tensor()};
  }
};

/// On a card the threads are always the same ones.
template <typename Rule>
at::Tensor apply(const at::Tensor& x, double p = 0) {
  return x.is_cpu() ? Elementwise<Rule>::apply(x, p) : Rule::value(x, p);
}

using T = const at::Tensor&;

struct Elu {
  static constexpr bool kOfInput = false;
  static at::Tensor value(T x, double) { return at::elu(x); }
  static at::Tensor gradient(T g, T, T y, double) {
    return at::elu_backward(g, 1, 1, 1, /*is_result=*/true, y);
  }
};
struct Sigmoid {
  static constexpr bool kOfInput = false;
  static at::Tensor value(T x, double) { return at::sigmoid(x); }
  static at::Tensor gradient(T g, T, T y, double) { return at::sigmoid_backward(g, y); }
};
struct Tanh {
  static constexpr bool kOfInput = false;
  static at::Tensor value(T x, double) { return at::tanh(x); }
  static at::Tensor gradient(T g, T, T y, double) { return at::tanh_backward(g, y); }
};
struct Exp {
  static constexpr bool kOfInput = false;
  static at::Tensor value(T x, double) { return at::exp(x); }
  static at::Tensor gradient(T g, T, T y, double) { return g * y; }
};
struct Log {
  static constexpr bool kOfInput = true;
  static at::Tensor value(T x, double) { return at::log(x); }
  static at::Tensor gradient(T g, T x, T, double) { return g / x; }
};
struct Cos {
  static constexpr bool kOfInput = true;
  static at::Tensor value(T x, double) { return at::cos(x); }
  static at::Tensor gradient(T g, T x, T, double) { return -g * at::sin(x); }
};
struct Sin {
  static constexpr bool kOfInput = true;
  static at::Tensor value(T x, double) { return at::sin(x); }
  static at::Tensor gradient(T g, T x, T, double) { return g * at::cos(x); }
};
struct Pow {
  static constexpr bool kOfInput = true;
  static at::Tensor value(T x, double p) { return at::pow(x, p); }
  static at::Tensor gradient(T g, T x, T, double p) { return g * p * at::pow(x, p - 1); }
};

}  // namespace

at::Tensor elu(const at::Tensor& x) {
  return apply<Elu>(x);
}
at::Tensor sigmoid(const at::Tensor& x) {
  return apply<Sigmoid>(x);
}
at::Tensor tanh(const at::Tensor& x) {
  return apply<Tanh>(x);
}
at::Tensor exp(const at::Tensor& x) {
  return apply<Exp>(x);
}
at::Tensor log(const at::Tensor& x) {
  return apply<Log>(x);
}
at::Tensor cos(const at::Tensor& x) {
  return apply<Cos>(x);
}
at::Tensor sin(const at::Tensor& x) {
  return apply<Sin>(x);
}
at::Tensor pow(const at::Tensor& x, double exponent) {
  return apply<Pow>(x, exponent);
}

}  // namespace dshn::nn
