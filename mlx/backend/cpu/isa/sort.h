// The two steps of a quicksort of keys.
#pragma once

#include <stdint.h>

namespace mlx::core::cpu {

inline constexpr int64_t kSortFew = 64;  // the most keys that `few` takes

template <typename K>
struct SortKernel {
  // Brings the keys up to the pivot to the front and the others behind them; returns how many come first. `spare` has
  // room for n keys.
  int64_t (*partition)(K* keys, int64_t n, K pivot, K* spare);
  void (*few)(K* keys, int64_t n);
};

struct SortKernels {  // null where a level has no better way than radix sort
  SortKernel<uint32_t> of32;
  SortKernel<uint64_t> of64;
};

}  // namespace mlx::core::cpu
