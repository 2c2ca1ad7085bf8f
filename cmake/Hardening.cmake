# What the platform does against hostile bytes that find a fault in our code: programs and libraries at random addresses,
# tables that are read-only once they are filled, no code on the stack, checked stack frames, checked copies, and jumps
# to marked places only. For optimised builds of our own code; a sanitizer has checks of its own, and flags that the
# compiler does not know are left out. tests/house/expect-hardened reads what was built.
option(DSHN_HARDENING "Build with the hardening of the platform" ON)
set(DSHN_HARDENED "")  # what the test may expect

if(DSHN_HARDENING AND NOT DSHN_SANITIZE AND NOT APPLE)
  include(CheckCXXCompilerFlag)
  include(CheckLinkerFlag)
  set(optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")
  set(of_cxx "$<AND:${optimised},$<COMPILE_LANGUAGE:CXX>>")

  foreach(flag stack-protector-strong cf-protection stack-clash-protection)
    string(MAKE_C_IDENTIFIER "DSHN_HAS_${flag}" known)
    check_cxx_compiler_flag(-f${flag} ${known})
    if(${known})
      target_compile_options(dshn_own_code INTERFACE $<${of_cxx}:-f${flag}>)
      list(APPEND DSHN_HARDENED ${flag})
    endif()
  endforeach()

  # Some platforms define it already, and a second definition would be a warning.
  target_compile_options(dshn_own_code INTERFACE $<${of_cxx}:-U_FORTIFY_SOURCE> $<${of_cxx}:-D_FORTIFY_SOURCE=2>)
  list(APPEND DSHN_HARDENED fortify)

  foreach(flag relro now noexecstack)
    string(MAKE_C_IDENTIFIER "DSHN_HAS_z_${flag}" known)
    check_linker_flag(CXX -Wl,-z,${flag} ${known})
    if(${known})
      target_link_options(dshn_own_code INTERFACE $<${optimised}:LINKER:-z,${flag}>)
      list(APPEND DSHN_HARDENED ${flag})
    endif()
  endforeach()

  # Everything is compiled as position-independent code (Room.cmake, TorchRoom.cmake); programs are linked so too.
  check_linker_flag(CXX -pie DSHN_HAS_pie)
  if(DSHN_HAS_pie)
    target_link_options(dshn_own_code INTERFACE
      $<$<AND:${optimised},$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-pie>)
    list(APPEND DSHN_HARDENED pie)
  endif()
endif()
