#include "dshn/sheaf/assemble.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "dshn/base/parallel.hpp"
#include "sheaf/restrictions.hpp"

namespace dshn::sheaf {
namespace {

constexpr std::int64_t kNodesPerPiece = 64;

/// The nodes that share a hyperedge with u, and u itself, ascending. `seen` holds the last node that saw each
/// node.
void neighbours(const Hypergraph& h, Index u, std::vector<Index>& seen, std::vector<Index>& found) {
  found.assign(1, u);
  seen[u] = u;
  for (const Index e : h.edges_of(u)) {
    for (const Index v : h.members(e)) {
      if (seen[v] == u) continue;
      seen[v] = u;
      found.push_back(v);
    }
  }
  std::sort(found.begin(), found.end());
}

std::vector<std::int64_t> neighbour_counts(const Hypergraph& h) {
  std::vector<std::int64_t> counts(h.node_count());
  parallel_for(h.node_count(), kNodesPerPiece, [&](std::int64_t first, std::int64_t last) {
    std::vector<Index> seen(h.node_count(), -1);
    std::vector<Index> found;
    for (std::int64_t u = first; u < last; ++u) {
      neighbours(h, static_cast<Index>(u), seen, found);
      counts[u] = static_cast<std::int64_t>(found.size());
    }
  });
  return counts;
}

/// Fills the d rows of one node after the other.
class RowWriter {
 public:
  RowWriter(const DirectedSheaf& sheaf, Form form, CsrMatrix& matrix)
      : h_(sheaf.hypergraph()),
        d_(sheaf.stalk_dimension()),
        sign_(form == Form::Q || form == Form::Q_N ? 1.0 : -1.0),
        maps_(form == Form::L || form == Form::Q ? sheaf.maps() : sheaf.normalized_maps(), d_),
        blocks_(diagonal_of(sheaf, form)),
        diagonal_(blocks_.defined() ? std::optional(MapEntries(blocks_, d_)) : std::nullopt),
        tail_(sheaf.is_real() ? Complex(1) : tail_phase(sheaf.charge())),
        matrix_(matrix),
        seen_(h_.node_count(), -1),
        slot_(h_.node_count()) {}

  void node(Index u) {
    neighbours(h_, u, seen_, found_);
    sums_.assign(found_.size() * d_ * d_, Complex(0));
    for (std::size_t j = 0; j < found_.size(); ++j) slot_[found_[j]] = static_cast<std::int64_t>(j);
    for (Offset i = h_.node_ptr()[u]; i < h_.node_ptr()[u + 1]; ++i) {
      add_hyperedge(h_.node_edges()[i], h_.node_incidences()[i]);
    }
    finish(u);
    write(u);
  }

 private:
  static at::Tensor diagonal_of(const DirectedSheaf& sheaf, Form form) {
    if (form == Form::L) return sheaf.degree_blocks();
    if (form == Form::L_N) return sheaf.range_projection();
    if (form == Form::I_minus_Q_N) return at::ones({sheaf.hypergraph().node_count(), 1}, at::kDouble);
    return {};
  }

  Complex phase(Index e, Offset i) const { return h_.role(e, i) == Role::tail ? tail_ : Complex(1); }

  /// sums_v += conj(s_u) s_v (w_e/delta_e) m_u m_v F_u^T F_v for all members v of e, with the incidences' weights m
  /// and their sum delta_e; `own` is the incidence of u.
  void add_hyperedge(Index e, Offset own) {
    const double scale = h_.weight(e) / h_.total_weight(e) * h_.incidence_weight(own);
    for (Offset i = h_.edge_ptr()[e]; i < h_.edge_ptr()[e + 1]; ++i) {
      const Complex factor = scale * h_.incidence_weight(i) * std::conj(phase(e, own)) * phase(e, i);
      Complex* block = sums_.data() + slot_[h_.member_nodes()[i]] * d_ * d_;
      for (std::int64_t a = 0; a < d_; ++a) {
        for (std::int64_t b = maps_.general() ? 0 : a; b < (maps_.general() ? d_ : a + 1); ++b) {
          double product = 0;
          for (std::int64_t k = maps_.general() ? 0 : a; k < (maps_.general() ? d_ : a + 1); ++k)
            product += maps_.entry(own, k, a) * maps_.entry(i, k, b);
          block[a * d_ + b] += factor * product;
        }
      }
    }
  }

  /// From blocks of Q or Q_N to those of the form that is wanted.
  void finish(Index u) {
    for (Complex& sum : sums_) sum *= sign_;
    if (!diagonal_) return;
    Complex* block = sums_.data() + slot_[u] * d_ * d_;
    for (std::int64_t a = 0; a < d_; ++a) {
      for (std::int64_t b = 0; b < d_; ++b) block[a * d_ + b] += diagonal_->entry(u, a, b);
    }
  }

  void write(Index u) {
    for (std::int64_t a = 0; a < d_; ++a) {
      std::int64_t at = matrix_.row_ptr[u * d_ + a];
      for (std::size_t j = 0; j < found_.size(); ++j) {
        for (std::int64_t b = maps_.general() ? 0 : a; b < (maps_.general() ? d_ : a + 1); ++b) {
          matrix_.col[at] = found_[j] * d_ + b;
          matrix_.values[at++] = sums_[(j * d_ + a) * d_ + b];
        }
      }
    }
  }

  const Hypergraph& h_;
  std::int64_t d_;
  double sign_;
  MapEntries maps_;
  at::Tensor blocks_;  // what diagonal_ reads; undefined for Q and Q_N
  std::optional<MapEntries> diagonal_;
  Complex tail_;
  CsrMatrix& matrix_;
  std::vector<Index> seen_;
  std::vector<std::int64_t> slot_;
  std::vector<Index> found_;
  std::vector<Complex> sums_;
};

/// Rows of a d x d block that meet one column: d for general maps, 1 for diagonal ones.
std::int64_t entries_per_row(const DirectedSheaf& sheaf) {
  return sheaf.maps().dim() == 3 ? sheaf.stalk_dimension() : 1;
}

}  // namespace

std::int64_t member_pairs(const Hypergraph& hypergraph) {
  std::int64_t pairs = 0;
  for (Index e = 0; e < hypergraph.edge_count(); ++e) pairs += hypergraph.size(e) * hypergraph.size(e);
  return pairs;
}

std::int64_t block_count(const Hypergraph& hypergraph) {
  const std::vector<std::int64_t> counts = neighbour_counts(hypergraph);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

BlockEstimate estimate_blocks(const Hypergraph& hypergraph) {
  constexpr std::int64_t kCountablePairs = 1'000'000'000;
  const std::int64_t n = hypergraph.node_count();
  const std::int64_t pairs = member_pairs(hypergraph);
  if (pairs <= kCountablePairs) return {pairs, block_count(hypergraph), true};
  return {pairs, std::min(pairs + n, n * n), false};
}

Cost matrix_free_cost(const DirectedSheaf& sheaf) {
  const Hypergraph& h = sheaf.hypergraph();
  const std::int64_t d = sheaf.stalk_dimension();
  const std::int64_t planes = sheaf.planes();
  const std::int64_t number = sizeof(double);
  return {2 * h.incidence_count() * d * entries_per_row(sheaf) * planes,
          static_cast<std::int64_t>(h.memory_bytes()) + sheaf.maps().numel() * number +
              h.edge_count() * d * planes * number};
}

Cost assembled_cost(const DirectedSheaf& sheaf, std::int64_t blocks) {
  const std::int64_t entries = blocks * sheaf.stalk_dimension() * entries_per_row(sheaf);
  const std::int64_t planes = sheaf.planes();
  const std::int64_t bytes = entries * (planes * sizeof(double) + sizeof(std::int64_t)) +
                             (sheaf.dimension() + 1) * sizeof(std::int64_t);
  return {entries * planes * planes, bytes};
}

CsrMatrix assemble(const DirectedSheaf& sheaf, Form form) {
  const Hypergraph& h = sheaf.hypergraph();
  const std::int64_t d = sheaf.stalk_dimension();
  const std::vector<std::int64_t> counts = neighbour_counts(h);
  CsrMatrix matrix{
      sheaf.dimension(), std::vector<std::int64_t>(sheaf.dimension() + 1), {}, {}, sheaf.is_real()};
  for (std::int64_t r = 0; r < matrix.dimension; ++r) {
    matrix.row_ptr[r + 1] = matrix.row_ptr[r] + counts[r / d] * entries_per_row(sheaf);
  }
  matrix.col.resize(matrix.row_ptr.back());
  matrix.values.resize(matrix.row_ptr.back());
  parallel_for(h.node_count(), kNodesPerPiece, [&](std::int64_t first, std::int64_t last) {
    RowWriter writer(sheaf, form, matrix);
    for (std::int64_t u = first; u < last; ++u) writer.node(static_cast<Index>(u));
  });
  return matrix;
}

}  // namespace dshn::sheaf
