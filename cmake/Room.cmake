# A room is one folder under src/ and include/dshn/, one shared library, one entry in docs/architecture.md.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # a libtorch outside of the system's folders is found there again

# Flags of our own code only: never exported to users of the package.
add_library(dshn_own_code INTERFACE)
target_compile_options(dshn_own_code INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # GCC 13 sees an overflow in the std::vector<bool> inside libtorch's autograd templates; GCC 12 does not.
  target_compile_options(dshn_own_code INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds -Wno-stringop-overflow>)
endif()
if(DSHN_SANITIZE)
  # Without no-recover, undefined behaviour would be printed and the test would still pass. The instrumentation makes
  # GCC 12 see uninitialised values inside std::regex; the other presets keep that warning.
  target_compile_options(dshn_own_code INTERFACE -fsanitize=${DSHN_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_compile_options(dshn_own_code INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(dshn_own_code INTERFACE -fsanitize=${DSHN_SANITIZE})
endif()

if(DSHN_FUZZ)
  # libFuzzer goes by the branches that an input takes.
  # Clang, unlike GCC, sees names of one source of a unity file hide those of another.
  target_compile_options(dshn_own_code INTERFACE -fsanitize=fuzzer-no-link -Wno-shadow)
endif()
include(Hardening)

# The libraries export what is ours, so that what they use inside (fmt, JSON, instantiated templates) cannot meet another
# version of it in a user's program. Sanitizers need their own symbols seen.
set(dshn_exports ${CMAKE_CURRENT_LIST_DIR}/exports.map)
if(NOT DSHN_SANITIZE AND NOT DSHN_FUZZ AND NOT APPLE)
  set(DSHN_LIMIT_EXPORTS ON)
endif()

function(dshn_limit_exports target)
  if(DSHN_LIMIT_EXPORTS)
    target_link_options(${target} PRIVATE LINKER:--version-script=${dshn_exports})
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${dshn_exports})
  endif()
endfunction()

# Every public header compiles alone, with what its room links for its users and nothing else.
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ${DSHN_TESTS})

# dshn_room(NAME <room> SOURCES <files> [ROOMS <rooms>] [LIBS <public libs>] [PRIVATE_LIBS <libs>])
function(dshn_room)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;ROOMS;LIBS;PRIVATE_LIBS" ${ARGN})
  add_library(dshn_${ARG_NAME} SHARED ${ARG_SOURCES})
  add_library(dshn::${ARG_NAME} ALIAS dshn_${ARG_NAME})
  set_target_properties(dshn_${ARG_NAME} PROPERTIES EXPORT_NAME ${ARG_NAME} VERSION ${PROJECT_VERSION})
  target_compile_features(dshn_${ARG_NAME} PUBLIC cxx_std_20)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/dshn/${ARG_NAME}/*.hpp)
  target_sources(dshn_${ARG_NAME}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${headers})
  target_include_directories(dshn_${ARG_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_ROOMS PREPEND dshn_)
  target_link_libraries(dshn_${ARG_NAME}
    PUBLIC ${ARG_ROOMS} ${ARG_LIBS}
    PRIVATE ${ARG_PRIVATE_LIBS} $<BUILD_INTERFACE:dshn_own_code>)
  dshn_limit_exports(dshn_${ARG_NAME})
  set_property(GLOBAL APPEND PROPERTY DSHN_ROOMS ${ARG_NAME})
  install(TARGETS dshn_${ARG_NAME} EXPORT dshnTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
