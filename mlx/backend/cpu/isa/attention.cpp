// Softmax of attention scores, queries side by side in the lanes, with running maxima and sums.
#include "mlx/backend/cpu/isa/attention.h"

#include "mlx/backend/cpu/isa/softmax.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int64_t kSumRun = 16;  // exponentials added up before they join the sum of the panel

inline constexpr double kLowest[] = {-0x1.fffffep127, -0x1.fffffffffffffp1023};  // float, double

// The scores of one vector of columns, scaled and masked; the largest of them and `best`.
template <typename V>
MLX_INLINE V mask_and_maximum(const ScorePanel& p, int64_t c, V best) {
  using T = LaneOf<V>;
  T* scores = static_cast<T*>(p.scores) + c;
  const T* mask = static_cast<const T*>(p.mask) + c;
  V scale = constant(V{}, p.scale), lowest = constant(V{}, kLowest[sizeof(T) / 8]);
  V kept = p.kept_keys ? load<V>(static_cast<const T*>(p.kept_keys) + c) : V{};
  for (int64_t j = 0; j < p.keys; j++) {
    V s = load<V>(scores + j * p.stride) * scale;
    if (p.mask) {
      V m = load<V>(mask + j * p.columns);
      s = p.mask_keeps ? (m != V{} ? s : lowest) : s + m;
    }
    if (p.kept_keys) s = V{} + T(j) < kept ? s : lowest;
    store(scores + j * p.stride, s);
    best = s > best ? s : best;  // a NaN is passed over here: its exponential makes the sum NaN
  }
  return best;
}

template <typename V>
void panel(const ScorePanel& p) {
  using T = LaneOf<V>;
  for (int64_t c = 0; c < p.columns; c += lanes_of<V>) {
    T* scores = static_cast<T*>(p.scores) + c;
    T *largest = static_cast<T*>(p.largest) + c, *total = static_cast<T*>(p.sum) + c;
    V before = load<V>(largest), best = mask_and_maximum<V>(p, c, before);
    // Nothing but -inf so far: exponentials are 0, and their sum stays so.
    V shift = best == constant(V{}, -kInfinity) ? V{} : best, sum = {};
    for (int64_t j0 = 0; j0 < p.keys; j0 += kSumRun) {
      int64_t end = j0 + kSumRun < p.keys ? j0 + kSumRun : p.keys;
      V part = {};
      for (int64_t j = j0; j < end; j++) {
        V e = exp_of_difference(load<V>(scores + j * p.stride) - shift);
        store(scores + j * p.stride, e);
        part += e;
      }
      sum += part;
    }
    V correction = exp_of_difference(before - shift);
    store(static_cast<T*>(p.correction) + c, correction);
    store(total, load<V>(total) * correction + sum);
    store(largest, best);
  }
}

template <typename V>
void scale(void* rows, int64_t stride, int64_t count, int64_t columns, const void* factors) {
  using T = LaneOf<V>;
  const T* f = static_cast<const T*>(factors);
  for (int64_t r = 0; r < count; r++) {
    T* row = static_cast<T*>(rows) + r * stride;
    for (int64_t c = 0; c < columns; c += lanes_of<V>) store(row + c, load<V>(row + c) * load<V>(f + c));
  }
}

template <typename V>
double row(void* x, int64_t n, void* largest) {
  using T = LaneOf<V>;
  T* values = static_cast<T*>(x);
  T best = row_maximum<V>(values, values, n);
  *static_cast<T*>(largest) = best;
  return exponentials<V>(values, values, n, best == -T(kInfinity) ? T(0) : best);
}

template <typename V>
constexpr AttentionTypeKernels kernels_of() {
  return {panel<V>, scale<V>, row<V>};
}

}  // namespace

extern const AttentionKernels attention_kernels = {kernels_of<F32>(), kernels_of<F64>()};

}  // namespace mlx::core::cpu::MLX_ISA
