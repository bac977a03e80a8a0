# Compiler settings that every target shares.

if(MLX_USE_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()

# Options of other builds that programs may set: read here, so that CMake does not report them as unused.
foreach(option MLX_BUILD_CPU MLX_BUILD_METAL MLX_BUILD_PYTHON_STUBS MLX_BUILD_GGUF MLX_BUILD_SAFETENSORS MLX_METAL_DEBUG
        MLX_METAL_JIT MLX_ENABLE_X64_MAC USE_SYSTEM_FMT MLX_CUDA_ARCHITECTURES MLX_LOAD_CUDA_LIBS_FROM_PYTHON)
  set(unused "${${option}}")
endforeach()
if(MLX_BUILD_CUDA)
  message(WARNING "MLX_BUILD_CUDA: there is no CUDA backend yet; the library is built without it.")
endif()

set(MLX_WARNINGS -Wall -Wextra)

# Both compilers contract a * b + c into an FMA by default, which would make results depend on the
# instruction set and on fusion.
add_compile_options(-ffp-contract=off -fno-math-errno)

foreach(sanitizer ASAN:address UBSAN:undefined TSAN:thread)
  string(REPLACE ":" ";" pair ${sanitizer})
  list(GET pair 0 name)
  list(GET pair 1 kind)
  if(USE_${name})
    add_compile_options(-fsanitize=${kind} -fno-omit-frame-pointer -g)
    add_link_options(-fsanitize=${kind})
  endif()
endforeach()
