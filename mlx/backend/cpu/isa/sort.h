// The two steps of a quicksort of keys.
#pragma once

#include <stdint.h>

namespace mlx::core::cpu {

inline constexpr int64_t kSortFew = 128;  // the most keys that `few` takes

template <typename K>
struct SortKernel {
  // Writes the keys up to the pivot to `low` and the others to `high`, both in their order; returns how many are low.
  // Both have room for n keys; one of them may begin at `keys` or before.
  int64_t (*divide)(const K* keys, int64_t n, K pivot, K* low, K* high);
  // The same with the keys' places.
  int64_t (*divide_places)(const K* keys, const uint32_t* places, int64_t n, K pivot, uint32_t* low, uint32_t* high);
  void (*few)(const K* keys, int64_t n, K* sorted);
};

struct SortKernels {  // null where a level has no better way than the host's loops
  SortKernel<uint32_t> of32;
  SortKernel<uint64_t> of64;
};

}  // namespace mlx::core::cpu
