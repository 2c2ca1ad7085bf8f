#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/text.hpp"

namespace dshn::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenDraws{100};
constexpr milliseconds kBeforeActivityShows{400};
constexpr const char* kEraseLine = "\r\x1b[K";

void write_to_stderr(const std::string& text) {
  // A status line that cannot be shown is no reason to fail.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

std::string repeat(const char* glyph, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += glyph;
  return out;
}

}  // namespace

bool StatusLine::due() const {
  return err_.interactive && Clock::now() - last_ >= kBetweenDraws;
}

void StatusLine::draw(const std::string& text) {
  if (!err_.interactive) return;
  write_to_stderr(kEraseLine + shorten(text, err_.width - 1));
  last_ = Clock::now();
  shown_ = true;
}

void StatusLine::erase() {
  if (shown_) write_to_stderr(kEraseLine);
  shown_ = false;
}

std::string progress_text(const std::string& label, std::int64_t done, std::int64_t total,
                          double bytes_per_second, int width) {
  const std::string rate =
      bytes_per_second > 0 ? fmt::format("  {}/s", human_bytes(static_cast<std::int64_t>(bytes_per_second)))
                           : std::string();
  if (total <= 0) return fmt::format("{}  {}{}", label, human_bytes(done), rate);
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const std::string numbers = fmt::format("{:3.0f} %  {} of {}{}", std::floor(100 * share), human_bytes(done),
                                          human_bytes(total), rate);
  const int room = std::clamp(width - display_width(label) - display_width(numbers) - 4, 0, 40);
  const int full = static_cast<int>(share * room);
  return fmt::format("{}  {}{}  {}", label, repeat("█", full), repeat("░", room - full), numbers);
}

ProgressBar::ProgressBar(const Terminal& err, std::string_view label)
    : line_(err), label_(printable(label)) {}

void ProgressBar::update(std::int64_t done, std::int64_t total) {
  if (first_ < 0) {
    first_ = done;
    start_ = Clock::now();
  }
  if (!line_.due()) return;
  const double seconds = duration<double>(Clock::now() - start_).count();
  const double rate = seconds > 0.5 ? static_cast<double>(done - first_) / seconds : 0;
  line_.draw(progress_text(label_, done, total, rate, line_.terminal().width - 1));
}

Activity::Activity(const Terminal& err, std::string_view label) : line_(err), label_(printable(label)) {
  if (err.interactive) thread_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

void Activity::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  line_.erase();
}

void Activity::tick(const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  auto pause = kBeforeActivityShows;
  while (!wake_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
    const double seconds = duration<double>(std::chrono::steady_clock::now() - start).count();
    line_.draw(fmt::format("{} … {:.1f} s", label_, seconds));
    pause = kBetweenDraws;
  }
}

}  // namespace dshn::cli
