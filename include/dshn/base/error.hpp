#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace dshn {

/// What an error is about, for a program that can tell its user what to do against it.
struct Topic {
  std::string_view id = {};  // a literal, such as "folder-taken"
  std::string subject = {};  // the name or path that the remedy needs
};

/// The text with its line ends spelled out as a backslash and a letter: what a message shows of a file may not end
/// its line.
std::string on_one_line(std::string_view text);

/// Root of every error thrown on purpose. The message is one line that says what was wrong, where and what was
/// expected; where the remedy depends on the program, the topic stands for it. The program turns the type into
/// its exit status.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Topic topic = {})
      : std::runtime_error(on_one_line(message)), topic_(std::move(topic)) {}

  const Topic& topic() const { return topic_; }

 private:
  Topic topic_;
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

/// The message without the stack trace that libtorch puts behind its first line.
inline std::string first_line(const std::exception& problem) {
  const std::string_view text = problem.what();
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace dshn
