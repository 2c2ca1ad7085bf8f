#include "ranks/own_address.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>

namespace dshn::ranks {
namespace {

/// What the system would send from to there: connecting a datagram socket sends nothing. Empty where it cannot.
std::string address_towards(const addrinfo& there) {
  const int channel = socket(there.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (channel < 0) return {};
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  std::array<char, NI_MAXHOST> text{};
  const bool found = connect(channel, there.ai_addr, there.ai_addrlen) == 0 &&
                     getsockname(channel, address, &size) == 0 &&
                     getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0;
  close(channel);
  return found ? text.data() : std::string();
}

}  // namespace

std::string own_address(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(list, &freeaddrinfo);
  for (const addrinfo* there = list; there != nullptr; there = there->ai_next)
    if (std::string address = address_towards(*there); !address.empty()) return address;
  return {};
}

}  // namespace dshn::ranks
