// Stands in for on_test_server.cpp in a build without libpqxx.
#include <stdexcept>

#include "tune/on_test_server.hpp"

namespace dshn::tune::test {

bool has_server() {
  return false;
}

StoreAddress on_test_server(const std::string& /*study*/) {
  throw std::logic_error("there is no server");
}

void change_on_server(const StoreAddress& /*address*/, const std::string& /*sql*/) {
  throw std::logic_error("there is no server");
}

}  // namespace dshn::tune::test
