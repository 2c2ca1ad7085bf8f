#include "data/feature_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/column_codes.hpp"
#include "dshn/base/error.hpp"
#include "dshn/hypergraph/name_index.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/sparse.hpp"

namespace dshn::data {
namespace {

constexpr const char* kIds = "ids";
constexpr const char* kDense = "x";
constexpr const char* kNames = "names";

std::vector<Name> ids_of(const io::Array& array, const std::string& file) {
  std::vector<Name> ids;
  const std::string what = fmt::format("{}: {}", file, kIds);
  if (array.dtype == io::DType::text) {
    for (std::string& text : array.as<std::string>(what)) ids.push_back(Name::string(std::move(text)));
  } else {
    for (const std::int64_t value : array.as<std::int64_t>(what)) ids.push_back(Name::integer(value));
  }
  return ids;
}

/// The item of each row, -1 for ids that the hypergraph lacks.
std::vector<Index> items_of(const std::vector<Name>& ids, const Items& items, const std::string& file,
                            ArchivedFeatures& out) {
  const NameIndex names(*items.names, items.count);
  std::vector<bool> seen(static_cast<std::size_t>(items.count));
  std::vector<Index> rows;
  std::vector<std::string> strangers, absent;
  for (const Name& id : ids) {
    rows.push_back(names.find(id.text, id.is_integer));
    if (rows.back() < 0) {
      strangers.push_back(fmt::format("'{}'", id.text));
      continue;
    }
    if (seen[static_cast<std::size_t>(rows.back())])
      throw InvalidInput(fmt::format("{}: {} '{}' has two rows", file, items.word, id.text));
    seen[static_cast<std::size_t>(rows.back())] = true;
  }
  if (!ids.empty() && strangers.size() == ids.size())
    throw InvalidInput(fmt::format("{}: none of its {} ids is a {} of the hypergraph: {}", file, ids.size(),
                                   items.word, some_of(strangers)));
  for (Index item = 0; item < items.count; ++item) {
    if (!seen[static_cast<std::size_t>(item)]) absent.push_back(items.names->quoted(item));
  }
  if (!strangers.empty())
    out.warnings.push_back(fmt::format("{}: {} of {} ids are no {}s of the hypergraph and are left out: {}",
                                       file, strangers.size(), ids.size(), items.word, some_of(strangers)));
  if (!absent.empty())
    out.warnings.push_back(fmt::format("{}: {} of {} {}s have no row, and their features are 0: {}", file,
                                       absent.size(), items.count, items.word, some_of(absent)));
  return rows;
}

void check_rows(std::int64_t rows, std::size_t ids, const std::string& file) {
  if (rows == static_cast<std::int64_t>(ids)) return;
  throw InvalidInput(fmt::format("{}: {} rows, but {} ids; expected one for each row", file, rows, ids));
}

Index checked_columns(std::int64_t columns, const std::string& file) {
  if (columns > 0 && columns <= 1'000'000'000) return static_cast<Index>(columns);
  throw InvalidInput(fmt::format("{}: {} columns, expected 1 to 1000000000", file, columns));
}

float checked(double value, const std::string& file) {
  if (std::isfinite(static_cast<float>(value))) return static_cast<float>(value);
  throw InvalidInput(fmt::format("{}: a feature is {}, expected a finite number", file, value));
}

/// Entries in any order, those at the same place added up, as scipy means them.
Features sparse_features(const io::SparseMatrix& matrix, const std::vector<Index>& rows, const Items& items,
                         const std::string& file) {
  const std::vector<double> values = matrix.values.as<double>(file + ": data");
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (rows[static_cast<std::size_t>(matrix.row[i])] >= 0) order.push_back(i);
  }
  const auto place = [&](std::size_t i) {
    return std::pair(rows[static_cast<std::size_t>(matrix.row[i])], matrix.col[i]);
  };
  std::ranges::stable_sort(order, {}, place);
  Features::Entries entries;
  entries.row_ptr.assign(static_cast<std::size_t>(items.count) + 1, 0);
  for (std::size_t i = 0; i < order.size();) {
    double sum = 0;
    const auto here = place(order[i]);
    for (; i < order.size() && place(order[i]) == here; ++i) sum += values[order[i]];
    if (sum == 0) continue;
    entries.columns.push_back(static_cast<Index>(here.second));
    entries.values.push_back(checked(sum, file));
    ++entries.row_ptr[static_cast<std::size_t>(here.first) + 1];
  }
  std::partial_sum(entries.row_ptr.begin(), entries.row_ptr.end(), entries.row_ptr.begin());
  const Features features(items.count, checked_columns(matrix.cols, file), std::move(entries));
  const bool few = features.worth_entries(static_cast<Offset>(features.columns().size()));
  return few ? features : Features(features.rows(), features.cols(), features.dense_values());
}

Features dense_rows(const io::Array& x, const std::vector<Index>& rows, const Items& items,
                    const std::string& file) {
  const std::vector<float> values = x.as<float>(fmt::format("{}: {}", file, kDense));
  const Index columns = x.shape.size() == 1 ? 1 : checked_columns(x.shape[1], file);
  std::vector<float> placed(static_cast<std::size_t>(items.count) * static_cast<std::size_t>(columns));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] < 0) continue;
    for (Index c = 0; c < columns; ++c)
      placed[static_cast<std::size_t>(rows[row]) * columns + c] = checked(values[row * columns + c], file);
  }
  return Features(items.count, columns, std::move(placed)).compact();
}

}  // namespace

bool is_archive(const std::string& file) {
  return file.ends_with(".npz");
}

ArchivedFeatures read_feature_archive(const std::string& file, const Items& items) {
  const std::vector<std::string> members = io::npz_members(file);
  const auto has = [&](const char* name) { return std::ranges::find(members, name) != members.end(); };
  if (!has(kIds))
    throw InvalidInput(
        fmt::format("{}: its rows have no ids; expected an array '{}' of {} ids, one for each row", file,
                    kIds, items.word));
  ArchivedFeatures out;
  const std::vector<Name> ids = ids_of(io::read_npz(file, {kIds}).at(kIds), file);
  const std::vector<Index> rows = items_of(ids, items, file, out);
  if (has(kDense)) {
    const io::Array x = io::read_npz(file, {kDense}).at(kDense);
    if (x.shape.size() != 1 && x.shape.size() != 2)
      throw InvalidInput(fmt::format("{}: {} has shape {}, expected (rows, columns)", file, kDense,
                                     io::shape_text(x.shape)));
    check_rows(x.shape[0], ids.size(), file);
    out.features = dense_rows(x, rows, items, file);
  } else {
    const io::SparseMatrix matrix = io::read_sparse(file);
    check_rows(matrix.rows, ids.size(), file);
    out.features = sparse_features(matrix, rows, items, file);
  }
  if (has(kNames)) {
    out.names = io::read_npz(file, {kNames}).at(kNames).as<std::string>(fmt::format("{}: {}", file, kNames));
    if (out.names.size() != static_cast<std::size_t>(out.features.cols()))
      throw InvalidInput(
          fmt::format("{}: {} names, but {} columns", file, out.names.size(), out.features.cols()));
  }
  out.notes.push_back(fmt::format("{}: {} columns of features", file, out.features.cols()));
  return out;
}

}  // namespace dshn::data
