// The Dirichlet energy as a sum of squares, hyperedge by hyperedge.
#include <ATen/ATen.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "dshn/base/parallel.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"
#include "sheaf/blocks.hpp"
#include "sheaf/restrictions.hpp"

namespace dshn::sheaf {
namespace {

/// a_ue = s_ue F_ue x_u for all channels of one incidence: [d, 2, f], imaginary planes of real signals being
/// zero.
class Restricted {
 public:
  Restricted(const DirectedSheaf& sheaf, const at::Tensor& maps, const at::Tensor& x)
      : hypergraph_(sheaf.hypergraph()),
        maps_(maps, sheaf.stalk_dimension()),
        d_(sheaf.stalk_dimension()),
        planes_(x.size(2)),
        f_(x.size(3)),
        x_(x.data_ptr<double>()),
        tail_(sheaf.is_real() ? Complex(1) : tail_phase(sheaf.charge())) {}

  std::int64_t size() const { return d_ * 2 * f_; }

  void at(Index e, Offset i, std::vector<double>& out) const {
    const double* x = x_ + hypergraph_.member_nodes()[i] * d_ * planes_ * f_;
    const Complex s = hypergraph_.role(e, i) == Role::tail ? tail_ : Complex(1);
    std::fill(out.begin(), out.end(), 0.0);
    for (std::int64_t a = 0; a < d_; ++a) {
      double* re = out.data() + a * 2 * f_;
      double* im = re + f_;
      for (std::int64_t b = 0; b < d_; ++b) {
        const double entry = maps_.entry(i, a, b);
        if (entry == 0) continue;
        const double* in = x + b * planes_ * f_;
        for (std::int64_t c = 0; c < f_; ++c) {
          const Complex value = entry * s * Complex(in[c], planes_ == 2 ? in[f_ + c] : 0.0);
          re[c] += value.real();
          im[c] += value.imag();
        }
      }
    }
  }

 private:
  const Hypergraph& hypergraph_;
  MapEntries maps_;
  std::int64_t d_, planes_, f_;
  const double* x_;
  Complex tail_;
};

/// out[c] = w_e sum_u m_ue |a_ue - mean|^2 of one hyperedge, channel by channel; m are the incidences' weights.
void edge_energy(const Hypergraph& h, const Restricted& restricted, Index e, std::int64_t channels,
                 double* out) {
  std::vector<double> mean(restricted.size(), 0.0);
  std::vector<double> a(restricted.size());
  const double share = h.size(e) > 0 ? 1.0 / h.total_weight(e) : 0.0;
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
    restricted.at(e, i, a);
    const double part = share * h.incidence_weight(i);
    for (std::size_t j = 0; j < a.size(); ++j) mean[j] += part * a[j];
  }
  std::fill_n(out, channels, 0.0);
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
    restricted.at(e, i, a);
    const double weight = h.weight(e) * h.incidence_weight(i);
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double difference = a[j] - mean[j];
      out[static_cast<std::int64_t>(j) % channels] += weight * difference * difference;
    }
  }
}

}  // namespace

at::Tensor DirectedSheaf::dirichlet_energy(const at::Tensor& x, bool normalized) const {
  check_signal(x);
  const at::Tensor signal = x.detach().contiguous();
  const std::int64_t channels = signal.size(3);
  const Restricted restricted(*this, normalized ? normalized_maps_ : maps_, signal);
  std::vector<double> shares(hypergraph_.edge_count() * channels);
  parallel_for(hypergraph_.edge_count(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t e = begin; e < end && channels > 0; ++e) {
      edge_energy(hypergraph_, restricted, static_cast<Index>(e), channels, shares.data() + e * channels);
    }
  });
  // Added in order, so that the result does not depend on the number of threads.
  at::Tensor total = at::zeros({channels}, at::kDouble);
  auto* sums = total.data_ptr<double>();
  for (std::size_t j = 0; j < shares.size(); ++j) sums[static_cast<std::int64_t>(j) % channels] += shares[j];
  if (kind_ == Degree::blocks) return total;
  const at::Tensor own = normalized ? blocks::multiply(inverse_sqrt_, signal) : signal;
  return total + blocks::column_products(own, own);
}

}  // namespace dshn::sheaf
