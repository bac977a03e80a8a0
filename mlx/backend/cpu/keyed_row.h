// Rows of elements as sort keys, and back.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "mlx/backend/cpu/sort_keys.h"

namespace mlx::core::cpu {

// Calls body(i) for the elements of a row, those of a long one with the pool.
template <typename F>
void for_elements(int64_t n, F body) {
  parallel_for(n, long_row, body);
}

// Calls body(worker, first element) for rows of n elements; a worker that make() gives serves several.
template <typename Make, typename F>
void for_rows(int64_t size, int64_t n, Make make, F body) {
  constexpr int64_t chunk_elements = 4096;
  parallel_chunks(size / n, std::max<int64_t>(chunk_elements / n, 1), [&](int64_t begin, int64_t end) {
    auto worker = make();
    for (int64_t row = begin; row < end; row++) body(worker, row * n);
  });
}

// Complex numbers have keys that do not give them back: they are ordered by their places.
template <typename T>
inline constexpr bool needs_places = std::is_same_v<T, complex64_t>;

// to[i] = from[place(i)]; `to` may be `from`.
template <typename T, typename F>
void reorder(const T* from, T* to, int64_t n, F place) {
  std::vector<T> old(from, from + n);
  for_elements(n, [&](int64_t i) { to[i] = old[place(i)]; });
}

// The keys of a row without places. Keys do not tell -0 from 0 nor one NaN from another: where a row has others than
// those that the keys give back, it remembers them in their order.
template <typename T>
class KeyedRow {
  using Key = KeyOf<T>;

 public:
  using K = typename Key::type;

  KeyedRow(const T* row, K* keys, int64_t n) : n_(n) {
    std::atomic<bool> lossy = false;
    parallel_chunks(n, long_row, [&](int64_t begin, int64_t end) {
      K lost = 0;
      for (int64_t i = begin; i < end; i++) {
        K bits = std::bit_cast<K>(row[i]), key = Key::of(row[i]);
        keys[i] = key;
        lost |= std::bit_cast<K>(Key::value(key)) ^ bits;
      }
      if (lost != 0) lossy = true;
    });
    if constexpr (!std::is_integral_v<T>) {
      if (lossy) remember(row, keys);
    }
  }

  // The elements of keys in a new order, equal ones in the old one.
  void give_back(const K* keys, T* row) const {
    for_elements(n_, [&](int64_t i) { row[i] = Key::value(keys[i]); });
    if constexpr (!std::is_integral_v<T>) {
      replace(keys, Key::zero_key, zeros_, row);
      replace(keys, Key::nan_key, nans_, row);
    }
  }

 private:
  void remember(const T* row, const K* keys) {
    for (int64_t i = 0; i < n_; i++) {
      if (keys[i] == Key::zero_key) zeros_.push_back(row[i]);
      if (keys[i] == Key::nan_key) nans_.push_back(row[i]);
    }
  }

  void replace(const K* keys, K key, const std::vector<T>& elements, T* row) const {
    size_t next = 0;
    for (int64_t i = 0; next < elements.size(); i++) {
      if (keys[i] == key) row[i] = elements[next++];
    }
  }

  int64_t n_;
  std::vector<T> zeros_, nans_;
};

}  // namespace mlx::core::cpu
