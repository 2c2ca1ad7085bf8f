// Stands in for store.cpp in a build without SQLite.
#include "dshn/base/error.hpp"
#include "dshn/tune/store.hpp"

namespace dshn::tune {

class Database {};

namespace {

[[noreturn]] void refuse() {
  throw Failure("this build has no studies: it was made without SQLite");
}

}  // namespace

bool Store::holds_study(const std::filesystem::path& /*file*/) {
  refuse();
}

void Store::create(const std::filesystem::path& /*file*/, const std::string& /*request*/, int /*trials*/) {
  refuse();
}

Store::Store(const std::filesystem::path& /*file*/, double stale_seconds) : stale_seconds_(stale_seconds) {
  refuse();
}

// No Store exists, so what follows is never called.
Store::~Store() = default;
std::string Store::request() const {
  refuse();
}
int Store::goal() const {
  refuse();
}
void Store::set_goal(int) {
  refuse();
}
void Store::set_request(const std::string&) {
  refuse();
}
std::vector<Trial> Store::trials() const {
  refuse();
}
std::optional<Claim> Store::claim(const Propose&) {
  refuse();
}
bool Store::all_finished() const {
  refuse();
}
Trial Store::trial(const Claim&) const {
  refuse();
}
bool Store::beat(const Claim&) {
  refuse();
}
bool Store::record(const Claim&, int, double, const Judge&) {
  refuse();
}
bool Store::fail(const Claim&, const std::string&) {
  refuse();
}
bool Store::release(const Claim&) {
  refuse();
}

}  // namespace dshn::tune
