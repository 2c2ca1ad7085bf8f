# CUDA, before libtorch is looked for: its package enables the language itself and reads TORCH_CUDA_ARCH_LIST.
# With DSHN_CUDA the kernels become part of the room ops; without it, where a compiler is there, they are compiled
# all the same, so that they cannot rot.
set(DSHN_CUDA_ARCHITECTURES "90" CACHE STRING "GPU architectures to compile for, as CMAKE_CUDA_ARCHITECTURES takes them")

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(DSHN_NVCC nvcc PATHS /usr/local/cuda/bin DOC "The CUDA compiler")
  if(DSHN_NVCC)
    set(CMAKE_CUDA_COMPILER ${DSHN_NVCC})
  endif()
endif()
set(DSHN_COMPILE_CUDA OFF)
if(DSHN_CUDA OR (DSHN_TESTS AND NOT DSHN_SANITIZE))
  set(CMAKE_CUDA_ARCHITECTURES ${DSHN_CUDA_ARCHITECTURES})
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(DSHN_COMPILE_CUDA ON)
  elseif(DSHN_CUDA)
    message(FATAL_ERROR "DSHN_CUDA is ON and no CUDA compiler was found. Put nvcc on the PATH, or give its place with "
                        "-DCMAKE_CUDA_COMPILER=/path/to/nvcc; or configure with -DDSHN_CUDA=OFF.")
  else()
    message(STATUS "No CUDA compiler was found: the CUDA kernels are not compiled.")
  endif()
endif()

# "90" -> "9.0", "100" -> "10.0", as libtorch's package spells them.
list(TRANSFORM DSHN_CUDA_ARCHITECTURES REPLACE "([0-9])(-.*)?$" ".\\1" OUTPUT_VARIABLE TORCH_CUDA_ARCH_LIST)
set(dshn_own_cuda_flags "${CMAKE_CUDA_FLAGS}")

# After libtorch was found: what its package did to the flags of the language is for sources that include libtorch.
macro(dshn_after_torch)
  set(CMAKE_CUDA_FLAGS "${dshn_own_cuda_flags}")
  set(CMAKE_CUDA_ARCHITECTURES ${DSHN_CUDA_ARCHITECTURES})
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
