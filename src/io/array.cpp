#include "dshn/io/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "dshn/base/error.hpp"

namespace dshn::io {
namespace {

struct DTypeFacts {
  const char* name;
  std::size_t size;
};

constexpr std::array<DTypeFacts, 15> kFacts{{{"bool", 1},
                                             {"int8", 1},
                                             {"int16", 2},
                                             {"int32", 4},
                                             {"int64", 8},
                                             {"uint8", 1},
                                             {"uint16", 2},
                                             {"uint32", 4},
                                             {"uint64", 8},
                                             {"float16", 2},
                                             {"float32", 4},
                                             {"float64", 8},
                                             {"complex64", 8},
                                             {"complex128", 16},
                                             {"text", 0}}};

/// IEEE 754 binary16, which C++20 does not have.
struct Half {
  std::uint16_t bits;
};

float to_float(Half half) {
  const int exponent = (half.bits >> 10) & 0x1f;
  const int fraction = half.bits & 0x3ff;
  float magnitude = 0;
  if (exponent == 0x1f) {
    magnitude =
        fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  }
  return (half.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename T>
constexpr bool kIsComplex = false;
template <typename T>
constexpr bool kIsComplex<std::complex<T>> = true;

/// Calls f with a value-initialised element of the type that a numeric dtype stands for.
template <typename F>
auto with_element_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::boolean:
      return f(std::uint8_t{});  // a byte other than 0 and 1 must not become a bool
    case DType::int8:
      return f(std::int8_t{});
    case DType::int16:
      return f(std::int16_t{});
    case DType::int32:
      return f(std::int32_t{});
    case DType::int64:
      return f(std::int64_t{});
    case DType::uint8:
      return f(std::uint8_t{});
    case DType::uint16:
      return f(std::uint16_t{});
    case DType::uint32:
      return f(std::uint32_t{});
    case DType::uint64:
      return f(std::uint64_t{});
    case DType::float16:
      return f(Half{});
    case DType::float32:
      return f(float{});
    case DType::complex64:
      return f(std::complex<float>{});
    case DType::complex128:
      return f(std::complex<double>{});
    default:
      return f(double{});
  }
}

/// Whether the number is a whole one in the range of the integer type T. The limits are powers of two, so
/// both comparisons are exact in double.
template <typename T>
bool fits_integer(double value) {
  const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
  const double lowest = std::is_signed_v<T> ? -above : 0.0;
  return value >= lowest && value < above && std::trunc(value) == value;
}

template <typename T, typename S>
bool convert(S value, T& out) {
  if constexpr (std::is_same_v<S, Half>) {
    return convert(to_float(value), out);
  } else if constexpr (kIsComplex<T>) {
    if constexpr (kIsComplex<S>) {
      out = {value.real(), value.imag()};
    } else {
      out = static_cast<double>(value);
    }
    return true;
  } else if constexpr (kIsComplex<S>) {
    return value.imag() == 0 && convert(value.real(), out);
  } else if constexpr (std::is_same_v<T, bool>) {
    out = value != S{};
    return value == S{} || value == static_cast<S>(1);
  } else if constexpr (std::is_floating_point_v<T>) {
    out = static_cast<T>(value);
    if constexpr (std::is_floating_point_v<S>) return std::isfinite(out) || !std::isfinite(value);
    return true;
  } else if constexpr (std::is_floating_point_v<S>) {
    if (!fits_integer<T>(value)) return false;
    out = static_cast<T>(value);
    return true;
  } else {
    out =
        static_cast<T>(value);  // NOLINT(bugprone-signed-char-misuse): int8 is a number here, not a character
    return std::in_range<T>(value);
  }
}

std::string position_text(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

template <typename S>
std::string element_text(S value) {
  if constexpr (std::is_same_v<S, Half>) {
    return fmt::format("{}", to_float(value));
  } else if constexpr (kIsComplex<S>) {
    return fmt::format("{}{:+}j", value.real(), value.imag());
  } else {
    return fmt::format("{}", value);
  }
}

template <typename T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return DType::boolean;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::int64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return DType::uint8;
  if constexpr (std::is_same_v<T, float>) return DType::float32;
  if constexpr (std::is_same_v<T, double>) return DType::float64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return DType::complex128;
  return DType::text;
}

}  // namespace

std::size_t item_size(DType dtype) {
  return kFacts[static_cast<std::size_t>(dtype)].size;
}

const char* dtype_name(DType dtype) {
  return kFacts[static_cast<std::size_t>(dtype)].name;
}

std::int64_t Array::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

template <typename T>
std::vector<T> Array::as(const std::string& what) const {
  if (dtype == DType::text) {
    throw InvalidInput(fmt::format("{}: the array holds text; expected numbers of type {}", what,
                                   dtype_name(dtype_of<T>())));
  }
  std::vector<T> out(size());
  with_element_type(dtype, [&]<typename S>(S element) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::memcpy(&element, bytes.data() + i * sizeof(S), sizeof(S));
      T converted{};
      if (!convert(element, converted)) {
        throw InvalidInput(fmt::format("{}: element {} is {}, which does not fit {}", what,
                                       position_text(static_cast<std::int64_t>(i), shape),
                                       element_text(element), dtype_name(dtype_of<T>())));
      }
      out[i] = converted;
    }
  });
  return out;
}

template <>
std::vector<std::string> Array::as<std::string>(const std::string& what) const {
  if (dtype != DType::text) {
    throw InvalidInput(fmt::format("{}: the array holds {}; expected text", what, dtype_name(dtype)));
  }
  return texts;
}

template <typename T>
Array Array::of(const std::vector<T>& values, std::vector<std::int64_t> shape) {
  Array array{dtype_of<T>(), std::move(shape), {}, {}};
  if (array.size() != static_cast<std::int64_t>(values.size())) {
    throw UsageError(
        fmt::format("{} values do not fill an array of shape {}", values.size(), shape_text(array.shape)));
  }
  if constexpr (std::is_same_v<T, std::string>) {
    array.texts = values;
  } else if constexpr (std::is_same_v<T, bool>) {
    array.bytes.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      array.bytes[i] = static_cast<std::byte>(values[i] ? 1 : 0);
  } else {
    array.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  }
  return array;
}

template std::vector<bool> Array::as<bool>(const std::string&) const;
template std::vector<std::uint8_t> Array::as<std::uint8_t>(const std::string&) const;
template std::vector<std::int32_t> Array::as<std::int32_t>(const std::string&) const;
template std::vector<std::int64_t> Array::as<std::int64_t>(const std::string&) const;
template std::vector<float> Array::as<float>(const std::string&) const;
template std::vector<double> Array::as<double>(const std::string&) const;
template std::vector<std::complex<double>> Array::as<std::complex<double>>(const std::string&) const;

template Array Array::of(const std::vector<bool>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<std::uint8_t>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<std::int32_t>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<std::int64_t>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<float>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<double>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<std::complex<double>>&, std::vector<std::int64_t>);
template Array Array::of(const std::vector<std::string>&, std::vector<std::int64_t>);

}  // namespace dshn::io
