#include "data/array_checks.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"
#include "dshn/io/data_files.hpp"

namespace dshn::data {
namespace {

constexpr std::int64_t kForgetBytes = 1 << 20;

void check_finite(const Features& features, const std::string& name, const Items& items,
                  const std::string& where) {
  const std::span<const float> values = features.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const auto cols = static_cast<std::size_t>(features.cols());
    throw InvalidInput(fmt::format("{}: {}: the feature of {} in column {} is {}, expected a finite number",
                                   where, name, items.quoted(static_cast<std::int64_t>(i / cols)), i % cols,
                                   values[i]));
  }
}

/// On the array's own bytes where they are float32 already.
Features matrix_of(io::Array x, Index rows, Index cols, const std::string& what) {
  if (x.dtype != io::DType::float32) return {rows, cols, x.as<float>(what)};
  const auto kept = std::make_shared<const io::Array>(std::move(x));
  const auto* values = reinterpret_cast<const float*>(kept->bytes.data());
  return {rows, cols, std::span(values, static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)),
          kept};
}

void check_rows(std::int64_t rows, const std::string& name, const Items& items, const std::string& where) {
  if (rows == items.count) return;
  throw InvalidInput(fmt::format("{}: {} has {} rows, but the hypergraph has {} {}s", where, name, rows,
                                 items.count, items.word));
}

Index column_count(std::int64_t cols, const std::string& name, const std::string& where) {
  if (cols >= 0 && cols <= 1'000'000'000) return static_cast<Index>(cols);
  throw InvalidInput(fmt::format("{}: {} has {} columns, expected 0 to 1000000000", where, name, cols));
}

/// The masks of one part: rows of items.count flags.
std::vector<bool> mask_rows(const io::Arrays& arrays, const std::string& name, const Items& items,
                            const std::string& where, std::int64_t& splits) {
  const io::Array& array = arrays.at(name);
  const auto& shape = array.shape;
  const bool fits = (shape.size() == 1 && shape[0] == items.count) ||
                    (shape.size() == 2 && shape[1] == items.count && shape[0] > 0);
  if (!fits) {
    throw InvalidInput(fmt::format("{}: {} has shape {}, expected (splits, {}), one column for each {}",
                                   where, name, io::shape_text(shape), items.count, items.word));
  }
  splits = shape.size() == 1 ? 1 : shape[0];
  return array.as<bool>(where + ": " + name);
}

constexpr const char* kMasks[] = {io::kTrainMasks, io::kValMasks, io::kTestMasks};

void place(Split& split, const std::vector<bool> (&masks)[3], std::size_t row, const Items& items,
           const std::vector<bool>& known, const std::string& where) {
  std::vector<Index>* parts[] = {&split.train, &split.val, &split.test};
  for (Index i = 0; i < items.count; ++i) {
    const std::size_t flag = row * static_cast<std::size_t>(items.count) + static_cast<std::size_t>(i);
    int holder = -1;
    for (int part = 0; part < 3; ++part) {
      if (!masks[part][flag]) continue;
      if (holder >= 0) {
        throw InvalidInput(
            fmt::format("{}: split {}: {} is in {} and in {}; the parts of a split "
                        "must not overlap",
                        where, row, items.quoted(i), kMasks[holder], kMasks[part]));
      }
      if (known.empty() || !known[static_cast<std::size_t>(i)]) {
        throw InvalidInput(fmt::format("{}: split {}: {} is in {}, but its label is not known", where, row,
                                       items.quoted(i), kMasks[part]));
      }
      holder = part;
      parts[part]->push_back(i);
    }
  }
}

}  // namespace

Items nodes_of(const Hypergraph& hypergraph) {
  return {"node", hypergraph.node_count(), &hypergraph.node_names()};
}

Items edges_of(const Hypergraph& hypergraph) {
  return {"hyperedge", hypergraph.edge_count(), &hypergraph.edge_names()};
}

Features dense_features(io::Array x, const std::string& name, const Items& items, const std::string& where) {
  if (x.shape.size() != 1 && x.shape.size() != 2) {
    throw InvalidInput(fmt::format("{}: {} has shape {}, expected ({}, columns)", where, name,
                                   io::shape_text(x.shape), items.count));
  }
  check_rows(x.shape[0], name, items, where);
  const Index cols = x.shape.size() == 1 ? 1 : column_count(x.shape[1], name, where);
  const Features features = matrix_of(std::move(x), items.count, cols, where + ": " + name);
  check_finite(features, name, items, where);
  return features.compact();
}

Features packed_features(io::Array bits, const io::Array& shape, const Items& items,
                         const std::string& where) {
  const auto wanted = shape.as<std::int64_t>(where + ": x_shape");
  if (wanted.size() != 2) {
    throw InvalidInput(fmt::format("{}: x_shape has {} numbers, expected 2", where, wanted.size()));
  }
  check_rows(wanted[0], io::kNodeFeatureShape, items, where);
  const Index cols = column_count(wanted[1], io::kNodeFeatureShape, where);
  const std::int64_t row_bytes = (static_cast<std::int64_t>(cols) + 7) / 8;
  if (bits.dtype != io::DType::uint8 || bits.shape != std::vector<std::int64_t>{items.count, row_bytes}) {
    throw InvalidInput(
        fmt::format("{}: x_bits is {} of shape {}, expected uint8 of shape ({}, {}) for x_shape {}", where,
                    io::dtype_name(bits.dtype), io::shape_text(bits.shape), items.count, row_bytes,
                    io::shape_text(wanted)));
  }
  Features::Entries ones;
  ones.row_ptr.reserve(static_cast<std::size_t>(items.count) + 1);
  ones.row_ptr.push_back(0);
  ones.columns.reserve(
      std::transform_reduce(bits.bytes.begin(), bits.bytes.end(), std::size_t{0}, std::plus<>(),
                            [](std::byte b) { return std::popcount(std::to_integer<unsigned>(b)); }));
  std::int64_t forgotten = 0;
  for (Index row = 0; row < items.count; ++row) {
    std::byte* const packed = bits.bytes.data() + row * row_bytes;
    // Bits and entries of a large set are not held both.
    if (row * row_bytes - forgotten >= kForgetBytes) {
      forget({bits.bytes.data() + forgotten, packed});
      forgotten = row * row_bytes;
    }
    for (Index col = 0; col < cols; ++col) {
      if ((packed[col / 8] & (std::byte{0x80} >> (col % 8))) != std::byte{0}) ones.columns.push_back(col);
    }
    ones.row_ptr.push_back(static_cast<Offset>(ones.columns.size()));
  }
  const Features features(items.count, cols, std::move(ones));
  const bool few = features.worth_entries(static_cast<Offset>(features.columns().size()));
  return few ? features : Features(items.count, cols, features.dense_values());
}

std::vector<Index> class_labels(const io::Array& y, const std::string& name, const Items& items,
                                const std::string& where) {
  const bool column = y.shape.size() == 2 && y.shape[1] == 1;
  if (y.shape.size() != 1 && !column) {
    throw InvalidInput(fmt::format("{}: {} has shape {}, expected ({},)", where, name,
                                   io::shape_text(y.shape), items.count));
  }
  check_rows(y.shape[0], name, items, where);
  const auto values = y.as<std::int64_t>(where + ": " + name);
  std::vector<Index> labels;
  labels.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    // More classes than items means that the numbers are something else, e.g. ids or years.
    if (values[i] < -1 || values[i] >= items.count) {
      throw InvalidInput(
          fmt::format("{}: {}: the label of {} is {}, expected -1 (not known) or a class from 0 to {}", where,
                      name, items.quoted(static_cast<std::int64_t>(i)), values[i], items.count - 1));
    }
    labels.push_back(static_cast<Index>(values[i]));
  }
  return labels;
}

std::vector<Split> mask_splits(const io::Arrays& arrays, const Items& items, const std::vector<bool>& known,
                               const std::string& where) {
  std::vector<bool> masks[3];
  std::int64_t counts[3] = {};
  int present = 0;
  for (const char* name : kMasks) present += arrays.contains(name) ? 1 : 0;
  if (present == 0) return {};
  for (int part = 0; part < 3; ++part) {
    const std::string name = kMasks[part];
    if (!arrays.contains(name)) {
      throw InvalidInput(fmt::format(
          "{}: {} is missing; expected train_masks, val_masks and test_masks, or none of them", where, name));
    }
    masks[part] = mask_rows(arrays, name, items, where, counts[part]);
    if (counts[part] != counts[0]) {
      throw InvalidInput(
          fmt::format("{}: {} has {} splits, but train_masks has {}", where, name, counts[part], counts[0]));
    }
  }
  std::vector<Split> splits(static_cast<std::size_t>(counts[0]));
  for (std::size_t row = 0; row < splits.size(); ++row) {
    place(splits[row], masks, row, items, known, where);
    if (splits[row].train.empty()) {
      throw InvalidInput(fmt::format("{}: split {} has no {}s to train on", where, row, items.word));
    }
  }
  return splits;
}

}  // namespace dshn::data
