#include <fmt/format.h>

#include <cmath>

#include "cli/learning/explanation.hpp"
#include "cli/text.hpp"
#include "cli/text_table.hpp"

namespace dshn::cli {
namespace {

/// Members of a hyperedge that are named in a line.
constexpr std::size_t kMembersShown = 12;

/// With its sign; of log-odds, what rounds to nothing is 0. Numbers are of any size.
std::string effect_text(const NamedExplanation& given, double effect) {
  if (given.of_numbers()) return effect == 0 ? "0" : fmt::format("{:+.4g}", effect);
  return std::abs(effect) < 0.0005 ? "0" : fmt::format("{:+.3f}", effect);
}

/// "class" or "label".
const char* word_for_predicted(const NamedExplanation& given) {
  return given.dataset->code.target == data::TargetKind::labels ? "label" : "class";
}

/// "class bank with probability 0.9312", or the number.
std::string answer_text(const NamedExplanation& given, const train::Turned& turned) {
  if (given.of_numbers()) return fmt::format("{:.6g}", turned.value);
  return fmt::format("{} {} with probability {:.4f}", word_for_predicted(given),
                     printable(given.class_name(turned.predicted)), turned.value);
}

Paint role_paint(const std::optional<Role>& role) {
  if (!role) return Paint::none;
  return *role == Role::tail ? Paint::tail : Paint::head;
}

TextCell role_cell(const std::optional<Role>& role) {
  return {role_word(role), role_paint(role)};
}

/// The effect of other roles, and the class where it would be another one.
std::string turned_text(const NamedExplanation& given, const std::optional<train::Turned>& turned) {
  if (!turned) return "";
  std::string text = effect_text(given, turned->effect);
  if (turned->predicted != given.found.predicted) {
    text += fmt::format(", {} {} ({:.3f})", word_for_predicted(given),
                        printable(given.class_name(turned->predicted)), turned->value);
  }
  return text;
}

/// "a, b → c", or "a, b" of an undirected hyperedge; at most kMembersShown names.
std::string members_text(const Hypergraph& h, Index e) {
  std::string text;
  const auto members = h.members(e);
  const std::size_t tails = h.is_directed(e) ? h.tail(e).size() : members.size();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i == kMembersShown) return text + fmt::format(" and {} more", members.size() - i);
    if (i > 0) text += i == tails ? " → " : ", ";
    text += printable(h.node_names()[members[i]].text);
  }
  return text;
}

std::string heading(const NamedExplanation& given, const Terminal& terminal) {
  const std::string truth = given.truth();
  const bool of_classes = given.dataset->code.target == data::TargetKind::classes;
  const std::string predicted =
      given.of_numbers() ? fmt::format("{:.6g}", given.found.value) : given.class_name(given.found.predicted);
  const Paint verdict = !of_classes || truth.empty() ? Paint::strong
                        : truth == predicted         ? Paint::good
                                                     : Paint::bad;
  const std::string shown = terminal.paint(verdict, printable(predicted));
  const std::string item = fmt::format("{} {}", data::item_word(given.dataset->task),
                                       terminal.paint(Paint::strong, printable(given.name().text)));
  std::string text = given.of_numbers() ? fmt::format("{}: {} is predicted", item, shown)
                                        : fmt::format("{}: {} {} with probability {:.4f} (log-odds {:+.3f})",
                                                      item, word_for_predicted(given), shown,
                                                      given.found.value, given.found.score);
  if (!truth.empty()) {
    text += given.of_numbers() ? fmt::format("; its true number is {}", truth)
            : of_classes       ? fmt::format("; its true class is {}", printable(truth))
                               : fmt::format("; its true labels are {}", printable(truth));
  }
  return text + fmt::format("\n{} on {}, weights of split {}\n", given.model, printable(given.dataset->name),
                            given.split);
}

std::string roles_section(const NamedExplanation& given, const Terminal& terminal) {
  if (given.found.roles.empty()) return "";
  TextTable table(
      {{"role"}, {given.of_node() ? "hyperedges" : "members", Align::right}, {"effect", Align::right}});
  for (const train::RoleEvidence& one : given.found.roles)
    table.add({role_cell(one.role), {with_commas(one.count)}, {effect_text(given, one.effect)}});
  std::string text = '\n' + table.render(terminal);
  if (given.found.reversed) {
    text += fmt::format(
        "with {} turned around: {}, {}\n", given.of_node() ? "all its roles" : "its direction",
        effect_text(given, given.found.reversed->effect), answer_text(given, *given.found.reversed));
  }
  return text;
}

std::string hyperedges_section(const NamedExplanation& given, const Terminal& terminal) {
  const Hypergraph& h = given.hypergraph();
  std::vector<TextTable::Column> columns{{given.of_node() ? "hyperedge" : "hyperedge beside it"},
                                         {"effect", Align::right},
                                         {"estimate", Align::right}};
  if (given.of_node()) columns.insert(columns.end(), {{"role"}, {"role turned around"}});
  columns.push_back({"members"});
  TextTable table(columns);
  for (const train::HyperedgeEvidence& one : given.found.hyperedges.strongest) {
    std::vector<TextCell> row{{printable(h.edge_names()[one.edge].text)},
                              {effect_text(given, one.effect), Paint::strong},
                              {effect_text(given, one.estimate), Paint::faint}};
    if (given.of_node()) {
      row.push_back(role_cell(one.role));
      row.push_back({turned_text(given, one.turned)});
    }
    row.push_back({members_text(h, one.edge)});
    table.add(std::move(row));
  }
  return table.empty() ? "" : '\n' + table.render(terminal);
}

std::string members_section(const NamedExplanation& given, const Terminal& terminal) {
  const Hypergraph& h = given.hypergraph();
  TextTable table({{"member"},
                   {"effect", Align::right},
                   {"estimate", Align::right},
                   {"role"},
                   {given.of_node() ? "in hyperedge" : "role turned around"}});
  for (const train::MemberEvidence& one : given.found.members.strongest) {
    table.add(
        {{printable(h.node_names()[one.node].text)},
         {effect_text(given, one.effect), Paint::strong},
         {effect_text(given, one.estimate), Paint::faint},
         role_cell(one.role),
         {given.of_node() ? printable(h.edge_names()[one.edge].text) : turned_text(given, one.turned)}});
  }
  return table.empty() ? "" : '\n' + table.render(terminal);
}

std::string features_section(const NamedExplanation& given, const Terminal& terminal) {
  TextTable table(
      {{"feature"}, {"effect", Align::right}, {"estimate", Align::right}, {"value", Align::right}, {""}});
  for (const train::FeatureEvidence& one : given.found.features.strongest) {
    table.add({{printable(given.feature_name(one))},
               {effect_text(given, one.effect), Paint::strong},
               {effect_text(given, one.estimate), Paint::faint},
               {fmt::format("{:.4g}", one.value)},
               {one.of_members ? "mean of its members" : ""}});
  }
  return table.empty() ? "" : '\n' + table.render(terminal);
}

template <typename T>
std::string check_text(const train::Findings<T>& findings, const char* what) {
  return fmt::format("{} of {} {}{}", with_commas(static_cast<std::int64_t>(findings.checked)),
                     with_commas(static_cast<std::int64_t>(findings.candidates)), what,
                     findings.agreement ? fmt::format(" ({:+.2f})", *findings.agreement) : "");
}

std::string method(const NamedExplanation& given) {
  const train::Explanation& found = given.found;
  const char* by = found.estimated_by == train::EstimatedBy::maps ? "gradients by the maps and the features"
                   : found.estimated_by == train::EstimatedBy::features
                       ? "gradients by the features"
                       : "nothing: this model has no gradient, and the first ones were taken";
  const char* const word = word_for_predicted(given);
  std::string text = fmt::format(
      "\nEffect: by how much {} when this is taken away (a role: turned around)\n"
      "and the model is run again; below 0 it speaks {}. Features stay as they were.\n",
      given.of_numbers() ? "the predicted number falls"
                         : fmt::format("the log-odds of the predicted {} fall", word),
      given.of_numbers() ? "for a smaller number" : fmt::format("against that {}", word));
  text += fmt::format("Tried, as chosen by {}: {}, {}, {}.\n", by, check_text(found.hyperedges, "hyperedges"),
                      check_text(found.members, "members"), check_text(found.features, "features"));
  if (found.hyperedges.agreement || found.members.agreement || found.features.agreement)
    text += "In parentheses: the rank correlation of effect and estimate.\n";
  if (found.elsewhere_count > 0) {
    text += fmt::format(
        "For comparison: {} hyperedges elsewhere, drawn at random, have an effect of {} on average.\n",
        found.elsewhere_count,
        given.of_numbers() ? fmt::format("{:.4g}", found.elsewhere) : fmt::format("{:.3f}", found.elsewhere));
  }
  return text;
}

}  // namespace

std::string page(const NamedExplanation& given, const Terminal& terminal) {
  const std::string hyperedges = hyperedges_section(given, terminal);
  const std::string members = members_section(given, terminal);
  return heading(given, terminal) + roles_section(given, terminal) +
         (given.of_node() ? hyperedges + members : members + hyperedges) + features_section(given, terminal) +
         method(given);
}

}  // namespace dshn::cli
