// The program many times over, without the half second that it takes to load libtorch: each line of standard input is a
// request, answered with a line, and run in a process that is forked from this one. With arguments it is the program.
//   {"words": ["train", ...], "folder": where, "fault": [kind, call, error], "kill_after": seconds, "timeout": seconds}
//   {"status": 0, or -9 after signal 9, "timed_out": false, "out": ..., "err": ..., "calls": 12, "happened": true}
// Calls are those of dshn/io/file_system.hpp, as far as the process came to its end.
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/context.hpp"
#include "cli/learning_module.hpp"
#include "cli/program.hpp"
#include "dshn/io/file_system.hpp"

namespace {

using nlohmann::json;

/// What a process leaves in memory: standard output, standard error, and its record.
class Pages {
 public:
  Pages() {
    for (int& descriptor : descriptors_) descriptor = memfd_create("dshn-many", 0);
  }
  ~Pages() {
    for (const int descriptor : descriptors_) close(descriptor);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  int operator[](std::size_t page) const { return descriptors_[page]; }
  std::string text(std::size_t page) const {
    std::string text(static_cast<std::size_t>(lseek(descriptors_[page], 0, SEEK_END)), '\0');
    if (pread(descriptors_[page], text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("what a process wrote cannot be read");
    return text;
  }

 private:
  std::array<int, 3> descriptors_{};
};

dshn::io::Fault fault_named(const std::string& name) {
  using dshn::io::Fault;
  const std::map<std::string, Fault> names{{"none", Fault::none},
                                           {"fail", Fault::fail},
                                           {"full", Fault::full},
                                           {"cut", Fault::cut},
                                           {"end", Fault::end}};
  return names.at(name);
}

[[noreturn]] void become_program(const json& request, const Pages& pages) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_DFL);
  if (const std::string folder = request.value("folder", ""); !folder.empty() && chdir(folder.c_str()) != 0)
    _exit(127);
  dup2(pages[0], STDOUT_FILENO);
  dup2(pages[1], STDERR_FILENO);
  auto words = request.at("words").get<std::vector<std::string>>();
  std::vector<const char*> arguments{"dshn"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  if (request.contains("fault")) {
    const json& fault = request["fault"];
    dshn::io::plan_fault(fault_named(fault.at(0)), fault.at(1), fault.at(2));
  }
  const int status = dshn::cli::run(static_cast<int>(arguments.size()) - 1, arguments.data());
  const dshn::io::FaultRecord record = dshn::io::fault_record();
  const std::string line = json{{"calls", record.calls}, {"happened", record.happened}}.dump();
  _exit(write(pages[2], line.data(), line.size()) < 0 ? 127 : status);
}

/// False where it has not ended after that time.
bool ends_within(pid_t process, double seconds) {
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
  const timespec time{static_cast<time_t>(seconds),
                      static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e9)};
  const int count = ppoll(&ended, 1, &time, nullptr);
  close(descriptor);
  return count > 0;
}

json answer(const json& request) {
  const Pages pages;
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("fork failed");
  if (process == 0) become_program(request, pages);
  const bool killed = request.contains("kill_after");
  const bool ended =
      ends_within(process, killed ? request["kill_after"] : request.value("timeout", json(120.0)));
  if (!ended) kill(process, SIGKILL);
  int state = 0;
  waitpid(process, &state, 0);
  const std::string record = pages.text(2);
  json line = record.empty() ? json::object() : json::parse(record);
  line["status"] = WIFSIGNALED(state) ? -WTERMSIG(state) : WEXITSTATUS(state);
  line["timed_out"] = !ended && !killed;
  line["out"] = pages.text(0);
  line["err"] = pages.text(1);
  return line;
}

/// So that the processes find it loaded.
void load_libtorch() {
  CLI::App app;
  dshn::cli::Context context{dshn::cli::Terminal{}, dshn::cli::Terminal{}, {}};
  dshn::cli::load_learning_commands(app, context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return dshn::cli::run(argc, argv);
  load_libtorch();
  for (std::string line; std::getline(std::cin, line);) {
    const json reply = answer(json::parse(line));
    std::cout << reply.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
  }
}
