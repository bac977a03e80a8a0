// Strided copies and fills by element size. Rows that are contiguous on both sides move as blocks; a pair of
// axes that swaps its unit stride goes through transposes in registers; the rest is a plain loop.
#include "mlx/backend/cpu/isa/interleave.h"
#include "mlx/backend/cpu/isa/levels.h"
#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <typename T>
void fill(const void* value, void* output, int64_t n) {
  T element;
  __builtin_memcpy(&element, value, sizeof(T));
  T* to = static_cast<T*>(output);
  for (int64_t i = 0; i < n; i++) to[i] = element;
}

template <typename T>
void copy_row(const T* from, T* to, int64_t n, int64_t from_stride, int64_t to_stride) {
  if (from_stride == 1 && to_stride == 1) {
    __builtin_memcpy(to, from, n * sizeof(T));
  } else if (to_stride == 1 && from_stride == 0) {
    fill<T>(from, to, n);
  } else if (to_stride == 1 && from_stride == -1) {
    for (int64_t i = 0; i < n; i++) to[i] = from[-i];
  } else if (to_stride == 1) {
#pragma GCC unroll 8
    for (int64_t i = 0; i < n; i++) to[i] = from[i * from_stride];
  } else {
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++) to[i * to_stride] = from[i * from_stride];
  }
}

// Rows of a square tile. Bytes and 16-bit words stay in 128 bits, where interleaving is one instruction.
template <typename T>
inline constexpr int tile_side = sizeof(T) < 4 ? 16 / int(sizeof(T)) : kVectorBytes / int(sizeof(T));

template <typename T>
MLX_INLINE void transpose_tile(const T* from, int64_t from_stride, T* to, int64_t to_stride) {
  constexpr int N = tile_side<T>;
  using V = Vec<T, N>;
  V rows[N];
#pragma GCC unroll 16
  for (int i = 0; i < N; i++) rows[i] = load<V>(from + i * from_stride);
  transpose_registers<V, N>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < N; i++) store(to + i * to_stride, rows[i]);
}

// Input unit stride along outer, output unit stride along inner.
template <typename T>
void transpose(const T* from, T* to, const CopyBlock& block) {
  constexpr int64_t N = tile_side<T>;
  constexpr int64_t kSquare = 256 / int64_t(sizeof(T));
  int64_t whole_outer = block.outer - block.outer % N, whole_inner = block.inner - block.inner % N;
  // Squares of four cache lines on either side: rows a power of two apart share few places of the cache and
  // of the address translation, so what was fetched must be used up soon.
  for (int64_t first_o = 0; first_o < whole_outer; first_o += kSquare) {
    int64_t last_o = first_o + kSquare < whole_outer ? first_o + kSquare : whole_outer;
    for (int64_t first_i = 0; first_i < whole_inner; first_i += kSquare) {
      int64_t last_i = first_i + kSquare < whole_inner ? first_i + kSquare : whole_inner;
      for (int64_t i = first_i; i < last_i; i += N) {
        for (int64_t o = first_o; o < last_o; o += N) {
          transpose_tile(from + o + i * block.input_inner_stride, block.input_inner_stride,
                         to + o * block.output_outer_stride + i, block.output_outer_stride);
        }
      }
    }
  }
  for (int64_t o = 0; o < block.outer; o++) {
    int64_t start = o < whole_outer ? whole_inner : 0;
    copy_row(from + o + start * block.input_inner_stride, to + o * block.output_outer_stride + start,
             block.inner - start, block.input_inner_stride, 1);
  }
}

template <typename T>
void copy(const void* input, void* output, const CopyBlock& block) {
  const T* from = static_cast<const T*>(input);
  T* to = static_cast<T*>(output);
  bool swaps = block.input_outer_stride == 1 && block.output_inner_stride == 1 &&
               block.input_inner_stride != 1 && block.input_inner_stride != 0;
  if (swaps && block.outer >= tile_side<T> && block.inner >= tile_side<T>) {
    transpose(from, to, block);
    return;
  }
  for (int64_t o = 0; o < block.outer; o++) {
    copy_row(from + o * block.input_outer_stride, to + o * block.output_outer_stride, block.inner,
             block.input_inner_stride, block.output_inner_stride);
  }
}

}  // namespace

void fill_copy(CopyKernels& kernels) {
  kernels = {{copy<uint8_t>, copy<uint16_t>, copy<uint32_t>, copy<uint64_t>},
             {fill<uint8_t>, fill<uint16_t>, fill<uint32_t>, fill<uint64_t>}};
}

}  // namespace mlx::core::cpu::MLX_ISA
