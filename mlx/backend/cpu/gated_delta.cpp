// The gated delta rule: each row of the state of a head is a recurrence of its own.

#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/fast_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kTaskRows = 16;

// In a fixed order that the compiler can put into vectors.
template <typename T>
T dot(const T* a, const T* b, int64_t n) {
  T sums[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int64_t l = 0; l < kLanes; l++) sums[l] += a[i + l] * b[i + l];
  for (int64_t l = 0; i < n; i++, l++) sums[l] += a[i] * b[i];
  for (int64_t half = kLanes / 2; half > 0; half /= 2)
    for (int64_t l = 0; l < half; l++) sums[l] += sums[l + half];
  return sums[0];
}

template <typename T>
struct DeltaRun {
  const T *q, *k, *v, *gamma, *beta;
  const bool* mask;  // or null
  T *state, *out;
  int64_t time, key_heads, key_size, heads, value_size;
  bool per_key;

  // Rows [row, row + count) of the state of one head. The mask is per batch entry and step.
  void run(int64_t b, int64_t h, int64_t row, int64_t count) const {
    T* s = state + ((b * heads + h) * value_size + row) * key_size;
    int64_t key_head = h / (heads / key_heads);
    for (int64_t t = 0; t < time; t++) {
      int64_t step = b * time + t, here = step * heads + h;
      T* o = out + here * value_size + row;
      if (mask && !mask[step]) {
        std::fill_n(o, count, T(0));
        continue;
      }
      const T *kt = k + (step * key_heads + key_head) * key_size,
              *qt = q + (step * key_heads + key_head) * key_size;
      for (int64_t r = 0; r < count; r++) {
        T* sr = s + r * key_size;
        if (per_key) {
          const T* g = gamma + here * key_size;
          for (int64_t i = 0; i < key_size; i++) sr[i] *= g[i];
        } else {
          for (int64_t i = 0; i < key_size; i++) sr[i] *= gamma[here];
        }
        T delta = beta[here] * (v[here * value_size + row + r] - dot(sr, kt, key_size));
        for (int64_t i = 0; i < key_size; i++) sr[i] += delta * kt[i];
        o[r] = dot(sr, qt, key_size);
      }
    }
  }
};

template <typename T>
void run(bool has_mask, InputSpan in, OutputSpan outputs) {
  array &out = outputs[0], &state = outputs[1];
  copy_row_major(in[5], state);
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array q = row_major(in[0]), k = row_major(in[1]), v = row_major(in[2]), gamma = row_major(in[3]),
        beta = row_major(in[4]);
  std::optional<array> mask;
  if (has_mask) mask = row_major(in[6]);
  Dtype wide = state.dtype();
  bool narrow = v.dtype() != wide;
  size_t wide_bytes = narrow ? v.size() * sizeof(T) : 0;
  Scratch values(wide_bytes), results(wide_bytes);
  if (narrow) convert_block(v.data<void>(), v.dtype(), values.data(), wide, static_cast<int64_t>(v.size()));
  DeltaRun<T> r{q.data<T>(),
                k.data<T>(),
                narrow ? values.data<T>() : v.data<T>(),
                gamma.data<T>(),
                beta.data<T>(),
                mask ? mask->data<bool>() : nullptr,
                state.data<T>(),
                narrow ? results.data<T>() : out.data<T>(),
                q.shape(1),
                q.shape(2),
                q.shape(3),
                v.shape(2),
                v.shape(3),
                gamma.ndim() == 4};
  int64_t blocks = ceil_div(r.value_size, kTaskRows), tasks = q.shape(0) * r.heads * blocks;
  int64_t cost = r.time * r.key_size * kTaskRows;
  parallel_for(tasks, std::max<int64_t>(1, 16384 / std::max<int64_t>(cost, 1)), [&](int64_t i) {
    int64_t row = i % blocks * kTaskRows, head = i / blocks;
    r.run(head / r.heads, head % r.heads, row, std::min(kTaskRows, r.value_size - row));
  });
  if (narrow)
    convert_block(results.data(), wide, out.data<void>(), out.dtype(), static_cast<int64_t>(out.size()));
}

}  // namespace

void eval(GatedDeltaUpdate& primitive, InputSpan inputs, OutputSpan outputs) {
  if (outputs[1].dtype() == float64)
    run<double>(primitive.has_mask(), inputs, outputs);
  else
    run<float>(primitive.has_mask(), inputs, outputs);
}

}  // namespace mlx::core::cpu
