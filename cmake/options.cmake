# Compiler settings that every target shares.

if(MLX_USE_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
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
