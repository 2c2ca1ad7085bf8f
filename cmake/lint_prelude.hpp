// Read by clang-tidy before any unit that includes libtorch (scripts/lint). In C++20 the std::vector of libstdc++ 12 is
// constexpr, and clang then looks into std::vector<c10::IValue> while libtorch 1.13 has only declared c10::IValue. Here
// its members are what they were before C++20; the rest of the library stays as it is.
#include <bits/refwrap.h>
#include <debug/debug.h>

#include <memory>
#include <string>
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// Declared constexpr in a header that was read above.
#define __fill_a1 __fill_a1_of_bits
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
