#include "dshn/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/io/atomic_file.hpp"
#include "io/npy_codec.hpp"
#include "io/zip_format.hpp"

namespace dshn::io {
namespace {

constexpr std::array<std::byte, 6> kMagic{std::byte{0x93}, std::byte{'N'}, std::byte{'U'},
                                          std::byte{'M'},  std::byte{'P'}, std::byte{'Y'}};
constexpr std::uint64_t kMostHeader = std::uint64_t{1} << 20;
constexpr std::size_t kAlignment = 64;
constexpr char kNativeOrder = std::endian::native == std::endian::little ? '<' : '>';
/// NumPy's name of each DType; text is 'U' with a width.
constexpr std::array<const char*, 14> kCodes{"b1", "i1", "i2", "i4", "i8", "u1", "u2",
                                             "u4", "u8", "f2", "f4", "f8", "c8", "c16"};

/// An element as it stands in the file.
struct FileType {
  DType dtype = DType::float64;
  char kind = 'f';       // 'S' and 'U' tell the two kinds of text apart
  std::size_t size = 0;  // bytes of one element
  bool swapped = false;
};

FileType parse_dtype(const std::string& descr, const ByteSource& source) {
  const char order = descr.empty() ? '\0' : descr[0];
  const std::string code = descr.empty() ? "" : descr.substr(1);
  if (code.starts_with('O')) {
    source.fail(
        "the array holds Python objects (a pickle), which can run code and are refused; save it with a "
        "numeric or text dtype");
  }
  const bool swapped = (order == '<' || order == '>') && order != kNativeOrder;
  if (order == '<' || order == '>' || order == '|' || order == '=') {
    const auto found = std::find(kCodes.begin(), kCodes.end(), code);
    if (found != kCodes.end()) {
      const auto dtype = static_cast<DType>(found - kCodes.begin());
      return {dtype, code[0], item_size(dtype), swapped};
    }
    std::uint32_t width = 0;
    const char* const end = code.data() + code.size();
    if (code.size() > 1 && (code[0] == 'S' || code[0] == 'U') &&
        std::from_chars(code.data() + 1, end, width) == std::from_chars_result{end, std::errc{}}) {
      return {DType::text, code[0], std::size_t{width} * (code[0] == 'U' ? 4 : 1), swapped};
    }
  }
  source.fail(
      fmt::format("dtype '{}' is not supported; supported are bool, int8 to int64, uint8 to uint64, float16 "
                  "to float64, complex64, complex128, S and U",
                  descr));
}

NpyHeader read_header(ByteSource& source) {
  std::array<std::byte, 8> start{};
  source.read(start);
  if (!std::equal(kMagic.begin(), kMagic.end(), start.begin())) source.fail_at(0, "not a NumPy .npy file");
  const int version = std::to_integer<int>(start[6]);
  if (version < 1 || version > 3 || start[7] != std::byte{0}) {
    source.fail_at(6, fmt::format("version {}.{} of the .npy format is unknown; 1.0 to 3.0 are supported",
                                  version, std::to_integer<int>(start[7])));
  }
  std::array<std::byte, 4> length{};
  source.read(std::span(length).first(version == 1 ? 2 : 4));
  const std::uint64_t size = zip::number<std::uint32_t>(length, 0);
  if (size > source.remaining() || size > kMostHeader) {
    source.fail(fmt::format("a header of {} bytes is announced, but {} follow and {} are allowed", size,
                            source.remaining(), kMostHeader));
  }
  const std::uint64_t begin = source.position();
  std::string text(size, '\0');
  source.read(std::as_writable_bytes(std::span(text)));
  return parse_npy_header(text, source, begin);
}

/// Number of elements, after a check that they fill the rest of the source exactly.
std::uint64_t checked_count(const NpyHeader& header, const FileType& type, const ByteSource& source) {
  // Zeros are left out, so that (0, 2^60, 2^60) is refused like (2^60, 2^60).
  std::uint64_t product = std::max<std::size_t>(1, type.size);
  bool empty = false;
  for (const std::int64_t extent : header.shape) {
    empty = empty || extent == 0;
    const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(1, extent));
    if (product > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / factor) {
      source.fail(
          fmt::format("shape {} of '{}' is beyond 2^63 bytes", shape_text(header.shape), header.descr));
    }
    product *= factor;
  }
  const std::uint64_t bytes = empty ? 0 : product;
  if (bytes != source.remaining()) {
    source.fail(fmt::format("shape {} of '{}' needs {} bytes, but {} follow the header",
                            shape_text(header.shape), header.descr, bytes, source.remaining()));
  }
  return empty ? 0 : product / std::max<std::size_t>(1, type.size);
}

void swap_bytes(std::vector<std::byte>& bytes, const FileType& type) {
  std::size_t unit = type.size;
  if (type.kind == 'c') unit /= 2;
  if (type.kind == 'U') unit = 4;
  if (type.kind == 'S' || unit < 2) return;
  for (std::size_t i = 0; i < bytes.size(); i += unit) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + unit));
  }
}

/// Column-major elements to row-major: walks the result in order, keeping the source position up to date.
std::vector<std::byte> to_row_major(const std::vector<std::byte>& bytes, const NpyHeader& header,
                                    std::size_t size) {
  const std::size_t axes = header.shape.size();
  std::vector<std::size_t> stride(axes);
  std::size_t step = size;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    stride[axis] = step;
    step *= static_cast<std::size_t>(header.shape[axis]);
  }
  std::vector<std::byte> out(bytes.size());
  std::vector<std::int64_t> index(axes, 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to < bytes.size(); to += size) {
    std::memcpy(out.data() + to, bytes.data() + from, size);
    for (std::size_t axis = axes; axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < header.shape[axis]) break;
      from -= stride[axis] * static_cast<std::size_t>(index[axis]);
      index[axis] = 0;
    }
  }
  return out;
}

std::string text_element(std::span<const std::byte> bytes, char kind, std::uint64_t at,
                         const ByteSource& source) {
  std::string text;
  if (kind == 'S') {
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.erase(text.find_last_not_of('\0') + 1);
    if (find_invalid_utf8(text) != std::string::npos) source.fail_at(at, "a bytes (S) element is not UTF-8");
    return text;
  }
  std::u32string points(bytes.size() / 4, U'\0');
  std::memcpy(points.data(), bytes.data(), bytes.size());
  points.erase(points.find_last_not_of(U'\0') + 1);
  for (const char32_t point : points) {
    if (!append_utf8(text, point)) source.fail_at(at, "a text (U) element has an invalid code point");
  }
  return text;
}

void check_booleans(const std::vector<std::byte>& bytes, std::uint64_t begin, const ByteSource& source) {
  const auto bad = std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; });
  if (bad == bytes.end()) return;
  source.fail_at(begin + static_cast<std::uint64_t>(bad - bytes.begin()),
                 fmt::format("a bool element is {} instead of 0 or 1", std::to_integer<int>(*bad)));
}

}  // namespace

Array decode_npy(ByteSource& source) {
  const NpyHeader header = read_header(source);
  const FileType type = parse_dtype(header.descr, source);
  const std::uint64_t count = checked_count(header, type, source);
  if (type.size == 0 && count > 0) source.fail("text of width 0");
  const std::uint64_t begin = source.position();

  Array array{type.dtype, header.shape, {}, {}};
  array.bytes.resize(count * type.size);
  if (count > 0) source.read(array.bytes);
  if (type.swapped) swap_bytes(array.bytes, type);
  if (type.dtype == DType::boolean) check_booleans(array.bytes, begin, source);
  if (header.fortran_order && count > 0) array.bytes = to_row_major(array.bytes, header, type.size);
  if (type.dtype == DType::text) {
    array.texts.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto element = std::span(array.bytes).subspan(i * type.size, type.size);
      array.texts.push_back(text_element(element, type.kind, begin + i * type.size, source));
    }
    array.bytes = {};
  }
  return array;
}

namespace {

std::vector<std::u32string> code_points(const Array& array) {
  std::vector<std::u32string> out;
  out.reserve(array.texts.size());
  for (const std::string& text : array.texts) {
    std::u32string& points = out.emplace_back();
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint c = first_code_point(std::string_view(text).substr(at));
      if (c.bytes == 0)
        throw InvalidInput(fmt::format("'{}' is not UTF-8 and cannot be written to a NumPy file", text));
      points += c.value;
      at += c.bytes;
    }
  }
  return out;
}

std::size_t text_width(const std::vector<std::u32string>& points) {
  std::size_t width = 1;
  for (const auto& text : points) width = std::max(width, text.size());
  return width;
}

}  // namespace

std::string encode_npy_header(const Array& array) {
  std::string descr;
  if (array.dtype == DType::text) {
    descr = fmt::format("{}U{}", kNativeOrder, text_width(code_points(array)));
  } else {
    descr = fmt::format("{}{}", item_size(array.dtype) == 1 ? '|' : kNativeOrder,
                        kCodes[static_cast<std::size_t>(array.dtype)]);
  }
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape_text(array.shape));
  constexpr std::size_t kPrefix = 10;
  const std::size_t unpadded = kPrefix + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string out(reinterpret_cast<const char*>(kMagic.data()), kMagic.size());
  out += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return out + text;
}

std::span<const std::byte> encode_npy_data(const Array& array, std::vector<std::byte>& storage) {
  if (array.dtype != DType::text) return array.bytes;
  const std::vector<std::u32string> points = code_points(array);
  const std::size_t width = text_width(points) * sizeof(char32_t);
  storage.assign(points.size() * width, std::byte{0});
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].empty()) continue;
    std::memcpy(storage.data() + i * width, points[i].data(), points[i].size() * sizeof(char32_t));
  }
  return storage;
}

Array read_npy(const std::filesystem::path& path) {
  FileSource source(path);
  return decode_npy(source);
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  std::vector<std::byte> storage;
  AtomicFile file(path);
  file.write(encode_npy_header(array));
  file.write(encode_npy_data(array, storage));
  file.commit();
}

}  // namespace dshn::io
