#include "cli/learning/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/learning/item_name.hpp"

namespace dshn::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A name as HIF writes it: numbers are numbers.
Json id(const Name& name) {
  return name.is_integer ? Json::parse(name.text) : Json(name.text);
}

Json ids(const Names& names, std::span<const Index> items) {
  Json list = Json::array();
  for (const Index item : items) list.push_back(id(names[item]));
  return list;
}

Json turned_document(const NamedExplanation& given, const std::optional<train::Turned>& turned) {
  if (!turned) return nullptr;
  if (given.of_numbers()) return {{"effect", turned->effect}, {"predicted", turned->value}};
  return {{"effect", turned->effect},
          {"predicted", given.class_name(turned->predicted)},
          {"probability", turned->value}};
}

Json evidence_document(const Json& name, const train::Evidence& evidence) {
  return {{"id", name}, {"effect", evidence.effect}, {"estimate", evidence.estimate}};
}

Json hyperedge_list(const NamedExplanation& given) {
  const Hypergraph& h = given.hypergraph();
  Json list = Json::array();
  for (const train::HyperedgeEvidence& one : given.found.hyperedges.strongest) {
    Json entry = evidence_document(id(h.edge_names()[one.edge]), one);
    if (given.of_node()) {
      entry["role"] = role_word(one.role);
      entry["turned"] = turned_document(given, one.turned);
    }
    const bool directed = h.is_directed(one.edge);
    entry["tails"] = directed ? ids(h.node_names(), h.tail(one.edge)) : Json::array();
    entry["heads"] = directed ? ids(h.node_names(), h.head(one.edge)) : Json::array();
    entry["members"] = directed ? Json::array() : ids(h.node_names(), h.members(one.edge));
    list.push_back(std::move(entry));
  }
  return list;
}

Json member_list(const NamedExplanation& given) {
  const Hypergraph& h = given.hypergraph();
  Json list = Json::array();
  for (const train::MemberEvidence& one : given.found.members.strongest) {
    Json entry = evidence_document(id(h.node_names()[one.node]), one);
    entry["hyperedge"] = id(h.edge_names()[one.edge]);
    entry["role"] = role_word(one.role);
    if (!given.of_node()) entry["turned"] = turned_document(given, one.turned);
    list.push_back(std::move(entry));
  }
  return list;
}

Json feature_list(const NamedExplanation& given) {
  Json list = Json::array();
  for (const train::FeatureEvidence& one : given.found.features.strongest) {
    Json entry = evidence_document(given.feature_name(one), one);
    entry["column"] = one.column;
    entry["of"] = one.of_members ? "members" : data::item_word(given.dataset->task);
    entry["value"] = one.value;
    list.push_back(std::move(entry));
  }
  return list;
}

Json role_list(const NamedExplanation& given) {
  Json list = Json::array();
  for (const train::RoleEvidence& one : given.found.roles)
    list.push_back({{"role", role_word(one.role)}, {"count", one.count}, {"effect", one.effect}});
  return list;
}

template <typename T>
Json check_document(const train::Findings<T>& findings) {
  return {{"candidates", findings.candidates},
          {"checked", findings.checked},
          {"agreement", findings.agreement ? Json(*findings.agreement) : Json()}};
}

Json checks_document(const train::Explanation& found) {
  const char* by = found.estimated_by == train::EstimatedBy::maps       ? "maps"
                   : found.estimated_by == train::EstimatedBy::features ? "features"
                                                                        : "nothing";
  return {{"estimated_by", by},
          {"hyperedges", check_document(found.hyperedges)},
          {"members", check_document(found.members)},
          {"features", check_document(found.features)},
          {"elsewhere", {{"hyperedges", found.elsewhere_count}, {"mean_effect", found.elsewhere}}}};
}

}  // namespace

Name NamedExplanation::name() const {
  return of_node() ? hypergraph().node_names()[found.item] : hypergraph().edge_names()[found.item];
}

std::string NamedExplanation::truth() const {
  if (!dataset->is_known(found.item)) return "";
  if (of_numbers()) return fmt::format("{}", dataset->value(found.item, 0));
  if (dataset->code.target == data::TargetKind::classes) return class_name(dataset->labels[found.item]);
  std::vector<std::string> words;
  for (Index c = 0; c < dataset->class_count; ++c)
    if (dataset->value(found.item, c) == 1) words.push_back(class_name(c));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, std::string(1, data::kLabelSeparator)));
}

std::string NamedExplanation::class_name(std::int64_t c) const {
  return dataset->class_name(static_cast<Index>(c));
}

std::string NamedExplanation::feature_name(const train::FeatureEvidence& feature) const {
  if (of_node() || feature.of_members) return columns[feature.column];
  const std::vector<std::string>& own = dataset->edge_feature_names;
  return own.empty() ? fmt::format("column {}", feature.column) : own[feature.column];
}

std::string role_word(const std::optional<Role>& role) {
  if (!role) return "member";
  return *role == Role::tail ? "tail" : "head";
}

NamedExplanation explain_by_name(const RunModel& given, const std::string& name, std::size_t top) {
  constexpr std::size_t kChecksPerRow = 4;
  const data::Dataset& dataset = given.dataset;
  const Index item = find_item(dataset, name);
  return {&dataset, train::feature_names(given.run, given.settings, dataset),
          models::find_model(given.settings.model).title, given.split,
          train::explain(given.model, dataset.task, item, {top, kChecksPerRow * top})};
}

Json document(const NamedExplanation& given) {
  const train::Explanation& found = given.found;
  const std::string truth = given.truth();
  Json out{{"item", data::item_word(given.dataset->task)},
           {"id", id(given.name())},
           {"data", given.dataset->name},
           {"model", given.model},
           {"split", given.split},
           {"target", data::target_kind_name(given.dataset->code.target)}};
  if (given.of_numbers()) {
    out["predicted"] = found.value;
    out["true"] = truth.empty() ? Json() : Json(given.dataset->value(found.item, 0));
  } else {
    out["predicted"] = given.class_name(found.predicted);
    out["probability"] = found.value;
    out["log_odds"] = found.score;
    out["true"] = truth.empty() ? Json() : Json(truth);
  }
  out["roles"] = role_list(given);
  out["all_roles_turned"] = turned_document(given, found.reversed);
  out["hyperedges"] = hyperedge_list(given);
  out["members"] = member_list(given);
  out["features"] = feature_list(given);
  out["checks"] = checks_document(found);
  return out;
}

}  // namespace dshn::cli
