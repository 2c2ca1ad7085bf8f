#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/text.hpp"

namespace dshn::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenDraws{100};
constexpr milliseconds kBeforeActivityShows{400};
constexpr std::chrono::seconds kBeforeFirstLine{30};
constexpr std::chrono::minutes kBetweenLines{5};

std::string repeat(const char* glyph, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += glyph;
  return out;
}

}  // namespace

StatusLine::StatusLine(const Terminal& err) : err_(err), pause_(kBetweenDraws) {
  if (err.interactive) return;
  pause_ = kBeforeFirstLine;
  last_ = Clock::now();
}

bool StatusLine::due(Clock::time_point now) const {
  return err_.descriptor >= 0 && now - last_ >= pause_;
}

void StatusLine::draw(const std::string& text, Clock::time_point now) {
  if (err_.interactive) {
    err_.show(kEraseDown + (kCutLines + shorten(text, terminal().width - 1)) + kWrapLines + '\r');
    shown_ = true;
  } else {
    err_.show(text + '\n');
    pause_ = std::min<Clock::duration>(2 * pause_, kBetweenLines);
  }
  last_ = now;
}

void StatusLine::erase() {
  if (shown_) err_.show(kEraseDown);
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
  const Terminal terminal = line_.terminal();
  line_.draw(progress_text(label_, done, total, rate, terminal.interactive ? terminal.width - 1 : 0));
}

Activity::Activity(const Terminal& err, std::string_view label) : line_(err), label_(printable(label)) {
  if (err.descriptor >= 0) thread_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
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
    if (line_.due()) line_.draw(fmt::format("{} … {:.1f} s", label_, seconds));
    pause = kBetweenDraws;
  }
}

}  // namespace dshn::cli
