#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/paper_row.hpp"
#include "cli/text.hpp"
#include "cli/text_table.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/data/splits.hpp"

namespace dshn::cli {
namespace {

using data::Availability;
using data::Entry;
using Json = nlohmann::ordered_json;

/// What the files give where that is known, else what the paper says.
data::StatisticsRow best_row(const Entry& entry) {
  if (entry.expected) return *entry.expected;
  return entry.paper.value_or(data::StatisticsRow{});
}

std::int64_t download_bytes(const Entry& entry) {
  std::int64_t total = 0;
  for (const data::SourceFile& file : entry.source.files) total += file.bytes;
  return total;
}

std::string how_to_get(const Entry& entry) {
  switch (entry.source.availability) {
    case Availability::download:
      return fmt::format("dshn data fetch {} ({})", entry.name, human_bytes(download_bytes(entry)));
    case Availability::generated:
      return "made on the spot";
    case Availability::manual:
      return fmt::format("by hand from {}", entry.source.home);
    case Availability::unavailable:
      return "not published";
  }
  return "";
}

const char* availability_name(Availability availability) {
  switch (availability) {
    case Availability::download:
      return "download";
    case Availability::manual:
      return "manual";
    case Availability::generated:
      return "generated";
    case Availability::unavailable:
      return "unavailable";
  }
  return "";
}

Json entry_json(const Entry& entry) {
  const auto folder = data::locate(entry.name);
  Json out;
  out["name"] = entry.name;
  out["title"] = entry.title;
  out["task"] = data::task_words(entry.task, data::TargetKind::classes);
  out["metric"] = entry.metric == data::Metric::accuracy ? "accuracy" : "f1";
  out["split"] = data::split_kind_name(entry.split);
  out["paper"] = entry.paper ? to_json(*entry.paper) : Json();
  out["expected"] = entry.expected ? to_json(*entry.expected) : Json();
  out["matches_paper"] = entry.matches_paper;
  out["on_disk"] = folder.has_value();
  out["path"] = folder ? Json(folder->string()) : Json();
  out["availability"] = availability_name(entry.source.availability);
  out["how_to_get"] = how_to_get(entry);
  out["home"] = entry.source.home.empty() ? Json() : Json(entry.source.home);
  out["licence"] = entry.source.licence.empty() ? Json() : Json(entry.source.licence);
  out["remark"] = entry.source.remark.empty() ? Json() : Json(entry.source.remark);
  out["download_bytes"] = download_bytes(entry);
  return out;
}

Json list_document() {
  Json sets = Json::array();
  for (const Entry& entry : data::registry()) sets.push_back(entry_json(entry));
  Json folders = Json::array();
  for (const auto& folder : data::data_folders()) folders.push_back(folder.string());
  return {{"data_sets", sets}, {"folders", folders}};
}

/// All of the paper's columns where they fit, else the sizes only: where a set is matters more.
std::vector<Figure> shown_figures(const data::StatisticsRow& row, const Terminal& terminal) {
  constexpr int kRoomForAll = 130;
  std::vector<Figure> all = figures(row);
  if (!terminal.interactive || terminal.width >= kRoomForAll) return all;
  std::erase_if(all, [](const Figure& figure) {
    const std::string_view key = figure.key;
    return key != "n_nodes" && key != "n_hyperedges";
  });
  return all;
}

std::vector<TextCell> row_of(const Entry& entry, const Terminal& terminal) {
  std::vector<TextCell> row{{std::string(entry.name), Paint::strong}, {data::item_word(entry.task) + "s"}};
  for (const Figure& figure : shown_figures(best_row(entry), terminal)) row.push_back({digits(figure)});
  if (const auto folder = data::locate(entry.name)) {
    row.push_back({printable(folder->string()), Paint::good});
  } else {
    row.push_back({how_to_get(entry), Paint::faint});
  }
  return row;
}

std::string list_page(const Terminal& terminal) {
  std::vector<TextTable::Column> columns{{"name", Align::left}, {"task", Align::left}};
  for (const Figure& figure : shown_figures({}, terminal)) columns.push_back({figure.title, Align::right});
  columns.push_back({"where", Align::left});
  TextTable table(columns);
  for (const Entry& entry : data::registry()) table.add(row_of(entry, terminal));

  std::string folders;
  for (const auto& folder : data::data_folders()) folders += "\n  " + printable(folder.string());
  return table.render(terminal) + "\nData sets are looked for in (DSHN_DATA_DIR, then the cache):" +
         (folders.empty() ? " nowhere; set DSHN_DATA_DIR" : folders) + '\n';
}

}  // namespace

void add_data_list(CLI::App& data, Context& context) {
  CLI::App* command = data.add_subcommand("list", "List the built-in data sets and where they are");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON document");
  command->callback([&context, json] {
    context.action = [&context, json] {
      if (*json) {
        context.print_json(list_document());
      } else {
        context.print(list_page(context.out));
      }
    };
  });
}

}  // namespace dshn::cli
