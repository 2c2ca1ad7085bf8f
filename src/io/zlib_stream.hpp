#pragma once

#include <zlib.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace dshn::io {

/// Window bits of zlib: the largest window with a gzip header, and without any header, as zip has it.
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr int kBareWindow = -MAX_WBITS;

/// Unpacks deflated data, a piece at a time.
class Inflater {
 public:
  explicit Inflater(int window_bits);
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  struct Step {
    std::size_t taken = 0;  // bytes of `in`
    std::size_t made = 0;   // bytes of `out`
    bool ended = false;     // the deflated data are complete
    std::string damage;     // what is wrong with them, or empty
  };
  Step run(std::string_view in, std::span<char> out);
  /// Ready for other data.
  void reset() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

/// Packs what it is given and hands the packed bytes on.
class Deflater {
 public:
  Deflater(int level, int window_bits, std::function<void(std::string_view)> out);
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string_view bytes);
  /// Hands on what is still held back.
  void finish() { run(Z_FINISH); }

 private:
  void run(int flush);

  z_stream stream_{};
  std::function<void(std::string_view)> out_;
  std::string buffer_;
};

}  // namespace dshn::io
