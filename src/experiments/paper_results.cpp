#include "dshn/experiments/paper_results.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dshn/data/features.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/models/registry.hpp"

namespace dshn::experiments {
namespace {

constexpr double kOom = -1;  // printed as OOM: out of memory

/// As printed, row by row: the mean and the standard deviation of each column in turn.
struct PaperTable {
  struct Row {
    std::string_view model;
    std::vector<double> cells;
  };
  std::vector<std::string_view> columns;
  std::vector<Row> rows;
};

// clang-format off
/// Table 'Mean accuracy and standard deviation on node classification datasets', upper half.
const PaperTable kRealUpper = {
    {"roman-empire", "squirrel", "email-eu", "telegram", "chameleon", "email-enron"},
    {
  {"HGNN",              {38.44, 0.44,  35.47, 1.44,  48.91, 3.11,  51.73, 3.38,  39.98, 2.28,  52.85, 7.27}},
  {"HNHN",              {46.07, 1.22,  35.62, 1.30,  29.68, 1.68,  38.22, 6.95,  35.81, 3.23,  18.64, 6.90}},
  {"UniGCNII",          {78.89, 0.51,  38.28, 2.56,  44.98, 2.69,  51.73, 5.05,  39.85, 3.19,  47.43, 7.47}},
  {"LEGCN",             {65.60, 0.41,  39.18, 1.54,  32.91, 1.83,  45.38, 4.23,  39.29, 2.04,  37.03, 7.16}},
  {"HyperND",           {68.31, 0.69,  40.13, 1.85,  32.79, 2.90,  44.62, 5.49,  44.95, 3.20,  38.11, 7.69}},
  {"AllDeepSets",       {81.79, 0.72,  40.69, 1.90,  37.37, 6.29,  49.19, 6.73,  42.97, 3.60,  37.29, 7.90}},
  {"AllSetTransformer", {83.53, 0.64,  40.53, 1.33,  38.26, 3.57,  66.92, 4.36,  43.85, 5.42,  63.78, 3.66}},
  {"ED-HNN",            {83.82, 0.31,  39.85, 1.79,  68.91, 4.00,  60.38, 3.86,  44.67, 2.33,  51.35, 6.04}},
  {"SheafHyperGNN",     {74.50, 0.57,  42.01, 1.11,  52.78, 9.13,  70.00, 5.32,  41.06, 4.94,  63.51, 5.95}},
  {"PhenomNN",          {71.22, 0.45,  39.45, 2.19,  37.69, 4.40,  47.69, 6.59,  43.62, 4.29,  47.02, 6.75}},
  {"GeDi-HNN",          {83.87, 0.63,  43.02, 3.00,  52.31, 2.84,  77.12, 4.82,  39.29, 2.04,  50.54, 5.80}},
  {"DHGNN",             {77.58, 0.54,  39.85, 1.79,  32.35, 2.93,  79.62, 5.78,  44.08, 4.11,  42.16, 8.04}},
  {"DHGNN (w/ emb.)",   {22.50, 0.81,  40.33, 1.42,  55.10, 3.48,  80.58, 3.89,  40.85, 2.76,  58.38, 7.57}},
  {"DSHN",              { kOom, 0.00,  43.55, 2.87,  78.62, 2.50,  88.65, 5.54,  47.02, 4.35,  75.68, 3.42}},
  {"DSHNLight",         {89.24, 0.57,  44.09, 2.36,  82.67, 1.29,  81.15, 4.19,  46.50, 4.09,  76.76, 2.48}},
    }};

/// The same table, lower half.
const PaperTable kRealLower = {
    {"cornell", "wisconsin", "amazon-ratings", "texas", "citeseer", "cora"},
    {
  {"HGNN",              {43.51, 6.44,  51.56, 6.68,  46.20, 0.45,  52.77, 7.48,  76.02, 0.81,  87.25, 1.01}},
  {"HNHN",              {43.51, 6.09,  49.60, 4.96,  42.29, 0.34,  58.11, 3.87,  71.24, 0.66,  78.16, 0.98}},
  {"UniGCNII",          {73.24, 5.19,  86.86, 4.30,  49.12, 0.46,  81.35, 5.33,  77.30, 1.15,  87.53, 1.06}},
  {"LEGCN",             {75.14, 5.51,  84.71, 4.00,  47.02, 0.59,  81.35, 4.26,  72.62, 1.09,  74.96, 0.94}},
  {"HyperND",           {75.14, 5.38,  86.67, 5.02,  47.33, 0.51,  83.51, 5.19,  75.21, 1.37,  78.48, 1.02}},
  {"AllDeepSets",       {77.83, 3.78,  87.84, 3.69,  51.91, 0.68,  82.76, 5.74,  75.78, 0.94,  86.86, 0.85}},
  {"AllSetTransformer", {75.94, 2.97,  86.27, 3.92,  52.28, 0.67,  82.76, 5.07,  75.61, 1.44,  86.73, 1.13}},
  {"ED-HNN",            {76.49, 4.53,  85.09, 4.89,  51.58, 0.53,  80.00, 5.05,  74.95, 1.27,  86.94, 1.25}},
  {"SheafHyperGNN",     {74.59, 4.39,  85.29, 4.74,  48.90, 0.59,  80.00, 2.48,  77.21, 1.44,  87.15, 0.64}},
  {"PhenomNN",          {72.16, 4.19,  80.58, 6.10,  48.81, 0.37,  81.49, 4.95,  77.21, 1.32,  88.12, 0.86}},
  {"GeDi-HNN",          {78.37, 3.19,  87.45, 3.41,  49.30, 0.52,  82.55, 4.64,  75.94, 0.95,  85.16, 0.94}},
  {"DHGNN",             {77.30, 4.05,  87.45, 3.84,  52.48, 0.50,  83.24, 5.64,  74.67, 1.24,  83.16, 1.33}},
  {"DHGNN (w/ emb.)",   {51.08, 4.43,  59.80, 5.63,  53.64, 0.52,  63.51, 9.84,  56.78, 1.32,  73.12, 1.04}},
  {"DSHN",              {79.19, 4.37,  88.63, 3.49,   kOom, 0.00,  83.78, 5.13,  77.39, 1.04,  87.84, 0.90}},
  {"DSHNLight",         {79.19, 3.20,  87.25, 4.90,  50.94, 0.68,  82.43, 5.44,  77.45, 0.74,  88.02, 1.11}},
    }};

/// Table 'Mean accuracy on the synthetic datasets'.
const PaperTable kSynthetic = {
    {"synthetic-io10", "synthetic-io30", "synthetic-io50"},
    {
  {"HGNN",              {47.12, 5.37,  43.44, 6.63,  37.76, 7.72}},
  {"HNHN",              {20.40, 2.93,  28.88, 9.45,  19.76, 3.85}},
  {"UniGCNII",          {21.44, 4.33,  21.12, 2.95,  19.84, 2.34}},
  {"LEGCN",             {17.60, 2.43,  20.72, 3.48,  19.60, 2.82}},
  {"HyperND",           {20.40, 2.93,  21.12, 3.20,  20.64, 1.92}},
  {"AllDeepSets",       {44.40, 6.81,  32.32, 4.82,  31.70, 5.92}},
  {"AllSetTransformer", {21.12, 3.79,  43.68, 8.72,  31.84, 3.31}},
  {"ED-HNN",            {34.00, 6.05,  18.88, 2.56,  32.48, 6.17}},
  {"SheafHyperGNN",     {30.64, 5.39,  27.28, 7.31,  26.00, 9.59}},
  {"PhenomNN",          {22.24, 4.73,  22.08, 4.20,  18.72, 3.22}},
  {"GeDi-HNN",          {71.44, 3.14,  71.84, 3.31,  78.24, 5.64}},
  {"DHGNN",             {40.72, 4.55,  51.68, 3.97,  35.76, 3.70}},
  {"DHGNN (w/ emb.)",   {84.48, 3.22,  85.28, 3.32,  81.12, 3.22}},
  {"DSHN",              {94.96, 1.75,  97.84, 1.86,  95.84, 2.17}},
  {"DSHNLight",         {95.60, 2.15,  97.04, 2.79,  99.04, 0.86}},
    }};

/// Table 'Mean F1-score and standard deviation for hyperedge classification'. It has no row for DHGNN with
/// embeddings. Its Molecular-1 is the set that uspto-50k stands for.
const PaperTable kMolecular = {
    {"uspto-50k", "molecular-2"},
    {
  {"HGNN",              {69.38, 0.48,  81.40, 2.68}},
  {"HNHN",              {32.27, 1.30,  45.69, 7.48}},
  {"UniGCNII",          {72.00, 0.59,  85.61, 2.63}},
  {"LEGCN",             { kOom, 0.00,  84.75, 2.68}},
  {"HyperND",           {44.16, 1.27,  82.86, 3.17}},
  {"AllDeepSets",       {79.17, 0.53,  85.78, 3.01}},
  {"AllSetTransformer", {79.24, 1.08,  87.89, 2.87}},
  {"ED-HNN",            {66.37, 2.62,  87.05, 1.96}},
  {"SheafHyperGNN",     {57.99, 2.75,  80.25, 2.20}},
  {"PhenomNN",          {47.71, 2.90,  86.27, 2.40}},
  {"GeDi-HNN",          {80.72, 0.78,  85.64, 2.42}},
  {"DHGNN",             { kOom, 0.00,  85.93, 3.49}},
  {"DSHN",              { kOom, 0.00,  89.09, 3.08}},
  {"DSHNLight",         {82.32, 0.56,  86.52, 2.68}},
    }};

// clang-format on

constexpr std::array kTables{&kRealUpper, &kRealLower, &kSynthetic, &kMolecular};

/// The table with a column for the set, and the place of the column; null where there is none.
std::pair<const PaperTable*, std::size_t> find_column(std::string_view data) {
  for (const PaperTable* table : kTables) {
    const auto column = std::ranges::find(table->columns, data);
    if (column != table->columns.end()) return {table, column - table->columns.begin()};
  }
  return {nullptr, 0};
}

/// As the paper prints it; empty for a model that is not here.
std::string_view title_of_model(std::string_view name) {
  const auto& all = models::all_models();
  const auto found = std::ranges::find(all, name, &models::ModelEntry::name);
  return found == all.end() ? std::string_view() : std::string_view(found->title);
}

}  // namespace

std::optional<PaperFigure> paper_figure(std::string_view data, std::string_view model) {
  constexpr std::string_view kGenerated = "synthetic-generated-";
  const std::string imitated =
      "synthetic-" + std::string(data.substr(std::min(kGenerated.size(), data.size())));
  const auto [table, column] = find_column(data.starts_with(kGenerated) ? imitated : data);
  if (table == nullptr) return std::nullopt;
  const auto row = std::ranges::find(table->rows, title_of_model(model), &PaperTable::Row::model);
  if (row == table->rows.end()) return std::nullopt;
  const double mean = row->cells[2 * column];
  if (mean == kOom) return PaperFigure{.out_of_memory = true};
  return PaperFigure{.mean = mean, .std = row->cells[2 * column + 1]};
}

bool has_paper_results(std::string_view data) {
  return find_column(data).first != nullptr;
}

bool is_paper_model(std::string_view model) {
  return std::ranges::find(kRealUpper.rows, title_of_model(model), &PaperTable::Row::model) !=
         kRealUpper.rows.end();
}

std::optional<PaperFigure> figure_beside(const train::Settings& settings, std::size_t splits) {
  const data::Entry* entry = data::find_entry(settings.data);
  if (entry == nullptr || splits != kPaperSplits || !settings.reading.empty()) return std::nullopt;
  const Options training = settings.training();
  const auto is_usual = [&](const char* option, std::string_view usual) {
    return training.is(option, "auto") || training.text(option) == usual;
  };
  if (!is_usual("split", data::split_kind_name(entry->split)) ||
      !is_usual("features", data::feature_kind_name(entry->default_features)) ||
      !is_usual("metric", entry->metric == data::Metric::accuracy ? "accuracy" : "macro-f1"))
    return std::nullopt;
  return paper_figure(settings.data, settings.model);
}

nlohmann::ordered_json to_json(const std::optional<PaperFigure>& figure) {
  if (!figure) return nullptr;
  if (figure->out_of_memory) return "out of memory";
  nlohmann::ordered_json out{{"mean", figure->mean}};
  if (figure->std) out["std"] = *figure->std;
  return out;
}

}  // namespace dshn::experiments
