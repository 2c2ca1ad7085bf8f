#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The picture that the results open with: how far DSHN and DSHNLight are from the paper's figures.
namespace dshn::experiments {

/// Our mean less the paper's, in points, with its 95 % interval where one is known.
struct Difference {
  std::string data;
  std::string model;
  double mean = 0;
  std::optional<std::pair<double, double>> interval = {};
};

/// Of every cell of DSHN and DSHNLight in the tables of accuracy (synthetic.json, real-world.json) of a folder that
/// has figures of both kinds. Tables that are not there are left out; InvalidInput for a file that is none.
std::vector<Difference> differences_in(const std::filesystem::path& folder);

/// An SVG with a row per data set and a mark per difference, in light or dark as the reader has it. It follows from
/// the differences alone.
std::string difference_picture(const std::vector<Difference>& differences);

}  // namespace dshn::experiments
