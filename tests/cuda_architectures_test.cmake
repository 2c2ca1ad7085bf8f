# What kernels are compiled for, by cards and by what the compiler knows. Run by ctest.
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/CudaArchitectures.cmake)

# A compiler that knows these.
function(compiler_of path architectures)
  set(lines "")
  foreach(architecture ${architectures})
    string(APPEND lines "echo compute_${architecture}\n")
  endforeach()
  file(WRITE ${path} "#!/bin/sh\n${lines}")
  file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

function(expect cards compiler expected)
  set(CARDS "${cards}")
  dshn_cuda_architectures(chosen ${compiler})
  if(NOT "${chosen}" STREQUAL "${expected}")
    message(SEND_ERROR "cards '${cards}', ${compiler}: '${chosen}', expected '${expected}'")
  endif()
endfunction()

set(new ${FOLDER}/nvcc-new)
set(old ${FOLDER}/nvcc-old)
compiler_of(${new} "75;80;86;87;88;89;90;100;110;103;120;121")
compiler_of(${old} "50;60;70;75;80;86")
expect("" ${new} "75-real;80-real;86-real;89-real;90-real;100-real;120")
expect("" ${old} "75-real;80-real;86")
expect("9.0" ${new} "90")
expect("9.0;8.6;9.0;12.0" ${new} "86;90;120")
