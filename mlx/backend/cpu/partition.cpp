// Partition and ArgPartition: dividing the keys finds the key of each wanted place, then one pass in order puts what is
// smaller before it and what is larger behind it.

#include <algorithm>
#include <vector>

#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/keyed_row.h"
#include "mlx/backend/cpu/sort_rows.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/sort_primitives.h"

namespace mlx::core::cpu {

namespace {

// A key, and how many of the keys are smaller than it.
template <typename K>
struct Selected {
  K key;
  int64_t smaller;
};

// The key at a place of the sorted order. `one` and `other` have room for n keys; `one` may be `keys`.
template <typename K>
Selected<K> select(const K* keys, int64_t n, int64_t place, K* one, K* other) {
  int64_t smaller = 0;
  for (int divisions = division_limit(n); n > kSortFew && divisions > 0; divisions--) {
    K pivot = sample_pivot(keys, n);
    int64_t low = divide(keys, n, pivot, one, other);
    if (low == n) {
      low = pivot == 0 ? 0 : divide(one, n, static_cast<K>(pivot - 1), one, other);
      if (place >= low) return {pivot, smaller + low};
    }
    if (place >= low) {
      std::swap(one, other);
      place -= low;
      smaller += low;
      low = n - low;
    }
    n = low;
    keys = one;
  }
  if (n <= kSortFew) {
    sort_few(keys, n, one);
  } else {
    if (keys != one) std::copy(keys, keys + n, one);
    std::nth_element(one, one + place, one + n);
  }
  K key = one[place];
  for (int64_t i = 0; i < n; i++) smaller += one[i] < key;
  return {key, smaller};
}

// Brings the keys of a row, or their places, into order.
template <typename K>
class KeyPartition {
 public:
  // Wanted places are sorted.
  KeyPartition(int64_t n, const std::vector<int64_t>& wanted, bool with_places)
      : n_(n),
        wanted_(wanted),
        key_memory_(3 * n * sizeof(K)),
        place_memory_(with_places ? 2 * n * sizeof(uint32_t) : 0),
        keys_(static_cast<K*>(key_memory_.get())),
        places_(with_places ? static_cast<uint32_t*>(place_memory_.get()) : nullptr) {}

  K* keys() { return keys_; }
  uint32_t* places() { return places_; }

  void run() {
    int64_t n = n_;
    // From the last place on, since what lies behind one is settled for those before it.
    for (size_t k = wanted_.size(); k-- > 0; n = wanted_[k]) {
      if (wanted_[k] >= n) continue;  // asked for twice
      K* spare = keys_ + n_;
      Selected<K> selected = select<K>(keys_, n, wanted_[k], spare, spare + n_);
      int64_t at = find(selected.key, wanted_[k] - selected.smaller);
      if (places_) split(places_, places_ + n_, n, wanted_[k], at);
      if (!places_ || k > 0) split(keys_, spare, n, wanted_[k], at);
    }
  }

 private:
  // Moves the item `at` to the place that its key has; equal ones before it come to lie before, equal ones behind it
  // behind.
  template <typename Item>
  void split(Item* items, Item* spare, int64_t n, int64_t place, int64_t at) {
    K key = keys_[at];
    Item middle = items[at];
    int64_t low = divide(keys_, items, at, key, items, spare), rest = at + 1;
    Item* high = spare + (at - low);
    if (key == 0) std::copy(items + rest, items + n, high);
    else divide(keys_ + rest, items + rest, n - rest, static_cast<K>(key - 1), items + low, high);
    items[place] = middle;
    std::copy(spare, spare + n - place - 1, items + place + 1);
  }

  // Where the key stands for another time after the first `before` times.
  int64_t find(K key, int64_t before) {
    constexpr int64_t block = 1024;
    int64_t i = 0;
    for (; i + block <= n_; i += block) {
      int64_t found = std::count(keys_ + i, keys_ + i + block, key);
      if (found > before) break;
      before -= found;
    }
    while (keys_[i] != key || before-- > 0) i++;
    return i;
  }

  int64_t n_;
  const std::vector<int64_t>& wanted_;
  SortMemory key_memory_, place_memory_;
  K* keys_;
  uint32_t* places_;
};

template <typename T>
class RowPartition {
 public:
  RowPartition(int64_t n, const std::vector<int64_t>& wanted, bool with_places)
      : n_(n), partition_(n, wanted, with_places || needs_places<T>) {}

  // `to` may be `from`.
  void partition(const T* from, T* to) {
    if constexpr (needs_places<T>) {
      const uint32_t* places = partition_places(from);
      reorder(from, to, n_, [&](int64_t i) { return places[i]; });
    } else {
      KeyedRow<T> keyed(from, partition_.keys(), n_);
      partition_.run();
      keyed.give_back(partition_.keys(), to);
    }
  }
  void argpartition(const T* row, uint32_t* to) {
    const uint32_t* places = partition_places(row);
    std::copy(places, places + n_, to);
  }

 private:
  const uint32_t* partition_places(const T* row) {
    auto* keys = partition_.keys();
    uint32_t* places = partition_.places();
    for_elements(n_, [&](int64_t i) {
      keys[i] = KeyOf<T>::of(row[i]);
      places[i] = static_cast<uint32_t>(i);
    });
    partition_.run();
    return places;
  }

  int64_t n_;
  KeyPartition<typename KeyOf<T>::type> partition_;
};

std::vector<int64_t> sorted_places(const Shape& kths, int64_t n) {
  std::vector<int64_t> places;
  for (int64_t kth : kths) places.push_back(kth < 0 ? kth + n : kth);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

void eval(Partition& primitive, InputSpan inputs, OutputSpan outputs) {
  order_rows(inputs[0], primitive.axis(), outputs[0], [&](const array& rows, array& divided, int64_t n) {
    std::vector<int64_t> places = sorted_places(primitive.kths(), n);
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      const T* from = rows.data<T>();
      T* to = divided.data<T>();
      for_rows(static_cast<int64_t>(rows.size()), n, [&] { return RowPartition<T>(n, places, false); },
               [&](RowPartition<T>& row, int64_t at) { row.partition(from + at, to + at); });
    });
  });
}

void eval(ArgPartition& primitive, InputSpan inputs, OutputSpan outputs) {
  place_rows(inputs[0], primitive.axis(), outputs[0], [&](const array& rows, uint32_t* to, int64_t n) {
    std::vector<int64_t> places = sorted_places(primitive.kths(), n);
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      const T* from = rows.data<T>();
      for_rows(static_cast<int64_t>(rows.size()), n, [&] { return RowPartition<T>(n, places, true); },
               [&](RowPartition<T>& row, int64_t at) { row.argpartition(from + at, to + at); });
    });
  });
}

}  // namespace mlx::core::cpu
