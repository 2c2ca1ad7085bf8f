// Stands in for postgres.cpp and server_url.cpp in a build without libpqxx.
#include "dshn/base/error.hpp"
#include "tune/database.hpp"
#include "tune/server_url.hpp"

namespace dshn::tune {
namespace {

[[noreturn]] void refuse_servers() {
  throw Failure("this build has no studies on servers: it was made without libpqxx");
}

}  // namespace

ServerUrl split_server_url(const std::string& /*url*/) {
  refuse_servers();
}

std::unique_ptr<Database> open_postgres(const StoreAddress& /*address*/) {
  refuse_servers();
}

}  // namespace dshn::tune
