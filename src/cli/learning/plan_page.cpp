#include "cli/learning/plan_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text.hpp"
#include "cli/text_table.hpp"

namespace dshn::cli {
namespace {

using nlohmann::ordered_json;

std::string count(double number) {
  return with_commas(std::llround(number));
}

std::string bytes(double number) {
  return human_bytes(std::llround(number));
}

std::string seconds(double number) {
  if (number >= 100) return count(number) + " s";
  return number >= 0.1 ? fmt::format("{:.1f} s", number) : fmt::format("{:.2f} ms", 1000 * number);
}

std::string percent(double share) {
  return fmt::format("{} %", share < 0.1 ? fixed(100 * share, 2) : count(100 * share));
}

std::string heading(const PlanReport& report) {
  const train::Fleet& fleet = report.fleet;
  std::string text = fmt::format(
      "{} on {}{} nodes, {} hyperedges, {} incidences; {} rank{} of {} thread{} on {} "
      "machine{}\n",
      report.model, report.data.empty() ? "" : printable(report.data) + ": ", count(report.whole.nodes),
      count(report.whole.hyperedges), count(report.whole.incidences), count(fleet.ranks),
      fleet.ranks == 1 ? "" : "s", fleet.threads, fleet.threads == 1 ? "" : "s", count(fleet.machines),
      fleet.machines == 1 ? "" : "s");
  if (fleet.ranks > 1)
    text += fmt::format(
        "{} sums between parts{}, the largest part {} above the mean\n", count(report.division.cut),
        report.cut_is_guessed ? ", as of nodes dealt out at random" : "", percent(report.division.imbalance));
  return text;
}

std::string limits_of(const char* where, const train::Plan& plan) {
  std::string text = fmt::format("next limit on {}: ", where);
  const train::Limit& next = plan.limits.front();
  text += fmt::format("{}, {}{}\n", next.what, percent(next.share()),
                      next.share() > 1 ? ": too much" : " of what there is");
  return text;
}

ordered_json to_json(const train::Plan& plan) {
  ordered_json limits = ordered_json::array();
  for (const train::Limit& limit : plan.limits)
    limits.push_back(
        {{"what", limit.what}, {"used", limit.used}, {"most", limit.most}, {"share", limit.share()}});
  return {{"rank_bytes", plan.rank_bytes},         {"machine_bytes", plan.machine_bytes},
          {"cutting_bytes", plan.cutting_bytes},   {"row_bytes", plan.row_bytes},
          {"gradient_bytes", plan.gradient_bytes}, {"link_bytes", plan.link_bytes},
          {"work_seconds", plan.work_seconds},     {"message_seconds", plan.message_seconds},
          {"epoch_seconds", plan.seconds()},       {"limits", limits}};
}

ordered_json to_json(const train::Extent& extent) {
  return {{"nodes", extent.nodes}, {"hyperedges", extent.hyperedges}, {"incidences", extent.incidences}};
}

}  // namespace

std::string plan_page(const PlanReport& report, const Terminal& terminal) {
  TextTable table({{"", Align::left}, {"on CPUs", Align::right}, {"on cards", Align::right}});
  const train::Plan& a = report.processors;
  const train::Plan& b = report.cards;
  const auto row = [&](const char* what, const auto& text, double on_processors, double on_cards) {
    table.add({{what}, {text(on_processors)}, {text(on_cards)}});
  };
  row("memory of a rank", bytes, a.rank_bytes, b.rank_bytes);
  row("memory of a machine", bytes, a.machine_bytes, b.machine_bytes);
  if (report.fleet.ranks > 1) {
    row("memory to cut the data", bytes, a.cutting_bytes, b.cutting_bytes);
    row("rows sent in an epoch, all ranks", bytes, a.row_bytes, b.row_bytes);
    row("gradients added up in an epoch", bytes, a.gradient_bytes, b.gradient_bytes);
    row("leaves a machine in an epoch", bytes, a.link_bytes, b.link_bytes);
    row("an epoch's work", seconds, a.work_seconds, b.work_seconds);
    row("an epoch's messages", seconds, a.message_seconds, b.message_seconds);
  }
  row("an epoch", seconds, a.seconds(), b.seconds());
  return heading(report) + "\n" + table.render(terminal) + "\n" + limits_of("CPUs", a) +
         limits_of("cards", b);
}

ordered_json plan_document(const PlanReport& report) {
  const train::RankCost& cost = report.cost;
  const train::Fleet& fleet = report.fleet;
  return {{"data", report.data.empty() ? ordered_json() : ordered_json(report.data)},
          {"model", report.model},
          {"whole", to_json(report.whole)},
          {"ranks", fleet.ranks},
          {"machines", fleet.machines},
          {"threads", fleet.threads},
          {"cut", report.division.cut},
          {"cut_is_guessed", report.cut_is_guessed},
          {"imbalance", report.division.imbalance},
          {"rank", to_json(report.processors.rank)},
          {"cost",
           {{"data_bytes", cost.data_bytes},
            {"training_bytes", cost.training_bytes},
            {"calls", cost.work.calls},
            {"bytes", cost.work.bytes},
            {"products", cost.work.products},
            {"sweeps", cost.work.sweeps},
            {"exchanges", cost.exchanges},
            {"bytes_of_cut", cost.bytes_of_cut},
            {"gradient_bytes", cost.gradient_bytes}}},
          {"cpu", to_json(report.processors)},
          {"card", to_json(report.cards)}};
}

}  // namespace dshn::cli
