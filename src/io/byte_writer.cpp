#include <fmt/format.h>
#ifdef DSHN_HAS_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "io/byte_stream.hpp"
#include "io/zlib_stream.hpp"

namespace dshn::io {

Compression compression_of_extension(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".gz") return Compression::gzip;
  if (extension == ".zst" || extension == ".zstd") return Compression::zstd;
  return Compression::none;
}

std::string extension_of(const std::filesystem::path& path) {
  const bool compressed = compression_of_extension(path) != Compression::none;
  return (compressed ? path.stem() : path).extension().string();
}

class ByteWriter::Sink {
 public:
  explicit Sink(const std::filesystem::path& path) : file_(path) {}
  virtual ~Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  virtual void write(std::string_view bytes) { file_.write(bytes); }
  /// Writes what the compressor still holds.
  virtual void end() {}
  void commit() { file_.commit(); }

 protected:
  AtomicFile& file() { return file_; }

 private:
  AtomicFile file_;
};

namespace {

constexpr std::size_t kOutBytes = std::size_t{1} << 18;
// JSON of integers gains little from more effort: measured with hif_bench.
constexpr int kGzipLevel = 4;

class GzipSink final : public ByteWriter::Sink {
 public:
  explicit GzipSink(const std::filesystem::path& path) : Sink(path) {}
  void write(std::string_view bytes) override { deflater_.write(bytes); }
  void end() override { deflater_.finish(); }

 private:
  Deflater deflater_{kGzipLevel, kGzipWindow, [this](std::string_view packed) { file().write(packed); }};
};

#ifdef DSHN_HAS_ZSTD
class ZstdSink final : public ByteWriter::Sink {
 public:
  explicit ZstdSink(const std::filesystem::path& path)
      : Sink(path), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx), out_(kOutBytes) {
    if (context_ == nullptr) throw Failure("zstd: out of memory");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void write(std::string_view bytes) override {
    ZSTD_inBuffer source{bytes.data(), bytes.size(), 0};
    while (source.pos < source.size) compress_some(source, ZSTD_e_continue);
  }

  void end() override {
    ZSTD_inBuffer source{nullptr, 0, 0};
    while (compress_some(source, ZSTD_e_end) != 0) {
    }
  }

 private:
  std::size_t compress_some(ZSTD_inBuffer& source, ZSTD_EndDirective directive) {
    ZSTD_outBuffer target{out_.data(), out_.size(), 0};
    const std::size_t status = ZSTD_compressStream2(context_.get(), &target, &source, directive);
    if (ZSTD_isError(status) != 0) throw Failure(fmt::format("zstd: {}", ZSTD_getErrorName(status)));
    file().write(std::string_view(out_.data(), target.pos));
    return status;
  }

  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::vector<char> out_;
};
#endif

std::unique_ptr<ByteWriter::Sink> zstd_sink(const std::filesystem::path& path) {
#ifdef DSHN_HAS_ZSTD
  return std::make_unique<ZstdSink>(path);
#else
  throw Failure(
      fmt::format("{}: this build has no zstd; choose .gz or no compression, or install libzstd-dev and "
                  "build again",
                  path.string()));
#endif
}

}  // namespace

ByteWriter::ByteWriter(const std::filesystem::path& path) {
  switch (compression_of_extension(path)) {
    case Compression::none:
      sink_ = std::make_unique<Sink>(path);
      break;
    case Compression::gzip:
      sink_ = std::make_unique<GzipSink>(path);
      break;
    case Compression::zstd:
      sink_ = zstd_sink(path);
      break;
  }
}

ByteWriter::~ByteWriter() = default;

void ByteWriter::write(std::string_view bytes) {
  sink_->write(bytes);
}

void ByteWriter::commit() {
  sink_->end();
  sink_->commit();
}

}  // namespace dshn::io
