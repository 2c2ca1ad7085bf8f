#pragma once

#include <filesystem>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/load.hpp"

namespace dshn::io {

// Text tables, plain, .gz or .zst. Columns are separated by tabs, commas or blanks, whichever the first row
// has (looked for in this order). A field may be quoted as in RFC 4180; blanks around an unquoted one do not
// count. Lines that begin with # are comments, except for directives, which other programs take for comments
// too:
//
//   #% dshn hyperedge list 1     what the file is (or: arc list 1)
//   #% nodes N                   nodes 0..N-1 exist, in this order (N at most 2^24)
//   #% node ID                   the next node, whether or not a row mentions it
//   #% hyperedges M              the same for hyperedges
//   #% hyperedge ID [WEIGHT]
//
// Ids: 0..2147483647 without quotes is an integer, everything else a string; other integers must be declared
// by a directive. "1" in quotes is a string, and not the same as 1. Numbering: what directives declare, in
// their order, then the rest as it appears; where nothing is declared and all ids are integers, by value.
// Errors are InvalidInput with file and line.

/// Reads a hyperedge list or an arc list, told apart as TextKind says; both with a header or without.
///
/// Hyperedge list: rows (hyperedge, node[, role[, weight]]); a header may put the columns in any order, and may name
/// one with the weights of the incidences. Roles are tail and head. Without a role column all hyperedges are undirected; a role missing in some row is
/// treated by options.missing_direction. A hyperedge's weight must be the same on all of its rows that have
/// one.
///
/// Arc list: rows (from, to[, weight]), or a Python dictionary with a weight as networkx writes it, made into a
/// hypergraph by from_directed_graph.
Loaded read_text(const std::filesystem::path& path, const LoadOptions& options = {});

/// Writes a hyperedge list, with commas where the name ends in .csv (.csv.gz, .csv.zst) and with tabs
/// otherwise, compressed by the extension. Nothing is lost: order, names, weights, isolated nodes and empty
/// hyperedges come back as they were. The file appears complete or not at all.
void write_hyperedge_list(const Hypergraph& hypergraph, const std::filesystem::path& path);

}  // namespace dshn::io
