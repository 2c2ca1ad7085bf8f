#pragma once

#include <c10/util/Exception.h>

#include <new>
#include <optional>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/train/memory_guard.hpp"

namespace dshn::tune {

/// Does the work and says why a configuration could not be trained, where it is to blame: too large, or options that do
/// not go together. Anything else (a full disk, say) is thrown.
template <typename Work>
std::optional<std::string> blame_of(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const train::TooLarge& problem) {
    return problem.what();
  } catch (const UsageError& problem) {
    return problem.what();
  } catch (const c10::OutOfMemoryError& problem) {
    return first_line(problem);
  } catch (const std::bad_alloc&) {
    return "there was not enough memory";
  }
}

}  // namespace dshn::tune
