#include "experiments/stopwatch.hpp"

#include <fmt/format.h>

#include <fstream>

#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::experiments {

Stopwatch::Stopwatch(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream(file_) >> before_;
  kept_ = before_;
}

double Stopwatch::seconds() const {
  return before_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

void Stopwatch::tick() {
  if (seconds() - kept_ > kBetween) keep();
}

void Stopwatch::keep() {
  kept_ = seconds();
  io::make_folders(file_.parent_path());
  io::write_file(file_, fmt::format("{:.1f}\n", kept_));
}

}  // namespace dshn::experiments
