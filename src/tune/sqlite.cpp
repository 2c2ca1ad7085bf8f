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

namespace {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

void check(sqlite3* database, int code) {
  if (code != SQLITE_OK) fail_with(database);
}

void bind(sqlite3* database, sqlite3_stmt* statement, int position, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    check(database, sqlite3_bind_int64(statement, position, *number));
  else if (const auto* real = std::get_if<double>(&value))
    check(database, sqlite3_bind_double(statement, position, *real));
  else if (const auto* text = std::get_if<std::string>(&value))
    check(database, sqlite3_bind_text64(statement, position, text->data(), text->size(), SQLITE_TRANSIENT,
                                        SQLITE_UTF8));
}

Value value_in(sqlite3_stmt* statement, int column) {
  const int type = sqlite3_column_type(statement, column);
  if (type == SQLITE_INTEGER) return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
  if (type == SQLITE_FLOAT) return sqlite3_column_double(statement, column);
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (bytes == nullptr) return std::string();
  return std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
}

}  // namespace

struct SqliteDatabase::Waiting {
  std::filesystem::path folder;
  CanLock can_lock;
  bool without_locks = false;
};

/// Asked when another process has the lock; the answer 0 gives up. SQLite's own handler waits longer and
/// longer, so that on a slow disk whoever has waited most is the last to get the lock. A file system without locks
/// looks to it like one whose locks are all taken.
int SqliteDatabase::wait_a_moment(void* waiting, int tries) {
  auto& state = *static_cast<Waiting*>(waiting);
  if (tries == 0) state.without_locks = !state.can_lock(state.folder);
  if (state.without_locks || tries * kBetweenTries > kLongestWait) return 0;
  std::this_thread::sleep_for(kBetweenTries);
  return 1;
}

SqliteDatabase::SqliteDatabase(const std::filesystem::path& file, Opening opening, CanLock can_lock)
    : waiting_(new Waiting{std::filesystem::absolute(file).parent_path(), can_lock},
               [](Waiting* state) { delete state; }),
      connection_(nullptr, sqlite3_close) {
  let_sqlite_share_our_calls();
  sqlite3* connection = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (opening == Opening::create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  if (code != SQLITE_OK)
    throw Failure(fmt::format("{}: cannot be opened: {}", file.string(), sqlite3_errstr(code)));
  sqlite3_busy_handler(connection, wait_a_moment, waiting_.get());
  // A write-ahead log needs memory that processes share, which network disks lack. To keep the journal's file
  // saves the disk the making and unmaking of it in every transaction.
  execute("PRAGMA journal_mode = TRUNCATE");
}

void SqliteDatabase::fail() const {
  if (waiting_->without_locks)
    throw Failure(
        fmt::format("{}: this file system has no locks, which a study needs; choose a folder on another one",
                    waiting_->folder.string()));
  fail_with(connection_.get());
}

void SqliteDatabase::execute(const char* sql) const {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t SqliteDatabase::version() {
  return run("PRAGMA user_version").at(0).integer(0);
}

bool SqliteDatabase::create(const char* tables, int version, const std::function<void()>& fill) {
  bool made = false;
  transaction([&] {
    made = this->version() == 0;
    if (!made) return;
    execute(tables);
    fill();
    execute(fmt::format("PRAGMA user_version = {}", version).c_str());
  });
  return made;
}

Rows SqliteDatabase::run(const char* sql, const std::vector<Value>& parameters) {
  sqlite3* const database = connection_.get();
  sqlite3_stmt* prepared = nullptr;
  check(database, sqlite3_prepare_v2(database, sql, -1, &prepared, nullptr));
  const Statement statement(prepared, sqlite3_finalize);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    bind(database, prepared, sqlite3_bind_parameter_index(prepared, fmt::format("${}", i + 1).c_str()),
         parameters[i]);
  Rows rows;
  int code = sqlite3_step(prepared);
  for (; code == SQLITE_ROW; code = sqlite3_step(prepared)) {
    std::vector<Value> values;
    for (int column = 0; column < sqlite3_column_count(prepared); ++column)
      values.push_back(value_in(prepared, column));
    rows.emplace_back(std::move(values));
  }
  if (code != SQLITE_DONE) fail_with(database);
  return rows;
}

double SqliteDatabase::now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void SqliteDatabase::transaction(const std::function<void()>& work) {
  between("BEGIN IMMEDIATE", work);
}

void SqliteDatabase::snapshot(const std::function<void()>& queries) {
  between("BEGIN", queries);
}

void SqliteDatabase::between(const char* begin, const std::function<void()>& work) const {
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

std::unique_ptr<Database> open_sqlite(const std::filesystem::path& file, Opening opening) {
  return std::make_unique<SqliteDatabase>(file, opening);
}

}  // namespace dshn::tune
