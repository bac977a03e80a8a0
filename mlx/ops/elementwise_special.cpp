// The KERNEL rows of elementwise.def: their functions, and derivatives that no table expression can state (not
// holomorphic, integer special cases).

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/elementwise_primitive.h"

namespace mlx::core {

array abs(const array& a, StreamOrDevice s) { return elementwise(Op::Abs, a, s); }
array real(const array& a, StreamOrDevice s) { return a.dtype() == complex64 ? elementwise(Op::Real, a, s) : a; }
array imag(const array& a, StreamOrDevice s) { return elementwise(Op::Imag, a, s); }
array conjugate(const array& a, StreamOrDevice s) {
  return a.dtype() == complex64 ? elementwise(Op::Conjugate, a, s) : a;
}
array positive(const array& a, StreamOrDevice) { return a; }
array power(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::Power, a, b, s); }
array floor_divide(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::FloorDivide, a, b, s); }
array remainder(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::Remainder, a, b, s); }
array bitwise_and(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::BitwiseAnd, a, b, s); }
array bitwise_or(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::BitwiseOr, a, b, s); }
array bitwise_xor(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::BitwiseXor, a, b, s); }

Arrays divmod(const array& a, const array& b, StreamOrDevice s) {
  return {floor_divide(a, b, s), remainder(a, b, s)};
}

namespace {

// Two bools shift as uint8.
array shift(Op op, const array& a, const array& b, StreamOrDevice s) {
  if (result_type(a, b) == bool_) return elementwise(op, astype(a, uint8, s), astype(b, uint8, s), s);
  return elementwise(op, a, b, s);
}

// t / |z| * z for complex, t * sign(x) for real.
array abs_tangent(const array& x, const array& y, const array& t, const Stream& s) {
  if (x.dtype() != complex64) return multiply(t, sign(x, s), s);
  array inner = real(multiply(conjugate(x, s), t, s), s);
  return where(equal(y, array(0.0f), s), zeros(y.shape(), float32, s), divide(inner, y, s), s);
}

// Of s = z / |z|, which is not holomorphic: the part of t across s over |z|; 0 at 0. As a map of the real plane it is
// its own adjoint.
array sign_tangent(const array& z, const array& sign, const array& t, const Stream& s) {
  array along = multiply(sign, astype(real(multiply(conjugate(sign, s), t, s), s), complex64, s), s);
  array size = abs(z, s);
  array across = divide(subtract(t, along, s), astype(size, complex64, s), s);
  return where(equal(size, array(0.0f), s), zeros_like(z, s), across, s);
}

array log_or_zero(const array& a, const Stream& s) {
  array zero_base = equal(a, array(0, a.dtype()), s);
  return where(zero_base, zeros(a.shape(), a.dtype(), s), log(a, s), s);
}

// d(a^b): b a^(b-1) da, a^b log(a) db; the latter is 0 at a = 0.
array power_tangent(int i, const Arrays& operands, const array& y, const array& t, const Stream& s) {
  const array &a = operands[0], &b = operands[1];
  if (!issubdtype(y.dtype(), inexact)) return zeros(y.shape(), y.dtype(), s);
  if (i == 1) return multiply(t, multiply(y, log_or_zero(a, s), s), s);
  array lower = power(a, subtract(b, array(1, b.dtype()), s), s);
  return multiply(t, multiply(b, lower, s), s);
}

array imaginary_unit() { return array(complex64_t(0.0f, 1.0f)); }

}  // namespace

array left_shift(const array& a, const array& b, StreamOrDevice s) { return shift(Op::LeftShift, a, b, s); }
array right_shift(const array& a, const array& b, StreamOrDevice s) { return shift(Op::RightShift, a, b, s); }

// Rounds at `decimals` digits after the point by scaling; integers keep exact arithmetic.
array round(const array& a, int decimals, StreamOrDevice s) {
  bool is_integer = !issubdtype(a.dtype(), inexact);
  if (decimals == 0 || (is_integer && decimals > 0)) return is_integer ? a : elementwise(Op::Round, a, s);
  Dtype wide = a.dtype() == complex64 ? complex64 : is_integer || a.dtype() == float64 ? float64 : float32;
  int limit = wide == float64 ? 308 : 38;  // the powers of ten that the dtype holds
  if (decimals > limit) return a;
  if (decimals < -limit) return where(isfinite(a, s), zeros_like(a, s), a, s);
  double scale = 1;
  for (int i = 0; i < std::abs(decimals); i++) scale *= 10;
  array factor(scale, wide), x = astype(a, wide, s);
  array scaled = decimals > 0 ? multiply(x, factor, s) : divide(x, factor, s);
  array rounded = elementwise(Op::Round, scaled, s);
  if (decimals < 0) return astype(multiply(rounded, factor, s), a.dtype(), s);
  // Where scaling overflows there are no such digits.
  return astype(where(isfinite(scaled, s), divide(rounded, factor, s), x, s), a.dtype(), s);
}

array special_tangent(Op op, int i, const Arrays& operands, const array& y, const array& t, const Stream& s) {
  switch (op) {
    case Op::Abs: return abs_tangent(operands[0], y, t, s);
    case Op::Sign: return sign_tangent(operands[0], y, t, s);
    case Op::Real: return real(t, s);
    case Op::Imag: return imag(t, s);
    case Op::Conjugate: return conjugate(t, s);
    case Op::Power: return power_tangent(i, operands, y, t, s);
    case Op::Remainder:
      return i == 0 ? t : negative(multiply(t, floor_divide(operands[0], operands[1], s), s), s);
    default: return zeros(y.shape(), y.dtype(), s);
  }
}

array special_cotangent(Op op, int i, const Arrays& operands, const array& y, const array& ct, const Stream& s) {
  const array& x = operands[0];
  bool is_complex = x.dtype() == complex64;
  switch (op) {
    case Op::Abs:
      return multiply(ct, sign(x, s), s);
    case Op::Sign: return sign_tangent(x, y, ct, s);
    case Op::Real: return ct;
    case Op::Imag: return is_complex ? multiply(ct, imaginary_unit(), s) : zeros(x.shape(), x.dtype(), s);
    case Op::Conjugate: return conjugate(ct, s);
    default: {
      if (y.dtype() != complex64) return special_tangent(op, i, operands, y, ct, s);
      return conjugate(special_tangent(op, i, operands, y, conjugate(ct, s), s), s);
    }
  }
}

}  // namespace mlx::core
