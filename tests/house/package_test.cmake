# Installs the build folder into a prefix of its own, then configures, builds and runs tests/house/consumer against it:
# once with the rooms that need no libtorch and without looking for it, once with all rooms.
# cmake -DBUILD_DIR= -DCONSUMER_DIR= -DWORK_DIR= -DROOMS=a,b -DVERSION= -DCXX= -DCXX_FLAGS= -DPREFIX_PATH=a:b -P package_test.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed (${status}): ${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
if(NOT EXISTS ${WORK_DIR}/prefix/share/dshn/presets/telegram/dshn.toml)
  message(FATAL_ERROR "the presets were not installed")
endif()
foreach(file bash-completion/completions/dshn fish/vendor_completions.d/dshn.fish zsh/site-functions/_dshn
        man/man1/dshn.1 man/man1/dshn-data-info.1 doc/dshn/LICENSE doc/dshn/THIRD-PARTY.md)
  if(NOT EXISTS ${WORK_DIR}/prefix/share/${file})
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
# The program finds its libraries where it was installed, the module of the commands that learn among them.
run(${WORK_DIR}/prefix/bin/dshn completion bash)
set(ENV{CMAKE_PREFIX_PATH} "${WORK_DIR}/prefix:${PREFIX_PATH}")

foreach(rooms "" "${ROOMS}")
  string(MAKE_C_IDENTIFIER "consumer_${rooms}" name)
  run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER_DIR} -B ${WORK_DIR}/${name} -DROOMS=${rooms} -DVERSION=${VERSION}
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${name} -j 2)
  file(GLOB programs ${WORK_DIR}/${name}/use_*)
  list(FILTER programs EXCLUDE REGEX "[.]cpp$")
  foreach(program ${programs})
    run(${program})
  endforeach()
endforeach()
