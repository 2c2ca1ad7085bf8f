#pragma once

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <string>

#include "dshn/base/parallel.hpp"
#include "dshn/ops/keep_freed_memory.hpp"

namespace dshn::bench {

/// What main() of every benchmark that uses libtorch does.
inline int run_registered(int argc, char** argv, void (*register_all)()) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  ops::keep_freed_memory();
  at::set_num_threads(thread_count());
  benchmark::AddCustomContext("threads", std::to_string(at::get_num_threads()));
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace dshn::bench
