# OpenBLAS from the Python package scipy-openblas64: copied with its licences into openblas/ beside the built library
# and installed there, where mlx/backend/cpu/openblas.cpp looks. Without the package the build works, and complex
# products raise until MLX_OPENBLAS_PATH names a library.

option(MLX_VENDOR_OPENBLAS "Copy OpenBLAS of the Python package scipy-openblas64 beside the library" ON)
set(MLX_OPENBLAS_DESTINATION lib CACHE STRING "Install folder that receives openblas/")

if(MLX_VENDOR_OPENBLAS)
  if(Python_EXECUTABLE)
    set(MLX_OPENBLAS_PYTHON "${Python_EXECUTABLE}")
  else()
    find_program(MLX_OPENBLAS_PYTHON NAMES python3 python)
  endif()
  set(query "import os, glob, importlib.metadata as m, scipy_openblas64 as s
files = [os.path.join(s.get_lib_dir(), 'libscipy_openblas64_.so')]
d = m.distribution('scipy-openblas64')
files += [str(d.locate_file(f)) for f in d.files if '/licenses/' in str(f) or 'LICENSE' in str(f).upper()]
print(';'.join(dict.fromkeys(files)), end='')")
  if(MLX_OPENBLAS_PYTHON)
    execute_process(COMMAND "${MLX_OPENBLAS_PYTHON}" -c "${query}" OUTPUT_VARIABLE MLX_OPENBLAS_FILES
                    RESULT_VARIABLE status ERROR_QUIET)
  endif()
  if(MLX_OPENBLAS_FILES AND status EQUAL 0)
    message(STATUS "OpenBLAS: ${MLX_OPENBLAS_FILES}")
    foreach(file ${MLX_OPENBLAS_FILES})
      file(COPY "${file}" DESTINATION "${PROJECT_BINARY_DIR}/openblas")
    endforeach()
    # A program that links the static library looks beside itself, and then on its run path.
    set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
    target_link_options(mlx INTERFACE
                        $<BUILD_INTERFACE:$<${is_program}:-Wl,-rpath,${PROJECT_BINARY_DIR}/openblas>>)
    install(FILES ${MLX_OPENBLAS_FILES} DESTINATION "${MLX_OPENBLAS_DESTINATION}/openblas")
  else()
    message(STATUS "OpenBLAS: ${MLX_OPENBLAS_PYTHON} has no package scipy-openblas64. Without it linear algebra raises "
            "until MLX_OPENBLAS_PATH names the library")
    if(NOT Python_EXECUTABLE)
      unset(MLX_OPENBLAS_PYTHON CACHE)  # the next run looks again: an environment may have been made
    endif()
  endif()
endif()
