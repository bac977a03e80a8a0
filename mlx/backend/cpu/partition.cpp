// Partition and ArgPartition: the key of each wanted place is found by dividing in vectors or digit by digit, then one
// pass in order puts what is smaller before it and what is larger behind it.

#include <algorithm>
#include <array>
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

// A key, and how many of the keys are smaller than it.
template <typename K>
struct Selected {
  K key;
  int64_t smaller;
};

// The key at a place of the sorted order. `kept` has room for n keys: those that share the digits so far with it.
template <typename K>
Selected<K> select_by_digits(const K* keys, K* kept, int64_t n, int64_t place) {
  constexpr int64_t few = 32;
  int64_t smaller = 0;
  for (int shift = 8 * sizeof(K) - 8; shift >= 0 && n > few; shift -= 8) {
    std::array<int64_t, 256> counts{};
    for (int64_t i = 0; i < n; i++) counts[keys[i] >> shift & 0xff]++;
    unsigned digit = 0;
    while (place - smaller >= counts[digit]) smaller += counts[digit++];
    if (counts[digit] == n) continue;
    int64_t size = 0;
    for (int64_t i = 0; i < n; i++) {
      K key = keys[i];
      kept[size] = key;
      size += (key >> shift & 0xff) == digit;
    }
    n = size;
    keys = kept;
  }
  if (keys != kept) std::copy(keys, keys + n, kept);
  std::nth_element(kept, kept + (place - smaller), kept + n);
  K key = kept[place - smaller];
  for (int64_t i = 0; i < n; i++) smaller += kept[i] < key;
  return {key, smaller};
}

// The same by dividing the keys, both buffers hold n.
template <typename K>
Selected<K> select_in_vectors(const SortKernel<K>& kernel, K* keys, K* spare, int64_t n, int64_t place) {
  int64_t smaller = 0;
  for (int divisions = division_limit(n); n > kSortFew; divisions--) {
    if (divisions == 0) {
      Selected<K> found = select_by_digits(keys, spare, n, place - smaller);
      return {found.key, found.smaller + smaller};
    }
    K pivot = sample_pivot(kernel, keys, n);
    int64_t low = kernel.partition(keys, n, pivot, spare);
    if (low == n) {
      low = pivot == 0 ? 0 : kernel.partition(keys, n, pivot - 1, spare);
      if (place - smaller >= low) return {pivot, smaller + low};
    }
    if (place - smaller < low) {
      n = low;
    } else {
      keys += low;
      n -= low;
      smaller += low;
    }
  }
  kernel.few(keys, n);
  K key = keys[place - smaller];
  return {key, smaller + (std::lower_bound(keys, keys + n, key) - keys)};
}

// Items are elements, or the places of elements.
template <typename K, typename Item>
class RowPartition {
 public:
  // Places are sorted.
  RowPartition(int64_t n, const std::vector<int64_t>& places)
      : places_(places),
        n_(n),
        key_memory_(3 * n * sizeof(K)),
        item_memory_(n * sizeof(Item)),
        keys_(static_cast<K*>(key_memory_.get())),
        scratch_(keys_ + n),
        select_spare_(scratch_ + n),
        spare_(static_cast<Item*>(item_memory_.get())) {}

  template <typename F>
  void run(Item* items, F key_of) {
    int64_t n = n_;
    // From the last place on, since what lies behind one is settled for those before it.
    for (size_t k = places_.size(); k-- > 0; n = places_[k]) {
      if (places_[k] >= n) continue;  // asked for twice
      for (int64_t i = 0; i < n; i++) keys_[i] = key_of(items[i]);
      split(items, n, places_[k], select(n, places_[k]));
    }
  }

 private:
  void split(Item* items, int64_t n, int64_t place, const Selected<K>& selected) {
    int64_t before = 0, behind = 0, equal_before = place - selected.smaller;
    Item middle{};
    for (int64_t i = 0; i < n; i++) {
      K key = keys_[i];
      if (key == selected.key) {
        equal_before--;
        if (equal_before == -1) {
          middle = items[i];
          continue;
        }
      }
      Item item = items[i];
      bool first = key < selected.key || (key == selected.key && equal_before >= 0);
      items[before] = item;
      spare_[behind] = item;
      before += first;
      behind += !first;
    }
    items[place] = middle;
    std::copy(spare_, spare_ + behind, items + place + 1);
  }

  Selected<K> select(int64_t n, int64_t place) {
    if (const SortKernel<K>* kernel = vector_sort<K>()) {
      K* keys = scratch_;
      std::copy(keys_, keys_ + n, keys);
      return select_in_vectors(*kernel, keys, select_spare_, n, place);
    }
    return select_by_digits(keys_, scratch_, n, place);
  }

  const std::vector<int64_t>& places_;
  int64_t n_;
  SortMemory key_memory_, item_memory_;
  K *keys_, *scratch_, *select_spare_;
  Item* spare_;
};

std::vector<int64_t> sorted_places(const Shape& kths, int64_t n) {
  std::vector<int64_t> places;
  for (int64_t kth : kths) places.push_back(kth < 0 ? kth + n : kth);
  std::sort(places.begin(), places.end());
  return places;
}

// Calls body(partition, first element of the row) for each row.
template <typename T, typename Item, typename F>
void for_rows(int64_t size, int64_t n, const Shape& kths, F body) {
  std::vector<int64_t> places = sorted_places(kths, n);
  parallel_chunks(size / n, std::max<int64_t>(chunk_elements / n, 1), [&](int64_t begin, int64_t end) {
    RowPartition<typename KeyOf<T>::type, Item> partition(n, places);
    for (int64_t row = begin; row < end; row++) body(partition, row * n);
  });
}

}  // namespace

void eval(Partition& primitive, InputSpan inputs, OutputSpan outputs) {
  order_rows(inputs[0], primitive.axis(), outputs[0], [&](array& rows, int64_t n) {
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      T* data = rows.data<T>();
      for_rows<T, T>(static_cast<int64_t>(rows.size()), n, primitive.kths(), [&](auto& partition, int64_t at) {
        partition.run(data + at, [](const T& x) { return KeyOf<T>::of(x); });
      });
    });
  });
}

void eval(ArgPartition& primitive, InputSpan inputs, OutputSpan outputs) {
  place_rows(inputs[0], primitive.axis(), outputs[0], [&](const array& rows, uint32_t* to, int64_t n) {
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      const T* from = rows.data<T>();
      for_rows<T, uint32_t>(static_cast<int64_t>(rows.size()), n, primitive.kths(), [&](auto& partition, int64_t at) {
        for (int64_t i = 0; i < n; i++) to[at + i] = static_cast<uint32_t>(i);
        partition.run(to + at, [&](uint32_t place) { return KeyOf<T>::of(from[at + place]); });
      });
    });
  });
}

}  // namespace mlx::core::cpu
