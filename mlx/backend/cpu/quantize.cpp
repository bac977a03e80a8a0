// Packing and unpacking of quantized arrays, and conversion to and from 8-bit floats.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/quantized.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kTaskElements = 8 * 1024;

// One group: its codes, and its scale as number, or as byte where the mode has bytes.
struct Group {
  float scale, bias;
  uint8_t scale_byte;
  uint8_t codes[128];
};

// The best of n numbers, n a multiple of 8: eight at a time, so that they stay in vectors.
template <typename F>
float best_of(const float* x, int64_t n, float start, F better) {
  float lanes[8];
  std::fill_n(lanes, 8, start);
  for (int64_t i = 0; i < n; i += 8) {
    for (int k = 0; k < 8; k++) lanes[k] = better(lanes[k], x[i + k]);
  }
  for (int k = 1; k < 8; k++) lanes[0] = better(lanes[0], lanes[k]);
  return lanes[0];
}

void quantize_affine(const Quantization& q, const float* x, Group& g) {
  constexpr float smallest = 1e-7f;
  float highest = best_of(x, q.group_size, x[0], [](float a, float b) { return a < b ? b : a; });
  float lowest = best_of(x, q.group_size, x[0], [](float a, float b) { return b < a ? b : a; });
  float codes = static_cast<float>((1 << q.bits) - 1);
  if (q.bits == 1) {
    g.scale = std::max(highest - lowest, smallest);
    g.bias = lowest;
  } else {
    bool negative = std::fabs(lowest) > std::fabs(highest);
    g.scale = std::max((highest - lowest) / codes, smallest);
    if (!negative) g.scale = -g.scale;
    float edge = negative ? lowest : highest, zero = std::rint(edge / g.scale);
    g.bias = 0;
    if (zero != 0) {
      g.scale = edge / zero;
      g.bias = edge;
    }
  }
  float scale = g.scale, bias = g.bias;
  for (int i = 0; i < q.group_size; i++) {
    float code = (x[i] - bias) / scale;
    code = code > 0 ? code : 0;  // NaN too
    g.codes[i] = static_cast<uint8_t>(nearest_byte(code < codes ? code : codes));
  }
}

// The nearest of 0 0.5 1 1.5 2 3 4 6, the smaller one of two; no negative zero.
uint8_t encode_fp4(float x) {
  float a = std::fabs(x);
  int code = (a > 0.25f) + (a > 0.75f) + (a > 1.25f) + (a > 1.75f) + (a > 2.5f) + (a > 3.5f) + (a > 5.0f);
  int sign = x < -0.25f ? 8 : 0;
  return static_cast<uint8_t>(code | sign);
}

float rounded_to(float x, Dtype dtype) {
  if (dtype == float16) return static_cast<float>(float16_t(x));
  if (dtype == bfloat16) return static_cast<float>(bfloat16_t(x));
  return x;
}

// The power of two that brings the largest magnitude within the range of the codes.
uint8_t power_scale(float largest, float range, Dtype dtype) {
  float quotient = rounded_to(largest / range, dtype);
  if (!(quotient > 0)) return 127;
  if (std::isinf(quotient)) return 254;
  int exponent;
  float fraction = std::frexp(quotient, &exponent);
  return static_cast<uint8_t>(std::clamp((fraction == 0.5f ? exponent - 1 : exponent) + 127, 0, 255));
}

void quantize_float(const Quantization& q, const float* x, double global, Dtype dtype, Group& g) {
  float largest = best_of(x, q.group_size, 0, [](float a, float b) {
    float magnitude = std::fabs(b);
    return a < magnitude ? magnitude : a;
  });
  bool fp8 = q.mode == QuantizationMode::Mxfp8;
  if (q.mode == QuantizationMode::Nvfp4) {
    float factor = static_cast<float>(global / kGlobalRange), quotient = largest / 6;
    if (global != 0) quotient = quotient / factor;
    g.scale_byte = encode_fp8(quotient);
    g.scale = decode_fp8(g.scale_byte);
    if (global != 0) g.scale *= factor;
  } else {
    g.scale_byte = power_scale(largest, fp8 ? 448.0f : 6.0f, dtype);
    g.scale = scale_of_byte(q, g.scale_byte);
  }
  g.bias = 0;
  float scale = g.scale;
  if (fp8) {
    for (int i = 0; i < q.group_size; i++) g.codes[i] = encode_fp8(x[i] / scale);
  } else if (q.mode == QuantizationMode::Nvfp4 && g.scale_byte == 0) {
    std::fill_n(g.codes, q.group_size, uint8_t(0));
  } else {
    for (int i = 0; i < q.group_size; i++) g.codes[i] = encode_fp4(x[i] / scale);
  }
}

void quantize_group(const Quantization& q, const float* x, double global, Dtype dtype, Group& g) {
  if (q.affine())
    quantize_affine(q, x, g);
  else
    quantize_float(q, x, global, dtype, g);
}

// Codes as a little-endian stream of bits, eight codes in `bits` bytes.
void pack(const Quantization& q, const Group& g, uint8_t* to) {
  for (int i = 0; i < q.group_size; i += 8) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= uint64_t(g.codes[i + k]) << (k * q.bits);
    for (int k = 0; k < q.bits; k++) *to++ = static_cast<uint8_t>(word >> (8 * k));
  }
}

// The global scale of one element, 0 where there is none.
double global_of(InputSpan inputs) { return inputs.size() > 1 ? double(inputs[1].data<float>()[0]) : 0; }

// Calls f(row, numbers as float) for each run of rows of the last axis.
template <typename F>
void for_each_row(const array& x, F f) {
  int64_t n = x.shape(-1), rows = static_cast<int64_t>(x.size()) / n,
          item = static_cast<int64_t>(x.itemsize());
  parallel_chunks(rows, std::max<int64_t>(1, kTaskElements / n), [&](int64_t begin, int64_t end) {
    Scratch numbers(n * 4);
    for (int64_t row = begin; row < end; row++) {
      convert_block(x.data<char>() + row * n * item, x.dtype(), numbers.data(), float32, n);
      f(row, numbers.data<float>());
    }
  });
}

PackedMatrix matrix_of(const Quantization& q, const array& w, const array& scales, const array* biases,
                       const array* global) {
  PackedMatrix m = packed_matrix(q, w, scales, biases, global, 0);
  m.rows = static_cast<int64_t>(scales.size()) / std::max<int64_t>(m.groups, 1);
  return m;
}

template <typename T>
void unpack_all(const PackedMatrix& m, array& out) {
  Dtype wide = std::is_same_v<T, double> ? float64 : float32;
  int64_t n = m.elements(), item = static_cast<int64_t>(out.itemsize());
  parallel_chunks(m.rows, std::max<int64_t>(1, kTaskElements / n), [&](int64_t begin, int64_t end) {
    Scratch numbers(n * sizeof(T));
    T* values = numbers.data<T>();
    for (int64_t row = begin; row < end; row++) {
      decode_row(m, row, 0, n, values);
      convert_block(values, wide, out.data<char>() + row * n * item, out.dtype(), n);
    }
  });
}

}  // namespace

void eval(Quantize& primitive, InputSpan inputs, OutputSpan outputs) {
  const Quantization& q = primitive.quantization();
  for (array& out : outputs) out.set_data(allocator::malloc(out.nbytes()));
  array w = row_major(inputs[0]);
  if (w.size() == 0) return;
  double global = global_of(inputs);
  int64_t groups = w.shape(-1) / q.group_size, bytes = q.group_size * q.bits / 8;
  for_each_row(w, [&](int64_t row, const float* numbers) {
    Scratch memory(groups * 8);
    float *scales = memory.data<float>(), *biases = scales + groups;
    for (int64_t g = 0; g < groups; g++) {
      Group group;
      quantize_group(q, numbers + g * q.group_size, global, w.dtype(), group);
      pack(q, group, outputs[0].data<uint8_t>() + (row * groups + g) * bytes);
      scales[g] = group.scale;
      biases[g] = group.bias;
      if (!q.affine()) outputs[1].data<uint8_t>()[row * groups + g] = group.scale_byte;
    }
    if (!q.affine()) return;
    int64_t at = row * groups * static_cast<int64_t>(w.itemsize());
    convert_block(scales, float32, outputs[1].data<char>() + at, w.dtype(), groups);
    convert_block(biases, float32, outputs[2].data<char>() + at, w.dtype(), groups);
  });
}

void eval(Dequantize& primitive, InputSpan inputs, OutputSpan outputs) {
  const Quantization& q = primitive.quantization();
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array w = row_major(inputs[0]), scales = row_major(inputs[1]);
  array third = row_major(inputs.back());
  PackedMatrix m = matrix_of(q, w, scales, q.affine() ? &third : nullptr,
                             !q.affine() && inputs.size() > 2 ? &third : nullptr);
  if (out.dtype() == float64 || scales.dtype() == float64)
    unpack_all<double>(m, out);
  else
    unpack_all<float>(m, out);
}

void eval(RoundToQuantized& primitive, InputSpan inputs, OutputSpan outputs) {
  const Quantization& q = primitive.quantization();
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array x = row_major(inputs[0]);
  double global = global_of(inputs);
  auto decode = kernels().quantized.float32.decode[static_cast<int>(code_kind(q))][q.bits];
  for_each_row(x, [&](int64_t row, const float* numbers) {
    float* to = out.data<float>() + row * x.shape(-1);
    for (int64_t i = 0; i < x.shape(-1); i += q.group_size) {
      Group group;
      uint8_t packed[128];
      quantize_group(q, numbers + i, global, x.dtype(), group);
      pack(q, group, packed);
      double bias = rounded_to(group.bias, x.dtype());
      double scale = q.affine() ? rounded_to(group.scale, x.dtype()) : group.scale;
      decode(packed, q.group_size, scale, q.affine() ? &bias : nullptr, to + i);
    }
  });
}

void eval(ConvertFP8&, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  array x = row_major(inputs[0]);
  out.set_data(allocator::malloc(out.nbytes()));
  bool encodes = out.dtype() == uint8;
  parallel_chunks(static_cast<int64_t>(x.size()), kTaskElements, [&](int64_t begin, int64_t end) {
    constexpr int64_t kRun = 1024;
    float numbers[kRun];
    for (int64_t i = begin; i < end; i += kRun) {
      int64_t n = std::min(kRun, end - i);
      const char* from = x.data<char>() + i * static_cast<int64_t>(x.itemsize());
      char* to = out.data<char>() + i * static_cast<int64_t>(out.itemsize());
      if (encodes) {
        convert_block(from, x.dtype(), numbers, float32, n);
        for (int64_t j = 0; j < n; j++) to[j] = static_cast<char>(encode_fp8(numbers[j]));
      } else {
        auto decode = kernels().quantized.float32.decode[static_cast<int>(CodeKind::fp8)][8];
        uint8_t padded[8] = {};
        int64_t whole = n / 8 * 8;
        decode(from, whole, 1, nullptr, numbers);
        if (whole < n) {
          float rest[8];
          std::memcpy(padded, from + whole, static_cast<size_t>(n - whole));
          decode(padded, 8, 1, nullptr, rest);
          std::copy_n(rest, n - whole, numbers + whole);
        }
        convert_block(numbers, float32, to, out.dtype(), n);
      }
    }
  });
}

}  // namespace mlx::core::cpu
