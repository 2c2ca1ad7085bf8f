#pragma once

#include <exception>
#include <string>

namespace dshn::test {

/// What an action says when it throws an Expected; any other outcome is told apart.
template <typename Expected, typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("(another type) ") + error.what();
  }
  return "(no error)";
}

}  // namespace dshn::test
