#include "fuzz/target.hpp"

namespace dshn::fuzz {

#define DSHN_PLUG(NAME) \
  namespace NAME {      \
  Target target();      \
  }
#include "fuzz/plugs.inc"
#undef DSHN_PLUG

const std::vector<Target>& targets() {
  static const std::vector<Target> all{
#define DSHN_PLUG(NAME) NAME::target(),
#include "fuzz/plugs.inc"
#undef DSHN_PLUG
  };
  return all;
}

}  // namespace dshn::fuzz
