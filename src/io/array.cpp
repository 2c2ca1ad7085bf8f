#include "dshn/io/array.hpp"

#include <functional>
#include <numeric>

namespace dshn::io {

std::int64_t Array::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace dshn::io
