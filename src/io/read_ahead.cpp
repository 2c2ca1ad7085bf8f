#include "io/read_ahead.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace dshn::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 19;
constexpr std::size_t kBlocks = 4;

class ReadAhead final : public ByteReader {
 public:
  explicit ReadAhead(std::unique_ptr<ByteReader> source)
      : source_(std::move(source)), worker_([this](const std::stop_token& stop) { fetch(stop); }) {}

  std::size_t read(std::span<char> out) override {
    std::size_t filled = 0;
    while (filled < out.size()) {
      if (rest_.empty() && !next_block()) break;
      const std::size_t piece = std::min(out.size() - filled, rest_.size());
      std::copy_n(rest_.begin(), piece, out.begin() + static_cast<std::ptrdiff_t>(filled));
      rest_.remove_prefix(piece);
      filled += piece;
    }
    return filled;
  }

  const std::string& name() const override { return source_->name(); }
  Compression compression() const override { return source_->compression(); }
  std::int64_t bytes_done() const override { return done_; }
  std::int64_t bytes_total() const override { return source_->bytes_total(); }

 private:
  struct Block {
    std::vector<char> bytes = std::vector<char>(kBlockBytes);
    std::size_t size = 0;
    std::int64_t done = 0;     // bytes_done() of the source after this block
    std::exception_ptr error;  // thrown in place of the next byte
  };

  Block& block(std::size_t number) { return blocks_[number % kBlocks]; }

  /// Runs in the worker: fills block after block until the source ends, fails or nobody listens any more.
  void fetch(const std::stop_token& stop) {
    for (std::size_t number = 0;; ++number) {
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return number < taken_ + kBlocks; })) return;
      }
      Block& filling = block(number);
      try {
        filling.size = source_->read(filling.bytes);
        filling.done = source_->bytes_done();
      } catch (...) {
        filling.size = 0;
        filling.error = std::current_exception();
      }
      const bool last = filling.size < kBlockBytes;
      {
        const std::lock_guard lock(mutex_);
        filled_ = number + 1;
        ended_ = last;
      }
      changed_.notify_all();
      if (last) return;
    }
  }

  /// Gives the current block back and waits for the next; false at the end.
  bool next_block() {
    std::unique_lock lock(mutex_);
    if (holding_) {
      ++taken_;
      holding_ = false;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return filled_ > taken_ || ended_; });
    if (filled_ == taken_) return false;
    Block& current = block(taken_);
    holding_ = true;
    if (current.error) std::rethrow_exception(current.error);
    done_ = current.done;
    rest_ = {current.bytes.data(), current.size};
    return !rest_.empty();
  }

  std::unique_ptr<ByteReader> source_;
  std::array<Block, kBlocks> blocks_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t filled_ = 0;  // blocks fetched; guarded by mutex_, as are taken_ and ended_
  std::size_t taken_ = 0;   // blocks given back
  bool ended_ = false;
  bool holding_ = false;  // the reader's own, as are rest_ and done_
  std::string_view rest_;
  std::int64_t done_ = 0;
  std::jthread worker_;  // last: it stops and joins before what it uses is gone
};

}  // namespace

std::unique_ptr<ByteReader> read_ahead(std::unique_ptr<ByteReader> source) {
  return std::make_unique<ReadAhead>(std::move(source));
}

}  // namespace dshn::io
