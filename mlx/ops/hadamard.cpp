// hadamard_transform: H = kron(H_m, H_2, ..., H_2), applied as products with small matrices.

#include <algorithm>
#include <cmath>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"

namespace mlx::core {

namespace {

// The rows of the Hadamard matrices of sizes that are no power of two, one bit per entry: set for 1, else -1.
struct BaseMatrix {
  int size;
  uint32_t rows[28];
};
constexpr BaseMatrix base_matrices[] = {
    {1, {1}},
    {12, {0xbff, 0x2aa, 0xec3, 0x896, 0xfb0, 0xa25, 0xcec, 0x989, 0xc3b, 0x962, 0xf0e, 0xa58}},
    {20, {0x84336, 0x4238b, 0x211d5, 0x108fa, 0x0866d, 0x7c139, 0xba29c, 0xd914e, 0xe88a7, 0xf0653,
          0x35a0f, 0x1ad17, 0x8d49b, 0xc685d, 0x6343e, 0x49a10, 0xa0d08, 0x54484, 0x2e042, 0x93021}},
    {28, {0x818694c, 0x41c14a6, 0x20e2a13, 0x1071549, 0x0838ae4, 0x041e532, 0x030d299,
          0x3d019d2, 0x1e82ca9, 0x8e43654, 0xc621b2a, 0xe210d95, 0xf00a6ca, 0x7807325,
          0x5b3201e, 0xac9900f, 0x564c847, 0xab24463, 0xd590271, 0x6ac8178, 0xb4640bc,
          0x66b70c0, 0xb35b820, 0xd8adc10, 0x6d54e08, 0x37a8704, 0x9ad4382, 0xcd6a181}},
};

array base_matrix(const BaseMatrix& m, Dtype dtype) {
  std::vector<float> entries;
  for (int i = 0; i < m.size; i++) {
    for (int k = m.size - 1; k >= 0; k--) entries.push_back(m.rows[i] >> k & 1 ? 1.0f : -1.0f);
  }
  return array(entries.begin(), Shape{m.size, m.size}, dtype);
}

// Sylvester's matrix: -1 to the number of bits that row and column share.
array sylvester_matrix(int size, Dtype dtype) {
  std::vector<float> entries;
  for (int i = 0; i < size; i++) {
    for (int k = 0; k < size; k++) entries.push_back(__builtin_parity(i & k) ? -1.0f : 1.0f);
  }
  return array(entries.begin(), Shape{size, size}, dtype);
}

const BaseMatrix* base_of(ShapeElem n) {
  for (const BaseMatrix& m : base_matrices) {
    ShapeElem power = n / m.size;
    if (n > 0 && n % m.size == 0 && (power & (power - 1)) == 0) return &m;
  }
  return nullptr;
}

}  // namespace

array hadamard_transform(const array& a, std::optional<float> scale, StreamOrDevice s) {
  if (a.dtype() == complex64) raise("[hadamard_transform] Complex arrays are not supported.");
  Dtype t = issubdtype(a.dtype(), floating) ? a.dtype() : float32;
  if (a.ndim() == 0) return multiply(astype(a, t, s), array(scale.value_or(1), t), s);
  ShapeElem n = a.shape(-1);
  const BaseMatrix* base = base_of(n);
  if (!base) {
    raise("[hadamard_transform] The last axis of shape ", a.shape(),
          " must have the size of a power of two, times 1, 12, 20 or 28.");
  }
  note_size_read();
  // Factors of at most 64 keep the work near that of a fast transform, in products that are fast.
  Shape factors;
  for (ShapeElem rest = n / base->size; rest > 1; rest /= factors.back()) {
    factors.push_back(std::min<ShapeElem>(rest, 64));
  }
  Dtype wide = t == float64 ? float64 : float32;
  array x = astype(a, wide, s);
  // Applies a factor to the axis that has `after` elements behind it.
  ShapeElem total = static_cast<ShapeElem>(a.size()), after = 1;
  auto apply = [&](const array& matrix) {
    ShapeElem size = matrix.shape(0), before = total / size / after;
    x = after == 1 ? matmul(reshape(x, {before, size}, s), transpose(matrix, s), s)
                   : matmul(matrix, reshape(x, {before, size, after}, s), s);
    after *= size;
  };
  for (ShapeElem size : factors) apply(sylvester_matrix(static_cast<int>(size), wide));
  if (base->size > 1) apply(base_matrix(*base, wide));
  double factor = scale ? static_cast<double>(*scale) : 1 / std::sqrt(static_cast<double>(n));
  return astype(multiply(reshape(x, a.shape(), s), array(factor, wide), s), t, s);
}

}  // namespace mlx::core
