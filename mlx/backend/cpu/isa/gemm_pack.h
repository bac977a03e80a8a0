// Packing for the matrix product: panels of A and B in the order in which the register tile reads them,
// already widened to the accumulator's type. Internal linkage throughout.
#pragma once

#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/backend/cpu/isa/gemm_vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// One step of the transposition of a lanes x lanes square: interleaves the rows of the lower half with those
// of the upper half. log2(lanes) steps transpose.
template <typename V>
inline void interleave_rows(V* r) {
  constexpr int lanes = sizeof(V) / sizeof(r[0][0]);
  V out[lanes];
#pragma GCC unroll 16
  for (int i = 0; i < lanes / 2; ++i) {
    V a = r[i], b = r[i + lanes / 2];
    if constexpr (lanes == 16) {
      out[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      out[2 * i + 1] =
          __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
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

// r[j] holds element `offset + j` of each row.
template <typename Src, typename V>
inline void load_square(const Src* const* rows, int64_t offset, V* r) {
  using S = Simd<__typeof__(r[0][0] + 0)>;
#pragma GCC unroll 16
  for (int i = 0; i < S::lanes; ++i) r[i] = S::load(rows[i] + offset);
  transpose_square(r);
}

#if defined(__AVX512F__)
// Quarters of rows are gathered by loads, which leaves half of the shuffles.
inline void load_square(const float* const* rows, int64_t offset, __m512* r) {
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    __m512 v[4];
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      v[s] = _mm512_castps128_ps512(_mm_loadu_ps(rows[s] + offset + 4 * q));
      v[s] = _mm512_insertf32x4(v[s], _mm_loadu_ps(rows[s + 4] + offset + 4 * q), 1);
      v[s] = _mm512_insertf32x4(v[s], _mm_loadu_ps(rows[s + 8] + offset + 4 * q), 2);
      v[s] = _mm512_insertf32x4(v[s], _mm_loadu_ps(rows[s + 12] + offset + 4 * q), 3);
    }
    __m512d low01 = _mm512_castps_pd(_mm512_unpacklo_ps(v[0], v[1]));
    __m512d high01 = _mm512_castps_pd(_mm512_unpackhi_ps(v[0], v[1]));
    __m512d low23 = _mm512_castps_pd(_mm512_unpacklo_ps(v[2], v[3]));
    __m512d high23 = _mm512_castps_pd(_mm512_unpackhi_ps(v[2], v[3]));
    r[4 * q] = _mm512_castpd_ps(_mm512_unpacklo_pd(low01, low23));
    r[4 * q + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low01, low23));
    r[4 * q + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high01, high23));
    r[4 * q + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high01, high23));
  }
}
#elif defined(__AVX2__)
// Halves of rows are gathered by loads, which leaves half of the shuffles.
inline void load_square(const float* const* rows, int64_t offset, __m256* r) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    __m256 v[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(rows[i] + offset + 4 * half));
      v[i] = _mm256_insertf128_ps(low, _mm_loadu_ps(rows[i + 4] + offset + 4 * half), 1);
    }
    __m256 a = _mm256_unpacklo_ps(v[0], v[2]), b = _mm256_unpacklo_ps(v[1], v[3]);
    __m256 c = _mm256_unpackhi_ps(v[0], v[2]), d = _mm256_unpackhi_ps(v[1], v[3]);
    r[4 * half] = _mm256_unpacklo_ps(a, b);
    r[4 * half + 1] = _mm256_unpackhi_ps(a, b);
    r[4 * half + 2] = _mm256_unpacklo_ps(c, d);
    r[4 * half + 3] = _mm256_unpackhi_ps(c, d);
  }
}
#endif

// to[j * to_stride + i] = rows[i][j] for i < count <= lanes, j < n <= lanes; rows past count may be any.
// Writes whole vectors: lanes past count hold anything, the next row overwrites them.
template <typename Src, typename T>
inline void transpose_piece(const Src* const* rows, int64_t offset, int64_t count, int64_t n, T* to,
                            int64_t to_stride) {
  using S = Simd<T>;
  typename S::V r[S::lanes];
  if (n == S::lanes) {
    const Src* all[S::lanes];
    for (int i = 0; i < S::lanes; ++i) all[i] = rows[i < count ? i : 0];
    load_square(all, offset, r);
  } else {
    for (int i = 0; i < S::lanes; ++i) r[i] = i < count ? S::load_part(rows[i] + offset, n) : S::zero();
    transpose_square(r);
  }
  if (n == S::lanes) {
    for (int j = 0; j < S::lanes; ++j) S::store(to + j * to_stride, r[j]);
  } else {
    for (int j = 0; j < n; ++j) S::store(to + j * to_stride, r[j]);
  }
}

// to[j * to_stride + i] = rows[i][j], i < count, j < k. Within a square of columns the last group of rows
// goes first: what it writes too much falls on rows that are still to come.
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
    const Src* pointers[kGemmMaxRows];
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
