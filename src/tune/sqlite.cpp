#include "tune/sqlite.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::tune {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenTries{5};
/// Locks of a process that ends go with it, so this is only reached when a disk hangs.
constexpr std::chrono::minutes kLongestWait{10};

[[noreturn]] void fail_with(sqlite3* database) {
  const char* const file = sqlite3_db_filename(database, "main");
  const std::string line = fmt::format("{}: {}", file != nullptr ? file : "study", sqlite3_errmsg(database));
  const int code = sqlite3_errcode(database) & 0xff;
  // Tables and columns that are not there are an error of SQL: ours is the same for every file.
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR || code == SQLITE_FORMAT)
    throw InvalidInput(line + ": not the database of a study, or damaged");
  throw Failure(line);
}

}  // namespace

bool can_lock(const std::filesystem::path& folder) {
  // A file of its own: to close a second descriptor of the database would give up the locks on it.
  std::string name = (folder / ".locks-XXXXXX").string();
  const int descriptor = io::disk::open_temporary(name, O_CLOEXEC);
  if (descriptor < 0)
    return true;  // a folder that cannot be written to has other troubles, which are reported
  (void)io::disk::remove(name.c_str());
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool locked = fcntl(descriptor, F_SETLK, &lock) == 0;
  close(descriptor);
  return locked;
}

Statement::Statement(sqlite3* database, const char* sql)
    : database_(database), statement_(nullptr, sqlite3_finalize) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr));
  statement_.reset(statement);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail_with(database_);
}

Statement& Statement::bind(int position, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), position, value));
  return *this;
}

Statement& Statement::bind(int position, double value) {
  check(sqlite3_bind_double(statement_.get(), position, value));
  return *this;
}

Statement& Statement::bind(int position, const std::string& value) {
  check(sqlite3_bind_text64(statement_.get(), position, value.data(), value.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail_with(database_);
  return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

struct Database::Waiting {
  std::filesystem::path folder;
  CanLock can_lock;
  bool without_locks = false;
};

/// Asked when another process has the lock; the answer 0 gives up. SQLite's own handler waits longer and
/// longer, so that on a slow disk whoever has waited most is the last to get the lock. A file system without locks
/// looks to it like one whose locks are all taken.
int Database::wait_a_moment(void* waiting, int tries) {
  auto& state = *static_cast<Waiting*>(waiting);
  if (tries == 0) state.without_locks = !state.can_lock(state.folder);
  if (state.without_locks || tries * kBetweenTries > kLongestWait) return 0;
  std::this_thread::sleep_for(kBetweenTries);
  return 1;
}

Database::Database(const std::filesystem::path& file, Open how, CanLock can_lock)
    : waiting_(new Waiting{std::filesystem::absolute(file).parent_path(), can_lock},
               [](Waiting* state) { delete state; }),
      connection_(nullptr, sqlite3_close) {
  let_sqlite_share_our_calls();
  sqlite3* connection = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (how == Open::create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  if (code != SQLITE_OK)
    throw Failure(fmt::format("{}: cannot be opened: {}", file.string(), sqlite3_errstr(code)));
  sqlite3_busy_handler(connection, wait_a_moment, waiting_.get());
  // A write-ahead log needs memory that processes share, which network disks lack. To keep the journal's file
  // saves the disk the making and unmaking of it in every transaction.
  execute("PRAGMA journal_mode = TRUNCATE");
}

void Database::fail() const {
  if (waiting_->without_locks)
    throw Failure(
        fmt::format("{}: this file system has no locks, which a study needs; choose a folder on another one",
                    waiting_->folder.string()));
  fail_with(connection_.get());
}

void Database::execute(const char* sql) const {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Database::transaction(const std::function<void()>& work) const {
  between("BEGIN IMMEDIATE", work);
}

void Database::snapshot(const std::function<void()>& queries) const {
  between("BEGIN", queries);
}

void Database::between(const char* begin, const std::function<void()>& work) const {
  execute(begin);
  try {
    work();
    execute("COMMIT");
  } catch (...) {
    // What went wrong is what the caller wants to hear about, even if this fails too.
    sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

}  // namespace dshn::tune
