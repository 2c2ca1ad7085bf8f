#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace dshn::tune {

/// One prepared statement. Positions count from 1 for values and from 0 for columns, as in SQLite.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql);

  Statement& bind(int position, std::int64_t value);
  Statement& bind(int position, double value);
  Statement& bind(int position, const std::string& value);

  /// Whether there is a (further) row.
  bool step();
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  double real(int column) const { return sqlite3_column_double(statement_.get(), column); }
  std::string text(int column) const;

 private:
  void check(int code) const;

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
};

/// Whether files in this folder can be locked; asks for a lock on a file of its own there.
bool can_lock(const std::filesystem::path& folder);

/// From then on SQLite changes its files through dshn/io/file_system.hpp.
void let_sqlite_share_our_calls();

/// One connection, for one thread. InvalidInput where the file is damaged or no database; Failure with SQLite's words
/// when it cannot go on otherwise.
class Database {
 public:
  enum class Open : std::uint8_t { existing, create };
  using CanLock = bool (*)(const std::filesystem::path& folder);

  explicit Database(const std::filesystem::path& file, Open how = Open::existing,
                    CanLock can_lock = tune::can_lock);

  Statement prepare(const char* sql) const { return {connection_.get(), sql}; }
  void execute(const char* sql) const;
  /// Rows that the last statement changed.
  int changes() const { return sqlite3_changes(connection_.get()); }
  /// All of the work or, when it throws, nothing. Waits until no other process writes.
  void transaction(const std::function<void()>& work) const;
  /// Several queries that see the same moment.
  void snapshot(const std::function<void()>& queries) const;

 private:
  /// What SQLite tells while it waits for a lock.
  struct Waiting;

  void between(const char* begin, const std::function<void()>& work) const;
  static int wait_a_moment(void* waiting, int tries);
  [[noreturn]] void fail() const;

  std::unique_ptr<Waiting, void (*)(Waiting*)> waiting_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> connection_;
};

}  // namespace dshn::tune
