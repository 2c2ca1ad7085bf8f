#include "dshn/nn/recompute.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <utility>

#include "dshn/base/error.hpp"

namespace dshn::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kWork = "work";

/// What a context keeps beside tensors.
template <typename T>
struct Kept : torch::CustomClassHolder {
  explicit Kept(T what) : value(std::move(what)) {}
  T value;
};

template <typename T>
void keep(AutogradContext* context, const T& work, at::TensorList tensors) {
  context->save_for_backward(tensors.vec());
  context->saved_data[kWork] = c10::IValue::make_capsule(c10::make_intrusive<Kept<T>>(work));
}

template <typename T>
const T& kept(AutogradContext* context) {
  const auto capsule = context->saved_data[kWork].toCapsule();
  return static_cast<const Kept<T>*>(capsule.get())->value;
}

void refuse_second_derivatives() {
  if (at::GradMode::is_enabled())
    throw UsageError(
        "what is worked out again has no second derivative; call backward without create_graph, or detach "
        "the "
        "gradient first");
}

at::Tensor leaf_of(const at::Tensor& like, const at::Tensor& values) {
  return values.detach().requires_grad_(like.requires_grad());
}

/// The gradients of `outputs` in those leaves that want one; undefined in the others.
variable_list gradients(const variable_list& outputs, const variable_list& upstream,
                        const variable_list& leaves) {
  variable_list from;
  variable_list along;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].requires_grad() || !upstream[i].defined()) continue;
    from.push_back(outputs[i]);
    along.push_back(upstream[i]);
  }
  variable_list wanted;
  for (const at::Tensor& leaf : leaves)
    if (leaf.requires_grad()) wanted.push_back(leaf);
  variable_list result(leaves.size());
  if (from.empty() || wanted.empty()) return result;
  const variable_list found =
      torch::autograd::grad(from, wanted, along, /*retain_graph=*/false, /*create_graph=*/false,
                            /*allow_unused=*/true);
  auto next = found.begin();
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].requires_grad()) result[i] = *next++;
  return result;
}

variable_list joined(at::TensorList first, at::TensorList second) {
  variable_list all = first.vec();
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

class Recomputed : public torch::autograd::Function<Recomputed> {
 public:
  struct Job {
    Work work;
    std::size_t given;
  };

  static variable_list forward(AutogradContext* context, const Work& work, at::TensorList given,
                               at::TensorList parameters) {
    keep(context, Job{work, given.size()}, joined(given, parameters));
    return work(given.vec());
  }

  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    refuse_second_derivatives();
    const Job& job = kept<Job>(context);
    variable_list leaves = context->get_saved_variables();
    for (std::size_t i = 0; i < job.given; ++i) leaves[i] = leaf_of(leaves[i], leaves[i]);
    const at::AutoGradMode again(true);
    const auto parameters = leaves.begin() + static_cast<std::ptrdiff_t>(job.given);
    const variable_list outputs = job.work({leaves.begin(), parameters});
    const at::AutoGradMode done(false);
    variable_list found = gradients(outputs, upstream, leaves);
    found.insert(found.begin(), at::Tensor());
    return found;
  }
};

/// So many rows of a few hundred numbers fit the cache of a core.
thread_local std::int64_t rows_of_block = 8192;

std::int64_t rows_asked_for(const at::Tensor& x, const at::Tensor& numbers) {
  return numbers.defined() ? numbers.size(0) : x.size(0);
}

/// Calls function(block of x, numbers of its rows, their place among all that are asked for).
template <typename Function>
void for_blocks(const at::Tensor& x, const at::Tensor& numbers, const Function& function) {
  const std::int64_t all = rows_asked_for(x, numbers);
  for (std::int64_t begin = 0; begin < all; begin += rows_of_block) {
    const std::int64_t count = std::min(rows_of_block, all - begin);
    if (numbers.defined()) {
      const at::Tensor some = numbers.narrow(0, begin, count);
      function(x.index_select(0, some), some, begin);
    } else {
      function(x.narrow(0, begin, count), at::arange(begin, begin + count, x.options().dtype(at::kLong)),
               begin);
    }
  }
}

class RowBlocks : public torch::autograd::Function<RowBlocks> {
 public:
  struct Job {
    RowWork work;
    at::Tensor numbers;
  };

  static variable_list forward(AutogradContext* context, const Job& job, const at::Tensor& x,
                               at::TensorList parameters) {
    keep(context, job, joined({x}, parameters));
    const std::int64_t all = rows_asked_for(x, job.numbers);
    variable_list made;
    for_blocks(x, job.numbers, [&](const at::Tensor& rows, const at::Tensor& of, std::int64_t begin) {
      const variable_list parts = job.work(rows, of);
      if (made.empty())
        for (const at::Tensor& part : parts) made.push_back(room_for(all, part));
      for (std::size_t i = 0; i < parts.size(); ++i) made[i].narrow(0, begin, rows.size(0)).copy_(parts[i]);
    });
    return made;
  }

  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    refuse_second_derivatives();
    const auto& [work, numbers] = kept<Job>(context);
    variable_list leaves = context->get_saved_variables();
    const at::Tensor x = leaves[0];
    variable_list sums(leaves.size());
    if (x.requires_grad()) sums[0] = numbers.defined() ? at::zeros_like(x) : at::empty_like(x);
    const bool chosen = numbers.defined();
    for_blocks(x, numbers,
               [&, &work = work](const at::Tensor& rows, const at::Tensor& of, std::int64_t begin) {
                 leaves[0] = leaf_of(x, rows);
                 variable_list along;
                 for (const at::Tensor& g : upstream)
                   along.push_back(g.defined() ? g.narrow(0, begin, rows.size(0)) : g);
                 add(block_gradients(work, leaves, of, along), sums, of, begin, chosen);
               });
    sums.insert(sums.begin(), at::Tensor());
    return sums;
  }

 private:
  static at::Tensor room_for(std::int64_t rows, const at::Tensor& like) {
    std::vector<std::int64_t> shape = like.sizes().vec();
    shape[0] = rows;
    return at::empty(shape, like.options());
  }

  static variable_list block_gradients(const RowWork& work, const variable_list& leaves, const at::Tensor& of,
                                       const variable_list& upstream) {
    const at::AutoGradMode again(true);
    const variable_list outputs = work(leaves[0], of);
    const at::AutoGradMode done(false);
    return gradients(outputs, upstream, leaves);
  }

  static void add(const variable_list& found, variable_list& sums, const at::Tensor& of, std::int64_t begin,
                  bool chosen) {
    if (found[0].defined() && chosen) sums[0].index_copy_(0, of, found[0]);
    if (found[0].defined() && !chosen) sums[0].narrow(0, begin, of.size(0)).copy_(found[0]);
    for (std::size_t i = 1; i < found.size(); ++i) {
      if (!found[i].defined()) continue;
      if (sums[i].defined())
        sums[i].add_(found[i]);
      else
        sums[i] = found[i].clone();
    }
  }
};

}  // namespace

std::int64_t RowBlockSize::now() {
  return rows_of_block;
}

RowBlockSize::RowBlockSize(std::int64_t rows) : before_(std::exchange(rows_of_block, rows)) {}

RowBlockSize::~RowBlockSize() {
  rows_of_block = before_;
}

std::vector<at::Tensor> recomputed(const Work& work, const std::vector<at::Tensor>& given,
                                   const std::vector<at::Tensor>& parameters) {
  return Recomputed::apply(work, at::TensorList(given), at::TensorList(parameters));
}

std::vector<at::Tensor> in_row_blocks(const RowWork& work, const at::Tensor& x, const at::Tensor& numbers,
                                      const std::vector<at::Tensor>& parameters) {
  const std::int64_t all = rows_asked_for(x, numbers);
  if (all > rows_of_block)
    return RowBlocks::apply(RowBlocks::Job{work, numbers}, x, at::TensorList(parameters));
  if (numbers.defined()) return work(x.index_select(0, numbers), numbers);
  return work(x, at::arange(all, x.options().dtype(at::kLong)));
}

}  // namespace dshn::nn
