#pragma once

namespace dshn::ops {

/// Asks the C library to keep freed memory for the next tensor instead of giving it back to the system. A
/// step of training frees and needs the same large tensors again, and getting fresh zeroed pages for them
/// costs more than filling them. For programs to call at their start; the process does not shrink until it
/// ends. Does nothing where the C library has no such switch.
///
/// From then on memory of CPU tensors is taken by malloc and aligned in it: what posix_memalign takes, as libtorch does,
/// is larger than what it leaves when freed, so that a tensor never finds room where one of its size has been.
void keep_freed_memory();

}  // namespace dshn::ops
