// Lets libFuzzer drive one target, the one that DSHN_FUZZ_TARGET names.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "dshn/base/parallel.hpp"
#include "fuzz/target.hpp"

namespace {

const dshn::fuzz::Target& chosen_target() {
  const char* const word = std::getenv("DSHN_FUZZ_TARGET");
  const std::string name = word == nullptr ? "" : word;
  const auto& all = dshn::fuzz::targets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& target) { return target.name == name; });
  if (found == all.end()) {
    std::fprintf(stderr, "DSHN_FUZZ_TARGET is '%s'; expected the name of a file in fuzz/targets\n",
                 name.c_str());
    std::_Exit(2);
  }
  dshn::set_thread_count(1);  // what one input does may not depend on time
  return *found;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const dshn::fuzz::Target target = chosen_target();
  dshn::fuzz::accepts(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
