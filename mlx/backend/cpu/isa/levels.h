// What each level's object files export: functions that fill in the tables of kernels.h.
#pragma once

#include "mlx/backend/cpu/isa/attention.h"
#include "mlx/backend/cpu/isa/fft.h"
#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/backend/cpu/isa/kernels.h"
#include "mlx/backend/cpu/isa/quantized.h"
#include "mlx/backend/cpu/isa/random.h"
#include "mlx/backend/cpu/isa/sort.h"

#define MLX_DECLARE_LEVEL(level)                   \
  namespace mlx::core::cpu::level {                \
  void fill_elementwise(ElementwiseKernels&);      \
  void fill_cast(CastKernels&);                    \
  void fill_copy(CopyKernels&);                    \
  void fill_reduce(ReduceKernels&);                \
  void fill_arg_reduce(ArgReduceKernels&);         \
  void fill_rows(RowKernels&);                     \
  extern const GemmKernels gemm_kernels;           \
  extern const RandomKernels random_kernels;       \
  extern const FftKernels fft_kernels;             \
  extern const AttentionKernels attention_kernels; \
  extern const ScoreKernels score_kernels;         \
  extern const QuantizedKernels quantized_kernels; \
  extern const SortKernels sort_kernels;           \
  }
MLX_DECLARE_LEVEL(base)
MLX_DECLARE_LEVEL(v3)
MLX_DECLARE_LEVEL(v4)
MLX_DECLARE_LEVEL(v4fp16)
#undef MLX_DECLARE_LEVEL
