#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/load.hpp"

namespace dshn::io {

/// Reads a file of the Hypergraph Interchange Format (HIF, version 0.1) in one pass, plain, gzip or zstd, and
/// takes what other programs write:
/// - keys in any order; nodes and hyperedges that no list declares;
/// - ids that are strings or 64-bit integers, where "1" and 1 differ and 1.0 is 1;
/// - numbering: what the lists declare, in their order, then the rest as it appears; where there is no list
///   and all ids are integers, by value;
/// - `network-type` missing: directed if any incidence has a direction, else undirected; an `asc` complex is
///   read as the hyperedges it lists;
/// - weights of hyperedges are used, also where XGI puts them (attrs.weight);
/// - weights of incidences are used, unless LoadOptions say otherwise or one of them is not above 0;
/// - attrs.label (or another one, see AttributeChoice) says the class of a node or hyperedge: numbers 0, 1, 2,
///   ... become the array y or edge_y, -1 where there is none; others a column of node_table or edge_table, as do
///   the other attributes that are asked for;
/// - attrs.undirected makes a hyperedge of a directed file undirected;
/// - unknown keys, other weights and attributes, HGX's `type`, HyperNetX's "nil" are counted in
///   Loaded::warnings.
///
/// Throws InvalidInput with file and byte.
Loaded read_hif(const std::filesystem::path& path, const LoadOptions& options = {});

struct HifWriteOptions {
  /// A JSON object as text; empty for none.
  std::string metadata = {};
  /// One per node or per hyperedge, or empty; written as attrs.label.
  std::span<const std::int64_t> node_labels = {};
  std::span<const std::int64_t> edge_labels = {};
  /// Where there are any, labels are written as these words, and none for a label below 0.
  std::span<const std::string> class_names = {};
};

/// Writes strict HIF, compressed by the extension (.gz, .zst), complete or not at all: `network-type`, every
/// node and hyperedge in index order, then the incidences, with a direction each if any hyperedge is
/// directed. In such a file an undirected hyperedge has tails only and attrs.undirected. Reading the file
/// gives an equal hypergraph, but that undirected hyperedges made of heads come back made of tails. Throws
/// Failure if the file cannot be written, UsageError for options that do not fit, InvalidInput for names that
/// are not UTF-8.
void write_hif(const Hypergraph& hypergraph, const std::filesystem::path& path,
               const HifWriteOptions& options = {});

/// One departure from the HIF schema.
struct HifViolation {
  std::int64_t offset = 0;  // byte of the uncompressed text
  std::string pointer;      // JSON pointer (RFC 6901) to the value, or to the object that lacks a key
  std::string message;
};

/// Every violation of the HIF schema, and every repeated key, in the order of the file. A syntax error is the
/// last one. Throws InvalidInput only if the file cannot be opened or decompressed.
std::vector<HifViolation> validate_hif(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace dshn::io
