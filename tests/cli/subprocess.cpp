#include "cli/subprocess.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace dshn::cli::test {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

void apply(const Setting& setting) {
  for (const std::string& variable : setting.environment) {
    const auto equals = variable.find('=');
    if (equals == std::string::npos) {
      unsetenv(variable.c_str());
    } else {
      setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
  }
  if (setting.without_privileges && geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) {
    _exit(kNotStarted);
  }
  if (!setting.input.empty() && dup2(open(setting.input.c_str(), O_RDONLY), STDIN_FILENO) < 0)
    _exit(kNotStarted);
  if (setting.own_group && setpgid(0, 0) != 0) _exit(kNotStarted);
  if (setting.memory_limit > 0) {
    const rlimit limit{setting.memory_limit, setting.memory_limit};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(kNotStarted);
  }
}

[[noreturn]] void become_dshn(const Arguments& arguments, const Setting& setting) {
  apply(setting);
  signal(SIGINT, SIG_DFL);  // a shell that runs the tests in the background has it ignored
  std::vector<char*> words{const_cast<char*>("dshn")};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(DSHN_PROGRAM, words.data());
  _exit(kNotStarted);
}

void redirect(const fs::path& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
}

}  // namespace

bool Outcome::one_line() const {
  return !err.empty() && err.back() == '\n' && std::count(err.begin(), err.end(), '\n') == 1;
}

int wait_for(pid_t process) {
  int state = 0;
  if (waitpid(process, &state, 0) != process) throw std::runtime_error("waitpid failed");
  return WIFSIGNALED(state) ? -WTERMSIG(state) : WEXITSTATUS(state);
}

pid_t start_dshn(const Arguments& arguments, const Setting& setting, const fs::path& folder) {
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("fork failed");
  if (process == 0) {
    redirect(folder / "stdout", STDOUT_FILENO);
    redirect(folder / "stderr", STDERR_FILENO);
    become_dshn(arguments, setting);
  }
  return process;
}

Outcome dshn(const Arguments& arguments, const Setting& setting) {
  const Scratch scratch;
  Outcome outcome;
  outcome.status = wait_for(start_dshn(arguments, setting, scratch.path()));
  outcome.out = read_file(scratch.path() / "stdout");
  outcome.err = read_file(scratch.path() / "stderr");
  return outcome;
}

namespace {

winsize size_of(int columns) {
  return {.ws_row = 40, .ws_col = static_cast<unsigned short>(columns), .ws_xpixel = 0, .ws_ypixel = 0};
}

}  // namespace

void resize(int terminal, int columns) {
  const winsize size = size_of(columns);
  if (ioctl(terminal, TIOCSWINSZ, &size) != 0) throw std::runtime_error("a terminal cannot be resized");
}

Outcome dshn_on_terminal(const Arguments& arguments, const Setting& setting, const Watcher& watcher) {
  const winsize size = size_of(100);
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, &size);
  if (process < 0) throw std::runtime_error("forkpty failed");
  if (process == 0) {
    setenv("TERM", "xterm-256color", 1);
    unsetenv("NO_COLOR");
    become_dshn(arguments, setting);
  }
  Outcome outcome;
  char buffer[4096];
  // The last close of the other side reads as an input/output error.
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof buffer)) > 0;) {
    outcome.out.append(buffer, got);
    if (watcher) watcher({buffer, static_cast<std::size_t>(got)}, terminal);
  }
  close(terminal);
  outcome.status = wait_for(process);
  return outcome;
}

std::string Scratch::file(const std::string& name, std::string_view content) const {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
  return at(name);
}

std::vector<std::string> Scratch::contents() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path())) {
    names.push_back(fs::relative(entry.path(), path()).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  for (pid_t child = 0; file >> child;) children.push_back(child);
  return children;
}

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace dshn::cli::test
