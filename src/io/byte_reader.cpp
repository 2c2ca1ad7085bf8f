#include <fmt/format.h>
#ifdef DSHN_HAS_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "io/byte_stream.hpp"
#include "io/input_file.hpp"
#include "io/read_ahead.hpp"
#include "io/zlib_stream.hpp"

namespace dshn::io {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzipMagic = "\x1f\x8b"sv;
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd"sv;
constexpr std::string_view kZstdSkippable = "\x2a\x4d\x18"sv;  // after one byte 0x50..0x5f

Compression recognise(std::string_view start) {
  if (start.starts_with(kGzipMagic)) return Compression::gzip;
  if (start.starts_with(kZstdMagic)) return Compression::zstd;
  const bool skippable =
      start.size() >= 4 && (start[0] & 0xf0) == 0x50 && start.substr(1, 3) == kZstdSkippable;
  return skippable ? Compression::zstd : Compression::none;
}

class FileReader : public ByteReader {
 public:
  explicit FileReader(std::unique_ptr<ByteInput> input) : input_(std::move(input)) {}
  std::size_t read(std::span<char> out) override { return input_->read(out); }
  const std::string& name() const override { return input_->name(); }
  Compression compression() const override { return Compression::none; }
  std::int64_t bytes_done() const override { return input_->offset(); }
  std::int64_t bytes_total() const override { return input_->total(); }

 protected:
  ByteInput& input() { return *input_; }

 private:
  std::unique_ptr<ByteInput> input_;
};

class GzipReader final : public FileReader {
 public:
  explicit GzipReader(std::unique_ptr<ByteInput> file) : FileReader(std::move(file)) {}

  Compression compression() const override { return Compression::gzip; }

  std::size_t read(std::span<char> out) override {
    std::size_t filled = 0;
    while (filled < out.size() && !ended_) {
      const std::string_view in = input().peek();
      if (in.empty()) input().fail("truncated gzip data: the file ends");
      const Inflater::Step step = inflater_.run(in, out.subspan(filled));
      input().take(step.taken);
      filled += step.made;
      if (!step.damage.empty()) input().fail(fmt::format("damaged gzip data ({})", step.damage));
      if (step.ended) begin_next_member();
    }
    return filled;
  }

 private:
  /// A gzip file may hold several members, and zeros behind the last that pad it to a block.
  void begin_next_member() {
    std::string_view in = input().peek();
    while (!in.empty() && in[0] == '\0') {
      input().take(std::min(in.size(), in.find_first_not_of('\0')));
      in = input().peek();
      if (!in.empty() && in[0] != '\0') input().fail("unexpected bytes after the gzip data");
    }
    ended_ = in.empty();
    if (!ended_ && in[0] != kGzipMagic[0]) input().fail("unexpected bytes after the gzip data");
    inflater_.reset();
  }

  Inflater inflater_{kGzipWindow};
  bool ended_ = false;
};

#ifdef DSHN_HAS_ZSTD
class ZstdReader final : public FileReader {
 public:
  explicit ZstdReader(std::unique_ptr<ByteInput> file)
      : FileReader(std::move(file)), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (context_ == nullptr) throw Failure("zstd: out of memory");
  }

  Compression compression() const override { return Compression::zstd; }

  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer target{out.data(), out.size(), 0};
    while (target.pos < target.size) {
      const std::string_view bytes = input().peek();
      if (bytes.empty() && frame_complete_) break;
      ZSTD_inBuffer source{bytes.data(), bytes.size(), 0};
      const std::size_t before = target.pos;
      const std::size_t status = ZSTD_decompressStream(context_.get(), &target, &source);
      input().take(source.pos);
      if (ZSTD_isError(status) != 0) {
        input().fail(fmt::format("damaged zstd data ({})", ZSTD_getErrorName(status)));
      }
      frame_complete_ = status == 0;
      const bool stuck = bytes.empty() && target.pos == before;
      if (stuck && !frame_complete_) input().fail("truncated zstd data: the file ends");
    }
    return target.pos;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  bool frame_complete_ = false;
};
#endif

class MemoryReader final : public ByteReader {
 public:
  MemoryReader(std::string_view bytes, std::string name)
      : rest_(bytes), size_(bytes.size()), name_(std::move(name)) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t piece = rest_.copy(out.data(), out.size());
    rest_.remove_prefix(piece);
    return piece;
  }
  const std::string& name() const override { return name_; }
  Compression compression() const override { return Compression::none; }
  std::int64_t bytes_done() const override { return static_cast<std::int64_t>(size_ - rest_.size()); }
  std::int64_t bytes_total() const override { return static_cast<std::int64_t>(size_); }

 private:
  std::string_view rest_;
  std::size_t size_;
  std::string name_;
};

std::unique_ptr<ByteReader> decode_zstd(std::unique_ptr<ByteInput> input) {
#ifdef DSHN_HAS_ZSTD
  return std::make_unique<ZstdReader>(std::move(input));
#else
  throw Failure(
      fmt::format("{}: zstd data, and this build has no zstd; decompress it with 'zstd -d', or install "
                  "libzstd-dev and build again",
                  input->name()));
#endif
}

}  // namespace

const char* compression_name(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::none:
      break;
  }
  return "";
}

std::unique_ptr<ByteReader> open_bytes(const std::filesystem::path& path) {
  auto input = std::make_unique<ByteInput>(path);
  const Compression compression = recognise(input->peek());
  std::unique_ptr<ByteReader> reader;
  switch (compression) {
    case Compression::none:
      return std::make_unique<FileReader>(std::move(input));
    case Compression::gzip:
      reader = std::make_unique<GzipReader>(std::move(input));
      break;
    case Compression::zstd:
      reader = decode_zstd(std::move(input));
      break;
  }
  return thread_count() > 1 ? read_ahead(std::move(reader)) : std::move(reader);
}

std::unique_ptr<ByteReader> view_bytes(std::string_view bytes, std::string name) {
  return std::make_unique<MemoryReader>(bytes, std::move(name));
}

}  // namespace dshn::io
