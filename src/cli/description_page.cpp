#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/description.hpp"
#include "cli/histogram.hpp"
#include "cli/paper_row.hpp"
#include "cli/text.hpp"
#include "cli/text_table.hpp"

namespace dshn::cli {
namespace {

/// Classes beyond so many are only counted.
constexpr std::size_t kClassesShown = 12;

std::string title(const data::Dataset& dataset, const Terminal& terminal) {
  std::string line = terminal.paint(Paint::strong, printable(dataset.name));
  if (dataset.has_targets()) line += ": " + data::task_words(dataset.task, dataset.code.target);
  if (!dataset.format.empty()) line += ", " + printable(dataset.format);
  return line + '\n' + (dataset.origin.empty() ? "" : printable(dataset.origin) + '\n');
}

TextCell verdict(const Figure& here, const Figure& there) {
  // Where the table has a dash there is nothing to differ from.
  if (!there.value) return here.value ? TextCell{} : TextCell{"=", Paint::good};
  return same_digits(here, there) ? TextCell{"=", Paint::good} : TextCell{"differs", Paint::caution};
}

/// The paper's row, stood upright so that its columns can be compared.
std::string paper_table(const Description& description, const Terminal& terminal) {
  const auto here = figures(description.row);
  if (description.paper == nullptr) {
    TextTable table({{"", Align::left}, {"here", Align::right}});
    for (const Figure& figure : here) table.add({{figure.title}, {digits(figure)}});
    return table.render(terminal);
  }
  const auto there = figures(*description.paper->paper);
  TextTable table({{"", Align::left},
                   {"here", Align::right},
                   {fmt::format("paper ({})", description.paper->name), Align::right},
                   {"", Align::left}});
  for (std::size_t i = 0; i < here.size(); ++i) {
    table.add({{here[i].title}, {digits(here[i])}, {digits(there[i])}, verdict(here[i], there[i])});
  }
  return table.render(terminal);
}

/// What comes with the data, and what training does.
std::string splits_text(const Description& description) {
  const data::Dataset& dataset = *description.dataset;
  std::string text = "none published";
  if (!dataset.splits.empty()) {
    const data::Split& first = dataset.splits.front();
    text = fmt::format("{} published, the first {}/{}/{} for training, validation and test",
                       dataset.splits.size(), with_commas(static_cast<std::int64_t>(first.train.size())),
                       with_commas(static_cast<std::int64_t>(first.val.size())),
                       with_commas(static_cast<std::int64_t>(first.test.size())));
  }
  if (!description.split_protocol.empty())
    text += fmt::format("; training uses {}", description.split_protocol);
  return printable(text);
}

std::string number_ranges(const Description& description) {
  std::vector<std::string> parts;
  for (const data::NumberRange& range : description.numbers)
    parts.push_back(fmt::format("{} {:.6g} to {:.6g}, mean {:.6g}, deviation {:.6g}", printable(range.name),
                                range.least, range.greatest, range.mean, range.deviation));
  std::string out = fmt::format("{}", fmt::join(parts, "; "));
  if (description.unlabelled > 0) out += fmt::format("; {} unknown", with_commas(description.unlabelled));
  return out;
}

std::string class_sizes(const Description& description) {
  if (description.class_counts.empty()) return "no labels";
  const std::size_t shown = std::min(description.class_counts.size(), kClassesShown);
  std::vector<std::string> sizes;
  const data::Dataset& dataset = *description.dataset;
  const bool named = !dataset.code.class_names.empty();
  for (std::size_t c = 0; c < shown; ++c) {
    const std::string name = named ? printable(dataset.class_name(static_cast<Index>(c))) + " " : "";
    sizes.push_back(name + with_commas(description.class_counts[c]));
  }
  std::string out = fmt::format("{}", fmt::join(sizes, named ? ", " : " "));
  if (description.class_counts.size() > shown) out += " …";
  if (description.unlabelled > 0) out += fmt::format(", {} unknown", with_commas(description.unlabelled));
  return out;
}

std::string weights_text(const Hypergraph& hypergraph) {
  if (hypergraph.weighted() && hypergraph.has_incidence_weights()) return "of hyperedges and of incidences";
  if (hypergraph.has_incidence_weights()) return "of incidences";
  return hypergraph.weighted() ? "of hyperedges" : "all 1";
}

std::string structure_table(const Description& description, const Terminal& terminal) {
  const Statistics& s = description.statistics;
  const auto part = [](Index count, Index largest, const char* what) {
    return fmt::format("{} {}, the largest of {} nodes", with_commas(count), what, with_commas(largest));
  };
  TextTable table({{"", Align::left}, {"", Align::left}});
  table.add({{"incidences"},
             {fmt::format("{} ({} tails, {} heads)", with_commas(s.n_incidences),
                          with_commas(s.n_tail_incidences), with_commas(s.n_head_incidences))}});
  table.add({{"directed"},
             {fmt::format("{} of {} hyperedges ({:.1f} %)", with_commas(s.n_directed_hyperedges),
                          with_commas(s.n_hyperedges), 100 * s.directed_share)}});
  table.add({{"isolated"}, {fmt::format("{} nodes", with_commas(s.n_isolated_nodes))}});
  table.add({{"largest"},
             {fmt::format("hyperedge of {} members, node of degree {}", with_commas(s.max_hyperedge_size),
                          with_commas(s.max_node_degree))}});
  table.add({{"components"}, {part(description.components.count, description.components.largest, "plain")}});
  table.add(
      {{""}, {part(description.role_components.count, description.role_components.largest, "role-aware")}});
  table.add({{"weights"}, {weights_text(description.dataset->hypergraph)}});
  if (!description.numbers.empty())
    table.add({{"numbers"}, {number_ranges(description)}});
  else
    table.add({{description.dataset->code.target == data::TargetKind::labels ? "labels" : "class sizes"},
               {class_sizes(description)}});
  table.add({{"splits"}, {splits_text(description)}});
  return table.render(terminal);
}

}  // namespace

std::string page(const Description& description, const Terminal& terminal) {
  const Statistics& s = description.statistics;
  return title(*description.dataset, terminal) + '\n' + paper_table(description, terminal) + '\n' +
         structure_table(description, terminal) + '\n' + terminal.paint(Paint::strong, "hyperedges by size") +
         '\n' + draw_histogram(s.size_histogram, terminal) + '\n' +
         terminal.paint(Paint::strong, "nodes by degree") + '\n' +
         draw_histogram(s.degree_histogram, terminal);
}

}  // namespace dshn::cli
