// What is redrawn in place while work goes on, on terminals that change their width and where there is none.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "cli/progress.hpp"
#include "cli/screen.hpp"
#include "cli/text.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

/// A terminal of its own, and the screen that shows what is written to it.
class Window {
 public:
  explicit Window(int columns) : screen_(columns) {
    if (openpty(&master_, &slave_, nullptr, nullptr, nullptr) != 0) throw std::runtime_error("no terminal");
    fcntl(master_, F_SETFL, O_NONBLOCK);
    resize(columns);
  }
  ~Window() {
    close(slave_);
    close(master_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Terminal terminal() const {
    return Terminal{.interactive = true, .colour = false, .descriptor = slave_}.now();
  }
  void resize(int columns) {
    show();
    const winsize size{
        .ws_row = 20, .ws_col = static_cast<unsigned short>(columns), .ws_xpixel = 0, .ws_ypixel = 0};
    ioctl(slave_, TIOCSWINSZ, &size);
    screen_.resize(columns);
  }
  std::string text() {
    show();
    return screen_.text();
  }

 private:
  void show() {
    char buffer[4096];
    for (ssize_t got = 0; (got = read(master_, buffer, sizeof buffer)) > 0;)
      screen_.write({buffer, static_cast<std::size_t>(got)});
  }

  Screen screen_;
  int master_ = -1;
  int slave_ = -1;
};

TEST(Screen, BreaksLinesAnewWhenItsWidthChanges) {
  Screen screen(8);
  screen.write("above\r\n12345678");
  EXPECT_EQ(screen.text(), "above\n12345678\n");
  screen.resize(5);
  EXPECT_EQ(screen.text(), "above\n12345\n678\n");
  screen.write("\r\x1b[J");  // as programs do that believe in one row
  EXPECT_EQ(screen.text(), "above\n12345\n");
  screen.write("\x1b[1A\r\x1b[Jnew");
  EXPECT_EQ(screen.text(), "above\nnew\n");
  screen.write("\r\n\x1b[?7labcdefgh\x1b[?7h");
  EXPECT_EQ(screen.text(), "above\nnew\nabcdh\n");
}

TEST(StatusLine, LeavesNothingBehindWhenTheWindowBecomesNarrow) {
  Window window(100);
  StatusLine line(window.terminal());

  line.draw(std::string(99, 'x'));
  window.resize(45);
  EXPECT_THAT(window.text(), HasSubstr("x\nxxx"));  // broken in three
  line.draw(std::string(99, 'y'));

  EXPECT_EQ(window.text(), std::string(43, 'y') + "…\n");
  window.resize(70);
  line.draw(std::string(99, 'z'));
  EXPECT_EQ(window.text(), std::string(68, 'z') + "…\n");
  line.erase();
  EXPECT_EQ(window.text(), "");
}

TEST(StatusLine, FitsAWindowThatChangesWhileItIsDrawn) {
  Window window(100);
  const Terminal before = window.terminal();
  window.resize(50);

  before.show(std::string(kEraseDown) + kCutLines + std::string(99, 'x') + kWrapLines + '\r');

  EXPECT_EQ(window.text(), std::string(50, 'x') + "\n");
  before.show(kEraseDown);
  EXPECT_EQ(window.text(), "");
}

/// What a status line writes where nobody watches.
class Piped : public testing::Test {
 protected:
  Piped() {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) throw std::runtime_error("no pipe");
    out_ = ends[0];
    in_ = ends[1];
  }
  ~Piped() override {
    close(in_);
    close(out_);
  }
  std::string written() const {
    char buffer[4096];
    const ssize_t got = read(out_, buffer, sizeof buffer);
    return got < 0 ? "" : std::string(buffer, static_cast<std::size_t>(got));
  }
  Terminal terminal() const { return {.descriptor = in_}; }

 private:
  int out_ = -1;
  int in_ = -1;
};

TEST_F(Piped, StatusIsALineNowAndThen) {
  StatusLine line(terminal());
  const auto start = StatusLine::Clock::now();
  int lines = 0;
  for (auto second = 0s; second <= 1h; second += 1s) {
    if (!line.due(start + second)) continue;
    EXPECT_GE(second, 30s);
    line.draw("split 1/10", start + second);
    ++lines;
  }

  EXPECT_EQ(written().substr(0, 22), "split 1/10\nsplit 1/10\n");
  EXPECT_GT(lines, 12);  // one in five minutes
  EXPECT_LT(lines, 20);
  line.erase();
  EXPECT_THAT(written(), IsEmpty());
}

TEST_F(Piped, ShortWorkIsSilent) {
  StatusLine line(terminal());
  EXPECT_FALSE(line.due());
  { const Activity activity(terminal(), "reading"); }
  EXPECT_THAT(written(), IsEmpty());
}

TEST_F(Piped, QuietMeansQuiet) {
  StatusLine line(Terminal{});
  EXPECT_FALSE(line.due(StatusLine::Clock::now() + 24h));
}

}  // namespace
}  // namespace dshn::cli::test
