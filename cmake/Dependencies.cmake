# Third-party libraries, all installed by the system (scripts/install-packages names the Debian packages).
# What a room cannot do without is REQUIRED; the rest switches a room or a feature off with a message.
find_package(Threads REQUIRED)
# Upstream libtorch carries headers of another fmt: rooms that see libtorch use fmt header-only, so that what they
# compile and what they link cannot differ.
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd QUIET)
find_package(CURL QUIET)
find_package(Eigen3 QUIET NO_MODULE)
find_package(spectra QUIET)

include(Cuda)
find_package(Torch QUIET)
set(DSHN_HAS_TORCH ${Torch_FOUND})
dshn_after_torch()
if(NOT DSHN_HAS_TORCH)
  message(WARNING "libtorch was not found: the rooms ops, sheaf and everything above them are not built. "
                  "Debian: apt-get install libtorch-dev. Elsewhere: -DCMAKE_PREFIX_PATH=/path/to/libtorch.")
endif()

if(DSHN_HAS_TORCH)
  find_package(SQLite3 REQUIRED)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Two build folders of one checkout share objects; a precompiled header needs the sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()
