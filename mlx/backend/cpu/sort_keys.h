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
#include <vector>

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
  static constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(Bits) - 1));
  static constexpr Bits nan_key = static_cast<Bits>(~Bits(0)), zero_key = sign;
  static Bits of_bits(Bits bits) {
    Bits magnitude = static_cast<Bits>(bits & static_cast<Bits>(~sign));
    if (magnitude > infinity) return nan_key;
    if (magnitude == 0) return zero_key;
    return static_cast<Bits>(bits & sign ? ~bits : bits | sign);
  }
  static Bits of(T x) { return of_bits(std::bit_cast<Bits>(x)); }
  static T value(Bits key) { return std::bit_cast<T>(static_cast<Bits>(key & sign ? key ^ sign : ~key)); }
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

// A key near the middle of more than kSortFew.
template <typename K>
K sample_pivot(const SortKernel<K>& kernel, const K* keys, int64_t n) {
  std::array<K, 32> sample;
  for (int64_t i = 0; i < 32; i++) sample[i] = keys[n / 32 * i + n / 64];
  kernel.few(sample.data(), 32);
  return sample[16];
}

// Divisions that a quicksort may take before it is clear that the samples mislead it.
inline int division_limit(int64_t n) { return 2 * std::bit_width(static_cast<uint64_t>(n)); }

template <typename K>
void quick_sort(const SortKernel<K>& kernel, K* keys, K* spare, int64_t n, int divisions) {
  while (n > kSortFew) {
    if (divisions-- == 0) {
      K* sorted = radix_sort(keys, spare, n);
      if (sorted != keys) std::copy(sorted, sorted + n, keys);
      return;
    }
    K pivot = sample_pivot(kernel, keys, n);
    int64_t low = kernel.partition(keys, n, pivot, spare);
    if (low < n) {
      quick_sort(kernel, keys + low, spare, n - low, divisions);
      n = low;
    } else if (pivot == 0) {
      return;
    } else {
      n = kernel.partition(keys, n, pivot - 1, spare);  // what is behind equals the pivot
    }
  }
  kernel.few(keys, n);
}

// Stable: equal keys without places are one and the same. Returns the buffer that the result is in.
template <typename Item>
Item* sort_part(Item* items, Item* spare, int64_t n) {
  constexpr int64_t few = 256;
  if constexpr (std::is_integral_v<Item>) {
    if (const SortKernel<Item>* kernel = vector_sort<Item>()) {
      quick_sort(*kernel, items, spare, n, division_limit(n));
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
