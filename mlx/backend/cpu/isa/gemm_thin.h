// Products with one to four rows: bound by memory, so B is read once, where it lies, without packing. A longer k is cut
// into chains of kGemmBlockK like everywhere.
#pragma once

#include "mlx/backend/cpu/isa/gemm_pack.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <typename T, int VECTORS>
inline void write_tile_row(const typename Simd<T>::V* acc, T* c, int64_t cols, bool accumulate) {
  using S = Simd<T>;
#pragma GCC unroll 4
  for (int v = 0; v < VECTORS; ++v) {
    int64_t left = cols - v * S::lanes;
    if (left >= S::lanes) {
      auto sum = accumulate ? S::add(S::load(c + v * S::lanes), acc[v]) : acc[v];
      S::store(c + v * S::lanes, sum);
    } else if (left > 0) {
      auto sum = accumulate ? S::add(S::load_part(c + v * S::lanes, left), acc[v]) : acc[v];
      S::store_part(c + v * S::lanes, sum, left);
    }
  }
}

// Sums of a vector of columns over k rows.
template <typename Src, typename T, int ROWS>
inline void sum_columns(const T* a, const Src* const* columns, int64_t ahead, int64_t k, typename Simd<T>::V* sum) {
  using S = Simd<T>;
  for (int i = 0; i < ROWS; ++i) sum[i] = S::zero();
  for (int64_t j = 0; j < k; j += S::lanes) {
    typename S::V r[S::lanes];
    const T* at = a + j * ROWS;
    if (k - j >= S::lanes) {
      // Runs are too short for the hardware to foresee the next columns.
#pragma GCC unroll 16
      for (int i = 0; i < S::lanes; ++i) __builtin_prefetch(columns[i] + j + ahead, 0, 2);
      load_square(columns, j, r);
#pragma GCC unroll 16
      for (int x = 0; x < S::lanes; ++x) {
#pragma GCC unroll 4
        for (int i = 0; i < ROWS; ++i) sum[i] = S::fma(S::set1(at[x * ROWS + i]), r[x], sum[i]);
      }
    } else {
      for (int i = 0; i < S::lanes; ++i) r[i] = S::load_part(columns[i] + j, k - j);
      transpose_square(r);
      for (int x = 0; x < k - j; ++x) {
        for (int i = 0; i < ROWS; ++i) sum[i] = S::fma(S::set1(at[x * ROWS + i]), r[x], sum[i]);
      }
    }
  }
}

// Columns of B contiguous in k: squares of them are transposed in registers. All of k for a few columns before the next
// ones: a page of memory is visited once.
template <typename Src, typename T, int ROWS>
void thin_columns(const GemmThin& p) {
  using S = Simd<T>;
  T* acc = static_cast<T*>(p.acc);
  for (int64_t col = 0; col < p.n; col += S::lanes) {
    int64_t cols = p.n - col < S::lanes ? p.n - col : S::lanes;
    for (int64_t j = 0; j < p.k; j += kGemmBlockK) {
      const Src* columns[S::lanes];
      for (int64_t i = 0; i < S::lanes; ++i) {
        columns[i] = static_cast<const Src*>(p.b) + (col + (i < cols ? i : cols - 1)) * p.b_col_stride + j;
      }
      typename S::V sum[ROWS];
      sum_columns<Src, T, ROWS>(static_cast<const T*>(p.a) + j * ROWS, columns, S::lanes * p.b_col_stride,
                                p.k - j < kGemmBlockK ? p.k - j : kGemmBlockK, sum);
      for (int i = 0; i < ROWS; ++i) {
        write_tile_row<T, 1>(sum + i, acc + i * p.acc_row_stride + col, cols, p.accumulate || j > 0);
      }
    }
  }
}

// UNROLL rows of B against one vector of running sums.
template <typename Src, typename T, int ROWS, int UNROLL>
inline void thin_step(const T* a, const Src* b, int64_t b_row_stride, int64_t width, T (*sums)[512]) {
  using S = Simd<T>;
  for (int64_t c = 0; c < width; c += S::lanes) {
    typename S::V v[ROWS];
#pragma GCC unroll 4
    for (int i = 0; i < ROWS; ++i) v[i] = S::load(sums[i] + c);
    if (c + S::lanes <= width) {
#pragma GCC unroll 8
      for (int u = 0; u < UNROLL; ++u) {
        auto bv = S::load(b + u * b_row_stride + c);
        __builtin_prefetch(b + (u + UNROLL) * b_row_stride + c);
#pragma GCC unroll 4
        for (int i = 0; i < ROWS; ++i) v[i] = S::fma(S::set1(a[u * ROWS + i]), bv, v[i]);
      }
    } else {
      for (int u = 0; u < UNROLL; ++u) {
        auto bv = S::load_part(b + u * b_row_stride + c, width - c);
        for (int i = 0; i < ROWS; ++i) v[i] = S::fma(S::set1(a[u * ROWS + i]), bv, v[i]);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < ROWS; ++i) S::store(sums[i] + c, v[i]);
  }
}

// Rows of B contiguous: eight of them at a time pass along running sums in the first-level cache.
template <typename Src, typename T, int ROWS>
void thin_rows_block(const GemmThin& p) {
  constexpr int64_t kWidth = 512;
  alignas(64) T sums[ROWS][kWidth];
  const T* a = static_cast<const T*>(p.a);
  for (int64_t col = 0; col < p.n; col += kWidth) {
    int64_t width = p.n - col < kWidth ? p.n - col : kWidth;
    const Src* b = static_cast<const Src*>(p.b) + col;
    __builtin_memset(sums, 0, sizeof(sums));
    int64_t j = 0;
    for (; j + 8 <= p.k; j += 8) {
      thin_step<Src, T, ROWS, 8>(a + j * ROWS, b + j * p.b_row_stride, p.b_row_stride, width, sums);
    }
    for (; j < p.k; ++j) {
      thin_step<Src, T, ROWS, 1>(a + j * ROWS, b + j * p.b_row_stride, p.b_row_stride, width, sums);
    }
    for (int i = 0; i < ROWS; ++i) {
      T* acc = static_cast<T*>(p.acc) + i * p.acc_row_stride + col;
      for (int64_t c = 0; c < width; ++c) acc[c] = p.accumulate ? acc[c] + sums[i][c] : sums[i][c];
    }
  }
}

template <typename Src, typename T, int ROWS>
void thin_rows(const GemmThin& p) {
  for (int64_t j = 0; j < p.k; j += kGemmBlockK) {
    GemmThin block = p;
    block.a = static_cast<const T*>(p.a) + j * ROWS;
    block.b = static_cast<const Src*>(p.b) + j * p.b_row_stride;
    block.k = p.k - j < kGemmBlockK ? p.k - j : kGemmBlockK;
    block.accumulate = p.accumulate || j > 0;
    thin_rows_block<Src, T, ROWS>(block);
  }
}

template <typename Src, typename T>
void multiply_thin(const GemmThin& p) {
  static constexpr void (*by_rows[])(const GemmThin&) = {thin_rows<Src, T, 1>, thin_rows<Src, T, 2>,
                                                         thin_rows<Src, T, 3>, thin_rows<Src, T, 4>};
  static constexpr void (*by_columns[])(const GemmThin&) = {thin_columns<Src, T, 1>, thin_columns<Src, T, 2>,
                                                            thin_columns<Src, T, 3>, thin_columns<Src, T, 4>};
  (p.b_col_stride == 1 ? by_rows : by_columns)[p.m - 1](p);
}

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
