// Detection of the processor and of what the system saves of its registers, and the kernels of each level.
#include "mlx/backend/cpu/isa.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "mlx/backend/cpu/isa/levels.h"
#include "mlx/core/warnings.h"

namespace mlx::core::cpu {
namespace {

enum LevelNumber { kBaseLevel, kV3Level, kV4Level, kV4Fp16Level };

#if defined(__x86_64__)

struct CpuidLeaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  CpuidLeaf(unsigned leaf, unsigned subleaf) { __get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx); }
};

bool has(unsigned word, unsigned bits) { return (word & bits) == bits; }

// Register state that the system saves: bits 1 and 2 are SSE and AVX, 5 to 7 AVX-512.
unsigned saved_state() {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

LevelNumber best_level() {
  CpuidLeaf basic(1, 0), extended(7, 0), extended_1(7, 1), amd(0x80000001, 0);
  constexpr unsigned kAvxState = 0x06, kAvx512State = 0xe6;
  constexpr unsigned kBasic = bit_OSXSAVE | bit_AVX | bit_FMA | bit_F16C | bit_MOVBE;
  constexpr unsigned kAvx2 = bit_AVX2 | bit_BMI | bit_BMI2;
  if (!has(basic.ecx, kBasic) || !has(extended.ebx, kAvx2) || !has(amd.ecx, bit_LZCNT)) return kBaseLevel;
  unsigned state = saved_state();
  if (!has(state, kAvxState)) return kBaseLevel;
  constexpr unsigned kAvx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  if (!has(extended.ebx, kAvx512) || !has(state, kAvx512State)) return kV3Level;
  constexpr unsigned kAvx512Fp16 = 1u << 23, kAvx512Bf16 = 1u << 5, kAvx512Vnni = 1u << 11;
  bool has_half = has(extended.edx, kAvx512Fp16) && has(extended_1.eax, kAvx512Bf16);
  return has_half && has(extended.ecx, kAvx512Vnni) ? kV4Fp16Level : kV4Level;
}

#else

LevelNumber best_level() { return kBaseLevel; }

#endif

struct LevelTables {
  ElementwiseKernels elementwise;
  CastKernels cast;
  CopyKernels copy;
  ReduceKernels reduce;
  ArgReduceKernels arg_reduce;
  RowKernels rows;
};

#define MLX_LEVEL(name)                                   \
  const Kernels& kernels_##name() {                       \
    static const LevelTables tables = [] {                \
      LevelTables filled;                                 \
      name::fill_elementwise(filled.elementwise);         \
      name::fill_cast(filled.cast);                       \
      name::fill_copy(filled.copy);                       \
      name::fill_reduce(filled.reduce);                   \
      name::fill_arg_reduce(filled.arg_reduce);           \
      name::fill_rows(filled.rows);                       \
      return filled;                                      \
    }();                                                  \
    static const Kernels kernels{#name,                   \
                                 tables.elementwise,      \
                                 tables.cast,             \
                                 tables.copy,             \
                                 tables.reduce,           \
                                 tables.arg_reduce,       \
                                 tables.rows,             \
                                 name::gemm_kernels,      \
                                 name::random_kernels,    \
                                 name::fft_kernels,       \
                                 name::attention_kernels, \
                                 name::score_kernels,     \
                                 name::quantized_kernels, \
                                 name::sort_kernels};     \
    return kernels;                                       \
  }
MLX_LEVEL(base)
#if MLX_HAS_ISA_v3
MLX_LEVEL(v3)
#endif
#if MLX_HAS_ISA_v4
MLX_LEVEL(v4)
#endif
#if MLX_HAS_ISA_v4fp16
MLX_LEVEL(v4fp16)
#endif
#undef MLX_LEVEL

struct KnownLevel {
  const char* name;
  const Kernels& (*kernels)();
};

// Lowest first, as far as they were built; a machine runs the first ones.
constexpr KnownLevel kKnownLevels[] = {
    {"base", kernels_base},
#if MLX_HAS_ISA_v3
    {"v3", kernels_v3},
#endif
#if MLX_HAS_ISA_v4
    {"v4", kernels_v4},
#endif
#if MLX_HAS_ISA_v4fp16
    {"v4fp16", kernels_v4fp16},
#endif
};

int supported_level() { return std::min<int>(best_level(), std::size(kKnownLevels) - 1); }

struct Choice {
  const Kernels* kernels;
  const char* problem;
};

Choice choose() {
  const Kernels& best = kKnownLevels[supported_level()].kernels();
  const char* requested = std::getenv("MLX_CPU_ISA");
  if (requested == nullptr || *requested == '\0') return {&best, nullptr};
  if (const Kernels* kernels = kernels_of(requested)) return {kernels, nullptr};
  for (const KnownLevel& level : kKnownLevels) {
    if (std::strcmp(level.name, requested) == 0)
      return {&best, "MLX_CPU_ISA names an instruction set that this machine lacks."};
  }
  return {&best, "MLX_CPU_ISA names an unknown instruction set (base, v3, v4, v4fp16)."};
}

const Choice& choice() {
  static const Choice chosen = [] {
    Choice made = choose();
    if (made.problem) warn(made.problem);
    return made;
  }();
  return chosen;
}

}  // namespace

const Kernels& kernels() { return *choice().kernels; }

const char* requested_isa_problem() { return choice().problem; }

std::vector<std::string_view> supported_levels() {
  std::vector<std::string_view> names;
  for (int i = 0; i <= supported_level(); i++) names.push_back(kKnownLevels[i].name);
  return names;
}

const Kernels* kernels_of(std::string_view level) {
  for (int i = 0; i <= supported_level(); i++) {
    if (level == kKnownLevels[i].name) return &kKnownLevels[i].kernels();
  }
  return nullptr;
}

}  // namespace mlx::core::cpu
