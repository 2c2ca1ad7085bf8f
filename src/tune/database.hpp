#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dshn/tune/store_address.hpp"

namespace dshn::tune {

/// What a statement is given, and what it gives.
using Value = std::variant<std::int64_t, double, std::string>;

/// A row of what a query gives. Columns count from 0; what is of another kind is brought to the one asked for.
class Row {
 public:
  explicit Row(std::vector<Value> values) : values_(std::move(values)) {}

  std::int64_t integer(std::size_t column) const;
  double real(std::size_t column) const;
  std::string text(std::size_t column) const;

 private:
  std::vector<Value> values_;
};

using Rows = std::vector<Row>;

/// A connection to the tables of one study, for one thread. What is to be done with them is written once, in SQL that
/// all kinds of databases understand.
///
/// InvalidInput where the database is damaged or holds no study; Failure with the database's words where it cannot go
/// on otherwise.
class Database {
 public:
  Database() = default;
  virtual ~Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// The version of the tables; 0 where there are none yet.
  virtual std::int64_t version() = 0;
  /// Makes the tables by these statements and fills them, all or nothing. False where there are some.
  virtual bool create(const char* tables, int version, const std::function<void()>& fill) = 0;

  /// All of the work or, when it throws, nothing; no other process changes the study meanwhile.
  ///
  /// A connection that is lost is made again and the work done again: also where it was lost while the work was being
  /// kept, so that nobody knows whether it is. Work has to see by itself what it has done already.
  virtual void transaction(const std::function<void()>& work) = 0;
  /// Several queries that see the same moment.
  virtual void snapshot(const std::function<void()>& queries) = 0;

  // The following are for use within these three.

  /// One statement with parameters $1, $2, ...
  virtual Rows run(const char* sql, const std::vector<Value>& parameters = {}) = 0;
  /// Seconds of the clock that all processes share.
  virtual double now() = 0;
  /// Since when processes were able to say that they live, by that clock.
  virtual double up_since() = 0;
};

enum class Opening : std::uint8_t { existing, create };

/// In a build without the library for this kind: Failure.
std::unique_ptr<Database> open_sqlite(const std::filesystem::path& file, Opening opening);
std::unique_ptr<Database> open_postgres(const StoreAddress& address);

}  // namespace dshn::tune
