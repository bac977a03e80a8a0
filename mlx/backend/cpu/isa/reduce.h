// What reduction kernels share. Accumulators fill 128 bytes at every level (16 lanes of float64) and are
// folded in halves, so that a result has the same bits whatever the width of a register is.
#pragma once

#include "mlx/backend/cpu/isa/kernels.h"
#include "mlx/backend/cpu/isa/math.h"
#include "mlx/backend/cpu/isa/registers.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr int kAccumulatorBytes = 128;
inline constexpr int kAccumulators = kAccumulatorBytes / kVectorBytes;  // registers
inline constexpr int64_t kRowGroup = 8;  // rows that columns() reads side by side

// ElementOf for signatures: g++ cannot mangle __typeof__.
template <typename V>
struct LaneType {
  using type = __typeof__(V{}[0]);
};
template <typename V>
using LaneOf = typename LaneType<V>::type;

// Sixteen logical lanes of float64 sums, fed by registers of float32 or float64.
struct LaneSum {
  static constexpr int kRegisters = 16 / kF64Lanes;
  F64 lanes[kRegisters] = {};

  MLX_INLINE void add(int k, F64 x) { lanes[k] += x; }
  MLX_INLINE void add(int k, F32 x) {
    lanes[2 * k] += widen(low_half(x));
    lanes[2 * k + 1] += widen(high_half(x));
  }
  MLX_INLINE double total() const {
    double sums[16];
    for (int k = 0; k < kRegisters; k++) store(sums + k * kF64Lanes, lanes[k]);
    for (int width = 8; width > 0; width /= 2) {
      for (int i = 0; i < width; i++) sums[i] += sums[i + width];
    }
    return sums[0];
  }
};

// Adds a register to the sums of as many columns.
MLX_INLINE void add_to(double* sum, F64 x) { store(sum, load<F64>(sum) + x); }
MLX_INLINE void add_to(double* sum, F32 x) {
  add_to(sum, widen(low_half(x)));
  add_to(sum + kF64Lanes, widen(high_half(x)));
}

// One stream of loads does not fill the memory's bandwidth.
template <typename T>
MLX_INLINE void prefetch_ahead(const T* x) {
  constexpr int kDistance = 2048;
  __builtin_prefetch(reinterpret_cast<const char*>(x) + kDistance);
  if constexpr (sizeof(T) == 8) __builtin_prefetch(reinterpret_cast<const char*>(x) + kDistance + 64);
}

// Calls f(k, register) for the elements of a row, sixteen at a time: k numbers the registers within the
// sixteen. The last ones are filled up with `pad`.
template <typename V, typename F>
MLX_INLINE void read_sixteens(const LaneOf<V>* x, int64_t n, LaneOf<V> pad, F f) {
  constexpr int kWidth = lanes_of<V>;
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    prefetch_ahead(x + i);
#pragma GCC unroll 8
    for (int k = 0; k < 16 / kWidth; k++) f(k, load<V>(x + i + k * kWidth));
  }
  if (i == n) return;
  LaneOf<V> rest[16];
  for (int k = 0; k < 16; k++) rest[k] = pad;
  __builtin_memcpy(rest, x + i, (n - i) * sizeof(pad));
#pragma GCC unroll 8
  for (int k = 0; k < 16 / kWidth; k++) f(k, load<V>(rest + k * kWidth));
}

// maximum and minimum for registers of T and for single values; the second where both are equal.
template <typename T, bool is_max, typename V>
MLX_INLINE V extreme(V a, V b) {
  if constexpr (!is_floating<T>)
    return is_max ? (a > b ? a : b) : (a < b ? a : b);
  else if constexpr (is_max)
    return ((a > b) | (a != a)) ? a : b;
  else
    return ((a < b) | (a != a)) ? a : b;
}

template <typename V>
MLX_INLINE LaneOf<V> largest_of(const LaneOf<V>* x, int64_t n) {
  using T = LaneOf<V>;
  constexpr int kRegisters = 16 / lanes_of<V>;
  V best[kRegisters];
  for (int k = 0; k < kRegisters; k++) best[k] = constant(V{}, -kInfinity);
  read_sixteens<V>(x, n, T(-__builtin_inf()),
                   [&](int k, V value) { best[k] = extreme<T, true>(best[k], value); });
  T lanes[16];
  for (int k = 0; k < kRegisters; k++) store(lanes + k * lanes_of<V>, best[k]);
  T largest = lanes[0];
  for (int i = 1; i < 16; i++) largest = extreme<T, true>(largest, lanes[i]);
  return largest;
}

void fill_reduce_sum(ReduceKernels&);
void fill_reduce_extreme(ReduceKernels&);
void fill_reduce_complex(ReduceKernels&);
void fill_reduce_variance(ReduceKernels&);
void fill_reduce_logsumexp(ReduceKernels&);

}  // namespace mlx::core::cpu::MLX_ISA
