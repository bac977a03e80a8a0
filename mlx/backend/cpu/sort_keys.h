// Sorting of rows by ordered keys: each element type maps to unsigned integers of the same order, in which NaN comes
// last and -0 equals 0; keys are sorted by comparison when there are few and by radix otherwise,
// long rows with the pool.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

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

// The same with the pool: chunks are counted and spread side by side, each to places of its own.
template <typename Item>
Item* radix_sort_long(Item* items, Item* spare, int64_t n) {
  using K = decltype(key_in(*items));
  constexpr int64_t chunks = 16;
  std::vector<std::array<int64_t, 256>> places(chunks);
  int64_t step = (n + chunks - 1) / chunks;
  auto for_chunk = [&](auto body) {
    parallel_for(chunks, [&](int64_t c) { body(places[c], c * step, std::min(n, (c + 1) * step)); });
  };
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(K)); shift += 8) {
    for_chunk([&](std::array<int64_t, 256>& counts, int64_t begin, int64_t end) {
      counts.fill(0);
      for (int64_t i = begin; i < end; i++) counts[key_in(items[i]) >> shift & 0xff]++;
    });
    int64_t next = 0, largest = 0;
    for (int digit = 0; digit < 256; digit++) {
      int64_t first = next;
      for (auto& counts : places) next += std::exchange(counts[digit], next);
      largest = std::max(largest, next - first);
    }
    if (largest == n) continue;
    for_chunk([&](std::array<int64_t, 256>& place, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) spare[place[key_in(items[i]) >> shift & 0xff]++] = items[i];
    });
    std::swap(items, spare);
  }
  return items;
}

constexpr int64_t long_row = 64 * 1024;

template <typename Item>
Item* sort_items(Item* items, Item* spare, int64_t n) {
  constexpr int64_t few = 256;
  if (n > long_row) return radix_sort_long(items, spare, n);
  if (n > few) return radix_sort(items, spare, n);
  if constexpr (std::is_integral_v<Item>) {
    std::sort(items, items + n);
  } else {
    std::sort(items, items + n, [](const Item& a, const Item& b) {
      return a.key < b.key || (a.key == b.key && a.place < b.place);
    });
  }
  return items;
}

}  // namespace mlx::core::cpu
