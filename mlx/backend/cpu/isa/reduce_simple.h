// Reductions with one accumulator per result and one associative operation on registers.
//
// An Op has Element (in memory), Lane (accumulator), identity() of Lane, padding() of Element and apply(a, x)
// for registers and single lanes.
#pragma once

#include "mlx/backend/cpu/isa/reduce.h"

namespace mlx::core::cpu::MLX_ISA {

template <typename Op>
struct SimpleReduce {
  using Element = typename Op::Element;
  using Lane = typename Op::Lane;
  using Register = FullVec<Lane>;
  static constexpr int kWidth = lanes_of<Register>;
  static constexpr int kLanes = kAccumulatorBytes / int(sizeof(Lane));

  static MLX_INLINE Register get(const Element* from) {
    if constexpr (sizeof(Lane) == sizeof(Element))
      return load<Register>(from);
    else
      return widen(load<HalfF32>(from));
  }

  static void init(void* acc, int64_t, int64_t results) {
    for (int64_t c = 0; c < results; c++) static_cast<Lane*>(acc)[c] = Op::identity();
  }

  static MLX_INLINE void add_lanes(const Element* x, Register (&acc)[kAccumulators]) {
#pragma GCC unroll 8
    for (int k = 0; k < kAccumulators; k++) acc[k] = Op::apply(acc[k], get(x + k * kWidth));
  }

  static MLX_INLINE Lane fold(Register (&acc)[kAccumulators]) {
#pragma GCC unroll 8
    for (int half = kAccumulators / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; k++) acc[k] = Op::apply(acc[k], acc[k + half]);
    }
    Lane lanes[kWidth];
    store(lanes, acc[0]);
    for (int half = kWidth / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; k++) lanes[k] = Op::apply(lanes[k], lanes[k + half]);
    }
    return lanes[0];
  }

  static MLX_INLINE Lane row(const Element* x, int64_t n) {
    Register acc[kAccumulators];
    for (int k = 0; k < kAccumulators; k++) acc[k] = Register{} + Op::identity();
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      if constexpr (sizeof(Lane) == sizeof(Element))
        prefetch_ahead(reinterpret_cast<const double*>(x + i));
      else
        prefetch_ahead(x + i);
      add_lanes(x + i, acc);
    }
    if (i < n) {
      Element rest[kLanes];
      for (int k = 0; k < kLanes; k++) rest[k] = Op::padding();
      __builtin_memcpy(rest, x + i, (n - i) * sizeof(Element));
      add_lanes(rest, acc);
    }
    return fold(acc);
  }

  static void rows(const void* input, int64_t count, int64_t row_stride, int64_t n, void* acc, int64_t) {
    auto x = static_cast<const Element*>(input);
    auto result = static_cast<Lane*>(acc);
    for (int64_t r = 0; r < count; r++) result[r] = Op::apply(result[r], row(x + r * row_stride, n));
  }

  template <int kRows>
  static MLX_INLINE void add_rows(const Element* x, int64_t stride, int64_t columns, Lane* result) {
    int64_t c = 0;
    for (; c + kWidth <= columns; c += kWidth) {
      Register sum = load<Register>(result + c);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; r++) sum = Op::apply(sum, get(x + r * stride + c));
      store(result + c, sum);
    }
    for (; c < columns; c++) {
      for (int r = 0; r < kRows; r++) result[c] = Op::apply(result[c], Lane(x[r * stride + c]));
    }
  }

  static void columns(const void* input, int64_t rows, int64_t stride, int64_t results, void* acc, int64_t) {
    auto x = static_cast<const Element*>(input);
    auto result = static_cast<Lane*>(acc);
    int64_t r = 0;
    for (; r + kRowGroup <= rows; r += kRowGroup)
      add_rows<kRowGroup>(x + r * stride, stride, results, result);
    for (; r < rows; r++) add_rows<1>(x + r * stride, stride, results, result);
  }

  static void merge(const void* from, int64_t, void* acc, int64_t, int64_t results) {
    auto other = static_cast<const Lane*>(from);
    auto result = static_cast<Lane*>(acc);
    for (int64_t c = 0; c < results; c++) result[c] = Op::apply(result[c], other[c]);
  }

  static void finish(const void* acc, int64_t, int64_t results, double divisor, void* output) {
    auto result = static_cast<const Lane*>(acc);
    auto to = static_cast<Lane*>(output);
    for (int64_t c = 0; c < results; c++) {
      if constexpr (is_floating<Lane>)
        to[c] = result[c] / Lane(divisor);
      else
        to[c] = result[c];
    }
  }

  static constexpr ReduceKernel kernel() {
    return {1, int(sizeof(Lane)), init, rows, columns, merge, finish};
  }
};

template <typename T, typename L = T>
struct SumOp {
  using Element = T;
  using Lane = L;
  // -0 is the identity of floating sums: a sum of negative zeros is one.
  static constexpr Lane identity() { return is_floating<Lane> ? Lane(-0.0) : Lane(0); }
  static constexpr Element padding() { return is_floating<Element> ? Element(-0.0) : Element(0); }
  template <typename V>
  static MLX_INLINE V apply(V a, V x) {
    return a + x;
  }
};

template <typename T, typename L = T>
struct ProdOp {
  using Element = T;
  using Lane = L;
  static constexpr Lane identity() { return 1; }
  static constexpr Element padding() { return 1; }
  template <typename V>
  static MLX_INLINE V apply(V a, V x) {
    return a * x;
  }
};

template <typename T, bool is_max>
struct ExtremeOp {
  using Element = T;
  using Lane = T;
  static constexpr T identity() {
    if constexpr (is_floating<T>)
      return is_max ? T(-__builtin_inf()) : T(__builtin_inf());
    else if constexpr (!is_signed<T>)
      return is_max ? T(0) : T(~T(0));
    else
      return T(uint64_t(is_max) << (8 * sizeof(T) - 1)) ^
             (is_max ? T(0) : T(~(uint64_t(1) << (8 * sizeof(T) - 1))));
  }
  static constexpr T padding() { return identity(); }
  template <typename V>
  static MLX_INLINE V apply(V a, V x) {
    return extreme<T, is_max>(a, x);
  }
};

template <bool is_all>
struct LogicOp {
  using Element = uint8_t;
  using Lane = uint8_t;
  static constexpr uint8_t identity() { return is_all; }
  static constexpr uint8_t padding() { return is_all; }
  template <typename V>
  static MLX_INLINE V apply(V a, V x) {
    return is_all ? a & x : a | x;
  }
};

}  // namespace mlx::core::cpu::MLX_ISA
