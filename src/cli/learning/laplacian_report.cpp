#include "cli/learning/laplacian_report.hpp"

#include <fmt/format.h>

#include "cli/text.hpp"
#include "cli/text_table.hpp"

namespace dshn::cli {
namespace {

using Json = nlohmann::ordered_json;

Json cost_document(const sheaf::Cost& cost) {
  return {{"multiply_adds", cost.multiply_adds}, {"bytes", cost.bytes}};
}

Json pairs_document(const sheaf::Eigenpairs& pairs) {
  Json list = Json::array();
  for (std::size_t j = 0; j < pairs.values.size(); ++j) {
    list.push_back({{"value", pairs.values[j]}, {"residual", pairs.residuals[j]}});
  }
  return {{"eigenvalues", list}, {"converged", pairs.converged}, {"products", pairs.products}};
}

std::string ratio(std::int64_t large, std::int64_t small) {
  return fmt::format("{:.1f} x",
                     static_cast<double>(large) / static_cast<double>(std::max<std::int64_t>(small, 1)));
}

std::string cost_section(const LaplacianReport& report, const Terminal& terminal) {
  const sheaf::Cost free = sheaf::matrix_free_cost(*report.sheaf);
  const sheaf::Cost assembled = sheaf::assembled_cost(*report.sheaf, report.assembled.blocks);
  const std::string bound = report.assembled.exact ? "" : "at most ";
  TextTable table(
      {{"cost of one product"}, {"matrix-free", Align::right}, {"assembled", Align::right}, {""}});
  table.add({{"blocks"},
             {with_commas(report.sheaf->hypergraph().incidence_count())},
             {bound + with_commas(report.assembled.blocks)},
             {ratio(report.assembled.blocks, report.sheaf->hypergraph().incidence_count())}});
  table.add({{"multiply-adds"},
             {with_commas(free.multiply_adds)},
             {bound + with_commas(assembled.multiply_adds)},
             {ratio(assembled.multiply_adds, free.multiply_adds)}});
  table.add({{"memory"},
             {human_bytes(free.bytes)},
             {bound + human_bytes(assembled.bytes)},
             {ratio(assembled.bytes, free.bytes)}});
  return '\n' + table.render(terminal) +
         fmt::format("assembling visits {} pairs of members\n", with_commas(report.assembled.member_pairs));
}

std::string spectrum_section(const LaplacianReport& report, const Terminal& terminal) {
  if (!report.smallest) return "";
  TextTable table({{fmt::format("eigenvalues of {}", sheaf::form_name(report.form))},
                   {"smallest", Align::right},
                   {"residual", Align::right},
                   {"largest", Align::right},
                   {"residual", Align::right}});
  const auto value = [](const sheaf::Eigenpairs& pairs, std::size_t j) {
    return TextCell{j < pairs.values.size() ? fixed(pairs.values[j], 10) : ""};
  };
  const auto residual = [](const sheaf::Eigenpairs& pairs, std::size_t j) {
    return TextCell{j < pairs.residuals.size() ? fmt::format("{:.1e}", pairs.residuals[j]) : ""};
  };
  const std::size_t rows = std::max(report.smallest->values.size(), report.largest->values.size());
  for (std::size_t j = 0; j < rows; ++j) {
    table.add({{fmt::format("{}", j + 1)},
               value(*report.smallest, j),
               residual(*report.smallest, j),
               value(*report.largest, j),
               residual(*report.largest, j)});
  }
  return '\n' + table.render(terminal);
}

std::string energy_section(const LaplacianReport& report, const Terminal& terminal) {
  if (!report.energy) return "";
  TextTable table({{fmt::format("energy of {}", printable(report.energy->signal))},
                   {"L_N", Align::right},
                   {"L", Align::right},
                   {"|x|^2", Align::right}});
  const auto number = [](double value) { return fmt::format("{:.6g}", value + 0.0); };  // -0 is 0
  for (std::size_t c = 0; c < report.energy->norm.size(); ++c) {
    table.add({{fmt::format("column {}", c)},
               {number(report.energy->normalized[c])},
               {number(report.energy->plain[c])},
               {number(report.energy->norm[c])}});
  }
  return '\n' + table.render(terminal);
}

std::string files_section(const LaplacianReport& report) {
  std::string lines;
  if (report.exported) {
    lines += fmt::format("wrote {} to {}: {} entries\n", sheaf::form_name(report.form),
                         printable(report.exported->file), with_commas(report.exported->entries));
  }
  if (!report.density_file.empty()) {
    lines += fmt::format("wrote the spectral density to {}\n", printable(report.density_file));
  }
  return lines.empty() ? "" : '\n' + lines;
}

}  // namespace

std::string page(const LaplacianReport& report, const Terminal& terminal) {
  const sheaf::DirectedSheaf& sheaf = *report.sheaf;
  const Hypergraph& h = sheaf.hypergraph();
  TextTable table({{""}, {""}});
  table.add({{"data"}, {printable(report.data)}});
  table.add({{"hypergraph"},
             {fmt::format("{} nodes, {} hyperedges, {} incidences", with_commas(h.node_count()),
                          with_commas(h.edge_count()), with_commas(h.incidence_count()))}});
  table.add({{"sheaf"},
             {fmt::format("{} maps, d = {}, q = {}{}", report.maps, sheaf.stalk_dimension(), sheaf.charge(),
                          sheaf.is_real() ? " (real operators)" : "")}});
  table.add({{"matrices"}, {fmt::format("{0} x {0}", with_commas(sheaf.dimension()))}});
  if (!sheaf.is_regular()) {
    table.add(
        {{"note"}, {"some degree blocks are singular: L_N = P - Q_N, P the projection on their range"}});
  }
  return table.render(terminal) + cost_section(report, terminal) + spectrum_section(report, terminal) +
         energy_section(report, terminal) + files_section(report);
}

Json document(const LaplacianReport& report) {
  const sheaf::DirectedSheaf& sheaf = *report.sheaf;
  const Hypergraph& h = sheaf.hypergraph();
  Json assembled = cost_document(sheaf::assembled_cost(sheaf, report.assembled.blocks));
  assembled["blocks"] = report.assembled.blocks;
  assembled["exact"] = report.assembled.exact;
  assembled["member_pairs"] = report.assembled.member_pairs;
  Json result{
      {"data", report.data},
      {"n_nodes", h.node_count()},
      {"n_hyperedges", h.edge_count()},
      {"n_incidences", h.incidence_count()},
      {"q", sheaf.charge()},
      {"maps", report.maps},
      {"d", sheaf.stalk_dimension()},
      {"dimension", sheaf.dimension()},
      {"real", sheaf.is_real()},
      {"regular", sheaf.is_regular()},
      {"form", sheaf::form_name(report.form)},
      {"cost", {{"matrix_free", cost_document(sheaf::matrix_free_cost(sheaf))}, {"assembled", assembled}}}};
  if (report.smallest) {
    result["spectrum"] = {{"smallest", pairs_document(*report.smallest)},
                          {"largest", pairs_document(*report.largest)}};
  }
  if (report.energy) {
    result["energy"] = {{"signal", report.energy->signal},
                        {"L_N", report.energy->normalized},
                        {"L", report.energy->plain},
                        {"norm", report.energy->norm}};
  }
  if (report.exported)
    result["export"] = {{"file", report.exported->file}, {"entries", report.exported->entries}};
  if (!report.density_file.empty()) result["density"] = report.density_file;
  return result;
}

}  // namespace dshn::cli
