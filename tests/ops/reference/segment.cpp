#include "ops/reference/segment.hpp"

#include <algorithm>
#include <cmath>

namespace dshn::ops::reference {

std::vector<std::vector<Offset>> segments(const Hypergraph& h, bool over_edges) {
  std::vector<std::vector<Offset>> rows(over_edges ? h.edge_count() : h.node_count());
  for (const Role role : {Role::tail, Role::head}) {
    for (Index e = 0; e < h.edge_count(); ++e) {
      for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
        if (h.role(e, i) == role) rows[over_edges ? e : h.member_nodes()[i]].push_back(i);
      }
    }
  }
  return rows;
}

std::vector<std::int64_t> other_end(const Hypergraph& h, bool over_edges) {
  std::vector<std::int64_t> end;
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (const Index v : h.members(e)) end.push_back(over_edges ? v : e);
  }
  return end;
}

Rows reduce(const std::vector<std::vector<Offset>>& rows, const Rows& values, std::int64_t c, Kind kind) {
  Rows result;
  for (const std::vector<Offset>& row : rows) {
    for (std::int64_t column = 0; column < c; ++column) {
      double sum = 0;
      double largest = row.empty() ? 0 : values[row[0] * c + column];
      for (const Offset i : row) {
        sum += values[i * c + column];
        largest = std::max(largest, values[i * c + column]);
      }
      const double size = std::max(1.0, static_cast<double>(row.size()));
      result.push_back(kind == Kind::max ? largest : kind == Kind::mean ? sum / size : sum);
    }
  }
  return result;
}

Rows weigh(const std::vector<std::int64_t>& end, const Rows& x, std::int64_t c, const Rows& coefficients,
           std::int64_t heads) {
  Rows values;
  for (std::size_t i = 0; i < end.size(); ++i) {
    for (std::int64_t column = 0; column < c; ++column) {
      const double factor = coefficients.empty() ? 1.0 : coefficients[i * heads + column * heads / c];
      values.push_back(factor * x[end[i] * c + column]);
    }
  }
  return values;
}

Rows softmax(const std::vector<std::vector<Offset>>& rows, const Rows& values, std::int64_t heads) {
  Rows result(values.size());
  for (const std::vector<Offset>& row : rows) {
    for (std::int64_t head = 0; head < heads; ++head) {
      double sum = 0;
      for (const Offset i : row) sum += std::exp(values[i * heads + head]);
      for (const Offset i : row) result[i * heads + head] = std::exp(values[i * heads + head]) / sum;
    }
  }
  return result;
}

}  // namespace dshn::ops::reference
