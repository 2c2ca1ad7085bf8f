# Rooms that see libtorch share one precompiled header: its headers take most of their compile time.
option(DSHN_PCH "Precompile libtorch's headers" ON)

add_library(dshn_torch INTERFACE)
target_link_libraries(dshn_torch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(dshn_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
install(TARGETS dshn_torch EXPORT dshnTargets)

if(DSHN_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/torch_pch.cpp "")
  add_library(dshn_torch_pch OBJECT ${PROJECT_BINARY_DIR}/torch_pch.cpp)
  target_precompile_headers(dshn_torch_pch PRIVATE <torch/torch.h> <torch/library.h>)
  target_link_libraries(dshn_torch_pch PRIVATE dshn_torch dshn_own_code)
  # A target that includes the precompiled header must define what the header was compiled with.
  set_target_properties(dshn_torch_pch PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_COMPILER_LAUNCHER "")
endif()

function(dshn_use_torch_pch target)
  if(DSHN_PCH)
    target_precompile_headers(${target} REUSE_FROM dshn_torch_pch)
    # ccache would read the header's 600 MB for every file: far slower than compiling it.
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
    get_target_property(kind ${target} TYPE)
    if(kind STREQUAL "EXECUTABLE")
      # CMake would compile a program with -fPIE, and the header was compiled with -fPIC.
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  else()
    # The headers of libtorch are then read once for many sources.
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
  endif()
endfunction()
