#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "dshn/base/error.hpp"

namespace dshn::data::testing {

struct Request {
  std::string path;
  /// First byte asked for by a Range header.
  std::optional<std::int64_t> range;
};

/// What the server sends, exactly: the head may lie about the body.
struct Reply {
  std::string bytes;
  /// Then keeps the connection open, silent, until the client goes away.
  bool stall = false;
};

/// An HTTP server on the loopback interface, one connection at a time, that answers as badly as it is told
/// to.
class LoopbackServer {
 public:
  using Handler = std::function<Reply(const Request&)>;

  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 8) != 0 ||
        ::getsockname(listener_, generic, &size) != 0) {
      throw Failure("no server on the loopback interface");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~LoopbackServer() {
    stopping_ = true;
    thread_.join();
    ::close(listener_);
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  static bool readable(int descriptor) {
    pollfd waiting{descriptor, POLLIN, 0};
    return ::poll(&waiting, 1, 20) > 0;
  }

  void serve() {
    while (!stopping_) {
      if (!readable(listener_)) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      answer(client);
      ::close(client);
    }
  }

  void answer(int client) {
    std::string head;
    char block[4096];
    while (head.find("\r\n\r\n") == std::string::npos) {
      const ssize_t count = ::recv(client, block, sizeof block, 0);
      if (count <= 0) return;
      head.append(block, static_cast<std::size_t>(count));
    }
    const Request request = parse(head);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    const Reply reply = handler_(request);
    std::size_t sent = 0;
    while (sent < reply.bytes.size()) {
      const ssize_t count =
          ::send(client, reply.bytes.data() + sent, reply.bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
    while (reply.stall && !stopping_) {
      if (readable(client) && ::recv(client, block, sizeof block, 0) <= 0) return;
    }
  }

  static Request parse(const std::string& head) {
    Request request;
    const std::size_t begin = head.find(' ') + 1;
    request.path = head.substr(begin, head.find(' ', begin) - begin);
    constexpr std::string_view kRange = "\r\nRange: bytes=";
    if (const std::size_t at = head.find(kRange); at != std::string::npos) {
      std::int64_t first = 0;
      std::from_chars(head.data() + at + kRange.size(), head.data() + head.size(), first);
      request.range = first;
    }
    return request;
  }

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::thread thread_;
};

inline Reply whole(const std::string& body) {
  return {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n\r\n" + body};
}

inline Reply rest(const std::string& body, std::int64_t first) {
  const std::string tail = body.substr(static_cast<std::size_t>(first));
  return {"HTTP/1.1 206 Partial Content\r\nConnection: close\r\nContent-Range: bytes " +
          std::to_string(first) + "-" + std::to_string(body.size() - 1) + "/" + std::to_string(body.size()) +
          "\r\nContent-Length: " + std::to_string(tail.size()) + "\r\n\r\n" + tail};
}

inline Reply status(int code) {
  return {"HTTP/1.1 " + std::to_string(code) + " So\r\nConnection: close\r\nContent-Length: 5\r\n\r\nsorry"};
}

/// Promises the whole body and hangs up after `count` bytes of it.
inline Reply broken_off(const std::string& body, std::size_t count) {
  Reply reply = whole(body);
  reply.bytes.resize(reply.bytes.size() - body.size() + count);
  return reply;
}

}  // namespace dshn::data::testing
