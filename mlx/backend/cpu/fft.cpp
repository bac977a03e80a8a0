// FFT: axis by axis, complex values in place. Lines that lie side by side are the lanes of the
// kernels, so that no axis has to be moved.

#include <algorithm>
#include <cmath>
#include <complex>

#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/fft_plan.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/backend/cpu/scratch.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/fft_primitive.h"

namespace mlx::core::cpu {

namespace {

using Complex = std::complex<float>;

constexpr int64_t chunk_values = 8192;
constexpr int64_t few_lines = 4;

// `outer` groups of `count` lines; strides count complex elements.
struct Lines {
  const Complex* in;
  Complex* out;
  int64_t outer, in_outer, out_outer;
  int64_t count;
  FftPlace from, to;
};

struct Work {
  bool inverse;
  float scale;
};

const float* floats(const Complex* z) { return reinterpret_cast<const float*>(z); }
float* floats(Complex* z) { return reinterpret_cast<float*>(z); }

void transform_lines(const TransformPlan& plan, const Lines& lines, const Work& work);

// Blocks of lanes. `factors` belong to the first of two steps.
void run_direct(const TransformPlan& plan, const Lines& lines, const Work& work,
                const TransformPlan* factors = nullptr) {
  const FftKernels& fft = kernels().fft;
  int64_t lanes = fft.lanes, blocks = ceil_div(lines.count, lanes);
  int64_t grain = std::max<int64_t>(1, chunk_values / (plan.n * lanes));
  parallel_chunks(lines.outer * blocks, grain, [&](int64_t begin, int64_t end) {
    Scratch scratch(static_cast<size_t>(4 * plan.n * lanes) * sizeof(float));
    for (int64_t i = begin; i < end; i++) {
      int64_t block = i % blocks, first = block * lanes, group = i / blocks;
      FftFinish finish{work.scale, nullptr, 0, nullptr};
      if (factors)
        finish = {work.scale, factors->factors.data(), block, factors->lane_factors.data()};
      fft.run(plan.direct, floats(lines.in + group * lines.in_outer + first * lines.from.lane),
              lines.from, floats(lines.out + group * lines.out_outer + first * lines.to.lane),
              lines.to, static_cast<int>(std::min(lanes, lines.count - first)), work.inverse,
              finish, scratch.data<float>());
    }
  });
}

// Calls body(input, output) for each line.
template <typename F>
void for_each_line(const Lines& lines, F body) {
  parallel_for(lines.outer * lines.count, 1, [&](int64_t i) {
    int64_t group = i / lines.count, line = i % lines.count;
    body(lines.in + group * lines.in_outer + line * lines.from.lane,
         lines.out + group * lines.out_outer + line * lines.to.lane);
  });
}

// A line as a matrix of first->n rows: its columns, times the factors, then its rows.
void run_two_steps(const TransformPlan& plan, const Lines& lines, const Work& work) {
  int64_t n1 = plan.first->n, n2 = plan.second->n;
  for_each_line(lines, [&](const Complex* in, Complex* out) {
    Scratch scratch(static_cast<size_t>(plan.n) * sizeof(Complex));
    Complex* middle = scratch.data<Complex>();
    int64_t from = lines.from.step, to = lines.to.step;
    run_direct(*plan.first, {in, middle, 1, 0, 0, n2, {n2 * from, from}, {n2, 1}},
               {work.inverse, 1}, &plan);
    run_direct(*plan.second, {middle, out, 1, 0, 0, n1, {1, n2}, {n1 * to, to}}, work);
  });
}

// x[k] c[k], convolved with the conjugate of c, times c[k].
void convolve_line(const TransformPlan& plan, const Lines& lines, const Work& work,
                   const Complex* in, Complex* out) {
  const FftKernels& fft = kernels().fft;
  int64_t n = plan.n, size = plan.convolution->n, from = lines.from.step, to = lines.to.step;
  Scratch scratch(static_cast<size_t>(size) * sizeof(Complex));
  Complex* x = scratch.data<Complex>();
  if (from != 1) {
    for (int64_t k = 0; k < n; k++) x[k] = in[k * from];
    in = x;
  }
  fft.multiply(floats(in), plan.chirp.data(), floats(x), n, work.inverse);
  std::fill(x + n, x + size, Complex(0));
  Lines whole{x, x, 1, 0, 0, 1, {1, size}, {1, size}};
  transform_lines(*plan.convolution, whole, {false, 1});
  fft.multiply(floats(x), plan.chirp_spectrum.data(), floats(x), size, false);
  transform_lines(*plan.convolution, whole, {true, work.scale});
  fft.multiply(floats(x), plan.chirp.data(), floats(x), n, false);
  for (int64_t k = 0; k < n; k++) out[k * to] = work.inverse ? std::conj(x[k]) : x[k];
}

void transform_lines(const TransformPlan& plan, const Lines& lines, const Work& work) {
  if (!plan.is_direct()) {
    for_each_line(
        lines, [&](const Complex* in, Complex* out) { convolve_line(plan, lines, work, in, out); });
  } else if (plan.first && (plan.n > most_direct || lines.count < few_lines)) {
    run_two_steps(plan, lines, work);
  } else {
    run_direct(plan, lines, work);
  }
}

// An array of outer x n x inner values, transformed along the middle axis.
struct Block {
  int64_t outer, n, inner;
  int64_t half() const { return n / 2 + 1; }
  int64_t size() const { return outer * n * inner; }
};
Block block_of(const Shape& shape, int axis) {
  Block block{1, shape[axis], 1};
  for (int i = 0; i < static_cast<int>(shape.size()); i++) {
    if (i < axis) block.outer *= shape[i];
    if (i > axis) block.inner *= shape[i];
  }
  return block;
}

void transform_block(const Complex* in, Complex* out, const Block& block, const Work& work) {
  auto [outer, n, inner] = block;
  auto plan = transform_plan(n);
  if (inner == 1) transform_lines(*plan, {in, out, 1, 0, 0, outer, {1, n}, {1, n}}, work);
  else transform_lines(*plan, {in, out, outer, n * inner, n * inner, inner, {inner, 1}, {inner, 1}}, work);
}

// Calls body(first row, rows) for groups of rows that stay in the cache: whole blocks of lanes, the last one takes what
// is left, so that no row's way depends on the threads.
template <typename F>
void for_row_groups(int64_t rows, int64_t n, F body) {
  int64_t lanes = kernels().fft.lanes, size = lanes * std::max<int64_t>(1, chunk_values / (n * lanes));
  int64_t groups = std::max<int64_t>(1, rows / size);
  parallel_for(groups, 1, [&](int64_t g) { body(g * size, g + 1 == groups ? rows - g * size : size); });
}

// Real rows of even length n are complex ones of n / 2; the spectra of their even and odd elements
// are told apart by symmetry.
void spectrum_of_rows(const float* in, Complex* out, int64_t rows, int64_t n, float scale) {
  int64_t h = n / 2;
  auto plan = transform_plan(h);
  auto turns = half_turns(h);
  auto* packed = reinterpret_cast<const Complex*>(in);
  for_row_groups(rows, n, [&](int64_t first, int64_t count) {
    Complex* group = out + first * (h + 1);
    transform_lines(*plan, {packed + first * h, group, 1, 0, 0, count, {1, h}, {1, h + 1}}, {false, scale});
    for (Complex* x = group; x < group + count * (h + 1); x += h + 1) {
      Complex z = x[0];
      x[0] = z.real() + z.imag();
      x[h] = z.real() - z.imag();
      kernels().fft.fold(floats(x), floats(x), h, turns->data(), false);
    }
  });
}

void rows_of_spectrum(const Complex* in, float* out, int64_t rows, int64_t n, float scale) {
  int64_t h = n / 2;
  auto plan = transform_plan(h);
  auto turns = half_turns(h);
  for_row_groups(rows, n, [&](int64_t first, int64_t count) {
    Complex* group = reinterpret_cast<Complex*>(out) + first * h;
    for (int64_t r = 0; r < count; r++) {
      const Complex* x = in + (first + r) * (h + 1);
      Complex* z = group + r * h;
      z[0] = {x[0].real() + x[h].real(), x[0].real() - x[h].real()};
      kernels().fft.fold(floats(x), floats(z), h, turns->data(), true);
    }
    transform_lines(*plan, {group, group, 1, 0, 0, count, {1, h}, {1, h}}, {true, scale});
  });
}

// Calls body(row, first, n) for runs of elements that make up `rows` rows of `length` elements.
template <typename F>
void for_runs(int64_t rows, int64_t length, F body) {
  parallel_chunks(rows * length, chunk_values, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      int64_t first = begin % length, n = std::min(length - first, end - begin);
      body(begin / length, first, n);
      begin += n;
    }
  });
}

// Real blocks as complex ones, of whose spectra one half is kept.
void spectrum_of_block(const float* in, Complex* out, const Block& block, float scale) {
  int64_t row = block.n * block.inner, half = block.half() * block.inner;
  Scratch scratch(static_cast<size_t>(block.size()) * sizeof(Complex));
  Complex* whole = scratch.data<Complex>();
  for_runs(1, block.size(), [&](int64_t, int64_t at, int64_t n) { std::copy_n(in + at, n, whole + at); });
  transform_block(whole, whole, block, {false, scale});
  for_runs(block.outer, half, [&](int64_t o, int64_t at, int64_t n) {
    std::copy_n(whole + o * row + at, n, out + o * half + at);
  });
}

void block_of_spectrum(const Complex* in, float* out, const Block& block, float scale) {
  int64_t inner = block.inner, row = block.n * inner, half = block.half() * inner;
  Scratch scratch(static_cast<size_t>(block.size()) * sizeof(Complex));
  Complex* whole = scratch.data<Complex>();
  for_runs(block.outer, half, [&](int64_t o, int64_t at, int64_t n) {
    std::copy_n(in + o * half + at, n, whole + o * row + at);
  });
  for_runs(block.outer, row - half, [&](int64_t o, int64_t at, int64_t n) {
    Complex* to = whole + o * row + half + at;
    const Complex* from = in + o * half;
    int64_t k = block.n - block.half() - at / inner, first = at % inner;
    if (inner == 1) {
      for (int64_t i = 0; i < n; i++) to[i] = std::conj(from[k - i]);
      return;
    }
    for (Complex* end = to + n; to < end; k--, first = 0) {
      int64_t part = std::min<int64_t>(inner - first, end - to);
      for (int64_t i = 0; i < part; i++) to[i] = std::conj(from[k * inner + first + i]);
      to += part;
    }
  });
  transform_block(whole, whole, block, {true, scale});
  for_runs(1, block.size(), [&](int64_t, int64_t at, int64_t n) {
    for (int64_t i = at; i < at + n; i++) out[i] = whole[i].real();
  });
}

void spectrum_of_axis(const float* in, Complex* out, const Block& block, float scale) {
  if (block.inner > 1) return spectrum_of_block(in, out, block, scale);
  if (block.n % 2 == 0) return spectrum_of_rows(in, out, block.outer, block.n, scale);
  for_row_groups(block.outer, block.n, [&](int64_t first, int64_t count) {
    spectrum_of_block(in + first * block.n, out + first * block.half(), {count, block.n, 1}, scale);
  });
}

void axis_of_spectrum(const Complex* in, float* out, const Block& block, float scale) {
  if (block.inner > 1) return block_of_spectrum(in, out, block, scale);
  if (block.n % 2 == 0) return rows_of_spectrum(in, out, block.outer, block.n, scale);
  for_row_groups(block.outer, block.n, [&](int64_t first, int64_t count) {
    block_of_spectrum(in + first * block.half(), out + first * block.n, {count, block.n, 1}, scale);
  });
}

// The other axes, the last one of `axes` excepted where it is real; only the first pass moves the
// values.
void transform_axes(const FFT& p, const Complex* in, Complex* out, const Shape& shape, size_t count,
                    float scale) {
  for (size_t i = count; i-- > 0;) {
    transform_block(in, out, block_of(shape, p.axes()[i]), {p.inverse(), i == 0 ? scale : 1.0f});
    in = out;
  }
}

float scale_of(const FFT& p, const Shape& shape) {
  double size = 1;
  for (int axis : p.axes()) size *= static_cast<double>(shape[axis]);
  return static_cast<float>(std::pow(size, -0.5 * p.scaling()));
}

}  // namespace

void eval(FFT& p, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array in = row_major(inputs[0]);
  size_t others = p.axes().size() - 1;
  int last = p.axes().back();
  float scale = scale_of(p, p.real() && !p.inverse() ? in.shape() : out.shape());
  if (!p.real()) {
    transform_axes(p, in.data<Complex>(), out.data<Complex>(), in.shape(), others + 1, scale);
  } else if (!p.inverse()) {
    spectrum_of_axis(in.data<float>(), out.data<Complex>(), block_of(in.shape(), last),
                     others ? 1.0f : scale);
    transform_axes(p, out.data<Complex>(), out.data<Complex>(), out.shape(), others, scale);
  } else {
    Scratch scratch(others ? in.nbytes() : 0);
    const Complex* spectrum = in.data<Complex>();
    if (others) {
      transform_axes(p, spectrum, scratch.data<Complex>(), in.shape(), others, 1.0f);
      spectrum = scratch.data<Complex>();
    }
    axis_of_spectrum(spectrum, out.data<float>(), block_of(out.shape(), last), scale);
  }
}

}  // namespace mlx::core::cpu
