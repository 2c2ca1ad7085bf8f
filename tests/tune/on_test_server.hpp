#pragma once

#include <string>

#include "dshn/tune/store_address.hpp"

/// Studies on a PostgreSQL server that the tests start.
namespace dshn::tune::test {

/// False where the library or the server's program is not installed.
bool has_server();

StoreAddress on_test_server(const std::string& study);

/// Changes the tables of a study, whatever they forbid.
void change_on_server(const StoreAddress& address, const std::string& sql);

}  // namespace dshn::tune::test
