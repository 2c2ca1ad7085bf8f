#include "cli/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "cli/text.hpp"

namespace dshn::cli {
namespace {

/// Where each node's row, or each hyperedge's column, is, and what stands beside it.
struct Axis {
  std::vector<int> place;
  std::vector<int> items;           // how many of the items fall on a place
  std::vector<std::string> labels;  // one per place, empty but for the first of a group
};

/// Incidences of each kind that fall on one spot.
struct Spot {
  Offset tail = 0, head = 0, plain = 0;
  Offset all() const { return tail + head + plain; }
};

/// Cuts ordered items into places such that no place holds items of two groups. Each group gets its share of
/// places, and at least one.
Axis cut(const std::vector<Index>& order, const std::vector<int>& group_sizes,
         const std::vector<std::string>& group_names, int places) {
  Axis axis;
  axis.place.resize(order.size());
  const auto total = static_cast<double>(order.size());
  std::size_t next = 0;
  for (std::size_t g = 0; g < group_sizes.size(); ++g) {
    const int size = group_sizes[g];
    if (size == 0) continue;
    const int rows = std::clamp(static_cast<int>(std::lround(places * size / total)), 1, size);
    const auto first = static_cast<int>(axis.items.size());
    axis.items.resize(first + rows);
    axis.labels.resize(first + rows);
    axis.labels[first] = group_names[g];
    for (int i = 0; i < size; ++i, ++next) {
      const auto place = first + static_cast<int>(static_cast<std::int64_t>(i) * rows / size);
      axis.place[order[next]] = place;
      ++axis.items[place];
    }
  }
  return axis;
}

std::vector<Index> first_numbers(Index count) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Rows: nodes by class, the unknown ones last; as they are where there are no classes.
Axis node_axis(const Hypergraph& hypergraph, std::span<const Index> labels, int places) {
  std::vector<Index> order = first_numbers(hypergraph.node_count());
  if (labels.empty()) return cut(order, {static_cast<int>(order.size())}, {""}, places);
  const Index classes = 1 + std::max<Index>(*std::max_element(labels.begin(), labels.end()), -1);
  const auto group = [&](Index v) { return labels[v] < 0 ? classes : labels[v]; };
  // More classes than rows: groups would not fit, order alone must do.
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return group(a) < group(b); });
  if (classes >= places) return cut(order, {static_cast<int>(order.size())}, {""}, places);
  std::vector<int> sizes(classes + 1);
  std::vector<std::string> names;
  for (Index v = 0; v < hypergraph.node_count(); ++v) ++sizes[group(v)];
  names.reserve(classes + 1);
  for (Index c = 0; c < classes; ++c) names.push_back(fmt::format("class {}", c));
  names.emplace_back("no class");
  return cut(order, sizes, names, places);
}

double mean_label(std::span<const Index> members, std::span<const Index> labels) {
  double sum = 0;
  for (const Index v : members) sum += labels[v];
  return members.empty() ? -1 : sum / static_cast<double>(members.size());
}

/// Columns: by the hyperedges' own classes, else by the classes they lead from and to, else as they are.
Axis edge_axis(const Hypergraph& hypergraph, const DrawOptions& options, int places) {
  std::vector<Index> order = first_numbers(hypergraph.edge_count());
  if (!options.edge_labels.empty()) {
    const auto& labels = options.edge_labels;
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return labels[a] < labels[b]; });
  } else if (!options.node_labels.empty()) {
    std::vector<std::tuple<bool, double, double>> keys(order.size());
    for (const Index e : order) {
      keys[e] = {hypergraph.is_directed(e), mean_label(hypergraph.tail(e), options.node_labels),
                 mean_label(hypergraph.head(e), options.node_labels)};
    }
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return keys[a] < keys[b]; });
  }
  return cut(order, {static_cast<int>(order.size())}, {""}, places);
}

std::vector<Spot> count(const Hypergraph& hypergraph, const Axis& rows, const Axis& columns) {
  std::vector<Spot> spots(rows.items.size() * columns.items.size());
  const auto spot = [&](Index v, Index e) -> Spot& {
    return spots[rows.place[v] * columns.items.size() + columns.place[e]];
  };
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    const bool directed = hypergraph.is_directed(e);
    for (const Index v : hypergraph.tail(e)) ++(directed ? spot(v, e).tail : spot(v, e).plain);
    for (const Index v : hypergraph.head(e)) ++(directed ? spot(v, e).head : spot(v, e).plain);
  }
  return spots;
}

struct Glyph {
  const char* light;
  const char* heavy;
  Paint paint;
};

constexpr Glyph kTail{"│", "┃", Paint::tail};
constexpr Glyph kHead{"─", "━", Paint::head};
constexpr Glyph kBoth{"┼", "╋", Paint::both};
constexpr Glyph kPlain{"·", "•", Paint::none};

/// The rarer of two roles on one spot shows only where it is a fifth of them or more.
Glyph glyph_of(const Spot& spot) {
  if (spot.plain > spot.tail + spot.head) return kPlain;
  if (5 * std::min(spot.tail, spot.head) >= spot.tail + spot.head) return kBoth;
  return spot.tail >= spot.head ? kTail : kHead;
}

std::string legend(const Hypergraph& hypergraph, const Axis& rows, const Axis& columns,
                   const Terminal& terminal) {
  const auto sample = [&](const Glyph& glyph) { return terminal.paint(glyph.paint, glyph.light); };
  const double nodes = hypergraph.node_count() / static_cast<double>(rows.items.size());
  const double edges = hypergraph.edge_count() / static_cast<double>(columns.items.size());
  return fmt::format("{} tail   {} head   {} both   {} undirected   heavy: crowded\n", sample(kTail),
                     sample(kHead), sample(kBoth), sample(kPlain)) +
         fmt::format("rows: {} nodes ({:.1f} each)   columns: {} hyperedges ({:.1f} each)\n",
                     with_commas(hypergraph.node_count()), nodes, with_commas(hypergraph.edge_count()),
                     edges);
}

/// Runs of the same paint share one escape sequence.
std::string line_of(std::span<const Spot> spots, double crowded, const Terminal& terminal) {
  std::string out, run;
  Paint paint = Paint::none;
  for (const Spot& spot : spots) {
    const bool empty = spot.all() == 0;
    const Glyph glyph = empty ? Glyph{" ", " ", paint} : glyph_of(spot);
    if (glyph.paint != paint) {
      out += terminal.paint(paint, run);
      run.clear();
      paint = glyph.paint;
    }
    run += static_cast<double>(spot.all()) > crowded ? glyph.heavy : glyph.light;
  }
  return out + terminal.paint(paint, run);
}

}  // namespace

std::string draw_incidence(const Hypergraph& hypergraph, const DrawOptions& options,
                           const Terminal& terminal) {
  if (hypergraph.node_count() == 0 || hypergraph.edge_count() == 0) return "nothing to draw: no incidences\n";
  const Axis rows = node_axis(hypergraph, options.node_labels, options.rows);
  int margin = 0;
  for (const std::string& label : rows.labels) margin = std::max(margin, display_width(label));
  const int frame = margin + (margin > 0 ? 1 : 0) + 2;
  const Axis columns = edge_axis(hypergraph, options, std::max(terminal.width - frame, 8));
  const std::vector<Spot> spots = count(hypergraph, rows, columns);

  // Crowded: twice the mean of the spots that hold anything, and more than one.
  const auto used = std::count_if(spots.begin(), spots.end(), [](const Spot& s) { return s.all() > 0; });
  const double mean =
      static_cast<double>(hypergraph.incidence_count()) / static_cast<double>(std::max<Offset>(used, 1));
  const double crowded = std::max(1.0, 2 * mean);

  const std::size_t width = columns.items.size();
  // The frame is made of edges of blocks, so that none of it looks like a stroke.
  std::string top, bottom;
  for (std::size_t i = 0; i < width; ++i) {
    top += "▁";
    bottom += "▔";
  }
  const std::string indent(margin > 0 ? margin + 2 : 1, ' ');
  std::string out = indent + top + '\n';
  for (std::size_t r = 0; r < rows.items.size(); ++r) {
    const std::string label = margin > 0 ? fmt::format("{:>{}} ", rows.labels[r], margin) : "";
    out += fmt::format("{}▕{}▏\n", label,
                       line_of(std::span(spots).subspan(r * width, width), crowded, terminal));
  }
  return out + indent + bottom + '\n' + legend(hypergraph, rows, columns, terminal);
}

}  // namespace dshn::cli
