// Studies on a PostgreSQL server: what goes beyond the cases of store_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "dshn/base/error.hpp"
#include "dshn/tune/store.hpp"
#include "support/message_of.hpp"
#include "support/postgres_server.hpp"
#include "support/temporary_folder.hpp"
#include "tune/breaking_proxy.hpp"
#include "tune/on_test_server.hpp"

namespace dshn::tune {
namespace {

using dshn::test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

Assignments one_more(const std::vector<Trial>& /*history*/, int number) {
  return {{"n", std::to_string(number)}};
}

TrialState at_once(const std::vector<Trial>& /*trials*/) {
  return TrialState::completed;
}

class ServerStore : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed())
      GTEST_SKIP() << "no PostgreSQL server is installed: studies on servers are not tested";
  }

  StoreAddress address(const std::string& name = "study") const {
    return test::on_test_server(folder_.path().filename().string() + "/" + name);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ServerStore, GoesOnWhenTheServerComesBack) {
  Store::create(address(), "request", 2);
  Store store(address());
  const Claim claim = *store.claim(one_more);

  postgres_server().restart();
  EXPECT_TRUE(store.beat(claim));
  postgres_server().restart();
  EXPECT_TRUE(store.record(claim, 0, 0.5, at_once));
  postgres_server().stop();
  std::optional<Claim> next;
  std::jthread waits([&] { next = store.claim(one_more); });
  std::this_thread::sleep_for(std::chrono::seconds(2));
  postgres_server().start();
  waits.join();

  ASSERT_TRUE(next);
  EXPECT_EQ(next->number, 1);
  EXPECT_EQ(store.trials()[0].validation, std::vector<double>{0.5});
}

TEST_F(ServerStore, MakesEveryTrialOnceWhileTheServerComesAndGoes) {
  constexpr int kTrials = 300;
  Store::create(address(), "request", kTrials);
  std::atomic<int> recorded = 0;
  std::vector<std::jthread> workers;
  for (int i = 0; i < 3; ++i)
    workers.emplace_back([&] {
      Store store(address().known_to_answer(), 1e9);
      while (const auto claim = store.claim(one_more))
        if (store.record(*claim, 0, claim->number, at_once)) ++recorded;
    });
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    postgres_server().restart();
  }
  workers.clear();

  EXPECT_EQ(recorded, kTrials);
  const std::vector<Trial> trials = Store(address()).trials();
  ASSERT_EQ(trials.size(), static_cast<std::size_t>(kTrials));
  for (const Trial& trial : trials) {
    EXPECT_EQ(trial.state, TrialState::completed);
    EXPECT_EQ(trial.attempt, 1) << trial.number;
    EXPECT_THAT(trial.validation, ElementsAre(trial.number));
  }
}

/// Does something with a store whose connection breaks when it is to be kept: before the server hears of it, or before
/// its answer comes.
class ServerStoreThatBreaks : public ServerStore, public testing::WithParamInterface<test::Moment> {
 protected:
  void SetUp() override {
    ServerStore::SetUp();
    if (IsSkipped()) return;
    Store::create(address(), "request", 3);
    proxy_ = std::make_unique<test::BreakingProxy>(postgres_server().folder());
    std::string url = postgres_server().url();
    const std::size_t host = url.find("host=");
    store_ = std::make_unique<Store>(StoreAddress::on_server(
        url.substr(0, host) + "host=" + proxy_->folder().string(), address().study()));
  }
  void TearDown() override {
    store_.reset();
    proxy_.reset();
  }

  /// The next transaction is not answered.
  void break_next() { proxy_->break_at_next_commit(GetParam()); }
  void expect_broken() const { EXPECT_EQ(proxy_->broken(), 1) << "the connection has not been cut"; }

  std::unique_ptr<test::BreakingProxy> proxy_;
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(AtACommit, ServerStoreThatBreaks,
                         testing::Values(test::Moment::before_it_is_sent,
                                         test::Moment::before_it_is_answered));

TEST_P(ServerStoreThatBreaks, ClaimsOneTrialOnce) {
  break_next();
  const Claim claim = *store_->claim(one_more);

  expect_broken();
  EXPECT_EQ(claim.number, 0);
  EXPECT_EQ(claim.attempt, 1);
  EXPECT_EQ(store_->trials().size(), 1U);
  EXPECT_TRUE(store_->beat(claim));
}

TEST_P(ServerStoreThatBreaks, RecordsAFigureOnce) {
  const Claim claim = *store_->claim(one_more);
  break_next();
  EXPECT_TRUE(store_->record(claim, 0, 0.25, [](const auto&) { return TrialState::running; }));
  expect_broken();
  EXPECT_TRUE(store_->record(claim, 1, 0.5, at_once));
  EXPECT_THAT(store_->trials()[0].validation, ElementsAre(0.25, 0.5));
}

TEST_P(ServerStoreThatBreaks, KnowsThatItsLastFigureIsKept) {
  const Claim claim = *store_->claim(one_more);
  break_next();
  EXPECT_TRUE(store_->record(claim, 0, 0.25, at_once));
  expect_broken();
  EXPECT_FALSE(store_->record(claim, 0, 0.25, at_once)) << "a second one is not";
}

TEST_P(ServerStoreThatBreaks, EndsATrialOnce) {
  const Claim failed = *store_->claim(one_more);
  break_next();
  EXPECT_TRUE(store_->fail(failed, "it diverged"));
  expect_broken();
  EXPECT_EQ(store_->trials()[0].message, "it diverged");
  EXPECT_FALSE(store_->fail(failed, "again"));
}

TEST_P(ServerStoreThatBreaks, ReleasesATrialOnce) {
  const Claim given_up = *store_->claim(one_more);
  break_next();
  EXPECT_TRUE(store_->release(given_up));
  expect_broken();
  EXPECT_EQ(store_->trials()[0].state, TrialState::waiting);
}

TEST_F(ServerStore, DoesNotCountTheTimeOfAnOutageAsSilence) {
  Store::create(address(), "request", 1);
  const Claim claim = *Store(address()).claim(one_more);
  // A worker elsewhere that was last heard of long before the server was started.
  test::change_on_server(address(), "UPDATE trials SET host = 'elsewhere', heartbeat = heartbeat - 1000");
  postgres_server().restart();

  EXPECT_FALSE(Store(address(), /*stale_seconds=*/15).claim(one_more));
  EXPECT_TRUE(Store(address(), /*stale_seconds=*/-1).claim(one_more));
  EXPECT_FALSE(Store(address()).beat(claim));
}

TEST_F(ServerStore, KeepsStudiesApartWhateverTheirNames) {
  const std::string base = address().study();
  const std::string long_name(100, 'x');
  const std::vector<std::string> names{base,
                                       base + "\"; DROP TABLE trials; --",
                                       base + "'",
                                       base + long_name + "1",
                                       base + long_name + "2",
                                       base + std::string(41 - base.size(), 'y') + "üüüüüüüüüüüüüüüü"};
  for (const std::string& name : names)
    EXPECT_TRUE(Store::create(test::on_test_server(name), "request of " + name, 1)) << name;
  for (const std::string& name : names)
    EXPECT_EQ(Store(test::on_test_server(name)).request(), "request of " + name);
}

TEST_F(ServerStore, SaysThatThereIsNoStudy) {
  EXPECT_FALSE(Store::holds_study(address("other")));
  EXPECT_THAT([&] { Store store(address("other")); },
              ThrowsMessage<InvalidInput>(HasSubstr("/other on postgresql://")));
}

TEST_F(ServerStore, ShowsNoPassword) {
  const std::string secret = PostgresServer::kPassword;
  const StoreAddress there = address();
  EXPECT_THAT(there.text(), AllOf(HasSubstr("postgresql://dshn@"), Not(HasSubstr("pass-Word"))));
  EXPECT_EQ(there.password(), secret);
  const std::string parameter = postgres_server().url_without_password() + "&password=" + secret;
  EXPECT_EQ(StoreAddress::on_server(parameter, "s").url(), postgres_server().url_without_password());
  EXPECT_EQ(StoreAddress::on_server(parameter, "s").password(), secret);

  const std::string wrong = message_of<Failure>([&] {
    Store::holds_study(StoreAddress::on_server(
        postgres_server().url_without_password() + "&password=not-the-Word", "study"));
  });
  EXPECT_THAT(wrong, AllOf(HasSubstr("password authentication failed for user \"dshn\""),
                           HasSubstr("study study on postgresql://dshn@:5432/postgres?host="),
                           Not(HasSubstr("not-the-Word"))));
  const std::string nobody_there = message_of<Failure>([] {
    Store::holds_study(StoreAddress::on_server("postgresql://u:not-the-Word@/d?host=/nowhere", "study"));
  });
  EXPECT_THAT(nobody_there, AllOf(HasSubstr("cannot be reached: "), HasSubstr("/nowhere"),
                                  HasSubstr("expected a PostgreSQL server that lets this user in"),
                                  Not(HasSubstr("not-the-Word")), Not(HasSubstr("\\n"))));
}

TEST(ServerUrl, IsRefusedWithoutBeingRepeated) {
  for (const char* url :
       {"mysql://user:secret@host/db", "postgresql://user:sec@ret@host/db",
        "postgresql://user:sec/ret@host/db", "postgresql://user:secret@host/db?no-such=parameter",
        "postgresql://user:sec%zzret@host/db", "postgresql://user:secret@host:port/db",
        "postgresql://host/db?sslpassword=secret", "postgresql://host/db?%70assword=secret",
        "host=h password=secret"}) {
    const std::string says = message_of<UsageError>([&] { StoreAddress::on_server(url, "study"); });
    EXPECT_THAT(says, AllOf(HasSubstr("expected "), Not(HasSubstr("sec")), Not(HasSubstr("ret")))) << url;
  }
  EXPECT_THROW(StoreAddress::on_server("postgresql://host/db", ""), UsageError);
}

TEST(ServerUrl, LosesItsPasswordAlone) {
  const auto shown = [](const char* url) { return StoreAddress::on_server(url, "study").url(); };
  EXPECT_EQ(shown("postgresql://user:secret@host:5433/db"), "postgresql://user@host:5433/db");
  EXPECT_EQ(shown("postgres://user@host/db"), "postgres://user@host/db");
  EXPECT_EQ(shown("postgresql://a,b:5433/db"), "postgresql://a,b:5433/db");
  EXPECT_EQ(shown("postgresql://h/d?password=secret&sslmode=require"), "postgresql://h/d?sslmode=require");
  EXPECT_EQ(shown("postgresql://u:secret@h/d?sslmode=require&password=x&application_name=a"),
            "postgresql://u@h/d?sslmode=require&application_name=a");
  EXPECT_EQ(shown("postgresql://?service=studies"), "postgresql://?service=studies");
  EXPECT_EQ(StoreAddress::on_server("postgresql://user:a%2Fb@host/db", "s").password(), "a/b");
}

}  // namespace
}  // namespace dshn::tune
