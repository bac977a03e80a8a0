// Exact functions of real registers: signs, comparisons, logic, integer division, powers and shifts.
// Comparisons give masks: registers of signed integers, -1 where true. Plain char is the element of bool.
#pragma once

#include "mlx/backend/cpu/isa/math_exp.h"

namespace mlx::core::cpu::MLX_ISA {

template <typename T>
inline constexpr bool is_floating = false;
template <>
inline constexpr bool is_floating<float> = true;
template <>
inline constexpr bool is_floating<double> = true;
template <typename T>
inline constexpr bool is_bool = false;
template <>
inline constexpr bool is_bool<char> = true;
template <typename T>
inline constexpr bool is_signed = !is_bool<T> && T(-1) < T(0);

template <typename V>
MLX_INLINE V abs(V x) {
  if constexpr (is_signed<ElementOf<V>>) return x < 0 ? -x : x;
  else return x;
}

template <typename V>
MLX_INLINE V sign(V x) {
  V one = constant(x, 1.0);
  if constexpr (is_floating<ElementOf<V>>) return x > 0 ? one : (x < 0 ? -one : V{});
  else if constexpr (is_signed<ElementOf<V>>) return x > 0 ? one : (V)(x < 0);
  else return x != 0 ? one : V{};
}

// Rounding of integers and bool.
template <typename V>
MLX_INLINE V floor(V x) { return x; }
template <typename V>
MLX_INLINE V ceil(V x) { return x; }
template <typename V>
MLX_INLINE V trunc(V x) { return x; }
template <typename V>
MLX_INLINE V round(V x) { return x; }

template <typename V>
MLX_INLINE V real(V x) { return x; }
template <typename V>
MLX_INLINE V imag(V) { return V{}; }
template <typename V>
MLX_INLINE V conjugate(V x) { return x; }
template <typename V>
MLX_INLINE V reciprocal(V x) { return 1 / x; }
template <typename V>
MLX_INLINE V rsqrt(V x) { return 1 / sqrt(x); }
template <typename V>
MLX_INLINE V degrees(V x) { return x * constant(x, 57.2957795130823209); }
template <typename V>
MLX_INLINE V radians(V x) { return x * constant(x, 0.0174532925199432958); }

template <typename V>
MLX_INLINE auto is_zero(V x) { return x == 0; }
template <typename V>
MLX_INLINE auto is_nonzero(V x) { return x != 0; }
template <typename V>
MLX_INLINE auto isnan(V x) { return x != x; }
template <typename V>
MLX_INLINE auto isposinf(V x) {
  if constexpr (is_floating<ElementOf<V>>) return x == constant(x, kInfinity);
  else return x != x;
}
template <typename V>
MLX_INLINE auto isneginf(V x) {
  if constexpr (is_floating<ElementOf<V>>) return x == constant(x, -kInfinity);
  else return x != x;
}
template <typename V>
MLX_INLINE auto isinf(V x) { return isposinf(x) | isneginf(x); }
template <typename V>
MLX_INLINE auto isfinite(V x) {
  if constexpr (is_floating<ElementOf<V>>) return abs(x) < constant(x, kInfinity);
  else return x == x;
}

template <typename V>
MLX_INLINE V bitwise_invert(V x) {
  if constexpr (is_bool<ElementOf<V>>) return x ^ 1;
  else return ~x;
}

template <typename V>
MLX_INLINE V maximum(V a, V b) {
  if constexpr (is_floating<ElementOf<V>>) return ((a > b) | (a != a)) ? a : b;
  else return a > b ? a : b;
}
template <typename V>
MLX_INLINE V minimum(V a, V b) {
  if constexpr (is_floating<ElementOf<V>>) return ((a < b) | (a != a)) ? a : b;
  else return a < b ? a : b;
}

template <typename V>
MLX_INLINE auto equal(V a, V b) { return a == b; }
template <typename V>
MLX_INLINE auto not_equal(V a, V b) { return a != b; }
template <typename V>
MLX_INLINE auto less(V a, V b) { return a < b; }
template <typename V>
MLX_INLINE auto less_equal(V a, V b) { return a <= b; }
template <typename V>
MLX_INLINE auto nan_equal(V a, V b) { return equal(a, b) | (isnan(a) & isnan(b)); }
template <typename V>
MLX_INLINE auto logical_and(V a, V b) { return is_nonzero(a) & is_nonzero(b); }
template <typename V>
MLX_INLINE auto logical_or(V a, V b) { return is_nonzero(a) | is_nonzero(b); }
template <typename V>
MLX_INLINE auto logical_xor(V a, V b) { return is_nonzero(a) ^ is_nonzero(b); }

template <typename M, typename V>
MLX_INLINE V select(M condition, V a, V b) { return condition ? a : b; }

// Counts that are negative or at least the width shift everything out.
template <typename V>
MLX_INLINE V left_shift(V a, V b) {
  constexpr int kBits = 8 * sizeof(ElementOf<V>);
  auto inside = (b >= 0) & (b < kBits);
  return inside ? a << (b & (kBits - 1)) : V{};
}
template <typename V>
MLX_INLINE V right_shift(V a, V b) {
  constexpr int kBits = 8 * sizeof(ElementOf<V>);
  auto inside = (b >= 0) & (b < kBits);
  V outside = is_signed<ElementOf<V>> ? a >> (kBits - 1) : V{};
  return inside ? a >> (b & (kBits - 1)) : outside;
}

// x / 0 is 0 and x % 0 is x; a divisor of -1 negates with wrap-around, where the processor would trap.
template <typename T>
inline T divide_integers(T a, T b) {
  if (b == 0) return 0;
  if constexpr (is_signed<T>) {
    if (b == -1) return T(0 - uint64_t(a));
  }
  T quotient = T(a / b), remainder = T(a % b);
  return T(quotient - (remainder != 0 && (remainder < 0) != (b < 0)));
}
template <typename T>
inline T integer_remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (is_signed<T>) {
    if (b == -1) return 0;
  }
  T remainder = T(a % b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? T(remainder + b) : remainder;
}
template <typename T>
inline T integer_power(T base, T exponent) {
  if constexpr (is_signed<T>) {
    if (exponent < 0) return base == 1 ? T(1) : (base == -1 ? T(exponent & 1 ? -1 : 1) : T(0));
  }
  uint64_t result = 1, factor = uint64_t(base);
  for (uint64_t rest = uint64_t(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) result *= factor;
    factor *= factor;
  }
  return T(result);
}

template <typename V>
MLX_INLINE V floor_divide(V a, V b) {
  using T = ElementOf<V>;
  if constexpr (is_floating<T>) return floor(a / b);
  else return map_lanes(a, b, [](T x, T y) { return divide_integers(x, y); });
}

// Python's remainder from C's: the divisor's sign, and the sign of zero too.
MLX_INLINE double float_remainder(double a, double b) {
  double r = __builtin_fmod(a, b);
  if (r == 0.0) return __builtin_copysign(0.0, b);
  return (r < 0) != (b < 0) ? r + b : r;
}

template <typename V>
MLX_INLINE V remainder(V a, V b) {
  using T = ElementOf<V>;
  if constexpr (is_floating<T>) return map_lanes(a, b, [](T x, T y) { return T(float_remainder(x, y)); });
  else return map_lanes(a, b, [](T x, T y) { return integer_remainder(x, y); });
}

template <typename V, typename M>
[[gnu::noinline]] V replace_remainders(V a, V b, V r, M wanted) {
  for (int i = 0; i < lanes_of<V>; i++) {
    if (wanted[i]) r[i] = ElementOf<V>(float_remainder(a[i], b[i]));
  }
  return r;
}

// In double p / q cannot round up to an integer below 2^28, and the product and difference are exact; other
// quotients, infinities and NaN go one by one.
MLX_INLINE F32 remainder(F32 a, F32 b) {
  F32 r = through_double(a, b, [](F64 p, F64 q) {
    F64 rest = p - trunc(p / q) * q;
    rest = ((rest != 0.0) & ((rest < 0.0) ^ (q < 0.0))) ? rest + q : rest;
    return rest == 0.0 ? with_sign_of(F64{}, q) : rest;
  });
  I32 hard = ~(abs(a / b) < 0x1p27f) | (abs(b) == constant(b, kInfinity));
  return any(hard) ? replace_remainders(a, b, r, hard) : r;
}

template <typename V>
MLX_INLINE V power(V a, V b) {
  using T = ElementOf<V>;
  return map_lanes(a, b, [](T x, T y) { return integer_power(x, y); });
}

}  // namespace mlx::core::cpu::MLX_ISA
