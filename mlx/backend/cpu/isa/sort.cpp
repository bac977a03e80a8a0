// Keys compared with a pivot a vector at a time, and a bitonic network for few of them. The order of such results
// differs between levels, sorted keys do not.
#include "mlx/backend/cpu/isa/sort.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX2__)

namespace {

// order[mask] numbers the 32-bit pieces of those lanes whose bit is set, then of the others.
template <int LANES>
struct LaneOrders {
  alignas(8) uint8_t order[1 << LANES][8];
  constexpr LaneOrders() : order() {
    constexpr int pieces = 8 / LANES;
    for (int mask = 0; mask < 1 << LANES; mask++) {
      int place = 0;
      for (int wanted = 1; wanted >= 0; wanted--) {
        for (int lane = 0; lane < LANES; lane++) {
          if ((mask >> lane & 1) != wanted) continue;
          for (int piece = 0; piece < pieces; piece++) order[mask][place++] = uint8_t(lane * pieces + piece);
        }
      }
    }
  }
};

template <typename K>
struct Lanes;

template <>
struct Lanes<uint32_t> {
  typedef uint32_t V __attribute__((vector_size(32)));
  static constexpr int count = 8;
  static V splat(uint32_t key) { return V(_mm256_set1_epi32(int(key))); }
  static V min(V a, V b) { return V(_mm256_min_epu32(__m256i(a), __m256i(b))); }
  static V max(V a, V b) { return V(_mm256_max_epu32(__m256i(a), __m256i(b))); }
  static unsigned up_to(V v, V pivot) {
    __m256i at_most = _mm256_cmpeq_epi32(__m256i(max(v, pivot)), __m256i(pivot));
    return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(at_most)));
  }
  template <int X>  // the key of lane i ^ X
  static V partner(V v) {
    return __builtin_shufflevector(v, v, 0 ^ X, 1 ^ X, 2 ^ X, 3 ^ X, 4 ^ X, 5 ^ X, 6 ^ X, 7 ^ X);
  }
  template <int BIT>  // lanes with the bit from b, the others from a
  static V blend(V a, V b) {
    constexpr auto from = [](int i) { return i & BIT ? i + 8 : i; };
    return __builtin_shufflevector(a, b, from(0), from(1), from(2), from(3), from(4), from(5), from(6), from(7));
  }
};

template <>
struct Lanes<uint64_t> {
  typedef uint64_t V __attribute__((vector_size(32)));
  static constexpr int count = 4;
  static V splat(uint64_t key) { return V(_mm256_set1_epi64x(int64_t(key))); }
  static __m256i above(V a, V b) {
    __m256i sign = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(__m256i(a), sign), _mm256_xor_si256(__m256i(b), sign));
  }
  static V min(V a, V b) { return V(_mm256_blendv_epi8(__m256i(a), __m256i(b), above(a, b))); }
  static V max(V a, V b) { return V(_mm256_blendv_epi8(__m256i(b), __m256i(a), above(a, b))); }
  static unsigned up_to(V v, V pivot) {
    return unsigned(_mm256_movemask_pd(_mm256_castsi256_pd(above(v, pivot)))) ^ 15u;
  }
  template <int X>
  static V partner(V v) {
    return __builtin_shufflevector(v, v, 0 ^ X, 1 ^ X, 2 ^ X, 3 ^ X);
  }
  template <int BIT>
  static V blend(V a, V b) {
    constexpr auto from = [](int i) { return i & BIT ? i + 4 : i; };
    return __builtin_shufflevector(a, b, from(0), from(1), from(2), from(3));
  }
};

template <typename K>
typename Lanes<K>::V load(const K* p) {
  return typename Lanes<K>::V(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}

template <typename K>
void store(K* p, typename Lanes<K>::V v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), __m256i(v));
}

template <typename K>
int64_t partition(K* keys, int64_t n, K pivot, K* spare) {
  using L = Lanes<K>;
  static constexpr LaneOrders<L::count> orders;
  constexpr unsigned all = (1u << L::count) - 1;
  auto pivots = L::splat(pivot);
  auto put = [](K* to, typename L::V v, unsigned lanes) {
    __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(orders.order[lanes])));
    store(to, typename L::V(_mm256_permutevar8x32_epi32(__m256i(v), order)));
  };
  int64_t i = 0, low = 0, high = 0;
  // Whole vectors are written, what a later one overwrites included: never beyond what was read.
  for (; i + L::count <= n; i += L::count) {
    auto v = load(keys + i);
    unsigned lanes = L::up_to(v, pivots);
    put(keys + low, v, lanes);
    put(spare + high, v, lanes ^ all);
    int first = __builtin_popcount(lanes);
    low += first;
    high += L::count - first;
  }
  for (; i < n; i++) {
    K key = keys[i];
    keys[low] = key;
    spare[high] = key;
    low += key <= pivot;
    high += key > pivot;
  }
  __builtin_memcpy(keys + low, spare, size_t(high) * sizeof(K));
  return low;
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
    auto other = L::template partner<L::count - 1>(v[VECTORS - 1 - i]), mine = v[i];
    v[i] = L::min(mine, other);
    v[VECTORS - 1 - i] = L::template partner<L::count - 1>(L::max(mine, other));
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
  for (int i = 0; i < VECTORS; i++) v[i] = merge_lanes<K, L::count, false>(v[i]);
}

template <typename K, int VECTORS>
void sort_vectors(typename Lanes<K>::V* v) {
  if constexpr (VECTORS == 1) {
    v[0] = merge_lanes<K, 2, true>(v[0]);
    v[0] = merge_lanes<K, 4, true>(v[0]);
    if constexpr (Lanes<K>::count == 8) v[0] = merge_lanes<K, 8, true>(v[0]);
  } else {
    sort_vectors<K, VECTORS / 2>(v);
    sort_vectors<K, VECTORS / 2>(v + VECTORS / 2);
    merge_vectors<K, VECTORS>(v);
  }
}

template <typename K, int VECTORS>
void sort_padded(K* keys, int64_t n) {
  using L = Lanes<K>;
  typename L::V v[VECTORS];
  K padded[VECTORS * L::count];
  __builtin_memset(padded, 0xff, sizeof(padded));
  __builtin_memcpy(padded, keys, size_t(n) * sizeof(K));
  for (int i = 0; i < VECTORS; i++) v[i] = load(padded + i * L::count);
  sort_vectors<K, VECTORS>(v);
  for (int i = 0; i < VECTORS; i++) store(padded + i * L::count, v[i]);
  __builtin_memcpy(keys, padded, size_t(n) * sizeof(K));
}

template <typename K>
void few(K* keys, int64_t n) {
  constexpr int whole = kSortFew / Lanes<K>::count;
  if (n <= kSortFew / 4) sort_padded<K, whole / 4>(keys, n);
  else if (n <= kSortFew / 2) sort_padded<K, whole / 2>(keys, n);
  else sort_padded<K, whole>(keys, n);
}

}  // namespace

extern const SortKernels sort_kernels = {{partition<uint32_t>, few<uint32_t>}, {partition<uint64_t>, few<uint64_t>}};

#else

extern const SortKernels sort_kernels = {};

#endif

}  // namespace mlx::core::cpu::MLX_ISA
