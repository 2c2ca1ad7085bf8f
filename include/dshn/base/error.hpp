#pragma once

#include <stdexcept>
#include <string>

namespace dshn {

/// Root of every error thrown on purpose. The message is one line that says what was wrong, where, what was
/// expected and what to do. The program turns the type into its exit status.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that does not exist or does not fit (exit status 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The data are wrong: an unreadable or malformed file, an inconsistent hypergraph (exit status 3).
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// The world did not cooperate: a full disk, no network, no such device (exit status 1).
class Failure : public Error {
 public:
  using Error::Error;
};

}  // namespace dshn
