#pragma once

#include <string>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/io/array.hpp"

namespace dshn::data {

/// What an array's rows are about: how many there are and what they are called.
struct Items {
  std::string word;
  Index count = 0;
  const Names* names = nullptr;

  std::string quoted(std::int64_t i) const { return word + " " + names->quoted(i); }
};

Items nodes_of(const Hypergraph& hypergraph);
Items edges_of(const Hypergraph& hypergraph);

/// Each throws InvalidInput, its message beginning with `where` and naming the array.
Features dense_features(io::Array x, const std::string& name, const Items& items, const std::string& where);
Features packed_features(io::Array bits, const io::Array& shape, const Items& items,
                         const std::string& where);
std::vector<Index> class_labels(const io::Array& y, const std::string& name, const Items& items,
                                const std::string& where);
/// `known` says whether the target of each item is; it is empty where there are no targets.
std::vector<Split> mask_splits(const io::Arrays& arrays, const Items& items, const std::vector<bool>& known,
                               const std::string& where);

}  // namespace dshn::data
