// See quantized.h. Few rows of x meet the codes in registers; many rows meet panels of unpacked numbers in
// the packed matrix product.

#include "mlx/backend/cpu/quantized.h"

#include <algorithm>
#include <cmath>

#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/gemm.h"
#include "mlx/backend/cpu/gemm_core.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kThinRows = 8;
constexpr int64_t kTaskCodes = 64 * 1024;
constexpr int64_t kTileRows = 192;
constexpr int64_t kTilePanels = 8;
constexpr int64_t kRowColumns = 64;  // columns unpacked together where rows of codes are rows of the matrix

template <typename T>
constexpr bool is_double = std::is_same_v<T, double>;

template <typename T>
Dtype dtype_of() {
  return is_double<T> ? float64 : float32;
}

template <typename T>
const QuantizedTypeKernels& kernels_of() {
  return is_double<T> ? kernels().quantized.float64 : kernels().quantized.float32;
}

}  // namespace

float decode_fp8(uint8_t code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  float a = exponent == 0 ? std::ldexp(float(mantissa), -9) : std::ldexp(float(8 + mantissa), exponent - 10);
  if ((code & 0x7f) == 0x7f) a = std::nanf("");
  return code & 0x80 ? -a : a;
}

CodeKind code_kind(const Quantization& q) {
  constexpr CodeKind kinds[] = {CodeKind::integer, CodeKind::fp4, CodeKind::fp8, CodeKind::fp4};
  return kinds[static_cast<int>(q.mode)];
}

namespace {
struct ScaleTable {
  float values[256];
  template <typename F>
  explicit ScaleTable(F value) {
    for (int i = 0; i < 256; i++) values[i] = value(i);
  }
};
const float* scale_table(const Quantization& q) {
  static const ScaleTable powers([](int i) { return std::ldexp(1.0f, i - 127); });
  static const ScaleTable fp8([](int i) { return decode_fp8(static_cast<uint8_t>(i)); });
  return q.mode == QuantizationMode::Nvfp4 ? fp8.values : powers.values;
}
}  // namespace

float scale_of_byte(const Quantization& q, uint8_t byte) { return scale_table(q)[byte]; }

template <typename T>
void load_scales(const PackedMatrix& w, int64_t row, int64_t first, int64_t count, T* scales, T* biases) {
  int64_t at = (row * w.groups + first) * static_cast<int64_t>(w.scale_dtype.size());
  if (w.q.affine()) {
    convert_block(w.scales + at, w.scale_dtype, scales, dtype_of<T>(), count);
    convert_block(w.biases + at, w.scale_dtype, biases, dtype_of<T>(), count);
    return;
  }
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(w.scales + at);
  const float* table = scale_table(w.q);
  for (int64_t g = 0; g < count; g++) scales[g] = static_cast<T>(table[bytes[g]]);
  if (w.factor != 1) {
    for (int64_t g = 0; g < count; g++) scales[g] *= static_cast<T>(w.factor);
  }
}
template void load_scales(const PackedMatrix&, int64_t, int64_t, int64_t, float*, float*);
template void load_scales(const PackedMatrix&, int64_t, int64_t, int64_t, double*, double*);

template <typename T>
void decode_row(const PackedMatrix& w, int64_t row, int64_t begin, int64_t end, T* out) {
  constexpr int64_t kGroups = 32;  // scales loaded at once
  T scales[kGroups], biases[kGroups];
  auto decode = kernels_of<T>().decode[static_cast<int>(code_kind(w.q))][w.q.bits];
  const uint8_t* codes = w.codes + row * w.row_bytes();
  int64_t size = w.q.group_size, loaded = 0, first = 0;
  for (int64_t i = begin; i < end;) {
    int64_t g = i / size, stop = std::min(end, (g + 1) * size);
    if (g >= loaded) {
      first = g;
      loaded = std::min(g + kGroups, ceil_div(end, size));
      load_scales(w, row, first, loaded - first, scales, biases);
    }
    double bias = w.biases ? double(biases[g - first]) : 0;
    decode(codes + i * w.q.bits / 8, stop - i, double(scales[g - first]), w.biases ? &bias : nullptr,
           out + i - begin);
    i = stop;
  }
}
template void decode_row(const PackedMatrix&, int64_t, int64_t, int64_t, float*);
template void decode_row(const PackedMatrix&, int64_t, int64_t, int64_t, double*);

namespace {

// A few rows of x with every row of codes.
void thin_product(const PackedMatrix& w, const void* x, int64_t m, Dtype dtype, void* out) {
  int64_t k = w.elements(), groups = w.groups, n = w.rows;
  Scratch wide((m * k + m * groups) * sizeof(float));
  float *rows = wide.data<float>(), *sums = rows + m * k;
  convert_block(x, dtype, rows, float32, m * k);
  for (int64_t g = 0; w.biases && g < m * groups; g++) {
    const float* from = rows + g * w.q.group_size;
    float lanes[8] = {};
    for (int64_t i = 0; i < w.q.group_size; i += 8)
      for (int l = 0; l < 8; l++) lanes[l] += from[i + l];
    sums[g] =
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }
  auto dot = kernels().quantized.float32.dot[static_cast<int>(code_kind(w.q))][w.q.bits];
  parallel_chunks(n, std::max<int64_t>(1, kTaskCodes / (k * m)), [&](int64_t begin, int64_t end) {
    int64_t count = end - begin;
    Scratch memory((2 * groups + m * count) * sizeof(float));
    float *scales = memory.data<float>(), *biases = scales + groups, *results = biases + groups;
    for (int64_t row = begin; row < end; row++) {
      load_scales(w, row, 0, groups, scales, biases);
      for (int64_t r = 0; r < m; r += kQuantizedDotRows) {
        dot({w.codes + row * w.row_bytes(), scales, w.biases ? biases : nullptr, groups, w.q.group_size,
             rows + r * k, k, std::min<int64_t>(kQuantizedDotRows, m - r), sums + r * groups,
             results + r * count + row - begin, count});
      }
    }
    for (int64_t r = 0; r < m; r++) {
      char* to = static_cast<char*>(out) + (r * n + begin) * static_cast<int64_t>(dtype.size());
      convert_block(results + r * count, float32, to, dtype, count);
    }
  });
}

// Panels of numbers for the packed product.
template <typename T>
class UnpackedPanels {
 public:
  UnpackedPanels(const PackedMatrix& w, bool transpose, const GemmTypeKernels& wide)
      : w_(w), transpose_(transpose), wide_(wide), numbers_((kRowColumns + 16) * kGemmBlockK * sizeof(T)) {}

  int64_t at_once() const { return transpose_ ? wide_.nr : std::max(wide_.nr, kRowColumns); }

  PanelsOfB get(int64_t k0, int64_t kn, int64_t col, int64_t cols, void* to) {
    T* numbers = numbers_.template data<T>();
    if (transpose_) {
      for (int64_t c = 0; c < cols; c++) decode_row(w_, col + c, k0, k0 + kn, numbers + c * kn);
      wide_.pack_b(numbers, 1, kn, kn, cols, to);
      return {to, 0};
    }
    int64_t begin = col / 8 * 8, end = round_up(col + cols, 8), width = end - begin;
    for (int64_t j = 0; j < kn; j++) decode_row(w_, k0 + j, begin, end, numbers + j * width);
    for (int64_t c = 0; c < cols; c += wide_.nr) {
      wide_.pack_b(numbers + col - begin + c, width, 1, kn, std::min(wide_.nr, cols - c),
                   static_cast<T*>(to) + c * kn);
    }
    return {to, kn * wide_.nr};
  }

 private:
  const PackedMatrix& w_;
  bool transpose_;
  const GemmTypeKernels& wide_;
  Scratch numbers_;
};

template <typename T>
void tiled_product(const PackedMatrix& w, bool transpose, const void* x, int64_t m, Dtype dtype, void* out) {
  const GemmTypeKernels& memory = kernels().gemm[gemm_type(dtype)];
  const GemmTypeKernels& wide = kernels().gemm[is_double<T> ? GemmType::float64 : GemmType::float32];
  int64_t n = transpose ? w.rows : w.elements(), k = transpose ? w.elements() : w.rows;
  int64_t tile_rows = ceil_div(m, ceil_div(m, kTileRows)), tile_cols = std::min(n, kTilePanels * wide.nr);
  int64_t row_tiles = ceil_div(m, tile_rows), col_tiles = ceil_div(n, tile_cols);
  parallel_for(row_tiles * col_tiles, [&](int64_t task) {
    int64_t row = task % row_tiles * tile_rows, col = task / row_tiles * tile_cols;
    int64_t rows = std::min(tile_rows, m - row), cols = std::min(tile_cols, n - col);
    const char* a = static_cast<const char*>(x) + row * k * memory.item;
    UnpackedPanels<T> panels(w, transpose, wide);
    auto pack_a = [&](int64_t k0, int64_t kn, int64_t height, void* to) {
      memory.pack_a(a + k0 * memory.item, k, 1, rows, kn, height, to);
    };
    auto panels_of_b = [&](int64_t k0, int64_t kn, int64_t c, int64_t count, void* to) {
      return panels.get(k0, kn, col + c, count, to);
    };
    Scratch acc(rows * (cols + 16) * sizeof(T));
    compute_tile({memory, rows, cols, 0, k, pack_a, panels_of_b, panels.at_once(), true}, acc.data(),
                 cols + 16);
    GemmStore to{};
    to.out = static_cast<char*>(out) + (row * n + col) * memory.item;
    to.out_row_stride = n;
    to.out_col_stride = 1;
    memory.store(acc.data(), cols + 16, rows, cols, to);
  });
}

}  // namespace

void quantized_product(const PackedMatrix& w, bool transpose, const void* x, int64_t m, Dtype dtype,
                       void* out) {
  if (m == 0 || (transpose ? w.rows : w.elements()) == 0) return;
  if (dtype == float64)
    tiled_product<double>(w, transpose, x, m, dtype, out);
  else if (transpose && m <= kThinRows && w.elements() > 0)
    thin_product(w, x, m, dtype, out);
  else
    tiled_product<float>(w, transpose, x, m, dtype, out);
}

PackedMatrix packed_matrix(const Quantization& q, const array& w, const array& scales, const array* biases,
                           const array* global, int64_t index) {
  int64_t rows = w.shape(-2), groups = scales.shape(-1);
  int64_t words = w.shape(-1), step = rows * groups * static_cast<int64_t>(scales.itemsize());
  double factor = 1;
  if (global) factor = double(global->data<float>()[global->size() == 1 ? 0 : index]) / kGlobalRange;
  return {q,
          w.data<uint8_t>() + index * rows * words * 4,
          scales.data<char>() + index * step,
          biases ? biases->data<char>() + index * step : nullptr,
          scales.dtype(),
          factor,
          rows,
          groups};
}

}  // namespace mlx::core::cpu
