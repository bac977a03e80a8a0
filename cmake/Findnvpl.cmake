# The NVIDIA Performance Libraries for Arm: the target nvpl::nvpl, from nvpl_ROOT or where CMake looks.

find_path(nvpl_INCLUDE_DIR nvpl_blas.h)
find_library(nvpl_LIBRARY nvpl_blas_core)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(nvpl REQUIRED_VARS nvpl_LIBRARY nvpl_INCLUDE_DIR)
if(nvpl_FOUND AND NOT TARGET nvpl::nvpl)
  add_library(nvpl::nvpl UNKNOWN IMPORTED)
  set_target_properties(nvpl::nvpl PROPERTIES IMPORTED_LOCATION "${nvpl_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${nvpl_INCLUDE_DIR}")
endif()
mark_as_advanced(nvpl_INCLUDE_DIR nvpl_LIBRARY)
