// See scratch.h.

#include "mlx/backend/cpu/scratch.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "mlx/core/per_thread.h"
#include "mlx/core/round.h"

namespace mlx::core::cpu {

namespace {

constexpr size_t kScratchAlignment = 64;
constexpr size_t kKeptBuffers = 4;
constexpr size_t kKeptBytes = size_t(64) << 20;  // a larger buffer is given back at once

struct Buffer {
  void* data;
  size_t size;
};

void release(Buffer b) { ::operator delete(b.data, std::align_val_t(kScratchAlignment)); }

struct Stock {
  std::vector<Buffer> free;
  ~Stock() {
    for (Buffer b : free) release(b);
  }
};

Stock& stock() { return PerThread<Stock>::get(); }

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
  size_ = round_up(std::max<size_t>(bytes, 1 << 14), 4096);
  data_ = ::operator new(size_, std::align_val_t(kScratchAlignment));
}

Scratch::~Scratch() {
  auto& free = stock().free;
  Buffer mine{data_, size_};
  if (size_ > kKeptBytes) {
    release(mine);
    return;
  }
  if (free.size() == kKeptBuffers) {  // the smallest one goes
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

}  // namespace mlx::core::cpu
