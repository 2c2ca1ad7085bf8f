#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <pqxx/pqxx>
#include <sstream>
#include <thread>

#include "dshn/base/digest.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/tune/store.hpp"
#include "tune/database.hpp"

namespace dshn::tune {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{1000};
/// Names that are longer are cut off by PostgreSQL.
constexpr std::size_t kLongestName = 63;

/// In keyword form with what the usual places (environment, service file, password file) do not say. A machine that
/// is gone without a word is noticed within half a minute.
std::string connection_words(const StoreAddress& address) {
  std::map<std::string, std::string> words{
      {"connect_timeout", "10"},  {"keepalives_idle", "10"},     {"keepalives_interval", "5"},
      {"keepalives_count", "3"},  {"tcp_user_timeout", "30000"}, {"fallback_application_name", "dshn"},
      {"client_encoding", "UTF8"}};
  if (!address.password().empty()) words["password"] = address.password();
  PQconninfoOption* const options = PQconninfoParse(address.url().c_str(), nullptr);
  for (const PQconninfoOption* option = options; option != nullptr && option->keyword != nullptr; ++option)
    if (option->val != nullptr) words[option->keyword] = option->val;
  PQconninfoFree(options);
  std::string text;
  for (const auto& [name, value] : words) {
    text += name + "='";
    for (const char c : value) text += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    text += "' ";
  }
  return text;
}

/// The name of the schema that a study's tables are in.
std::string schema_of(const std::string& study) {
  const std::string name = "dshn/" + study;
  if (name.size() <= kLongestName) return name;
  const std::string digest = Digest().add(study).text();
  std::size_t end = kLongestName - digest.size() - 1;
  while (end > 0 && find_invalid_utf8(name.substr(0, end)) != std::string::npos) --end;
  return name.substr(0, end) + "#" + digest;
}

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

/// What libpq says takes several lines and begins with a word for how bad it is.
std::string in_one_line(const std::exception& problem) {
  std::istringstream words(problem.what());
  std::string text;
  for (std::string word; words >> word;) {
    if (text.empty() && (word == "ERROR:" || word == "FATAL:")) continue;
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

/// The server ends, begins, is full, or wants the work done again.
bool may_pass(const std::string& state) {
  return state.starts_with("57P") || state.starts_with("08") || state == "53300" || state == "40001" ||
         state == "40P01";
}

/// Tables, columns or schemas that are not there: those of this program are the same in every study.
bool is_damage(const std::string& state) {
  return state == "42P01" || state == "42703" || state == "3F000";
}

std::string text_of(const Value& value) {
  return std::visit([](const auto& content) { return fmt::format("{}", content); }, value);
}

template <typename Number>
Number number_in(const char* text) {
  Number number{};
  std::from_chars(text, text + std::char_traits<char>::length(text), number);
  return number;
}

Value value_of(const pqxx::field& field) {
  // The numbers of types are part of PostgreSQL's protocol.
  switch (field.type()) {
    case 16:  // bool
      return static_cast<std::int64_t>(*field.c_str() == 't');
    case 20:  // int8, int2, int4
    case 21:
    case 23:
      return number_in<std::int64_t>(field.c_str());
    case 700:  // float4, float8
    case 701:
      return number_in<double>(field.c_str());
    default:
      return std::string(field.c_str());
  }
}

pqxx::result run_with(pqxx::work& work, const char* sql, const std::vector<Value>& parameters) {
#if PQXX_VERSION_MAJOR < 7
  std::vector<std::string> texts;
  for (const Value& value : parameters) texts.push_back(text_of(value));
  return work.exec_params(sql, pqxx::prepare::make_dynamic_params(texts));
#else
  pqxx::params texts;
  for (const Value& value : parameters) texts.append(text_of(value));
#if PQXX_VERSION_MAJOR == 7 && PQXX_VERSION_MINOR < 9
  return work.exec_params(sql, texts);
#else
  return work.exec(sql, texts);
#endif
#endif
}

/// A connection that prints nothing.
struct Connection {
  explicit Connection(const std::string& words) : link(words) {
#if PQXX_VERSION_MAJOR == 7 && PQXX_VERSION_MINOR > 9 || PQXX_VERSION_MAJOR > 7
    link.set_notice_handler([](pqxx::zview) {});
#endif
  }
  pqxx::connection link;
#if PQXX_VERSION_MAJOR < 7 || PQXX_VERSION_MAJOR == 7 && PQXX_VERSION_MINOR < 10
  pqxx::quiet_errorhandler silence{link};
#endif
};

/// A study on a server: a schema of its own, so that studies do not meet, and to drop the schema removes the study.
class PostgresDatabase : public Database {
 public:
  explicit PostgresDatabase(const StoreAddress& address)
      : address_(address), schema_(schema_of(address.study())), has_answered_(address.has_answered()) {
    persistently([] {});
  }

  std::int64_t version() override {
    std::int64_t version = 0;
    snapshot([&] { version = version_there(); });
    return version;
  }

  bool create(const char* tables, int version, const std::function<void()>& fill) override {
    bool made = false;
    persistently([&] {
      current_->exec(
          "SELECT pg_advisory_xact_lock(1685284974)");  // of all that make a study at the same time
      made = version_there() == 0;
      if (!made) return;
      current_->exec("CREATE SCHEMA " + quoted_name(schema_));
      current_->exec(tables);
      current_->exec("CREATE TABLE layout(version INTEGER NOT NULL)");
      run("INSERT INTO layout VALUES($1)", {static_cast<std::int64_t>(version)});
      fill();
    });
    return made;
  }

  void transaction(const std::function<void()>& work) override {
    persistently([&] {
      run("SELECT 1 FROM study FOR UPDATE");  // one after another
      work();
    });
  }

  void snapshot(const std::function<void()>& queries) override {
    persistently([&] {
      current_->exec("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      queries();
    });
  }

  Rows run(const char* sql, const std::vector<Value>& parameters = {}) override {
    Rows rows;
    for (const auto& row : run_with(*current_, sql, parameters)) {
      std::vector<Value> values;
      for (pqxx::row::size_type column = 0; column < row.size(); ++column)
        values.push_back(value_of(row[column]));
      rows.emplace_back(std::move(values));
    }
    return rows;
  }

  double now() override { return run("SELECT extract(epoch FROM clock_timestamp())::float8").at(0).real(0); }

  double up_since() override {
    return run("SELECT extract(epoch FROM pg_postmaster_start_time())::float8").at(0).real(0);
  }

 private:
  std::int64_t version_there() {
    if (run("SELECT 1 FROM pg_namespace WHERE nspname = $1", {schema_}).empty()) return 0;
    const Rows rows = run("SELECT version FROM layout");
    return rows.empty() ? -1 : rows.front().integer(0);
  }

  /// In one transaction; again and again while the server does not answer, but not for ever.
  void persistently(const std::function<void()>& work) {
    const auto begin = steady_clock::now();
    for (milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
      const std::string trouble = trouble_of(work);
      if (trouble.empty()) return;
      connection_.reset();
      if (!has_answered_) give_up(trouble, "");
      if (steady_clock::now() - begin > std::chrono::duration<double>(kLongestOutage))
        give_up(trouble, fmt::format(" for {:.0f} seconds", kLongestOutage));
      std::this_thread::sleep_for(pause);
    }
  }

  /// Why it has to be done again; empty where it is done. Throws where trying again would not help.
  std::string trouble_of(const std::function<void()>& work) {
    try {
      once(work);
      return "";
    } catch (const pqxx::broken_connection& lost) {
      return in_one_line(lost);
    } catch (const pqxx::in_doubt_error& lost) {
      return in_one_line(lost);
    } catch (const pqxx::sql_error& error) {
      if (may_pass(error.sqlstate()) || !connection_->link.is_open()) return in_one_line(error);
      if (is_damage(error.sqlstate()))
        throw InvalidInput(fmt::format("{}: {}: not the tables of a study, or damaged", address_.text(),
                                       in_one_line(error)));
      throw Failure(fmt::format("{}: {}", address_.text(), in_one_line(error)));
    } catch (const pqxx::failure& error) {
      return in_one_line(error);
    }
  }

  void once(const std::function<void()>& work) {
    if (!connection_) connection_ = std::make_unique<Connection>(connection_words(address_));
    has_answered_ = true;
    pqxx::work transaction(connection_->link);
    current_ = &transaction;
    // For this transaction alone: a pooler between us and the server may give every transaction another connection.
    transaction.exec("SET LOCAL search_path TO " + quoted_name(schema_) +
                     "; SET LOCAL extra_float_digits TO 3");
    work();
    transaction.commit();
  }

  [[noreturn]] void give_up(const std::string& trouble, const std::string& how_long) const {
    throw Failure(
        fmt::format("{}: cannot be reached{}: {}; expected a PostgreSQL server that lets this user in",
                    address_.text(), how_long, trouble));
  }

  StoreAddress address_;
  std::string schema_;
  bool has_answered_;
  std::unique_ptr<Connection> connection_;
  pqxx::work* current_ = nullptr;
};

}  // namespace

std::unique_ptr<Database> open_postgres(const StoreAddress& address) {
  return std::make_unique<PostgresDatabase>(address);
}

}  // namespace dshn::tune
