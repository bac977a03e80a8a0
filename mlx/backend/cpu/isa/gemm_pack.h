// Packing for the matrix product: panels of A and B in the order in which the register tile reads them, already
// widened to the accumulator's type. Internal linkage throughout.
#pragma once

#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/backend/cpu/isa/gemm_vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// One step of the transposition of a lanes x lanes square: interleaves the rows of the lower half with those of the
// upper half. log2(lanes) steps transpose.
template <typename V>
inline void interleave_rows(V* r) {
  constexpr int lanes = sizeof(V) / sizeof(r[0][0]);
  V out[lanes];
#pragma GCC unroll 16
  for (int i = 0; i < lanes / 2; ++i) {
    V a = r[i], b = r[i + lanes / 2];
    if constexpr (lanes == 16) {
      out[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      out[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    } else if constexpr (lanes == 8) {
      out[2 * i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      out[2 * i + 1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    } else if constexpr (lanes == 4) {
      out[2 * i] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      out[2 * i + 1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    } else {
      out[2 * i] = __builtin_shufflevector(a, b, 0, 2);
      out[2 * i + 1] = __builtin_shufflevector(a, b, 1, 3);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i) r[i] = out[i];
}

template <typename V>
inline void transpose_square(V* r) {
  constexpr int lanes = sizeof(V) / sizeof(r[0][0]);
  for (int step = 1; step < lanes; step *= 2) interleave_rows(r);
}

// to[j * to_stride + i] = rows[i][j] for i < count <= lanes, j < n <= lanes. Writes whole vectors: lanes past count
// become zeros, which the next row overwrites.
template <typename Src, typename T>
inline void transpose_piece(const Src* const* rows, int64_t offset, int64_t count, int64_t n, T* to,
                            int64_t to_stride) {
  using S = Simd<T>;
  typename S::V r[S::lanes];
  if (n == S::lanes) {
    for (int i = 0; i < S::lanes; ++i) r[i] = i < count ? S::load(rows[i] + offset) : S::zero();
  } else {
    for (int i = 0; i < S::lanes; ++i) r[i] = i < count ? S::load_part(rows[i] + offset, n) : S::zero();
  }
  transpose_square(r);
  if (n == S::lanes) {
    for (int j = 0; j < S::lanes; ++j) S::store(to + j * to_stride, r[j]);
  } else {
    for (int j = 0; j < n; ++j) S::store(to + j * to_stride, r[j]);
  }
}

// to[j * to_stride + i] = rows[i][j], i < count, j < k. Within a square of columns the last group of rows goes first:
// what it writes too much falls on rows that are still to come.
template <typename Src, typename T>
void transpose_rows(const Src* const* rows, int64_t count, int64_t k, T* to, int64_t to_stride) {
  constexpr int64_t lanes = Simd<T>::lanes;
  int64_t groups = (count + lanes - 1) / lanes;
  for (int64_t j = 0; j < k; j += lanes) {
    int64_t n = k - j < lanes ? k - j : lanes;
    for (int64_t g = groups - 1; g >= 0; --g) {
      int64_t here = count - g * lanes < lanes ? count - g * lanes : lanes;
      transpose_piece(rows + g * lanes, j, here, n, to + j * to_stride + g * lanes, to_stride);
    }
  }
}

template <typename Src, typename T>
inline void copy_wide(const Src* from, int64_t n, T* to) {
  using S = Simd<T>;
  int64_t i = 0;
  for (; i + S::lanes <= n; i += S::lanes) S::store(to + i, S::load(from + i));
  if (i < n) S::store_part(to + i, S::load_part(from + i, n - i), n - i);
}

template <typename Src, typename T>
void pack_a_panel(const Src* a, int64_t rs, int64_t cs, int64_t rows, int64_t k, T* to) {
  if (cs == 1) {
    const Src* pointers[GEMM_MAX_ROWS];
    for (int64_t i = 0; i < rows; ++i) pointers[i] = a + i * rs;
    transpose_rows(pointers, rows, k, to, rows);
  } else if (rs == 1) {
    for (int64_t j = 0; j < k; ++j) copy_wide(a + j * cs, rows, to + j * rows);
  } else {
    for (int64_t j = 0; j < k; ++j) {
      for (int64_t i = 0; i < rows; ++i) to[j * rows + i] = widen(a[i * rs + j * cs]);
    }
  }
}

template <typename Src, typename T>
void pack_a(const void* a, int64_t rs, int64_t cs, int64_t rows, int64_t k, int64_t height, void* panels) {
  const Src* from = static_cast<const Src*>(a);
  T* to = static_cast<T*>(panels);
  for (int64_t i = 0; i < rows; i += height) {
    int64_t here = rows - i < height ? rows - i : height;
    pack_a_panel(from + i * rs, rs, cs, here, k, to + i * k);
  }
}

template <typename T>
void pack_rows(const void* const* rows, int64_t count, int64_t k, void* panel) {
  transpose_rows(reinterpret_cast<const T* const*>(rows), count, k, static_cast<T*>(panel), count);
}

template <typename Src, typename T, int NR>
void pack_b(const void* b, int64_t rs, int64_t cs, int64_t k, int64_t cols, void* panel) {
  using S = Simd<T>;
  const Src* from = static_cast<const Src*>(b);
  T* to = static_cast<T*>(panel);
  if (rs == 1 && cs != 1) {
    // Rows past the last column repeat it and are cleared below.
    const Src* pointers[NR];
    for (int64_t i = 0; i < NR; ++i) pointers[i] = from + (i < cols ? i : cols - 1) * cs;
    transpose_rows(pointers, NR, k, to, NR);
    if (cols < NR) {
      for (int64_t j = 0; j < k; ++j) {
        for (int64_t i = cols; i < NR; ++i) to[j * NR + i] = 0;
      }
    }
  } else if (cs == 1 && cols == NR) {
    for (int64_t j = 0; j < k; ++j) {
#pragma GCC unroll 4
      for (int i = 0; i < NR; i += S::lanes) S::store(to + j * NR + i, S::load(from + j * rs + i));
    }
  } else if (cs == 1) {
    for (int64_t j = 0; j < k; ++j) {
      for (int i = 0; i < NR; i += S::lanes) {
        int64_t left = cols - i < 0 ? 0 : cols - i < S::lanes ? cols - i : S::lanes;
        S::store(to + j * NR + i, S::load_part(from + j * rs + (left > 0 ? i : 0), left));
      }
    }
  } else {
    for (int64_t j = 0; j < k; ++j) {
      for (int64_t i = 0; i < NR; ++i) to[j * NR + i] = i < cols ? widen(from[j * rs + i * cs]) : T(0);
    }
  }
}

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
