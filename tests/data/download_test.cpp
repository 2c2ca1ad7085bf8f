#include "data/download.hpp"

#include <gmock/gmock.h>

#include "data/loopback_server.hpp"
#include "data/sha256.hpp"
#include "data/support.hpp"

namespace dshn::data {
namespace {

using testing::broken_off;
using ::testing::HasSubstr;
using testing::LoopbackServer;
using testing::message_of;
using testing::read_text;
using testing::Reply;
using testing::Request;
using testing::rest;
using testing::status;
using testing::whole;
using testing::write_text;

class DownloadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_fetch()) GTEST_SKIP() << "this build has no libcurl or no OpenSSL";
    options_.retries = 2;
    options_.retry_delay = std::chrono::milliseconds(0);
    options_.stall_timeout = std::chrono::seconds(1);
    for (int i = 0; i < 50'000; ++i) body_ += static_cast<char>('a' + i % 211 * 7 % 23);
    write_text(folder_.path() / "original", body_);
  }

  void bring(const LoopbackServer& server) {
    download({server.address() + "/file", part_, static_cast<std::int64_t>(body_.size()),
              sha256_of(folder_.path() / "original")},
             options_, [this](std::int64_t size) {
               seen_.push_back(size);
               return !give_up_;
             });
  }

  void expect_complete() { EXPECT_EQ(read_text(part_), body_); }

  TemporaryFolder folder_;
  testing::Environment no_proxy_{"no_proxy", "127.0.0.1"};
  std::filesystem::path part_ = folder_.path() / "file.part";
  FetchOptions options_;
  std::string body_;
  std::vector<std::int64_t> seen_;
  bool give_up_ = false;
};

TEST_F(DownloadTest, BringsAFileAndReportsProgress) {
  const LoopbackServer server([&](const Request&) { return whole(body_); });
  bring(server);
  expect_complete();
  EXPECT_EQ(seen_.back(), static_cast<std::int64_t>(body_.size()));
  EXPECT_EQ(server.requests().size(), 1U);
  EXPECT_FALSE(server.requests()[0].range);
}

TEST_F(DownloadTest, ResumesAPart) {
  write_text(part_, body_.substr(0, 20'000));
  const LoopbackServer server([&](const Request& request) { return rest(body_, request.range.value()); });
  bring(server);
  expect_complete();
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].range, 20'000);
}

TEST_F(DownloadTest, BeginsAgainWhereTheServerIgnoresTheRange) {
  write_text(part_, body_.substr(0, 20'000));
  const LoopbackServer server([&](const Request&) { return whole(body_); });
  bring(server);
  expect_complete();
}

TEST_F(DownloadTest, BeginsAgainWhereTheServerResumesAtAnotherPlace) {
  write_text(part_, body_.substr(0, 20'000));
  const LoopbackServer server(
      [&](const Request& request) { return request.range ? rest(body_, 10'000) : whole(body_); });
  bring(server);
  expect_complete();
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(DownloadTest, BeginsAgainWhereTheServerCannotSatisfyTheRange) {
  write_text(part_, body_.substr(0, 20'000));
  const LoopbackServer server(
      [&](const Request& request) { return request.range ? status(416) : whole(body_); });
  bring(server);
  expect_complete();
}

TEST_F(DownloadTest, BeginsAgainWhereThePartWasWrong) {
  write_text(part_, std::string(20'000, '?'));
  const LoopbackServer server(
      [&](const Request& request) { return request.range ? rest(body_, *request.range) : whole(body_); });
  bring(server);
  expect_complete();
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(DownloadTest, NeedsNoServerForACompletePart) {
  write_text(part_, body_);
  const LoopbackServer server([&](const Request&) { return status(500); });
  bring(server);
  expect_complete();
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(DownloadTest, GoesOnWhereAShortBodyEnded) {
  const LoopbackServer server([&](const Request& request) {
    return request.range ? rest(body_, *request.range) : broken_off(body_, 30'000);
  });
  bring(server);
  expect_complete();
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests()[1].range, 30'000);
}

TEST_F(DownloadTest, NoticesAShortBodyWithoutLength) {
  const LoopbackServer server([&](const Request&) {
    return Reply{"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body_.substr(0, 100)};
  });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }),
              HasSubstr("the connection ended after 100 of 50000 bytes (after 3 attempts)"));
  EXPECT_EQ(read_text(part_), body_.substr(0, 100)) << "what arrived is kept for the next time";
}

TEST_F(DownloadTest, TriesABoundedNumberOfTimes) {
  const LoopbackServer server([&](const Request&) { return broken_off(body_, 0); });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("(after 3 attempts)"));
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(DownloadTest, TriesAgainAfterAPassingError) {
  int calls = 0;
  const LoopbackServer server([&](const Request&) { return calls++ == 0 ? status(503) : whole(body_); });
  bring(server);
  expect_complete();
}

TEST_F(DownloadTest, DoesNotAskTwiceForWhatIsNotThere) {
  const LoopbackServer server([&](const Request&) { return status(404); });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("HTTP status 404 (after 1 attempt)"));
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(DownloadTest, RefusesWrongContentAndKeepsNothing) {
  std::string other = body_;
  other[7] = '!';
  const LoopbackServer server([&](const Request&) { return whole(other); });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("not what was published"));
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(DownloadTest, RefusesWrongContentInPiecesToo) {
  std::string other = body_;
  other[7] = '!';
  const LoopbackServer server([&](const Request& request) {
    return request.range ? rest(other, *request.range) : broken_off(other, 30'000);
  });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("not what was published"));
  EXPECT_EQ(server.requests().size(), 4U) << "once more from the beginning, then no more";
  EXPECT_FALSE(std::filesystem::exists(part_));
}

TEST_F(DownloadTest, RefusesABodyThatIsTooLong) {
  const LoopbackServer server([&](const Request&) { return whole(body_ + "more"); });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("more than the 50000 bytes expected"));
  EXPECT_EQ(read_text(part_), "");
}

TEST_F(DownloadTest, LeavesAStallingServer) {
  options_.retries = 0;
  const LoopbackServer server([&](const Request&) {
    Reply reply = broken_off(body_, 10'000);
    reply.stall = true;
    return reply;
  });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("the server has stopped sending"));
  EXPECT_EQ(read_text(part_), body_.substr(0, 10'000));
}

TEST_F(DownloadTest, LeavesAServerThatNeverAnswers) {
  options_.retries = 0;
  const LoopbackServer server([&](const Request&) { return Reply{"", true}; });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("the server has stopped sending"));
}

TEST_F(DownloadTest, GivesUpOnRequestAndKeepsThePart) {
  write_text(part_, body_.substr(0, 20'000));
  give_up_ = true;
  const LoopbackServer server([&](const Request&) { return Reply{"", true}; });
  EXPECT_THAT(message_of<Failure>([&] { bring(server); }), HasSubstr("given up on request"));
  EXPECT_EQ(read_text(part_).size(), 20'000U);
}

TEST_F(DownloadTest, SaysWhenNobodyAnswersAtAll) {
  options_.retries = 0;
  std::string address;
  {
    const LoopbackServer gone([&](const Request&) { return status(500); });
    address = gone.address();
  }
  const std::string message = message_of<Failure>([&] {
    download({address + "/file", part_, 1, "0"}, options_, [](std::int64_t) { return true; });
  });
  EXPECT_THAT(message, HasSubstr(address));
}

TEST(Sha256, AgreesWithTheStandardsExamples) {
  if (!has_sha256()) GTEST_SKIP() << "this build has no OpenSSL";
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  write_text(path, "abc");
  EXPECT_EQ(sha256_of(path), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  write_text(path, "");
  EXPECT_EQ(sha256_of(path), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  write_text(path, std::string(1'000'000, 'a'));
  EXPECT_EQ(sha256_of(path), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_THROW(sha256_of(folder.path() / "absent"), Failure);
}

}  // namespace
}  // namespace dshn::data
