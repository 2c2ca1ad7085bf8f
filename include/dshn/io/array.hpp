#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dshn::io {

/// Element types that NumPy files carry here, in the machine's own byte order. `text` is fixed-width: NumPy's
/// S (bytes) and U (UCS-4) arrays are both read as UTF-8.
enum class DType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128,
  text
};

/// Bytes of one element; 0 for text, whose width belongs to the array.
std::size_t item_size(DType dtype);
const char* dtype_name(DType dtype);

/// A dense array in row-major order, as read from or written to a NumPy file.
struct Array {
  DType dtype = DType::float64;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;    // empty for text
  std::vector<std::string> texts;  // text only

  std::int64_t size() const;  // product of the shape
  /// Elements as T (double, float, std::int64_t, std::int32_t, std::uint8_t, bool, std::complex<double> or
  /// std::string). Throws InvalidInput, naming `what` and the first offending position, where an element does
  /// not fit T exactly (floats may be rounded). Only text arrays give strings.
  template <typename T>
  std::vector<T> as(const std::string& what) const;
  /// T is one of the types above. Throws UsageError when the shape does not hold exactly the values.
  template <typename T>
  static Array of(const std::vector<T>& values, std::vector<std::int64_t> shape);

  bool operator==(const Array&) const = default;
};

/// The shape as Python writes it, e.g. "(3, 4)".
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Members of an .npz archive by name, without the ".npy".
using Arrays = std::map<std::string, Array>;

}  // namespace dshn::io
