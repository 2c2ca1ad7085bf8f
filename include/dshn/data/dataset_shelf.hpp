#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dshn/data/open.hpp"

namespace dshn::data {

/// Data sets by what was asked for, each read once: for whoever trains on one many times.
class DatasetShelf {
 public:
  /// As data::open; the second time it is the same object. The seed counts for generated sets alone.
  std::shared_ptr<const Dataset> open(const std::string& what, const OpenOptions& options = {});

 private:
  struct Opened {
    std::string what;
    OpenOptions options;
    std::shared_ptr<const Dataset> dataset;
  };
  std::vector<Opened> opened_;
};

}  // namespace dshn::data
