#pragma once

#include <vector>

#include "data/array_checks.hpp"
#include "dshn/io/item_table.hpp"

namespace dshn::data {

/// The rank of each item by a column of numbers or of dates such as 2024-05-31 or 2024-05-31T12:00; -1 where it
/// has none. InvalidInput names the row of anything else.
std::vector<Index> time_ranks(const io::ItemTable& table, const io::TextColumn& column, const Items& items);

}  // namespace dshn::data
