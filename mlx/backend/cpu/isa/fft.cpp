// Stockham's transform on lanes: value k of all lanes is one register of real and one of imaginary
// parts. The conjugate transform exchanges the two on the way in and out.
#include "mlx/backend/cpu/isa/fft.h"

#include "mlx/backend/cpu/isa/fft_butterfly.h"
#include "mlx/backend/cpu/isa/fft_rows.h"
#include "mlx/backend/cpu/isa/interleave.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int L = kF32Lanes;         // lanes
constexpr int P = 2 * L;             // floats of a value of all lanes
constexpr int N = kVectorBytes / 8;  // complex elements of a register
using U64s = Vec<uint64_t, N>;

MLX_INLINE Complex get(const float* from) { return {load<F32>(from), load<F32>(from + L)}; }
MLX_INLINE void put(float* to, Complex z) {
  store(to, z.re);
  store(to + L, z.im);
}
MLX_INLINE void put_turned(float* to, Complex z, bool inverse) {
  put(to, inverse ? Complex{z.im, z.re} : z);
}

// Lanes side by side in memory.
void read_columns(const float* input, int64_t step, int64_t n, int count, bool inverse,
                  float* values) {
  for (int64_t k = 0; k < n; k++) {
    const float* from = input + 2 * k * step;
    float padded[P];
    if (count < L) {
      for (int i = 0; i < P; i++) padded[i] = i < 2 * count ? from[i] : 0.0f;
      from = padded;
    }
    put_turned(values + k * P, part(load<F32>(from), load<F32>(from + L)), inverse);
  }
}
void write_columns(const float* values, int64_t step, int64_t n, int count, float* output) {
  for (int64_t k = 0; k < n; k++) {
    Joined z = join(get(values + k * P));
    float* to = output + 2 * k * step;
    if (count == L) {
      store(to, z.low);
      store(to + L, z.high);
      continue;
    }
    float padded[P];
    store(padded, z.low);
    store(padded + L, z.high);
    for (int i = 0; i < 2 * count; i++) to[i] = padded[i];
  }
}

// Transforms contiguous in memory: tiles of N rows are transposed in registers. Lanes that are not
// there read the last.
void read_rows(const float* input, int64_t lane, int64_t n, int count, bool inverse,
               float* values) {
  auto row = [&](int l) { return input + 2 * lane * (l < count ? l : count - 1); };
  int64_t k = 0;
  for (; k + N <= n; k += N) {
    U64s low[N], high[N];
#pragma GCC unroll 8
    for (int i = 0; i < N; i++) {
      low[i] = load<U64s>(row(i) + 2 * k);
      high[i] = load<U64s>(row(N + i) + 2 * k);
    }
    transpose_registers<U64s, N>(low);
    transpose_registers<U64s, N>(high);
#pragma GCC unroll 8
    for (int i = 0; i < N; i++)
      put_turned(values + (k + i) * P, part(bit_cast<F32>(low[i]), bit_cast<F32>(high[i])),
                 inverse);
  }
  for (; k < n; k++) {
    for (int l = 0; l < L; l++) {
      values[k * P + (inverse ? L : 0) + l] = row(l)[2 * k];
      values[k * P + (inverse ? 0 : L) + l] = row(l)[2 * k + 1];
    }
  }
}
void write_rows(const float* values, int64_t lane, int64_t n, int count, float* output) {
  int64_t k = 0;
  for (; k + N <= n; k += N) {
    U64s low[N], high[N];
#pragma GCC unroll 8
    for (int i = 0; i < N; i++) {
      Joined z = join(get(values + (k + i) * P));
      low[i] = bit_cast<U64s>(z.low);
      high[i] = bit_cast<U64s>(z.high);
    }
    transpose_registers<U64s, N>(low);
    transpose_registers<U64s, N>(high);
    for (int i = 0; i < N; i++) {
      if (i < count) store(output + 2 * (i * lane + k), low[i]);
      if (N + i < count) store(output + 2 * ((N + i) * lane + k), high[i]);
    }
  }
  for (; k < n; k++) {
    for (int l = 0; l < count; l++) {
      output[2 * (l * lane + k)] = values[k * P + l];
      output[2 * (l * lane + k) + 1] = values[k * P + L + l];
    }
  }
}

void read_any(const float* input, FftPlace from, int64_t n, int count, bool inverse,
              float* values) {
  for (int64_t k = 0; k < n; k++) {
    for (int l = 0; l < L; l++) {
      const float* z = input + 2 * (k * from.step + (l < count ? l : count - 1) * from.lane);
      values[k * P + (inverse ? L : 0) + l] = z[0];
      values[k * P + (inverse ? 0 : L) + l] = z[1];
    }
  }
}
void write_any(const float* values, FftPlace to, int64_t n, int count, float* output) {
  for (int64_t k = 0; k < n; k++) {
    for (int l = 0; l < count; l++) {
      float* z = output + 2 * (k * to.step + l * to.lane);
      z[0] = values[k * P + l];
      z[1] = values[k * P + L + l];
    }
  }
}

// Butterflies of values that lie `groups * stride` apart; `stride` is the product of the radices
// before.
template <int R>
void run_pass(const FftPass& pass, int64_t stride, const float* from, float* to) {
  int64_t apart = pass.groups * stride * P;
  for (int64_t g = 0; g < pass.groups; g++) {
    const float* w = pass.twiddles + 2 * (R - 1) * g;
    const float* x = from + g * stride * P;
    float* y = to + g * stride * R * P;
    for (int64_t q = 0; q < stride; q++) {
      Complex a[R];
#pragma GCC unroll 13
      for (int k = 0; k < R; k++) a[k] = get(x + q * P + k * apart);
      butterfly(a);
      put(y + q * P, a[0]);
#pragma GCC unroll 12
      for (int k = 1; k < R; k++) {
        if (g > 0) a[k] = times(a[k], w[2 * k - 2], w[2 * k - 1]);
        put(y + (q + k * stride) * P, a[k]);
      }
    }
  }
}

// The same for a prime without a butterfly of its own: by the sums and differences of values that a turn and its
// opposite meet.
void run_prime_pass(const FftPass& pass, int64_t stride, const float* from, float* to) {
  int R = pass.radix, half = R / 2;
  int64_t apart = pass.groups * stride * P;
  Complex sum[kMostFftRadix / 2], difference[kMostFftRadix / 2];
  for (int64_t g = 0; g < pass.groups; g++) {
    const float* w = pass.twiddles + 2 * (R - 1) * g;
    for (int64_t q = 0; q < stride; q++) {
      const float* x = from + (g * stride + q) * P;
      float* y = to + (g * stride * R + q) * P;
      Complex first = get(x), total = first;
      for (int k = 1; k <= half; k++) {
        Complex a = get(x + k * apart), b = get(x + (R - k) * apart);
        sum[k - 1] = a + b;
        difference[k - 1] = a - b;
        total = total + sum[k - 1];
      }
      put(y, total);
      for (int j = 1; j <= half; j++) {
        Complex even = first, odd = {};
        for (int k = 1, turn = j; k <= half; k++, turn = turn + j < R ? turn + j : turn + j - R) {
          float c = pass.circle[2 * turn], s = pass.circle[2 * turn + 1];
          even.re += sum[k - 1].re * c;
          even.im += sum[k - 1].im * c;
          odd.re += difference[k - 1].re * s;
          odd.im += difference[k - 1].im * s;
        }
        odd = times_minus_i(odd);
        put(y + j * stride * P, times(even + odd, w[2 * j - 2], w[2 * j - 1]));
        put(y + (R - j) * stride * P, times(even - odd, w[2 * (R - j) - 2], w[2 * (R - j) - 1]));
      }
    }
  }
}

void run_pass(const FftPass& pass, int64_t stride, const float* from, float* to) {
  switch (pass.radix) {
    case 2:
      return run_pass<2>(pass, stride, from, to);
    case 3:
      return run_pass<3>(pass, stride, from, to);
    case 4:
      return run_pass<4>(pass, stride, from, to);
    case 5:
      return run_pass<5>(pass, stride, from, to);
    case 7:
      return run_pass<7>(pass, stride, from, to);
    case 8:
      return run_pass<8>(pass, stride, from, to);
    case 11:
      return run_pass<11>(pass, stride, from, to);
    case 13:
      return run_pass<13>(pass, stride, from, to);
    default:
      return run_prime_pass(pass, stride, from, to);
  }
}

void finish_values(const FftFinish& finish, int64_t n, bool inverse, float* values) {
  if (!inverse && finish.scale == 1 && !finish.factor) return;
  for (int64_t k = 0; k < n; k++) {
    Complex z = get(values + k * P);
    if (finish.factor) {
      const float* w = finish.factor + 2 * k * finish.factor_step;
      Complex lanes = times(get(finish.lane_factor + k * P), w[0], w[1]);
      z = times(z, lanes.re, lanes.im);
    }
    if (finish.scale != 1) z = {z.re * finish.scale, z.im * finish.scale};
    put_turned(values + k * P, z, inverse);
  }
}

void run(const FftPlan& plan, const float* input, FftPlace from, float* output, FftPlace to,
         int count, bool inverse, const FftFinish& finish, float* work) {
  float *values = work, *next = work + plan.n * P;
  if (from.lane == 1)
    read_columns(input, from.step, plan.n, count, inverse, values);
  else if (from.step == 1)
    read_rows(input, from.lane, plan.n, count, inverse, values);
  else
    read_any(input, from, plan.n, count, inverse, values);
  int64_t stride = 1;
  for (int i = 0; i < plan.passes; i++) {
    run_pass(plan.pass[i], stride, values, next);
    stride *= plan.pass[i].radix;
    float* done = next;
    next = values;
    values = done;
  }
  finish_values(finish, plan.n, inverse, values);
  if (to.lane == 1)
    write_columns(values, to.step, plan.n, count, output);
  else if (to.step == 1)
    write_rows(values, to.lane, plan.n, count, output);
  else
    write_any(values, to, plan.n, count, output);
}

}  // namespace

extern const FftKernels fft_kernels{L, run, fold, multiply};

}  // namespace mlx::core::cpu::MLX_ISA
