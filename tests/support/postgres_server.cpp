#include "support/postgres_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dshn {
namespace {

namespace fs = std::filesystem;

/// The newest of Debian's, or none.
fs::path programs() {
  fs::path newest;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", none))
    if (fs::exists(entry.path() / "bin/initdb") && fs::exists(entry.path() / "bin/postgres"))
      newest = std::max(newest, entry.path() / "bin");
  return newest;
}

/// A server does not run as root.
const passwd* other_user() {
  return geteuid() == 0 ? getpwnam("nobody") : nullptr;
}

pid_t run_as_other_user(const std::vector<std::string>& words, const fs::path& log) {
  const passwd* user = other_user();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (user != nullptr &&
      (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0))
    _exit(127);
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (getppid() != parent || chdir("/") != 0) _exit(127);
  setenv("TZ", "UTC", 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '/' ? "%2F" : std::string(1, c);
  return result;
}

}  // namespace

bool PostgresServer::is_installed() {
  return !programs().empty();
}

PostgresServer::PostgresServer() {
  std::string pattern = (fs::temp_directory_path() / "dshn-pg-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + pattern);
  folder_ = pattern;
  std::ofstream(folder_ / "password") << kPassword << '\n';
  std::ofstream(folder_ / "log") << "";
  if (const passwd* user = other_user())
    for (const fs::path& path : {folder_, folder_ / "password", folder_ / "log"})
      if (chown(path.c_str(), user->pw_uid, user->pw_gid) != 0)
        throw std::runtime_error("cannot give a folder away");
  fs::permissions(folder_, fs::perms(0755));  // clients are other users
  const pid_t maker = run_as_other_user(
      {(programs() / "initdb").string(), "-D", (folder_ / "data").string(), "-U", kUser, "-A",
       "scram-sha-256", "--pwfile", (folder_ / "password").string(), "-N", "-E", "UTF8", "--locale", "C"},
      folder_ / "log");
  int status = 0;
  waitpid(maker, &status, 0);
  if (status != 0) {
    std::ifstream log(folder_ / "log");
    throw std::runtime_error("initdb: " + std::string(std::istreambuf_iterator<char>(log), {}));
  }
  start();
}

PostgresServer::~PostgresServer() {
  stop();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string PostgresServer::url() const {
  return std::string("postgresql://") + kUser + ":" + escaped(kPassword) +
         "@:5432/postgres?host=" + escaped(folder_.string());
}

std::string PostgresServer::url_without_password() const {
  return std::string("postgresql://") + kUser + "@:5432/postgres?host=" + escaped(folder_.string());
}

void PostgresServer::start() {
  process_ = run_as_other_user({(programs() / "postgres").string(), "-D", (folder_ / "data").string(), "-c",
                                "listen_addresses=", "-c", "unix_socket_directories=" + folder_.string(),
                                "-c", "port=5432", "-c", "fsync=off", "-c", "max_connections=50"},
                               folder_ / "log");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (PQping(url().c_str()) != PQPING_OK) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the server does not start");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void PostgresServer::stop() {
  if (process_ == 0) return;
  kill(process_, SIGINT);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

void PostgresServer::restart() {
  stop();
  start();
}

PostgresServer& postgres_server() {
  static PostgresServer server;
  return server;
}

}  // namespace dshn
