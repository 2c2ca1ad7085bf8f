#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tune/database.hpp"

namespace dshn::tune {

/// Whether files in this folder can be locked; asks for a lock on a file of its own there.
bool can_lock(const std::filesystem::path& folder);

/// From then on SQLite changes its files through dshn/io/file_system.hpp.
void let_sqlite_share_our_calls();

/// A study in a file, for any number of processes that see the same locks.
class SqliteDatabase : public Database {
 public:
  using CanLock = bool (*)(const std::filesystem::path& folder);

  explicit SqliteDatabase(const std::filesystem::path& file, Opening opening = Opening::existing,
                          CanLock can_lock = tune::can_lock);

  std::int64_t version() override;
  bool create(const char* tables, int version, const std::function<void()>& fill) override;
  /// Waits until no other process writes.
  void transaction(const std::function<void()>& work) override;
  void snapshot(const std::function<void()>& queries) override;
  Rows run(const char* sql, const std::vector<Value>& parameters = {}) override;
  double now() override;
  double up_since() override { return 0; }

  /// Any number of statements without parameters.
  void execute(const char* sql) const;

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
