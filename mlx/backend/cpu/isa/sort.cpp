// Keys compared with a pivot a vector at a time, and a bitonic network for few of them. Divided keys keep their order
// at every level.
#include "mlx/backend/cpu/isa/sort.h"

#if defined(__AVX2__)
#include "mlx/backend/cpu/isa/sort_lanes.h"
#endif

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX2__)

namespace {

// Items are the keys, or as many others.
template <typename K, typename Item>
MLX_INLINE int64_t divide_items(const K* keys, const Item* items, int64_t n, K pivot, Item* low, Item* high) {
  using L = Lanes<K>;
  using V = typename L::V;
  using Items = Vec<Item, L::N>;
  constexpr int ahead = 4;  // vectors are read before any is written, or each load would wait for the stores
  V pivots = L::splat(pivot);
  Item *next_low = low, *next_high = high;
  // Whole vectors are written, what a later one overwrites included: never beyond what was read.
  auto put = [&](Items v, unsigned lanes) {
    V wide = __builtin_convertvector(v, V);
    store(next_low, __builtin_convertvector(L::pack(wide, lanes), Items));
    store(next_high, __builtin_convertvector(L::pack(wide, lanes ^ ((1u << L::N) - 1)), Items));
    int first = __builtin_popcount(lanes);
    next_low += first;
    next_high += L::N - first;
  };
  int64_t i = 0;
  for (; i + ahead * L::N <= n; i += ahead * L::N) {
    unsigned lanes[ahead];
    Items v[ahead];
#pragma GCC unroll 4
    for (int j = 0; j < ahead; j++) {
      v[j] = load<Items>(items + i + j * L::N);
      lanes[j] = L::up_to(load<V>(keys + i + j * L::N), pivots);
    }
#pragma GCC unroll 4
    for (int j = 0; j < ahead; j++) put(v[j], lanes[j]);
  }
  for (; i + L::N <= n; i += L::N) put(load<Items>(items + i), L::up_to(load<V>(keys + i), pivots));
  for (; i < n; i++) {
    bool first = keys[i] <= pivot;
    Item item = items[i];
    *next_low = item;
    *next_high = item;
    next_low += first;
    next_high += !first;
  }
  return next_low - low;
}

template <typename K>
int64_t divide(const K* keys, int64_t n, K pivot, K* low, K* high) {
  return divide_items<K, K>(keys, keys, n, pivot, low, high);
}

template <typename K>
int64_t divide_places(const K* keys, const uint32_t* places, int64_t n, K pivot, uint32_t* low, uint32_t* high) {
  return divide_items<K, uint32_t>(keys, places, n, pivot, low, high);
}

// Lane i and lane i ^ X in order, the one with the bit TOP last.
template <typename K, int X, int TOP>
typename Lanes<K>::V exchange(typename Lanes<K>::V v) {
  using L = Lanes<K>;
  auto other = L::template partner<X>(v);
  return L::template blend<TOP>(L::min(v, other), L::max(v, other));
}

// Sorts each run of SIZE keys, made of two sorted halves, within vectors.
template <typename K, int SIZE, bool MIRROR>
typename Lanes<K>::V merge_lanes(typename Lanes<K>::V v) {
  if constexpr (SIZE >= 2) {
    v = exchange<K, MIRROR ? SIZE - 1 : SIZE / 2, SIZE / 2>(v);
    v = merge_lanes<K, SIZE / 2, false>(v);
  }
  return v;
}

template <typename K, int VECTORS>
void merge_vectors(typename Lanes<K>::V* v) {
  using L = Lanes<K>;
  // The first step meets the halves head to tail, as the second one is as good as reversed.
#pragma GCC unroll 8
  for (int i = 0; i < VECTORS / 2; i++) {
    auto other = L::template partner<L::N - 1>(v[VECTORS - 1 - i]), mine = v[i];
    v[i] = L::min(mine, other);
    v[VECTORS - 1 - i] = L::template partner<L::N - 1>(L::max(mine, other));
  }
#pragma GCC unroll 4
  for (int distance = VECTORS / 4; distance > 0; distance /= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < VECTORS; i++) {
      if (i & distance) continue;
      auto low = L::min(v[i], v[i + distance]);
      v[i + distance] = L::max(v[i], v[i + distance]);
      v[i] = low;
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < VECTORS; i++) v[i] = merge_lanes<K, L::N, false>(v[i]);
}

// Each half is sorted before the whole, from pairs of lanes on.
template <typename K, int SIZE>
typename Lanes<K>::V sort_lanes(typename Lanes<K>::V v) {
  if constexpr (SIZE > 2) v = sort_lanes<K, SIZE / 2>(v);
  return merge_lanes<K, SIZE, true>(v);
}

template <typename K, int VECTORS>
void sort_vectors(typename Lanes<K>::V* v) {
  if constexpr (VECTORS == 1) {
    v[0] = sort_lanes<K, Lanes<K>::N>(v[0]);
  } else {
    sort_vectors<K, VECTORS / 2>(v);
    sort_vectors<K, VECTORS / 2>(v + VECTORS / 2);
    merge_vectors<K, VECTORS>(v);
  }
}

template <typename K, int VECTORS>
void sort_padded(const K* keys, int64_t n, K* sorted) {
  using L = Lanes<K>;
  typename L::V v[VECTORS];
  auto filled = [&](int i) { return n < i * L::N ? 0 : n > (i + 1) * L::N ? L::N : int(n) - i * L::N; };
#pragma GCC unroll 32
  for (int i = 0; i < VECTORS; i++) v[i] = L::load_first(keys + i * L::N, filled(i));
  sort_vectors<K, VECTORS>(v);
#pragma GCC unroll 32
  for (int i = 0; i < VECTORS; i++) L::store_first(sorted + i * L::N, v[i], filled(i));
}

template <typename K, int VECTORS = kSortFew / Lanes<K>::N>
void few(const K* keys, int64_t n, K* sorted) {
  if constexpr (VECTORS > 1) {
    if (n <= VECTORS / 2 * Lanes<K>::N) return few<K, VECTORS / 2>(keys, n, sorted);
  }
  sort_padded<K, VECTORS>(keys, n, sorted);
}

}  // namespace

extern const SortKernels sort_kernels = {
    {divide<uint32_t>, divide_places<uint32_t>, few<uint32_t>},
    {divide<uint64_t>, divide_places<uint64_t>, few<uint64_t>}};

#else

extern const SortKernels sort_kernels = {};

#endif

}  // namespace mlx::core::cpu::MLX_ISA
