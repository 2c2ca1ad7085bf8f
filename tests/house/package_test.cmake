# Installs the build folder into a prefix of its own, then configures, builds and runs tests/house/consumer there.
# cmake -DBUILD_DIR= -DCONSUMER_DIR= -DWORK_DIR= -DROOMS= -DCXX= -DCXX_FLAGS= -DPREFIX_PATH= -P package_test.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed (${status}): ${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)

foreach(kind one all)
  set(rooms "")
  if(kind STREQUAL all)
    set(rooms ${ROOMS})
  endif()
  run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER_DIR} -B ${WORK_DIR}/${kind} "-DCONSUMER_ROOMS=${rooms}"
      -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" -DCMAKE_BUILD_TYPE=Release
      "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix;${PREFIX_PATH}")
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${kind} -j 2)
  run(${WORK_DIR}/${kind}/consumer)
endforeach()
run(${WORK_DIR}/all/consumer_of_all)
