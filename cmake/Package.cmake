# cmake --install: headers, libraries, the program, the presets, and what find_package(dshn) needs.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/presets DESTINATION ${CMAKE_INSTALL_DATADIR}/dshn)
# In the build tree the program finds them in the same place.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/dshn)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/presets ${PROJECT_BINARY_DIR}/share/dshn/presets SYMBOLIC)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD-PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/dshnConfig.cmake.in ${PROJECT_BINARY_DIR}/dshnConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dshn)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dshnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT dshnTargets NAMESPACE dshn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dshn)
install(FILES ${PROJECT_BINARY_DIR}/dshnConfig.cmake ${PROJECT_BINARY_DIR}/dshnConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dshn)
