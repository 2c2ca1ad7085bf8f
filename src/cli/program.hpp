#pragma once

namespace dshn::cli {

/// Runs the command line, and turns whatever goes wrong into one line on standard error and an exit status.
int run(int argc, const char* const* argv);

}  // namespace dshn::cli
