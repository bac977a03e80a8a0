# Installation: the library, its headers, and the package that find_package(MLX CONFIG) finds.

include(CMakePackageConfigHelpers)

install(TARGETS mlx EXPORT MLXTargets ARCHIVE DESTINATION lib LIBRARY DESTINATION lib)
install(DIRECTORY mlx/ DESTINATION include/mlx
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def"
        PATTERN "isa" EXCLUDE)
install(EXPORT MLXTargets FILE MLXTargets.cmake DESTINATION share/cmake/MLX)

configure_package_config_file(cmake/MLXConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/MLXConfig.cmake"
                              INSTALL_DESTINATION share/cmake/MLX PATH_VARS CMAKE_INSTALL_PREFIX)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/MLXConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/MLXConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/MLXConfigVersion.cmake"
        cmake/extension.cmake cmake/FindCUDNN.cmake cmake/FindNCCL.cmake cmake/Findnvpl.cmake
        DESTINATION share/cmake/MLX)
