#pragma once

/// Before a function that both the CPU and the CUDA kernels call.
#ifdef __CUDACC__
#define DSHN_HOST_DEVICE __host__ __device__
#else
#define DSHN_HOST_DEVICE
#endif

/// Inlined wherever it is called: the CPU's loops are compiled once per instruction set, and no copy that was
/// compiled for one of them may serve another.
#define DSHN_ALWAYS_INLINE __attribute__((always_inline)) inline
