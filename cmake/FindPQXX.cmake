# libpqxx with the libpq that it stands on: PQXX_FOUND, and the target PQXX::PQXX.
include(FindPackageHandleStandardArgs)
find_path(PQXX_INCLUDE_DIR pqxx/pqxx)
find_library(PQXX_LIBRARY pqxx)
find_path(PQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql pgsql)
find_library(PQ_LIBRARY pq)
find_package_handle_standard_args(PQXX REQUIRED_VARS PQXX_LIBRARY PQXX_INCLUDE_DIR PQ_LIBRARY PQ_INCLUDE_DIR)
mark_as_advanced(PQXX_INCLUDE_DIR PQXX_LIBRARY PQ_INCLUDE_DIR PQ_LIBRARY)
if(PQXX_FOUND AND NOT TARGET PQXX::PQXX)
  add_library(PQXX::PQXX UNKNOWN IMPORTED)
  set_target_properties(PQXX::PQXX PROPERTIES IMPORTED_LOCATION ${PQXX_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES "${PQXX_INCLUDE_DIR};${PQ_INCLUDE_DIR}"
                        INTERFACE_LINK_LIBRARIES ${PQ_LIBRARY})
endif()
