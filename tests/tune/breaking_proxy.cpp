#include "tune/breaking_proxy.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace dshn::tune::test {
namespace {

constexpr int kLookEveryMs = 20;

sockaddr_un socket_in(const std::filesystem::path& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder / ".s.PGSQL.5432").string();
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  return address;
}

bool is_ready(int descriptor) {
  pollfd look{descriptor, POLLIN, 0};
  return poll(&look, 1, kLookEveryMs) > 0;
}

/// What has come; empty at the end of the connection.
std::string take(int descriptor) {
  std::array<char, 65536> bytes{};
  const ssize_t count = read(descriptor, bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(count < 0 ? 0 : count)};
}

bool give(int descriptor, std::string_view bytes) {
  return send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

BreakingProxy::BreakingProxy(const std::filesystem::path& server) : server_(server) {
  listener_ = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = socket_in(folder_.path());
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(listener_, 8) != 0)
    throw std::runtime_error("the proxy has no socket");
  thread_ = std::jthread([this] { listen(); });
}

BreakingProxy::~BreakingProxy() {
  ends_ = true;
  thread_.join();
  connections_.clear();
  close(listener_);
}

void BreakingProxy::break_at_next_commit(Moment moment) {
  moment_ = moment;
  is_armed_ = true;
}

void BreakingProxy::listen() {
  while (!ends_) {
    if (!is_ready(listener_)) continue;
    const int client = accept(listener_, nullptr, nullptr);
    connections_.emplace_back([this, client] { pass_on(client); });
  }
}

void BreakingProxy::pass_on(int client) {
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = socket_in(server_);
  bool lives = connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  while (lives && !ends_) {
    std::array<pollfd, 2> look{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (poll(look.data(), look.size(), kLookEveryMs) <= 0) continue;
    if (look[1].revents != 0) {
      const std::string answer = take(server);
      lives = !answer.empty() && give(client, answer);
    }
    if (!lives || look[0].revents == 0) continue;
    const std::string words = take(client);
    const bool cuts = words.find("COMMIT") != std::string::npos && is_armed_.exchange(false);
    if (cuts) ++broken_;
    lives = !words.empty() && (cuts && moment_ == Moment::before_it_is_sent ? false : give(server, words)) &&
            !cuts;
    if (cuts && moment_ == Moment::before_it_is_answered) take(server);  // it is done now
  }
  close(client);
  close(server);
}

}  // namespace dshn::tune::test
