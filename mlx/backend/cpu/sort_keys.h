// Sorting of rows by ordered keys: each element type maps to unsigned integers of the same order, in which NaN comes
// last and -0 equals 0. Keys of 32 and 64 bits are sorted by a quicksort in vectors where the instruction set has one,
// otherwise by radix, or by comparison when there are few; long rows with the pool.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "mlx/backend/cpu/isa.h"
#include "mlx/core/thread_pool.h"
#include "mlx/types/complex.h"

namespace mlx::core::cpu {

template <typename T>
struct KeyOf;

template <typename T>
  requires std::is_integral_v<T>
struct KeyOf<T> {
  using type = std::conditional_t<std::is_same_v<T, bool>, uint8_t,
                                  std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, int8_t, T>>>;
  static constexpr type sign = std::is_signed_v<T> ? type(type(1) << (8 * sizeof(T) - 1)) : type(0);
  static type of(T x) { return static_cast<type>(static_cast<type>(x) ^ sign); }
  static T value(type key) { return static_cast<T>(static_cast<type>(key ^ sign)); }
};

template <typename T, typename Bits, Bits infinity>
struct FloatKey {
  using type = Bits;
  static constexpr int top = 8 * sizeof(Bits) - 1;
  static constexpr Bits sign = static_cast<Bits>(Bits(1) << top);
  static constexpr Bits nan_key = static_cast<Bits>(~Bits(0)), zero_key = sign;
  static Bits of(T x) {
    Bits bits = std::bit_cast<Bits>(x), magnitude = static_cast<Bits>(bits & static_cast<Bits>(~sign));
    bool nan, zero;
    if constexpr (std::is_floating_point_v<T>) {  // comparisons that every instruction set has for vectors
      nan = x != x;
      zero = x == 0;
    } else {
      nan = magnitude > infinity;
      zero = magnitude == 0;
    }
    Bits negative = static_cast<Bits>(0 - (bits >> top));
    Bits key = static_cast<Bits>(bits ^ (negative | sign));
    key = zero ? zero_key : key;
    return nan ? nan_key : key;
  }
  static T value(Bits key) {
    Bits positive = static_cast<Bits>(0 - (key >> top));
    return std::bit_cast<T>(static_cast<Bits>(key ^ (static_cast<Bits>(~positive) | sign)));
  }
};
template <>
struct KeyOf<float> : FloatKey<float, uint32_t, 0x7f800000u> {};
template <>
struct KeyOf<double> : FloatKey<double, uint64_t, 0x7ff0000000000000u> {};
template <>
struct KeyOf<float16_t> : FloatKey<float16_t, uint16_t, 0x7c00> {};
template <>
struct KeyOf<bfloat16_t> : FloatKey<bfloat16_t, uint16_t, 0x7f80> {};

// Lexicographic; all numbers with a NaN are equal.
template <>
struct KeyOf<complex64_t> {
  using type = uint64_t;
  static uint64_t of(complex64_t x) {
    uint32_t re = KeyOf<float>::of(x.real()), im = KeyOf<float>::of(x.imag());
    if (re == KeyOf<float>::nan_key || im == KeyOf<float>::nan_key) return ~uint64_t(0);
    return static_cast<uint64_t>(re) << 32 | im;
  }
};

// A key with the place that it came from.
template <typename K>
struct Placed {
  K key;
  uint32_t place;
};

template <typename K>
K key_in(K key) {
  return key;
}
template <typename K>
K key_in(const Placed<K>& item) {
  return item.key;
}

// Stable. Both buffers hold n items; returns the one that the result is in.
template <typename Item>
Item* radix_sort(Item* items, Item* spare, int64_t n) {
  using K = decltype(key_in(*items));
  constexpr int digits = sizeof(K);
  std::array<std::array<int64_t, 256>, digits> counts{};
  for (int64_t i = 0; i < n; i++) {
    K key = key_in(items[i]);
    for (int d = 0; d < digits; d++) counts[d][key >> (8 * d) & 0xff]++;
  }
  for (int d = 0; d < digits; d++) {
    std::array<int64_t, 256>& place = counts[d];
    int64_t next = 0;
    bool trivial = false;
    for (int64_t& count : place) {
      trivial |= count == n;
      next += std::exchange(count, next);
    }
    if (trivial) continue;
    for (int64_t i = 0; i < n; i++) spare[place[key_in(items[i]) >> (8 * d) & 0xff]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}

// The steps of the quicksort for keys of this type, or null.
template <typename K>
const SortKernel<K>* vector_sort() {
  const SortKernel<K>* kernel = nullptr;
  if constexpr (std::is_same_v<K, uint32_t>) kernel = &kernels().sort.of32;
  if constexpr (std::is_same_v<K, uint64_t>) kernel = &kernels().sort.of64;
  return kernel && kernel->few ? kernel : nullptr;
}

// See SortKernel; items are the keys or their places.
template <typename K, typename Item>
int64_t divide(const K* keys, const Item* items, int64_t n, K pivot, Item* low, Item* high) {
  if (const SortKernel<K>* kernel = vector_sort<K>()) {
    if constexpr (std::is_same_v<Item, uint32_t>) return kernel->divide_places(keys, items, n, pivot, low, high);
    else if constexpr (std::is_same_v<Item, K>) return kernel->divide(keys, n, pivot, low, high);
  }
  int64_t lows = 0, highs = 0;
  for (int64_t i = 0; i < n; i++) {
    bool first = keys[i] <= pivot;
    Item item = items[i];
    low[lows] = item;
    high[highs] = item;
    lows += first;
    highs += !first;
  }
  return lows;
}

template <typename K>
int64_t divide(const K* keys, int64_t n, K pivot, K* low, K* high) {
  return divide<K, K>(keys, keys, n, pivot, low, high);
}

// Sorts at most kSortFew keys; `sorted` may be `keys`.
template <typename K>
void sort_few(const K* keys, int64_t n, K* sorted) {
  if (const SortKernel<K>* kernel = vector_sort<K>()) return kernel->few(keys, n, sorted);
  if (keys != sorted) std::copy(keys, keys + n, sorted);
  std::sort(sorted, sorted + n);
}

// A key near the middle of more than kSortFew.
template <typename K>
K sample_pivot(const K* keys, int64_t n) {
  constexpr int64_t few = 1024;
  std::array<K, 32> sample;
  int64_t count = n < few ? 8 : 32;
  for (int64_t i = 0; i < count; i++) sample[i] = keys[n / count * i + n / (2 * count)];
  sort_few(sample.data(), count, sample.data());
  return sample[count / 2];
}

// Divisions that a quicksort may take before it is clear that the samples mislead it.
inline int division_limit(int64_t n) { return 2 * std::bit_width(static_cast<uint64_t>(n)); }

// Sorts n keys into `home`. They lie there or at `away`, which has room for n: what a division finds low comes home,
// what is high goes away.
template <typename K>
void quick_sort(const K* keys, K* home, K* away, int64_t n, int divisions) {
  while (n > kSortFew) {
    if (divisions-- == 0) {
      if (keys != home) std::copy(keys, keys + n, home);
      K* sorted = radix_sort(home, away, n);
      if (sorted != home) std::copy(sorted, sorted + n, home);
      return;
    }
    K pivot = sample_pivot(keys, n);
    int64_t low = divide(keys, n, pivot, home, away);
    keys = home;
    if (low < n) {
      quick_sort<K>(away, home + low, away, n - low, divisions);
    } else {
      low = pivot == 0 ? 0 : divide(keys, n, static_cast<K>(pivot - 1), home, away);
      std::fill(home + low, home + n, pivot);
    }
    n = low;
  }
  sort_few(keys, n, home);
}

// Stable: equal keys without places are one and the same. Returns the buffer that the result is in.
template <typename Item>
Item* sort_part(Item* items, Item* spare, int64_t n) {
  constexpr int64_t few = 256;
  if constexpr (std::is_integral_v<Item>) {
    if (vector_sort<Item>()) {
      quick_sort<Item>(items, items, spare, n, division_limit(n));
      return items;
    }
    if (n > few) return radix_sort(items, spare, n);
    std::sort(items, items + n);
  } else {
    if (n > few) return radix_sort(items, spare, n);
    std::sort(items, items + n, [](const Item& a, const Item& b) {
      return a.key < b.key || (a.key == b.key && a.place < b.place);
    });
  }
  return items;
}

// Merges two sorted runs, those of the first before equal ones of the second: elements begin ... end - 1 of the result.
template <typename Item>
void merge_part(const Item* a, int64_t n, const Item* b, int64_t m, Item* out, int64_t begin, int64_t end) {
  int64_t i = std::max<int64_t>(begin - m, 0), high = std::min(begin, n);
  while (i < high) {
    int64_t middle = (i + high) / 2;
    if (key_in(b[begin - middle - 1]) < key_in(a[middle])) high = middle;
    else i = middle + 1;
  }
  int64_t j = begin - i, k = begin;
  for (; k < end && i < n && j < m; k++) {
    bool second = key_in(b[j]) < key_in(a[i]);
    out[k] = second ? b[j] : a[i];
    j += second;
    i += !second;
  }
  for (; k < end; k++) out[k] = i < n ? a[i++] : b[j++];
}

// The same with the pool: parts are sorted side by side and merged. The result of a stable sort is one and the same
// for any number of parts.
template <typename Item>
Item* sort_long(Item* items, Item* spare, int64_t n) {
  constexpr int64_t grain = 32 * 1024;
  int64_t parts = 1;
  while (2 * parts <= num_threads() && n / (2 * parts) >= grain) parts *= 2;
  if (parts == 1) return sort_part(items, spare, n);
  auto start = [&](int64_t part) { return n / parts * part + std::min(part, n % parts); };
  parallel_for(parts, [&](int64_t part) {
    int64_t begin = start(part), size = start(part + 1) - begin;
    Item* sorted = sort_part(items + begin, spare + begin, size);
    if (sorted != items + begin) std::copy(sorted, sorted + size, items + begin);
  });
  for (int64_t width = 1; width < parts; width *= 2) {
    for (int64_t part = 0; part < parts; part += 2 * width) {
      int64_t first = start(part), middle = start(part + width), size = start(part + 2 * width) - first;
      parallel_chunks(size, grain, [&](int64_t begin, int64_t end) {
        merge_part(items + first, middle - first, items + middle, first + size - middle, spare + first, begin, end);
      });
    }
    std::swap(items, spare);
  }
  return items;
}

constexpr int64_t long_row = 64 * 1024;

template <typename Item>
Item* sort_items(Item* items, Item* spare, int64_t n) {
  return n > long_row ? sort_long(items, spare, n) : sort_part(items, spare, n);
}

}  // namespace mlx::core::cpu
