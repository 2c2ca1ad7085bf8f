#pragma once

#include <string>

namespace dshn::ranks {

/// The address of this machine from which it reaches that one, as others can be told it; empty where there is no way.
/// The machine's name may stand for an address that nobody else reaches, such as the loopback.
std::string own_address(const std::string& host, int port);

}  // namespace dshn::ranks
