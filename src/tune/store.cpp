#include "dshn/tune/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/io/json_shape.hpp"
#include "tune/database.hpp"
#include "tune/process_identity.hpp"

namespace dshn::tune {
namespace {

constexpr int kSchemaVersion = 1;
/// A process that can be seen to live is silent because the disk or the processor is busy: its trial is taken
/// from it later than that of a process elsewhere.
constexpr double kPatienceWithTheLiving = 4;

/// For every kind of database: SQLite takes any name of a type that it can tell the kind from.
constexpr const char* kTables = R"(
  CREATE TABLE study(request TEXT NOT NULL, goal INTEGER NOT NULL);
  CREATE TABLE trials(
    number INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'completed', 'pruned', 'failed')),
    options TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    attempt INTEGER NOT NULL DEFAULT 0,
    host TEXT NOT NULL DEFAULT '',
    pid BIGINT NOT NULL DEFAULT 0,
    process_started BIGINT NOT NULL DEFAULT 0,
    heartbeat DOUBLE PRECISION NOT NULL DEFAULT 0);
  CREATE TABLE figures(
    trial INTEGER NOT NULL REFERENCES trials(number),
    split INTEGER NOT NULL,
    validation DOUBLE PRECISION NOT NULL,
    PRIMARY KEY(trial, split));
)";

TrialState state_named(const std::string& name) {
  for (const TrialState state : {TrialState::waiting, TrialState::running, TrialState::completed,
                                 TrialState::pruned, TrialState::failed}) {
    if (to_string(state) == name) return state;
  }
  throw InvalidInput(fmt::format("study: unknown state '{}' of a trial", name));
}

std::unique_ptr<Database> open_database(const StoreAddress& address, Opening opening) {
  return address.is_on_server() ? open_postgres(address) : open_sqlite(address.file(), opening);
}

void check_version(std::int64_t version, const StoreAddress& address) {
  if (version == 0 && address.is_on_server())
    throw InvalidInput(fmt::format("{}: there is no such study", address.text()));
  if (version != kSchemaVersion)
    throw InvalidInput(
        fmt::format("{}: is of version {}; this program reads version {}: start a new study elsewhere",
                    address.text(), version, kSchemaVersion));
}

Assignments options_in(const std::string& text, std::int64_t number) {
  static const io::Shape shape = io::Shape::map(io::Shape::text());
  const nlohmann::ordered_json options =
      io::parse_json(text, fmt::format("study: trial {}", number), "a search");
  if (const std::string fault = shape.fault(options); !fault.empty())
    throw InvalidInput(fmt::format("study: the options of trial {}: {}", number, fault));
  return options.get<Assignments>();
}

std::vector<Trial> read_trials(Database& database) {
  std::vector<Trial> trials;
  for (const Row& row :
       database.run("SELECT number, state, options, message, attempt FROM trials ORDER BY number")) {
    // Numbers count from 0 without gaps: a trial's row is at its number.
    const auto number = static_cast<std::int64_t>(trials.size());
    if (row.integer(0) != number)
      throw InvalidInput(
          fmt::format("study: trial {} is missing; the next one is {}", number, row.integer(0)));
    Trial& trial = trials.emplace_back();
    trial.number = static_cast<int>(number);
    trial.state = state_named(row.text(1));
    trial.set = options_in(row.text(2), number);
    trial.message = row.text(3);
    trial.attempt = static_cast<int>(row.integer(4));
  }
  for (const Row& row : database.run("SELECT trial, validation FROM figures ORDER BY trial, split")) {
    const std::int64_t number = row.integer(0);
    if (number < 0 || number >= static_cast<std::int64_t>(trials.size()))
      throw InvalidInput(fmt::format("study: there is a figure of trial {}, which is missing", number));
    trials[number].validation.push_back(row.real(1));
  }
  return trials;
}

/// The only row of a query.
Row only_row(Database& database, const char* sql) {
  const Rows rows = database.run(sql);
  if (rows.empty()) throw InvalidInput("study: does not say what was asked for");
  return rows.front();
}

int read_goal(Database& database) {
  return static_cast<int>(only_row(database, "SELECT goal FROM study").integer(0));
}

Value number_of(const Claim& claim) {
  return static_cast<std::int64_t>(claim.number);
}

Value attempt_of(const Claim& claim) {
  return static_cast<std::int64_t>(claim.attempt);
}

Claim take(Database& database, int number) {
  const ProcessIdentity self = this_process();
  const Value at = static_cast<std::int64_t>(number);
  database.run(
      "UPDATE trials SET state = 'running', attempt = attempt + 1, host = $2, pid = $3, process_started = "
      "$4, "
      "heartbeat = $5 WHERE number = $1",
      {at, self.host, self.pid, self.started, database.now()});
  const Rows rows = database.run("SELECT attempt FROM trials WHERE number = $1", {at});
  return {number, static_cast<int>(rows.at(0).integer(0))};
}

/// These are to be asked inside a transaction: whether the claim still holds,
bool holds(Database& database, const Claim& claim) {
  return !database
              .run("SELECT 1 FROM trials WHERE number = $1 AND attempt = $2 AND state = 'running'",
                   {number_of(claim), attempt_of(claim)})
              .empty();
}

/// whether it holds and is this process's, which has one worker,
bool holds_ours(Database& database, const Claim& claim) {
  const ProcessIdentity self = this_process();
  return holds(database, claim) && !database
                                        .run(
                                            "SELECT 1 FROM trials WHERE number = $1 AND host = $2 AND pid = "
                                            "$3 AND process_started = $4",
                                            {number_of(claim), self.host, self.pid, self.started})
                                        .empty();
}

/// whether it ended so,
bool ended_as(Database& database, const Claim& claim, TrialState state) {
  return !database
              .run("SELECT 1 FROM trials WHERE number = $1 AND attempt = $2 AND state = $3",
                   {number_of(claim), attempt_of(claim), to_string(state)})
              .empty();
}

/// and whether, nobody having taken the trial since, a split has its figure.
bool has_figure(Database& database, const Claim& claim, int split) {
  return !database
              .run(
                  "SELECT 1 FROM trials JOIN figures ON trial = number WHERE number = $1 AND attempt = $2 "
                  "AND "
                  "split = $3",
                  {number_of(claim), attempt_of(claim), static_cast<std::int64_t>(split)})
              .empty();
}

void set_state(Database& database, const Claim& claim, TrialState state, const std::string& message) {
  database.run("UPDATE trials SET state = $2, message = $3 WHERE number = $1",
               {number_of(claim), to_string(state), message});
}

}  // namespace

bool Store::holds_study(const StoreAddress& address) {
  // A process that was killed before its first transaction leaves an empty file.
  const bool is_there = address.is_on_server() || (std::filesystem::exists(address.file()) &&
                                                   std::filesystem::file_size(address.file()) > 0);
  return is_there && open_database(address, Opening::existing)->version() != 0;
}

bool Store::create(const StoreAddress& address, const std::string& request, int trials) {
  const std::unique_ptr<Database> database = open_database(address, Opening::create);
  return database->create(kTables, kSchemaVersion, [&] {
    database->run("INSERT INTO study VALUES($1, $2)", {request, static_cast<std::int64_t>(trials)});
  });
}

Store::Store(const StoreAddress& address, double stale_seconds)
    : database_(open_database(address, Opening::existing)), stale_seconds_(stale_seconds) {
  check_version(database_->version(), address);
}

Store::~Store() = default;

std::string Store::request() const {
  std::string request;
  database_->snapshot([&] { request = only_row(*database_, "SELECT request FROM study").text(0); });
  return request;
}

int Store::goal() const {
  int goal = 0;
  database_->snapshot([&] { goal = read_goal(*database_); });
  return goal;
}

void Store::set_goal(int trials) {
  database_->transaction([&] {
    const std::size_t begun = read_trials(*database_).size();
    if (begun > static_cast<std::size_t>(trials))
      throw UsageError(
          fmt::format("{} trials: the study has begun {} already; ask for as many at least", trials, begun));
    database_->run("UPDATE study SET goal = $1", {static_cast<std::int64_t>(trials)});
  });
}

void Store::set_request(const std::string& request) {
  database_->transaction([&] { database_->run("UPDATE study SET request = $1", {request}); });
}

std::vector<Trial> Store::trials() const {
  std::vector<Trial> trials;
  database_->snapshot([&] { trials = read_trials(*database_); });
  return trials;
}

std::vector<int> Store::abandoned() const {
  std::vector<int> numbers;
  const double now = database_->now();
  const double up_since = database_->up_since();
  for (const Row& row : database_->run("SELECT number, state, host, pid, process_started, heartbeat FROM "
                                       "trials WHERE state IN ('waiting', "
                                       "'running') ORDER BY number")) {
    const Life life = life_of({row.text(2), row.integer(3), row.integer(4)});
    const double patience = life == Life::alive ? kPatienceWithTheLiving * stale_seconds_ : stale_seconds_;
    const double silence = now - std::max(row.real(5), up_since);
    if (row.text(1) == "waiting" || life == Life::dead || silence > patience)
      numbers.push_back(static_cast<int>(row.integer(0)));
  }
  return numbers;
}

std::optional<Claim> Store::claim(const Propose& propose) {
  std::optional<Claim> result;
  database_->transaction([&] {
    if (result && holds_ours(*database_, *result)) return;  // kept, but the answer was lost
    result.reset();
    const std::vector<int> orphans = abandoned();
    int number = 0;
    if (orphans.empty()) {
      const std::vector<Trial> history = read_trials(*database_);
      number = static_cast<int>(history.size());
      if (number >= read_goal(*database_)) return;
      database_->run("INSERT INTO trials(number, state, options) VALUES($1, 'running', $2)",
                     {static_cast<std::int64_t>(number), nlohmann::json(propose(history, number)).dump()});
    } else {
      number = orphans.front();
    }
    result = take(*database_, number);
  });
  return result;
}

bool Store::all_finished() const {
  bool finished = false;
  database_->snapshot([&] {
    finished =
        only_row(*database_,
                 "SELECT (SELECT count(*) FROM trials WHERE state IN ('completed', 'pruned', 'failed')) "
                 ">= goal FROM study")
            .integer(0) != 0;
  });
  return finished;
}

Trial Store::trial(const Claim& claim) const {
  return trials().at(claim.number);
}

bool Store::beat(const Claim& claim) {
  bool held = false;
  database_->transaction([&] {
    held = holds(*database_, claim);
    if (held)
      database_->run("UPDATE trials SET heartbeat = $2 WHERE number = $1",
                     {number_of(claim), database_->now()});
  });
  return held;
}

bool Store::record(const Claim& claim, int split, double validation, const Judge& judge) {
  bool held = false;
  bool is_second_try = false;
  database_->transaction([&] {
    if (std::exchange(is_second_try, true) && has_figure(*database_, claim, split)) {
      held = true;  // kept, but the answer was lost
      return;
    }
    held = holds(*database_, claim);
    if (!held) return;
    database_->run("INSERT INTO figures VALUES($1, $2, $3)",
                   {number_of(claim), static_cast<std::int64_t>(split), validation});
    set_state(*database_, claim, judge(read_trials(*database_)), "");
  });
  return held;
}

bool Store::leave(const Claim& claim, TrialState state, const std::string& message) {
  bool held = false;
  bool is_second_try = false;
  database_->transaction([&] {
    const bool is_kept = std::exchange(is_second_try, true) && ended_as(*database_, claim, state);
    held = is_kept || holds(*database_, claim);
    if (held && !is_kept) set_state(*database_, claim, state, message);
  });
  return held;
}

bool Store::fail(const Claim& claim, const std::string& message) {
  return leave(claim, TrialState::failed, message);
}

bool Store::finish(const Claim& claim, const std::string& message) {
  return leave(claim, TrialState::completed, message);
}

bool Store::release(const Claim& claim) {
  return leave(claim, TrialState::waiting, "");
}

}  // namespace dshn::tune
