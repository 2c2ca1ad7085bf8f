#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "dshn/sheaf/assemble.hpp"
#include "dshn/sheaf/spectrum.hpp"

namespace dshn::cli {

/// What `dshn laplacian` found out.
struct LaplacianReport {
  struct Energy {
    std::string signal;
    /// x^dagger L_N x, x^dagger L x and x^dagger x, column by column.
    std::vector<double> normalized, plain, norm;
  };
  struct Export {
    std::string file;
    std::int64_t entries = 0;
  };

  std::string data;
  std::string maps;
  const sheaf::DirectedSheaf* sheaf = nullptr;
  sheaf::Form form = sheaf::Form::L_N;
  sheaf::BlockEstimate assembled;
  std::optional<sheaf::Eigenpairs> smallest, largest;
  std::optional<Energy> energy;
  std::optional<Export> exported;
  std::string density_file;
};

std::string page(const LaplacianReport& report, const Terminal& terminal);
nlohmann::ordered_json document(const LaplacianReport& report);

}  // namespace dshn::cli
