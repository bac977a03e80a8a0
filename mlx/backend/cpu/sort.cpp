// Sort and ArgSort: rows are brought together in memory, then each is sorted, a long one with the pool.

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/sort_keys.h"
#include "mlx/backend/cpu/sort_rows.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/sort_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chunk_elements = 4096;

template <typename T>
class RowSorter {
  using K = typename KeyOf<T>::type;
  using Item = Placed<K>;

 public:
  // Only who asks for places, and complex numbers, need more than the keys.
  RowSorter(int64_t n, bool with_places)
      : n_(n), memory_(2 * n * (with_places || std::is_same_v<T, complex64_t> ? sizeof(Item) : sizeof(K))),
        items_(static_cast<Item*>(memory_.get())) {}

  void sort(T* row) {
    if constexpr (std::is_same_v<T, complex64_t>) {
      Item* sorted = sort_placed(row);
      std::vector<T> old(row, row + n_);
      for_elements([&](int64_t i) { row[i] = old[sorted[i].place]; });
    } else {
      sort_keys(row);
    }
  }
  void argsort(const T* row, uint32_t* places) {
    Placed<K>* sorted = sort_placed(row);
    for_elements([&](int64_t i) { places[i] = sorted[i].place; });
  }

 private:
  static constexpr bool has_nan = !std::is_integral_v<T>;

  template <typename F>
  void for_elements(F body) {
    parallel_chunks(n_, long_row, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) body(i);
    });
  }

  Item* sort_placed(const T* row) {
    for_elements([&](int64_t i) { items_[i] = {KeyOf<T>::of(row[i]), static_cast<uint32_t>(i)}; });
    return sort_items(items_, items_ + n_, n_);
  }

  void sort_keys(T* row) {
    K* keys = reinterpret_cast<K*>(items_);
    for_elements([&](int64_t i) { keys[i] = KeyOf<T>::of(row[i]); });
    std::vector<T> zeros, nans;
    if constexpr (has_nan) {
      zeros = elements_of(row, keys, KeyOf<T>::zero_key, K(0));
      nans = elements_of(row, keys, KeyOf<T>::nan_key, std::bit_cast<K>(KeyOf<T>::value(KeyOf<T>::nan_key)));
    }
    const K* sorted = sort_items(keys, keys + n_, n_);
    for_elements([&](int64_t i) { row[i] = KeyOf<T>::value(sorted[i]); });
    if constexpr (has_nan) {
      std::copy(zeros.begin(), zeros.end(), row + (std::lower_bound(sorted, sorted + n_, KeyOf<T>::zero_key) - sorted));
      std::copy(nans.begin(), nans.end(), row + n_ - nans.size());
    }
  }

  // Keys do not tell -0 from 0 nor one NaN from another. The elements of such a key in their order, unless all have
  // the bits that the key gives back.
  std::vector<T> elements_of(const T* row, const K* keys, K key, K bits) {
    std::atomic<bool> other = false;
    parallel_chunks(n_, long_row, [&](int64_t begin, int64_t end) {
      K found = 0;
      for (int64_t i = begin; i < end; i++) found |= keys[i] == key ? std::bit_cast<K>(row[i]) ^ bits : 0;
      if (found != 0) other = true;
    });
    std::vector<T> elements;
    if (!other) return elements;
    for (int64_t i = 0; i < n_; i++) {
      if (keys[i] == key) elements.push_back(row[i]);
    }
    return elements;
  }

  int64_t n_;
  SortMemory memory_;
  Item* items_;
};

// Calls body(sorter, first element of the row) for each row.
template <typename T, typename F>
void for_rows(int64_t size, int64_t n, bool with_places, F body) {
  parallel_chunks(size / n, std::max<int64_t>(chunk_elements / n, 1), [&](int64_t begin, int64_t end) {
    RowSorter<T> sorter(n, with_places);
    for (int64_t row = begin; row < end; row++) body(sorter, row * n);
  });
}

}  // namespace

void eval(Sort& primitive, InputSpan inputs, OutputSpan outputs) {
  order_rows(inputs[0], primitive.axis(), outputs[0], [](array& rows, int64_t n) {
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      T* data = rows.data<T>();
      for_rows<T>(static_cast<int64_t>(rows.size()), n, false,
                  [&](RowSorter<T>& sorter, int64_t at) { sorter.sort(data + at); });
    });
  });
}

void eval(ArgSort& primitive, InputSpan inputs, OutputSpan outputs) {
  place_rows(inputs[0], primitive.axis(), outputs[0], [](const array& rows, uint32_t* to, int64_t n) {
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      const T* from = rows.data<T>();
      for_rows<T>(static_cast<int64_t>(rows.size()), n, true,
                  [&](RowSorter<T>& sorter, int64_t at) { sorter.argsort(from + at, to + at); });
    });
  });
}

}  // namespace mlx::core::cpu
