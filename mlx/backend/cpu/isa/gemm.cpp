// Register tiles of the matrix product and the table of kernels of this instruction-set level.
#include "mlx/backend/cpu/isa/gemm.h"

#include "mlx/backend/cpu/isa/gemm_pack.h"
#include "mlx/backend/cpu/isa/gemm_thin.h"
#include "mlx/backend/cpu/isa/gemm_vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int kTileRows = 14;
#elif defined(__AVX2__)
constexpr int kTileRows = 6;
#else
constexpr int kTileRows = 4;
#endif
constexpr int kTileVectors = 2;  // vectors across a register tile

template <typename T>
constexpr int kTileCols = kTileVectors* Simd<T>::lanes;

template <typename T>
struct TileOut {
  T* c;
  int64_t stride;
  int64_t cols;  // columns to write
  bool accumulate;
};

// ROWS x (VECTORS * lanes) accumulators in registers over k steps. `soon` is fetched for a later tile, a line
// a step.
template <typename T, int ROWS, int VECTORS>
void tile(const T* a, const T* b, int64_t b_row_stride, int64_t k, const T* soon, TileOut<T> out) {
  using S = Simd<T>;
  using V = typename S::V;
  V acc[ROWS][VECTORS];
#pragma GCC unroll 16
  for (int i = 0; i < ROWS; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < VECTORS; ++v) acc[i][v] = S::zero();
  }
  for (int64_t j = 0; j < k; ++j) {
    V bv[VECTORS];
    __builtin_prefetch(reinterpret_cast<const char*>(soon) + j * 64);
#pragma GCC unroll 4
    for (int v = 0; v < VECTORS; ++v) bv[v] = S::load(b + v * S::lanes);
#pragma GCC unroll 16
    for (int i = 0; i < ROWS; ++i) {
      V av = S::set1(a[i]);
#pragma GCC unroll 4
      for (int v = 0; v < VECTORS; ++v) acc[i][v] = S::fma(av, bv[v], acc[i][v]);
    }
    a += ROWS;
    b += b_row_stride;
  }
#pragma GCC unroll 16
  for (int i = 0; i < ROWS; ++i) {
    write_tile_row<T, VECTORS>(acc[i], out.c + i * out.stride, out.cols, out.accumulate);
  }
}

template <typename T>
using TileFunction = void (*)(const T*, const T*, int64_t, int64_t, const T*, TileOut<T>);

template <typename T, int VECTORS, int... ROWS>
struct TileTable {
  static constexpr TileFunction<T> functions[] = {nullptr, tile<T, ROWS, VECTORS>...};
};

template <typename T, int VECTORS>
constexpr const TileFunction<T>* tile_functions() {
#if defined(__AVX512F__)
  return TileTable<T, VECTORS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14>::functions;
#elif defined(__AVX2__)
  return TileTable<T, VECTORS, 1, 2, 3, 4, 5, 6>::functions;
#else
  return TileTable<T, VECTORS, 1, 2, 3, 4>::functions;
#endif
}

// One panel of B stays in the first-level cache while all panels of A pass by.
template <typename T>
void multiply(const GemmBlock& p) {
  constexpr int NR = kTileCols<T>;
  const T* a = static_cast<const T*>(p.a);
  const T* b = static_cast<const T*>(p.b);
  T* acc = static_cast<T*>(p.acc);
  for (int64_t col = 0; col < p.n; col += NR) {
    int64_t cols = p.n - col < NR ? p.n - col : NR;
    const auto* functions =
        cols <= Simd<T>::lanes ? tile_functions<T, 1>() : tile_functions<T, kTileVectors>();
    for (int64_t row = 0; row < p.m; row += p.height) {
      int64_t rows = p.m - row < p.height ? p.m - row : p.height;
      TileOut<T> out{acc + row * p.acc_row_stride + col, p.acc_row_stride, cols, p.accumulate};
      // The first tiles of this panel fetch the next panel, 64 bytes a step of k.
      int64_t ahead = row / p.height * (64 / int64_t(sizeof(T)));
      const T* soon = ahead < NR ? b + p.b_panel_stride + ahead * p.k : a + row * p.k;
      functions[rows](a + row * p.k, b, p.b_row_stride, p.k, soon, out);
    }
    b += p.b_panel_stride;
  }
}

template <typename T>
void add(void* total, int64_t total_stride, const void* part, int64_t part_stride, int64_t rows,
         int64_t cols) {
  using S = Simd<T>;
  for (int64_t r = 0; r < rows; ++r) {
    T* to = static_cast<T*>(total) + r * total_stride;
    const T* from = static_cast<const T*>(part) + r * part_stride;
    int64_t c = 0;
    for (; c + S::lanes <= cols; c += S::lanes) S::store(to + c, S::add(S::load(to + c), S::load(from + c)));
    for (; c < cols; ++c) to[c] += from[c];
  }
}

template <typename Dst, typename T>
void store_plain(const T* acc, int64_t cols, Dst* out) {
  using S = Simd<T>;
  int64_t c = 0;
  for (; c + S::lanes <= cols; c += S::lanes) S::store(out + c, S::load(acc + c));
  if (c < cols) S::store_part(out + c, S::load_part(acc + c, cols - c), cols - c);
}

template <typename Dst, typename T>
void store(const void* acc, int64_t acc_stride, int64_t rows, int64_t cols, const GemmStore& p) {
  T alpha = T(p.alpha), beta = T(p.beta);
  bool plain = !p.cin && alpha == T(1);
  for (int64_t r = 0; r < rows; ++r) {
    const T* from = static_cast<const T*>(acc) + r * acc_stride;
    Dst* out = static_cast<Dst*>(p.out) + r * p.out_row_stride;
    if (plain && p.out_col_stride == 1) {
      store_plain(from, cols, out);
    } else if (!p.cin) {
      for (int64_t c = 0; c < cols; ++c)
        narrow(plain ? from[c] : alpha * from[c], out + c * p.out_col_stride);
    } else {
      const Dst* cin = static_cast<const Dst*>(p.cin) + r * p.cin_row_stride;
      for (int64_t c = 0; c < cols; ++c) {
        narrow(alpha * from[c] + beta * widen(cin[c * p.cin_col_stride]), out + c * p.out_col_stride);
      }
    }
  }
}

template <typename Src, typename T>
void widen_run(const void* from, int64_t stride, int64_t count, void* to) {
  const Src* s = static_cast<const Src*>(from);
  T* t = static_cast<T*>(to);
  if (stride == 1) {
    copy_wide(s, count, t);
  } else {
    for (int64_t i = 0; i < count; ++i) t[i] = widen(s[i * stride]);
  }
}

template <typename Src, typename T>
void widen_grid(const void* from, int64_t outer_stride, int64_t inner_stride, int64_t outer, int64_t inner,
                void* to) {
  const Src* s = static_cast<const Src*>(from);
  T* t = static_cast<T*>(to);
  for (int64_t i = 0; i < outer; ++i, s += outer_stride, t += inner) {
    if (inner_stride == 1) {
      copy_wide(s, inner, t);
    } else {
      for (int64_t j = 0; j < inner; ++j) t[j] = widen(s[j * inner_stride]);
    }
  }
}

// POSITIONS outputs of one vector of channels at once, so that a weight is loaded once for all of them.
template <typename T, int POSITIONS>
inline void per_channel_piece(const T* x, const int64_t* offsets, int64_t k, int64_t x_stride, const T* w,
                              int64_t channels, int64_t left, T* out, int64_t out_stride) {
  using S = Simd<T>;
  typename S::V acc[POSITIONS];
#pragma GCC unroll 8
  for (int p = 0; p < POSITIONS; ++p) acc[p] = S::zero();
  if (left >= S::lanes) {
    for (int64_t j = 0; j < k; ++j) {
      auto wv = S::load(w + j * channels);
      const T* at = x + offsets[j];
#pragma GCC unroll 8
      for (int p = 0; p < POSITIONS; ++p) acc[p] = S::fma(S::load(at + p * x_stride), wv, acc[p]);
    }
    for (int p = 0; p < POSITIONS; ++p) S::store(out + p * out_stride, acc[p]);
    return;
  }
  for (int64_t j = 0; j < k; ++j) {
    auto wv = S::load_part(w + j * channels, left);
    const T* at = x + offsets[j];
    for (int p = 0; p < POSITIONS; ++p) acc[p] = S::fma(S::load_part(at + p * x_stride, left), wv, acc[p]);
  }
  for (int p = 0; p < POSITIONS; ++p) S::store_part(out + p * out_stride, acc[p], left);
}

template <typename T>
void per_channel(const void* x, const int64_t* offsets, int64_t k, int64_t x_stride, int64_t positions,
                 const void* w, int64_t channels, void* out, int64_t out_stride) {
  constexpr int lanes = Simd<T>::lanes;
  const T* xs = static_cast<const T*>(x);
  const T* ws = static_cast<const T*>(w);
  T* to = static_cast<T*>(out);
  for (int64_t c = 0; c < channels; c += lanes) {
    int64_t p = 0;
    for (; p + 8 <= positions; p += 8) {
      per_channel_piece<T, 8>(xs + p * x_stride + c, offsets, k, x_stride, ws + c, channels, channels - c,
                              to + p * out_stride + c, out_stride);
    }
    for (; p < positions; ++p) {
      per_channel_piece<T, 1>(xs + p * x_stride + c, offsets, k, x_stride, ws + c, channels, channels - c,
                              to + p * out_stride + c, out_stride);
    }
  }
}

template <typename Mem, typename T>
constexpr GemmTypeKernels kernels_of() {
  return {kTileRows,
          kTileCols<T>,
          sizeof(Mem),
          sizeof(T),
          pack_a<Mem, T>,
          pack_b<Mem, T, kTileCols<T>>,
          pack_rows<T>,
          multiply<T>,
          multiply_thin<Mem, T>,
          add<T>,
          store<Mem, T>,
          widen_run<Mem, T>,
          widen_grid<Mem, T>,
          per_channel<T>};
}

}  // namespace

extern const GemmKernels gemm_kernels = {{kernels_of<float, float>(), kernels_of<double, double>(),
                                   kernels_of<Half, float>(), kernels_of<Bfloat, float>()}};

}  // namespace mlx::core::cpu::MLX_ISA
