// Packing buffers and the computation of one tile of a product.
#include "mlx/backend/cpu/gemm_core.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace mlx::core::cpu {

namespace {

constexpr size_t SCRATCH_ALIGNMENT = 64;
constexpr size_t SCRATCH_KEPT_BUFFERS = 4;
constexpr size_t SCRATCH_KEPT_BYTES = size_t(64) << 20;  // a larger buffer is given back at once

struct Buffer {
  void* data;
  size_t size;
};

void release(Buffer b) { ::operator delete(b.data, std::align_val_t(SCRATCH_ALIGNMENT)); }

struct Stock {
  std::vector<Buffer> free;
  ~Stock() {
    for (Buffer b : free) release(b);
  }
};

Stock& stock() {
  static thread_local Stock s;
  return s;
}

}  // namespace

Scratch::Scratch(size_t bytes) {
  auto& free = stock().free;
  auto best = free.end();
  for (auto it = free.begin(); it != free.end(); ++it) {
    bool fits = it->size >= bytes;
    if (fits && (best == free.end() || it->size < best->size)) best = it;
  }
  if (best != free.end()) {
    data_ = best->data;
    size_ = best->size;
    *best = free.back();
    free.pop_back();
    return;
  }
  size_ = (std::max<size_t>(bytes, 1 << 14) + 4095) / 4096 * 4096;
  data_ = ::operator new(size_, std::align_val_t(SCRATCH_ALIGNMENT));
}

Scratch::~Scratch() {
  auto& free = stock().free;
  Buffer mine{data_, size_};
  if (size_ > SCRATCH_KEPT_BYTES) {
    release(mine);
    return;
  }
  if (free.size() == SCRATCH_KEPT_BUFFERS) {  // the smallest one goes
    auto smallest =
        std::min_element(free.begin(), free.end(), [](Buffer x, Buffer y) { return x.size < y.size; });
    if (smallest->size < mine.size) std::swap(*smallest, mine);
    release(mine);
    return;
  }
  try {
    free.push_back(mine);
  } catch (const std::bad_alloc&) {
    release(mine);
  }
}

int64_t panel_height(int64_t rows, int64_t mr) { return ceil_div(rows, ceil_div(rows, mr)); }

void compute_tile(const GemmTile& t, void* acc, int64_t acc_row_stride) {
  const GemmTypeKernels& kern = t.kernels;
  if (t.k_begin >= t.k_end) {
    for (int64_t r = 0; r < t.rows; ++r) {
      std::memset(static_cast<char*>(acc) + r * acc_row_stride * kern.wide, 0, t.cols * kern.wide);
    }
    return;
  }
  int64_t block = std::min(GEMM_BLOCK_K, t.k_end - t.k_begin);
  Scratch a((t.rows * block + GEMM_PACK_SLACK) * kern.wide);
  Scratch b(round_up(t.cols_at_once, kern.nr) * block * kern.wide);
  bool several = t.k_end - t.k_begin > GEMM_SUPER_K;
  Scratch part(several ? t.rows * t.cols * kern.wide : 0);
  int64_t height = panel_height(t.rows, kern.mr);
  for (int64_t s = t.k_begin; s < t.k_end; s += GEMM_SUPER_K) {
    bool first = s == t.k_begin;
    char* sums = first ? static_cast<char*>(acc) : part.data<char>();
    int64_t stride = first ? acc_row_stride : t.cols;
    int64_t s_end = std::min(s + GEMM_SUPER_K, t.k_end);
    for (int64_t k0 = s; k0 < s_end; k0 += GEMM_BLOCK_K) {
      int64_t kn = std::min(GEMM_BLOCK_K, s_end - k0);
      t.pack_a(k0, kn, height, a.data());
      for (int64_t col = 0; col < t.cols; col += t.cols_at_once) {
        int64_t cols = std::min(t.cols_at_once, t.cols - col);
        PanelsOfB panels = t.panels_of_b(k0, kn, col, cols, b.data());
        kern.multiply({a.data(), height, panels.data, panels.panel_stride, kern.nr, t.rows, cols, kn,
                       sums + col * kern.wide, stride, k0 > s});
      }
    }
    if (!first) kern.add(acc, acc_row_stride, part.data(), t.cols, t.rows, t.cols);
  }
}

}  // namespace mlx::core::cpu
