#include "dshn/base/error.hpp"
#include "dshn/ranks/group.hpp"

namespace dshn::ranks {
namespace {

[[noreturn]] void refuse() {
  throw UsageError("this program was built without Gloo, and cannot train on several ranks");
}

}  // namespace

std::shared_ptr<const Group> Group::join(const Place& /*place*/, const Patience& /*patience*/) {
  refuse();
}

std::vector<std::shared_ptr<const Group>> Group::in_threads(int /*size*/) {
  refuse();
}

std::unique_ptr<Meeting> Meeting::open() {
  refuse();
}

}  // namespace dshn::ranks
