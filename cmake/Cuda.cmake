# CUDA, before libtorch is looked for: its package enables the language itself and reads TORCH_CUDA_ARCH_LIST.
# With DSHN_CUDA the kernels become part of the room ops; without it, where a compiler is there, they are compiled
# all the same, so that they cannot rot.
# CMAKE_CUDA_ARCHITECTURES (or CUDAARCHS in the environment) is the user's; without it the cards of this machine, else all usual ones. Kernels that are only
# compiled, not used, need one architecture.
include(CudaArchitectures)
set(dshn_only_compiled_for 90)

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(DSHN_NVCC nvcc PATHS /usr/local/cuda/bin DOC "The CUDA compiler")
  if(DSHN_NVCC)
    set(CMAKE_CUDA_COMPILER ${DSHN_NVCC})
  endif()
endif()
set(DSHN_COMPILE_CUDA OFF)
if(DSHN_CUDA OR (DSHN_TESTS AND NOT DSHN_SANITIZE))
  set(dshn_cuda_for ${CMAKE_CUDA_ARCHITECTURES})
  if(NOT dshn_cuda_for AND DEFINED ENV{CUDAARCHS})
    set(dshn_cuda_for $ENV{CUDAARCHS})  # as CMake itself does
    set(CMAKE_CUDA_ARCHITECTURES ${dshn_cuda_for})
  endif()
  if(NOT dshn_cuda_for)
    set(CMAKE_CUDA_ARCHITECTURES ${dshn_only_compiled_for})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT dshn_cuda_for AND DSHN_CUDA)
      dshn_cuda_architectures(dshn_cuda_for ${CMAKE_CUDA_COMPILER})
    elseif(NOT dshn_cuda_for)
      set(dshn_cuda_for ${dshn_only_compiled_for})
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${dshn_cuda_for})
    message(STATUS "CUDA kernels are compiled for: ${dshn_cuda_for}")
    enable_language(CUDA)
    set(DSHN_COMPILE_CUDA ON)
  elseif(DSHN_CUDA)
    message(FATAL_ERROR "DSHN_CUDA is ON and no CUDA compiler was found. Put nvcc on the PATH, or give its place with "
                        "-DCMAKE_CUDA_COMPILER=/path/to/nvcc; or configure with -DDSHN_CUDA=OFF.")
  else()
    message(STATUS "No CUDA compiler was found: the CUDA kernels are not compiled.")
  endif()
endif()

# So that libtorch's package does not look for cards. What it makes of this is put aside below, and every one of its
# versions with CUDA knows this one.
set(TORCH_CUDA_ARCH_LIST "8.0")
set(dshn_own_cuda_flags "${CMAKE_CUDA_FLAGS}")

# After libtorch was found: what its package did to the flags of the language is for sources that include libtorch.
macro(dshn_after_torch)
  set(CMAKE_CUDA_FLAGS "${dshn_own_cuda_flags}")
  set(CMAKE_CUDA_ARCHITECTURES ${dshn_cuda_for})
  if(DSHN_CUDA)
    if(NOT DSHN_HAS_TORCH)
      message(FATAL_ERROR "DSHN_CUDA is ON and libtorch was not found. Give its place with "
                          "-DCMAKE_PREFIX_PATH=/path/to/libtorch.")
    endif()
    if(NOT TARGET torch_cuda)
      message(FATAL_ERROR "DSHN_CUDA is ON and the libtorch in ${TORCH_INSTALL_PREFIX} was built without CUDA. Give the "
                          "place of one with CUDA with -DCMAKE_PREFIX_PATH=/path/to/libtorch, or configure with "
                          "-DDSHN_CUDA=OFF.")
    endif()
    find_package(CUDAToolkit REQUIRED)
  endif()
endmacro()

# dshn_cuda_kernels(<target> SOURCES <files>): an object library of device code that sees no header of libtorch.
function(dshn_cuda_kernels target)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS" ${ARGN})
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  # CMake 3.25 knows of no C++20 for CUDA; the device code needs none.
  set_target_properties(${target} PROPERTIES CUDA_STANDARD 17 UNITY_BUILD OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE --Werror all-warnings ${ARG_OPTIONS})
endfunction()
