// Layer norm and root mean square norm of contiguous rows, forward and backward. Statistics in float64; what
// a mean rounds away in float32 is subtracted too.
#include "mlx/backend/cpu/isa/levels.h"
#include "mlx/backend/cpu/isa/moments.h"
#include "mlx/backend/cpu/isa/rows.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// normalized = ((x - high) - low) * inverse
template <typename T>
struct RowStatistics {
  T high, low, inverse;

  template <typename V>
  MLX_INLINE V normalized(V x) const {
    return ((x - high) - low) * inverse;
  }
};

template <typename V>
MLX_INLINE RowStatistics<LaneOf<V>> row_statistics(const LaneOf<V>* x, const NormRows& shape) {
  using T = LaneOf<V>;
  double n = double(shape.n), mean = 0, square;
  T pivot = shape.centered ? T(pivot_of<T, double>(shape.n, [&](int64_t i) { return double(x[i]); })) : T(0);
  MomentSums sums = moment_sums<V>(x, shape.n, pivot);
  if (shape.centered) {
    mean = double(pivot) + sums.first / n;
    square = centered_square_sum(sums, n);
  } else {
    square = sums.second;
  }
  T high = T(mean);
  return {high, T(mean - double(high)), T(1.0 / __builtin_sqrt(square / n + shape.eps))};
}

template <typename V>
void norm(const void* input, const void* weights, const void* biases, void* output, const NormRows& shape) {
  using T = LaneOf<V>;
  auto w = static_cast<const T*>(weights), b = static_cast<const T*>(biases);
  for (int64_t r = 0; r < shape.rows; r++) {
    auto x = static_cast<const T*>(input) + r * shape.n;
    auto y = static_cast<T*>(output) + r * shape.n;
    RowStatistics<T> s = row_statistics<V>(x, shape);
    int64_t i = 0;
    for (; i + lanes_of<V> <= shape.n; i += lanes_of<V>) {
      store(y + i, s.normalized(load<V>(x + i)) * load<V>(w + i) + load<V>(b + i));
    }
    for (; i < shape.n; i++) y[i] = s.normalized(x[i]) * w[i] + b[i];
  }
}

// Means over the row of g and g * normalized, where g = cotangent * weight.
template <typename T>
struct GradientMeans {
  T plain, projected;
};

template <typename V>
MLX_INLINE GradientMeans<LaneOf<V>> gradient_means(const LaneOf<V>* x, const LaneOf<V>* w,
                                                   const LaneOf<V>* ct, const RowStatistics<LaneOf<V>>& s,
                                                   const NormRows& shape) {
  using T = LaneOf<V>;
  constexpr int kWidth = lanes_of<V>;
  LaneSum plain, projected;
  auto add = [&](const T* x16, const T* w16, const T* ct16) {
#pragma GCC unroll 8
    for (int k = 0; k < 16 / kWidth; k++) {
      V g = load<V>(ct16 + k * kWidth) * load<V>(w16 + k * kWidth);
      plain.add(k, g);
      projected.add(k, g * s.normalized(load<V>(x16 + k * kWidth)));
    }
  };
  int64_t i = 0;
  for (; i + 16 <= shape.n; i += 16) add(x + i, w + i, ct + i);
  if (i < shape.n) {
    T rest[3][16] = {};
    int64_t bytes = (shape.n - i) * int64_t(sizeof(T));
    __builtin_memcpy(rest[0], x + i, bytes);
    __builtin_memcpy(rest[1], w + i, bytes);
    __builtin_memcpy(rest[2], ct + i, bytes);
    add(rest[0], rest[1], rest[2]);
  }
  double n = double(shape.n);
  return {shape.centered ? T(plain.total() / n) : T(0), T(projected.total() / n)};
}

template <typename V>
void norm_vjp(const void* input, const void* weights, const void* cotangents, void* output, double* dweight,
              double* dbias, const NormRows& shape) {
  using T = LaneOf<V>;
  auto w = static_cast<const T*>(weights);
  for (int64_t r = 0; r < shape.rows; r++) {
    auto x = static_cast<const T*>(input) + r * shape.n, ct = static_cast<const T*>(cotangents) + r * shape.n;
    auto dx = static_cast<T*>(output) + r * shape.n;
    RowStatistics<T> s = row_statistics<V>(x, shape);
    GradientMeans<T> means = gradient_means<V>(x, w, ct, s, shape);
    int64_t i = 0;
    for (; i + lanes_of<V> <= shape.n; i += lanes_of<V>) {
      V c = load<V>(ct + i), normalized = s.normalized(load<V>(x + i));
      store(dx + i, (c * load<V>(w + i) - means.plain - normalized * means.projected) * s.inverse);
      add_to(dweight + i, c * normalized);
      add_to(dbias + i, c);
    }
    for (; i < shape.n; i++) {
      T c = ct[i], normalized = s.normalized(x[i]);
      dx[i] = (c * w[i] - means.plain - normalized * means.projected) * s.inverse;
      dweight[i] += double(c * normalized);
      dbias[i] += double(c);
    }
  }
}

}  // namespace

void fill_rows(RowKernels& kernels) {
  kernels = RowKernels{};
  fill_softmax(kernels);
  kernels.norm[kFloat32] = norm<F32>;
  kernels.norm[kFloat64] = norm<F64>;
  kernels.norm_vjp[kFloat32] = norm_vjp<F32>;
  kernels.norm_vjp[kFloat64] = norm_vjp<F64>;
}

}  // namespace mlx::core::cpu::MLX_ISA
