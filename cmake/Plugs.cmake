# dshn_plugs(<room> [FOLDER <folder>] NAMES <names>): things of one kind, each a source file NAME.cpp of the folder that
# defines what the room's registry calls NAME; a name without a file is defined in another's. The names, in this order,
# become <room>/plugs.inc, a list of DSHN_PLUG(NAME) that the registry includes: adding a thing is a file and its name here.
function(dshn_plugs room)
  cmake_parse_arguments(ARG "" "FOLDER" "NAMES" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER})
  foreach(name ${ARG_NAMES})
    if(EXISTS ${folder}/${name}.cpp)
      target_sources(dshn_${room} PRIVATE ${folder}/${name}.cpp)
    endif()
    string(APPEND lines "DSHN_PLUG(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/plugs/${room}/plugs.inc CONTENT "${lines}")
  target_include_directories(dshn_${room} PRIVATE ${PROJECT_BINARY_DIR}/plugs)
  set_property(GLOBAL PROPERTY DSHN_PLUGS_${room} ${ARG_NAMES})
endfunction()

# dshn_plug_tests(<room> [<tests>]): the files NAME_test.cpp of the current folder, one for each of the room's plugs that
# has one, join <tests>_test, else <room>_test.
function(dshn_plug_tests room)
  set(tests ${room})
  if(ARGC GREATER 1)
    set(tests ${ARGV1})
  endif()
  if(NOT TARGET ${tests}_test)  # a library that it needs is missing
    return()
  endif()
  get_property(names GLOBAL PROPERTY DSHN_PLUGS_${room})
  foreach(name ${names})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}_test.cpp)
      target_sources(${tests}_test PRIVATE ${name}_test.cpp)
    endif()
  endforeach()
endfunction()
