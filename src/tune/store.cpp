#include "dshn/tune/store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/json_shape.hpp"
#include "tune/process_identity.hpp"
#include "tune/sqlite.hpp"

namespace dshn::tune {
namespace {

constexpr int kSchemaVersion = 1;
/// A process that can be seen to live is silent because the disk or the processor is busy: its trial is taken
/// from it later than that of a process elsewhere.
constexpr double kPatienceWithTheLiving = 4;

constexpr const char* kSchema = R"(
  CREATE TABLE study(request TEXT NOT NULL, goal INTEGER NOT NULL);
  CREATE TABLE trials(
    number INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'completed', 'pruned', 'failed')),
    options TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    attempt INTEGER NOT NULL DEFAULT 0,
    host TEXT NOT NULL DEFAULT '',
    pid INTEGER NOT NULL DEFAULT 0,
    process_started INTEGER NOT NULL DEFAULT 0,
    heartbeat REAL NOT NULL DEFAULT 0);
  CREATE TABLE figures(
    trial INTEGER NOT NULL REFERENCES trials(number),
    split INTEGER NOT NULL,
    validation REAL NOT NULL,
    PRIMARY KEY(trial, split));
)";

/// Seconds of the clock that all processes share.
double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

TrialState state_named(const std::string& name) {
  for (const TrialState state : {TrialState::waiting, TrialState::running, TrialState::completed,
                                 TrialState::pruned, TrialState::failed}) {
    if (to_string(state) == name) return state;
  }
  throw InvalidInput(fmt::format("study: unknown state '{}' of a trial", name));
}

std::int64_t version_of(const Database& database) {
  Statement statement = database.prepare("PRAGMA user_version");
  statement.step();
  return statement.integer(0);
}

void check_version(const Database& database, const std::filesystem::path& file) {
  const std::int64_t version = version_of(database);
  if (version != kSchemaVersion)
    throw InvalidInput(fmt::format(
        "{}: is of version {}; this program reads version {}: start a new study in another folder",
        file.string(), version, kSchemaVersion));
}

Assignments options_in(const std::string& text, std::int64_t number) {
  static const io::Shape shape = io::Shape::map(io::Shape::text());
  const nlohmann::ordered_json options =
      io::parse_json(text, fmt::format("study: trial {}", number), "a search");
  if (const std::string fault = shape.fault(options); !fault.empty())
    throw InvalidInput(fmt::format("study: the options of trial {}: {}", number, fault));
  return options.get<Assignments>();
}

std::vector<Trial> read_trials(const Database& database) {
  std::vector<Trial> trials;
  Statement rows =
      database.prepare("SELECT number, state, options, message, attempt FROM trials ORDER BY number");
  while (rows.step()) {
    // Numbers count from 0 without gaps: a trial's row is at its number.
    const auto number = static_cast<std::int64_t>(trials.size());
    if (rows.integer(0) != number)
      throw InvalidInput(
          fmt::format("study: trial {} is missing; the next one is {}", number, rows.integer(0)));
    Trial& trial = trials.emplace_back();
    trial.number = static_cast<int>(number);
    trial.state = state_named(rows.text(1));
    trial.set = options_in(rows.text(2), number);
    trial.message = rows.text(3);
    trial.attempt = static_cast<int>(rows.integer(4));
  }
  Statement figures = database.prepare("SELECT trial, validation FROM figures ORDER BY trial, split");
  while (figures.step()) {
    const std::int64_t number = figures.integer(0);
    if (number < 0 || number >= static_cast<std::int64_t>(trials.size()))
      throw InvalidInput(fmt::format("study: there is a figure of trial {}, which is missing", number));
    trials[number].validation.push_back(figures.real(1));
  }
  return trials;
}

int read_goal(const Database& database) {
  Statement statement = database.prepare("SELECT goal FROM study");
  statement.step();
  return static_cast<int>(statement.integer(0));
}

void take(const Database& database, int number) {
  const ProcessIdentity self = this_process();
  database
      .prepare(
          "UPDATE trials SET state = 'running', attempt = attempt + 1, host = ?2, pid = ?3, process_started "
          "= ?4, heartbeat = ?5 WHERE number = ?1")
      .bind(1, static_cast<std::int64_t>(number))
      .bind(2, self.host)
      .bind(3, self.pid)
      .bind(4, self.started)
      .bind(5, now())
      .step();
}

int attempt_of(const Database& database, int number) {
  Statement statement = database.prepare("SELECT attempt FROM trials WHERE number = ?1");
  statement.bind(1, static_cast<std::int64_t>(number)).step();
  return static_cast<int>(statement.integer(0));
}

/// Whether the claim still holds; to be asked inside a transaction.
bool holds(const Database& database, const Claim& claim) {
  return database.prepare("SELECT 1 FROM trials WHERE number = ?1 AND attempt = ?2 AND state = 'running'")
      .bind(1, static_cast<std::int64_t>(claim.number))
      .bind(2, static_cast<std::int64_t>(claim.attempt))
      .step();
}

void set_state(const Database& database, const Claim& claim, TrialState state, const std::string& message) {
  database.prepare("UPDATE trials SET state = ?2, message = ?3 WHERE number = ?1")
      .bind(1, static_cast<std::int64_t>(claim.number))
      .bind(2, to_string(state))
      .bind(3, message)
      .step();
}

}  // namespace

bool Store::holds_study(const std::filesystem::path& file) {
  // A process that was killed before its first transaction leaves an empty file.
  if (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0) return false;
  return version_of(Database(file)) != 0;
}

void Store::create(const std::filesystem::path& file, const std::string& request, int trials) {
  const Database database(file, Database::Open::create);
  database.transaction([&] {
    if (version_of(database) != 0) throw Failure(fmt::format("{}: another process was first", file.string()));
    database.execute(kSchema);
    database.prepare("INSERT INTO study VALUES(?1, ?2)")
        .bind(1, request)
        .bind(2, static_cast<std::int64_t>(trials))
        .step();
    database.execute(fmt::format("PRAGMA user_version = {}", kSchemaVersion).c_str());
  });
}

Store::Store(const std::filesystem::path& file, double stale_seconds)
    : database_(std::make_unique<Database>(file)), stale_seconds_(stale_seconds) {
  check_version(*database_, file);
}

Store::~Store() = default;

std::string Store::request() const {
  Statement statement = database_->prepare("SELECT request FROM study");
  statement.step();
  return statement.text(0);
}

int Store::goal() const {
  return read_goal(*database_);
}

void Store::set_goal(int trials) {
  database_->transaction([&] {
    const std::size_t begun = read_trials(*database_).size();
    if (begun > static_cast<std::size_t>(trials))
      throw UsageError(
          fmt::format("{} trials: the study has begun {} already; ask for as many at least", trials, begun));
    database_->prepare("UPDATE study SET goal = ?1").bind(1, static_cast<std::int64_t>(trials)).step();
  });
}

void Store::set_request(const std::string& request) {
  database_->transaction(
      [&] { database_->prepare("UPDATE study SET request = ?1").bind(1, request).step(); });
}

std::vector<Trial> Store::trials() const {
  std::vector<Trial> trials;
  database_->snapshot([&] { trials = read_trials(*database_); });
  return trials;
}

std::vector<int> Store::abandoned() const {
  std::vector<int> numbers;
  Statement rows = database_->prepare(
      "SELECT number, state, host, pid, process_started, heartbeat FROM trials WHERE state IN ('waiting', "
      "'running') ORDER BY number");
  while (rows.step()) {
    const Life life = life_of({rows.text(2), rows.integer(3), rows.integer(4)});
    const double patience = life == Life::alive ? kPatienceWithTheLiving * stale_seconds_ : stale_seconds_;
    if (rows.text(1) == "waiting" || life == Life::dead || now() - rows.real(5) > patience)
      numbers.push_back(static_cast<int>(rows.integer(0)));
  }
  return numbers;
}

std::optional<Claim> Store::claim(const Propose& propose) {
  std::optional<Claim> result;
  database_->transaction([&] {
    const std::vector<int> orphans = abandoned();
    int number = 0;
    if (orphans.empty()) {
      const std::vector<Trial> history = read_trials(*database_);
      number = static_cast<int>(history.size());
      if (number >= read_goal(*database_)) return;
      database_->prepare("INSERT INTO trials(number, state, options) VALUES(?1, 'running', ?2)")
          .bind(1, static_cast<std::int64_t>(number))
          .bind(2, nlohmann::json(propose(history, number)).dump())
          .step();
    } else {
      number = orphans.front();
    }
    take(*database_, number);
    result = Claim{number, attempt_of(*database_, number)};
  });
  return result;
}

bool Store::all_finished() const {
  Statement statement = database_->prepare(
      "SELECT (SELECT count(*) FROM trials WHERE state IN ('completed', 'pruned', 'failed')) >= goal FROM "
      "study");
  return statement.step() && statement.integer(0) != 0;
}

Trial Store::trial(const Claim& claim) const {
  return trials().at(claim.number);
}

bool Store::beat(const Claim& claim) {
  bool held = false;
  database_->transaction([&] {
    held = holds(*database_, claim);
    if (!held) return;
    database_->prepare("UPDATE trials SET heartbeat = ?2 WHERE number = ?1")
        .bind(1, static_cast<std::int64_t>(claim.number))
        .bind(2, now())
        .step();
  });
  return held;
}

bool Store::record(const Claim& claim, int split, double validation, const Judge& judge) {
  bool held = false;
  database_->transaction([&] {
    held = holds(*database_, claim);
    if (!held) return;
    database_->prepare("INSERT INTO figures VALUES(?1, ?2, ?3)")
        .bind(1, static_cast<std::int64_t>(claim.number))
        .bind(2, static_cast<std::int64_t>(split))
        .bind(3, validation)
        .step();
    set_state(*database_, claim, judge(read_trials(*database_)), "");
  });
  return held;
}

bool Store::fail(const Claim& claim, const std::string& message) {
  bool held = false;
  database_->transaction([&] {
    held = holds(*database_, claim);
    if (held) set_state(*database_, claim, TrialState::failed, message);
  });
  return held;
}

bool Store::release(const Claim& claim) {
  bool held = false;
  database_->transaction([&] {
    held = holds(*database_, claim);
    if (held) set_state(*database_, claim, TrialState::waiting, "");
  });
  return held;
}

}  // namespace dshn::tune
