# Files of mlx/backend/cpu/isa/ are compiled once per instruction-set level, each time in a namespace named
# after the level (MLX_ISA). No LTO, precompiled header or unity build: an inline function compiled here for
# AVX-512 and merged by the linker with one of the portable code would crash older machines.

file(GLOB MLX_ISA_SOURCES CONFIGURE_DEPENDS mlx/backend/cpu/isa/*.cpp)
if(NOT MLX_ISA_SOURCES)
  return()
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # The first so many of these: sanitizers do with fewer.
  set(MLX_ISA_LEVELS base v3 v4 v4fp16 CACHE STRING "Instruction-set levels, lowest first")
  set(MLX_ISA_FLAGS_base -march=x86-64-v2)
  set(MLX_ISA_FLAGS_v3 -march=x86-64-v3)
  set(MLX_ISA_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  set(MLX_ISA_FLAGS_v4fp16 -march=x86-64-v4 -mprefer-vector-width=512 -mavx512fp16 -mavx512bf16 -mavx512vnni)
else()
  set(MLX_ISA_LEVELS base CACHE STRING "Instruction-set levels, lowest first")
  set(MLX_ISA_FLAGS_base "")
endif()

set(MLX_ISA_OPTIMIZATION -O3 CACHE STRING "Optimization of these files; compile-only checks do with less")
foreach(level ${MLX_ISA_LEVELS})
  add_library(mlx_isa_${level} OBJECT ${MLX_ISA_SOURCES})
  target_include_directories(mlx_isa_${level} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(mlx_isa_${level} PRIVATE MLX_ISA=${level} MLX_ISA_${level}=1)
  target_compile_options(mlx_isa_${level} PRIVATE ${MLX_WARNINGS} ${MLX_ISA_FLAGS_${level}}
                         ${MLX_ISA_OPTIMIZATION} -fno-exceptions -fno-rtti -fno-threadsafe-statics -fwrapv -Wno-psabi)
  target_sources(mlx PRIVATE $<TARGET_OBJECTS:mlx_isa_${level}>)
  target_compile_definitions(mlx PRIVATE MLX_HAS_ISA_${level}=1)
endforeach()
