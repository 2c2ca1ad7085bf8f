#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace dshn {

/// A PostgreSQL server of the tests' own: its files and its socket are in a temporary folder, it listens to no network,
/// and it ends with this process, however that ends. Its user has a password.
class PostgresServer {
 public:
  static constexpr const char* kUser = "dshn";
  static constexpr const char* kPassword = "pass-Word/42";

  /// Whether there is a program to start; without one, tests are skipped and say so.
  static bool is_installed();

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// postgresql://... with the password, or without.
  std::string url() const;
  std::string url_without_password() const;
  /// The folder with the socket.
  const std::filesystem::path& folder() const { return folder_; }

  /// It also ends with the thread that starts it.
  void start();
  /// Cuts all connections.
  void stop();
  void restart();

 private:
  std::filesystem::path folder_;
  pid_t process_ = 0;
};

/// One for all tests of a process, started when it is first asked for.
PostgresServer& postgres_server();

}  // namespace dshn
