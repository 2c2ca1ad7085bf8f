#pragma once

#include <functional>
#include <vector>

#include "dshn/models/model.hpp"
#include "dshn/parts/part.hpp"
#include "dshn/ranks/group.hpp"

/// A small data set, cut by chance into parts that work in a thread each.
namespace dshn::ranks::test {

/// Directed, undirected, singleton, repeated and empty hyperedges and an isolated node, with weights of hyperedges and
/// incidences where asked for. Features of nodes and hyperedges.
data::Dataset some_data(bool weights);

/// In double.
models::Input input_of(const data::Dataset& dataset);

/// A random partition; with more than two parts, one of them is empty.
std::vector<parts::Part> some_parts(const data::Dataset& dataset, int count);

/// Calls work(rank, group) in a thread for each rank. What one throws is thrown here.
void on_ranks(int size, const std::function<void(int, const std::shared_ptr<const Group>&)>& work);

/// Rows of all parts in the order of the whole, where part p has the rows numbers[p]; all that have a row agree.
at::Tensor assembled(const std::vector<at::Tensor>& rows, const std::vector<std::vector<Index>>& numbers,
                     std::int64_t count);

}  // namespace dshn::ranks::test
