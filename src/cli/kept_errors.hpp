#pragma once

#include <optional>
#include <string>

namespace dshn::cli {

/// Where a copy of this program that runs beside others leaves the line about its error, for the one that has started
/// them all and says one line for all.
class KeptError {
 public:
  /// Copies that are started from here on, until the next one is made, leave theirs here.
  KeptError();
  KeptError(const KeptError&) = delete;
  KeptError& operator=(const KeptError&) = delete;
  ~KeptError();

  /// What has been left; empty: nothing.
  std::string line() const;

 private:
  int file_;
};

/// The file of the starter where this process is to leave the line; nothing where nobody keeps it.
std::optional<int> kept_errors();

}  // namespace dshn::cli
