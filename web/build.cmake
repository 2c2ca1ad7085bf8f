# Installs the packages of the lock file into WORK, where they are not yet, and bundles SOURCE/src into SHARE.
# cmake -DNPM= -DNODE= -DSOURCE= -DWORK= -DSHARE= -P build.cmake
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(stamp ${WORK}/installed.txt)
set(installed "")
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
endif()

if(NOT installed STREQUAL wanted)
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${WORK})
  # Exactly what the lock file names, by its hashes, and nothing that a package would run when it is installed.
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT status EQUAL 0)
    # The next build tries again, because the outputs are not there.
    file(WRITE ${WORK}/npm.log "${output}")
    message("npm could not install the packages of the report page (is there a network? see ${WORK}/npm.log): "
            "dshn report will not work, everything else does. The next build tries again.")
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endif()

execute_process(COMMAND ${NODE} ${SOURCE}/build.mjs ${WORK} ${SHARE} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the report page could not be bundled")
endif()
