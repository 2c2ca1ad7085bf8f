#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/subprocess.hpp"

/// The files of someone who has no data set: deals between companies, what some of them are, and what is known
/// about them.
namespace dshn::cli::test {

constexpr int kCompanies = 60;

inline std::string company(int i) {
  return fmt::format("company {:02}", i);
}

/// Sellers (the first third) sell to buyers; brokers stand in between.
inline std::vector<std::string> deal_rows() {
  std::vector<std::string> rows;
  for (int d = 0; d < 90; ++d) {
    const int seller = d % 20;
    const int broker = 20 + d % 19;
    const int buyer = 40 + (d * 7) % 20;
    rows.push_back(fmt::format("deal-{},{},tail", d, company(seller)));
    rows.push_back(fmt::format("deal-{},{},{}", d, company(broker), d % 2 == 0 ? "tail" : "head"));
    rows.push_back(fmt::format("deal-{},{},head", d, company(buyer)));
  }
  return rows;
}

/// Every second company is known: half of each kind.
inline std::vector<std::string> label_rows() {
  std::vector<std::string> rows;
  for (int i = kCompanies - 1; i >= 0; --i) {
    const char* const kind = i < 20 ? "seller" : i < 40 ? "broker" : "buyer";
    if (i % 2 == 0) rows.push_back(fmt::format("{},{}", company(i), kind));
  }
  return rows;
}

/// A number, a word and gaps in both.
inline std::vector<std::string> feature_rows() {
  std::vector<std::string> rows;
  for (int i = 0; i < kCompanies; ++i) {
    const std::string staff = i % 7 == 3 ? "" : fmt::format("{:.1f}", 0.1 * i + (i % 5));
    const char* const town = i % 11 == 5 ? "" : i % 3 == 0 ? "Oslo" : i % 3 == 1 ? "Rome" : "São Paulo";
    rows.push_back(fmt::format("{},{},{}", company(i), staff, town));
  }
  return rows;
}

inline std::string lines(const std::string& header, const std::vector<std::string>& rows) {
  std::string text = header + "\n";
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

/// Writes the three files and gives the flags that read them, beginning with the hypergraph's path.
inline Arguments own_data(const Scratch& scratch) {
  return {scratch.file("deals.csv", lines("deal,company,role", deal_rows())),
          "--columns",
          "hyperedge=deal,node=company",
          "--labels",
          scratch.file("labels.csv", lines("company,label", label_rows())),
          "--features",
          scratch.file("features.csv", lines("company,staff,town", feature_rows()))};
}

/// A command with its first words, then the flags, then others.
inline Arguments with(Arguments words, const Arguments& flags, const Arguments& more = {}) {
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace dshn::cli::test
