// complex64 as one element per "register": formulas in double where float would overflow or cancel, the C
// library for the rest.
#pragma once

#include "mlx/backend/cpu/isa/math_f64.h"

namespace mlx::core::cpu::MLX_ISA {

struct Complex {
  float re, im;
};
using ComplexDouble = __complex__ double;

MLX_INLINE Complex to_complex(double re, double im) { return {float(re), float(im)}; }
MLX_INLINE ComplexDouble to_double(Complex x) {
  ComplexDouble y;
  __real__ y = x.re;
  __imag__ y = x.im;
  return y;
}
MLX_INLINE Complex to_float(ComplexDouble x) { return to_complex(__real__ x, __imag__ x); }
MLX_INLINE double modulus(Complex x) {
  return __builtin_sqrt(double(x.re) * double(x.re) + double(x.im) * double(x.im));
}

MLX_INLINE Complex operator-(Complex x) { return {-x.re, -x.im}; }
MLX_INLINE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
MLX_INLINE Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
// Products of floats are exact in double: GCC 12 fuses this pattern in vectorised loops in spite of
// -ffp-contract=off, which then changes nothing.
MLX_INLINE Complex operator*(Complex a, Complex b) {
  double p = a.re, q = a.im, r = b.re, s = b.im;
  return to_complex(p * r - q * s, p * s + q * r);
}
MLX_INLINE Complex operator/(Complex a, Complex b) {
  double p = a.re, q = a.im, r = b.re, s = b.im;
  double square = r * r + s * s;
  return to_complex((p * r + q * s) / square, (q * r - p * s) / square);
}

// int, as the masks of the other registers: & and | of them are meant.
MLX_INLINE int is_zero(Complex x) { return x.re == 0 && x.im == 0; }
MLX_INLINE int is_nonzero(Complex x) { return !is_zero(x); }
MLX_INLINE int isnan(Complex x) { return (x.re != x.re) | (x.im != x.im); }
MLX_INLINE bool isinf(Complex x) { return __builtin_isinf(x.re) | __builtin_isinf(x.im); }
MLX_INLINE bool isfinite(Complex x) { return __builtin_isfinite(x.re) & __builtin_isfinite(x.im); }
MLX_INLINE bool isposinf(Complex x) { return x.re == __builtin_inff() && x.im == 0; }
MLX_INLINE bool isneginf(Complex x) { return x.re == -__builtin_inff() && x.im == 0; }

MLX_INLINE float abs(Complex x) {
  if (isinf(x)) return __builtin_inff();
  return float(modulus(x));
}
MLX_INLINE float real(Complex x) { return x.re; }
MLX_INLINE float imag(Complex x) { return x.im; }
MLX_INLINE Complex conjugate(Complex x) { return {x.re, -x.im}; }
MLX_INLINE Complex round(Complex x) { return {__builtin_rintf(x.re), __builtin_rintf(x.im)}; }
MLX_INLINE Complex sign(Complex x) {
  double size = modulus(x);
  return size == 0 ? Complex{0, 0} : to_complex(x.re / size, x.im / size);
}
MLX_INLINE Complex reciprocal(Complex x) { return Complex{1, 0} / x; }
MLX_INLINE Complex degrees(Complex x) { return {x.re * 57.29578f, x.im * 57.29578f}; }
MLX_INLINE Complex radians(Complex x) { return {x.re * 0.017453292f, x.im * 0.017453292f}; }

// Lexicographic order; a NaN in either part is returned.
MLX_INLINE int equal(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
MLX_INLINE bool not_equal(Complex a, Complex b) { return !equal(a, b); }
MLX_INLINE bool less(Complex a, Complex b) { return a.re < b.re || (a.re == b.re && a.im < b.im); }
MLX_INLINE bool less_equal(Complex a, Complex b) { return a.re < b.re || (a.re == b.re && a.im <= b.im); }
MLX_INLINE Complex maximum(Complex a, Complex b) { return isnan(a) || (!isnan(b) && less(b, a)) ? a : b; }
MLX_INLINE Complex minimum(Complex a, Complex b) { return isnan(a) || (!isnan(b) && less(a, b)) ? a : b; }

#define MLX_LIBM(name, function) \
  inline Complex name(Complex x) { return to_float(function(to_double(x))); }
MLX_LIBM(sqrt, __builtin_csqrt)
MLX_LIBM(exp, __builtin_cexp)
MLX_LIBM(log, __builtin_clog)
MLX_LIBM(sin, __builtin_csin)
MLX_LIBM(cos, __builtin_ccos)
MLX_LIBM(tan, __builtin_ctan)
MLX_LIBM(arcsin, __builtin_casin)
MLX_LIBM(arccos, __builtin_cacos)
MLX_LIBM(arctan, __builtin_catan)
MLX_LIBM(sinh, __builtin_csinh)
MLX_LIBM(cosh, __builtin_ccosh)
MLX_LIBM(tanh, __builtin_ctanh)
MLX_LIBM(arcsinh, __builtin_casinh)
MLX_LIBM(arccosh, __builtin_cacosh)
MLX_LIBM(arctanh, __builtin_catanh)
#undef MLX_LIBM

inline Complex scaled_log(Complex x, double scale) {
  ComplexDouble y = __builtin_clog(to_double(x));
  return to_complex(__real__ y * scale, __imag__ y * scale);
}
inline Complex log2(Complex x) { return scaled_log(x, 1.44269504088896341); }
inline Complex log10(Complex x) { return scaled_log(x, 0.434294481903251828); }

// |1 + z|^2 - 1 = x (x + 2) + y^2
inline ComplexDouble log1p(ComplexDouble z) {
  double x = __real__ z, y = __imag__ z;
  ComplexDouble result;
  __real__ result = 0.5 * __builtin_log1p(x * (x + 2.0) + y * y);
  __imag__ result = __builtin_atan2(y, 1.0 + x);
  return result;
}
inline Complex log1p(Complex z) { return to_float(log1p(to_double(z))); }

inline Complex rsqrt(Complex x) {
  ComplexDouble root = __builtin_csqrt(to_double(x));
  double p = __real__ root, q = __imag__ root, square = p * p + q * q;
  return to_complex(p / square, -q / square);
}

inline Complex power(Complex a, Complex b) {
  if (is_zero(b)) return {1, 0};
  if (is_zero(a)) return b.re > 0 ? Complex{0, 0} : Complex{__builtin_nanf(""), __builtin_nanf("")};
  return to_float(__builtin_cpow(to_double(a), to_double(b)));
}

inline Complex logaddexp(Complex a, Complex b) {
  Complex larger = maximum(a, b), smaller = minimum(a, b);
  if (isnan(larger) || __builtin_isinf(larger.re)) return larger;
  ComplexDouble difference = to_double(smaller) - to_double(larger);
  return to_float(to_double(larger) + log1p(__builtin_cexp(difference)));
}

template <typename M>
MLX_INLINE Complex select(M condition, Complex a, Complex b) { return condition ? a : b; }

}  // namespace mlx::core::cpu::MLX_ISA
