#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/array.hpp"
#include "dshn/io/byte_stream.hpp"

namespace dshn::io {

/// What to make of an incidence without a direction in a file that says it is directed.
enum class MissingDirection : std::uint8_t { error, tail, undirected };

struct LoadOptions {
  OnConflict on_conflict = OnConflict::error;
  MissingDirection missing_direction = MissingDirection::error;
  /// Arc lists: whether column 0 is the tail (true) or the head.
  bool first_column_is_tail = true;
  /// Told how far reading has come, from the calling thread; called now and then on large files.
  Progress progress = {};
};

/// What a file or folder held.
struct Loaded {
  Hypergraph hypergraph;
  /// Arrays that came along: x or x_bits and x_shape, y, edge_y, edge_x, train_masks, val_masks, test_masks.
  Arrays arrays;
  /// The format as a person would call it, e.g. "HIF JSON, gzip".
  std::string format;
  /// One line each: things that were assumed, merged or left out.
  std::vector<std::string> warnings;
  /// The metadata of a HIF file as JSON text; empty if there are none.
  std::string metadata;
};

/// Loads a data set folder or a file, recognised by its content first and its extension second: HIF (plain, .gz,
/// .zst), hyperedge lists and arc lists (TSV, CSV), heterophilous-graphs .npz, scipy sparse .npz, LINQS .cites,
/// WebKB folders, Telegram's .npz with its labels beside it. Throws InvalidInput.
Loaded load(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace dshn::io
