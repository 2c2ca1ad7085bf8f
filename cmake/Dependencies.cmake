# Third-party libraries, all installed by the system (scripts/install-packages names the Debian packages).
# What no build can do without is REQUIRED; without one of the others a room, a feature or some tests are switched off,
# and dshn_missing says so in one line.
function(dshn_missing library loss package)
  message(STATUS "${library} was not found: ${loss} (Debian: ${package}).")
endfunction()

find_package(Threads REQUIRED)
# Upstream libtorch carries headers of another fmt: rooms that see libtorch use fmt header-only, so that what they
# compile and what they link cannot differ.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd QUIET)
if(NOT TARGET zstd::libzstd_shared)
  dshn_missing(zstd "files that end in .zst are neither read nor written" libzstd-dev)
endif()
find_package(CURL QUIET)
find_package(OpenSSL QUIET COMPONENTS Crypto)
if(NOT TARGET CURL::libcurl)
  dshn_missing(libcurl "data sets cannot be fetched" libcurl4-openssl-dev)
endif()
if(NOT TARGET OpenSSL::Crypto)
  dshn_missing(OpenSSL "data sets cannot be fetched" libssl-dev)
endif()

find_package(SQLite3 QUIET)

include(Cuda)
find_package(Torch QUIET)
set(DSHN_HAS_TORCH ${Torch_FOUND})
dshn_after_torch()
if(NOT DSHN_HAS_TORCH)
  dshn_missing(libtorch "the rooms that learn are not built; -DCMAKE_PREFIX_PATH=folder names its place" libtorch-dev)
else()
  find_package(Eigen3 QUIET NO_MODULE)
  find_package(spectra QUIET)
  if(NOT TARGET Eigen3::Eigen)
    dshn_missing(Eigen "no eigenvalues, and the rooms ops and sheaf are not tested" libeigen3-dev)
  elseif(NOT TARGET Spectra::Spectra)
    dshn_missing(Spectra "no eigenvalues" libspectra-dev)
  endif()
  # c10d's header of Gloo includes Gloo's own.
  find_path(DSHN_GLOO_INCLUDE gloo/algorithm.h)
  find_path(DSHN_C10D_INCLUDE torch/csrc/distributed/c10d/ProcessGroupGloo.hpp HINTS ${TORCH_INCLUDE_DIRS})
  if(DSHN_GLOO_INCLUDE AND DSHN_C10D_INCLUDE)
    set(DSHN_HAS_GLOO ON)
  else()
    dshn_missing(Gloo "no training on several ranks" libgloo-dev)
  endif()
  if(NOT TARGET SQLite::SQLite3)
    dshn_missing(SQLite "no studies, dshn tune says so" libsqlite3-dev)
  endif()
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Two build folders of one checkout share objects; a precompiled header needs the sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()
