#include "dshn/data/reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "data/name_list.hpp"

namespace dshn::data {
namespace {

constexpr std::array<std::string_view, 11> kRoles = {
    "hyperedge", "node", "role", "weight", "incidence_weight", "from", "to", "id", "label", "split", "time"};
constexpr const char* kFiles[] = {"labels", "features", "hyperedge_labels", "hyperedge_features"};

/// "node=company,hyperedge=deal" as pairs of what a column is for and what it is called.
std::vector<std::pair<std::string, std::string>> column_pairs(const std::string& value) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& part : split_at_commas(value)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    pairs.emplace_back(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())));
  }
  return pairs;
}

std::string fault_of_columns(const std::string& value) {
  if (value.empty()) return "";
  std::set<std::string> seen;
  for (const auto& [role, name] : column_pairs(value)) {
    if (role.empty() || name.empty())
      return "expected what a column is for, '=' and its name, several separated by commas";
    if (std::find(kRoles.begin(), kRoles.end(), role) == kRoles.end())
      return fmt::format("'{}' is nothing that a column is for; known are {}", role, fmt::join(kRoles, ", "));
    if (!seen.insert(role).second) return fmt::format("'{}' is there twice", role);
  }
  return "";
}

std::string fault_of_names(const std::string& value) {
  const std::vector<std::string> names = split_at_commas(value);
  const bool gap = !value.empty() && std::ranges::find(names, "") != names.end();
  return gap ? "a name is empty; expected names separated by commas, all or none" : "";
}

OptionSpec file_option(std::string name, const std::string& items, const std::string& what) {
  return text_option(std::move(name), "",
                     fmt::format("file with {} of {}, joined to the hypergraph by id", what, items));
}

std::vector<OptionSpec> make_options() {
  std::vector<OptionSpec> specs{
      file_option("labels", "nodes", "the classes or other targets"),
      file_option("features", "nodes", "features"),
      file_option("hyperedge_labels", "hyperedges", "the classes or other targets"),
      file_option("hyperedge_features", "hyperedges", "features"),
      text_option(
          "columns", "",
          fmt::format("which column is what, where its name does not say it: hyperedge=deal,node=firm; {}",
                      fmt::join(kRoles, ", ")),
          fault_of_columns),
      choice_option("header", "auto", {"auto", "yes", "no"},
                    "whether the first row of text files names the columns"),
      choice_option("sep", "auto", {"auto", "comma", "semicolon", "tab", "blank", "pipe"},
                    "what separates the columns of text files"),
      choice_option(
          "rows", "auto", {"auto", "incidences", "arcs", "reactions"},
          "what a row of the hypergraph's text file is: a member of a hyperedge, an arc, or a b -> c"),
  };
  for (const char* const prefix : {"", "hyperedge_"}) {
    const std::string items = *prefix == '\0' ? "nodes" : "hyperedges";
    specs.push_back(
        text_option(fmt::format("{}label_attribute", prefix), "",
                    fmt::format("attribute or column with the classes of {} (label); of numbers and "
                                "labels also several, separated by commas",
                                items)));
    specs.push_back(text_option(
        fmt::format("{}feature_attributes", prefix), "",
        fmt::format(
            "attributes or columns with features of {}, separated by commas; all or none; default: all "
            "columns of a table, no attributes of HIF",
            items),
        fault_of_names));
  }
  specs.push_back(text_option(
      "split_column", "", "column with train, val or test for each item (split); none takes no such column"));
  specs.push_back(text_option("time_column", "",
                              "column with a number or a date: the earliest items train, the latest test"));
  specs.push_back(choice_option("task", "auto", {"auto", "nodes", "hyperedges"},
                                "what is predicted; auto: whatever has targets, nodes first"));
  specs.push_back(choice_option(
      "target", "auto", {"auto", "classes", "numbers", "labels"},
      "what is predicted of an item: one of several classes, numbers (regression), or any of several labels; "
      "auto: classes, unless a stored array is of floating-point numbers or a table of 0 and 1"));
  specs.push_back(choice_option("on_conflict", "error", {"error", "keep-tail", "keep-head"},
                                "a node listed twice in a hyperedge: refuse it, or keep one role"));
  specs.push_back(
      choice_option("missing_direction", "error", {"error", "tail", "undirected"},
                    "an incidence without a direction in a directed file: refuse it, take it as a "
                    "tail, or take its hyperedge as undirected"));
  specs.push_back(
      choice_option("incidence_weights", "use", {"use", "ignore"},
                    "weights of incidences and of arcs: members that count so many times, or nothing"));
  specs.push_back(
      choice_option("tail_column", "0", {"0", "1"}, "the column of an arc list that holds the tails"));
  return specs;
}

char delimiter_of(const std::string& word) {
  static const std::map<std::string, char> known{{"auto", '\0'}, {"comma", ','}, {"semicolon", ';'},
                                                 {"tab", '\t'},  {"blank", ' '}, {"pipe", '|'}};
  return known.at(word);
}

FeatureChoice feature_choice(const std::string& value) {
  if (value.empty()) return {};
  if (value == "all") return {FeatureChoice::Rule::all, {}};
  if (value == "none") return {FeatureChoice::Rule::named, {}};
  const std::vector<std::string> names = split_at_commas(value);
  return {FeatureChoice::Rule::named, {names.begin(), names.end()}};
}

ItemSources sources_of(const Options& options, const std::string& prefix) {
  return {options.text(prefix + "labels"), options.text(prefix + "features"),
          options.text(prefix + "label_attribute"),
          feature_choice(options.text(prefix + "feature_attributes"))};
}

io::LoadOptions load_options(const Options& options) {
  io::LoadOptions load;
  if (options.is("on_conflict", "keep-tail")) load.on_conflict = OnConflict::keep_tail;
  if (options.is("on_conflict", "keep-head")) load.on_conflict = OnConflict::keep_head;
  if (options.is("missing_direction", "tail")) load.missing_direction = io::MissingDirection::tail;
  if (options.is("missing_direction", "undirected"))
    load.missing_direction = io::MissingDirection::undirected;
  if (options.is("incidence_weights", "ignore")) load.incidence_weights = io::IncidenceWeights::ignore;
  load.first_column_is_tail = options.is("tail_column", "0");
  if (options.is("rows", "incidences")) load.text_kind = io::TextKind::hyperedges;
  if (options.is("rows", "arcs")) load.text_kind = io::TextKind::arcs;
  if (options.is("rows", "reactions")) load.text_kind = io::TextKind::reactions;
  if (options.is("header", "yes")) load.text.header = io::Header::yes;
  if (options.is("header", "no")) load.text.header = io::Header::no;
  load.text.delimiter = delimiter_of(options.text("sep"));
  if (const std::string& columns = options.text("columns"); !columns.empty()) {
    for (const auto& [role, name] : column_pairs(columns)) load.text.columns[role] = name;
  }
  return load;
}

}  // namespace

const std::vector<OptionSpec>& reading_options() {
  static const std::vector<OptionSpec> specs = make_options();
  return specs;
}

OpenOptions open_options(const Assignments& reading) {
  const Options options(reading_options(), reading, "reading option");
  OpenOptions open;
  open.load = load_options(options);
  open.nodes = sources_of(options, "");
  open.edges = sources_of(options, "hyperedge_");
  open.split_column = options.text("split_column");
  open.time_column = options.text("time_column");
  if (options.is("task", "nodes")) open.task = Task::node_classification;
  if (options.is("task", "hyperedges")) open.task = Task::hyperedge_classification;
  open.target = target_kind(options.text("target"));
  return open;
}

Assignments without_files(Assignments reading) {
  for (const char* const name : kFiles) reading.erase(name);
  return reading;
}

}  // namespace dshn::data
