// The error function and its inverse of float32 within 2 ULP. Polynomials from tools/fit_polynomials.py.
#pragma once

#include "mlx/backend/cpu/isa/math_log.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr float kErfSmall[] = {  // erf(x) / x - 1 in x^2, |x| <= 1
    1.2837917e-01f, -3.7612626e-01f, 1.12835854e-01f, -2.6853813e-02f,
    5.1883277e-03f, -8.0101937e-04f, 7.853861e-05f};
inline constexpr float kErfLog[] = {  // log(1 - erf(x)) for 1 <= x <= 3.95
    1.13351976e-04f, -1.129235e+00f,  -6.3388234e-01f, -1.0772424e-01f,
    2.478189e-02f,   -4.0514027e-03f, 4.1158372e-04f,  -1.9279934e-05f};
inline constexpr double kErfInvCenter[] = {  // erfinv(x) / x in w = -log(1 - x^2) <= 5
    0.886226925819554,       0.232013644432954,      0.011549558652175483,   -0.002335917557370405,
    -0.00012649196795082705, 4.492739137430167e-05,  3.1180707144149916e-06, -1.4364805041150736e-06,
    4.487103944837876e-08,   2.3720719722353924e-08, -3.2165412751339554e-09, 1.3285711677004708e-10};
inline constexpr double kErfInvTail[] = {  // erfinv(x) / x in sqrt(w), 5 <= w <= 16.7
    -2.0146623063064792,  8.985991658166467,     -11.49394849608982,    8.12200515857585,
    -2.921482103833395,   0.26772472126884544,   0.2262236521789976,    -0.11494166289828318,
    0.027008210829434186, -0.0036363687420296995, 0.0002710428768846802, -8.730926088830989e-06};

MLX_INLINE F32 erf(F32 x) {
  F32 a = clamp(abs(x), 0.0, 3.95);  // erf(3.95) rounds to 1
  F32 small = fma(a, fused_polynomial(a * a, kErfSmall), a);
  F32 large = 1.0f - exp_normal(fused_polynomial(a, kErfLog));
  return with_sign_of(a < 1.0f ? small : large, x);
}

MLX_INLINE F32 erfinv(F32 x) {
  F32 y = through_double(abs(x), [](F64 d) {
    LogF64 parts = log_parts((1.0 - d) * (1.0 + d), kLogShortF64);
    F64 w = -(parts.exponent * kLn2 + parts.log);
    F64 center = polynomial(w, kErfInvCenter), tail = polynomial(sqrt(w), kErfInvTail);
    F64 ratio = w < 5.0 ? center : tail;
    ratio = d == 1.0 ? constant(d, kInfinity) : ratio;
    return d <= 1.0 ? d * ratio : constant(d, kNaN);
  });
  return with_sign_of(y, x);
}

}  // namespace mlx::core::cpu::MLX_ISA
