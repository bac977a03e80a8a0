// Choice of the instruction set: one struct of kernel tables per level, the best one picked once.
#pragma once

#include <bit>
#include <string_view>
#include <vector>

#include "mlx/backend/cpu/isa/attention.h"
#include "mlx/backend/cpu/isa/fft.h"
#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/backend/cpu/isa/kernels.h"
#include "mlx/backend/cpu/isa/quantized.h"
#include "mlx/backend/cpu/isa/random.h"
#include "mlx/backend/cpu/isa/sort.h"

namespace mlx::core::cpu {

struct Kernels {
  const char* level;
  const ElementwiseKernels& elementwise;
  const CastKernels& cast;
  const CopyKernels& copy;
  const ReduceKernels& reduce;
  const ArgReduceKernels& arg_reduce;
  const RowKernels& rows;
  const GemmKernels& gemm;
  const RandomKernels& random;
  const FftKernels& fft;
  const AttentionKernels& attention;
  const ScoreKernels& scores;
  const QuantizedKernels& quantized;
  const SortKernels& sort;
};

// The kernels of the best level that the processor and the system support, or of the lower one that the
// environment variable MLX_CPU_ISA names.
const Kernels& kernels();

// The copy of elements of so many bytes.
inline CopyFn copy_kernel(size_t itemsize) { return kernels().copy.copy[std::countr_zero(itemsize)]; }

// Why the level named by MLX_CPU_ISA was not taken, or null.
const char* requested_isa_problem();

// Levels this machine can run, lowest first.
std::vector<std::string_view> supported_levels();

// The kernels of a level, or null if the level is unknown or cannot run here.
const Kernels* kernels_of(std::string_view level);

}  // namespace mlx::core::cpu
