// Sort and ArgSort: rows are brought together in memory, then each is sorted, a long one with the pool.

#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/keyed_row.h"
#include "mlx/backend/cpu/sort_rows.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/sort_primitives.h"

namespace mlx::core::cpu {

namespace {

template <typename T>
class RowSorter {
  using K = typename KeyOf<T>::type;
  using Item = Placed<K>;

 public:
  RowSorter(int64_t n, bool with_places)
      : n_(n), memory_(2 * n * (with_places || needs_places<T> ? sizeof(Item) : sizeof(K))),
        items_(static_cast<Item*>(memory_.get())) {}

  // `to` may be `from`.
  void sort(const T* from, T* to) {
    if constexpr (needs_places<T>) {
      Item* sorted = sort_placed(from);
      reorder(from, to, n_, [&](int64_t i) { return sorted[i].place; });
    } else {
      K* keys = reinterpret_cast<K*>(items_);
      KeyedRow<T> keyed(from, keys, n_);
      keyed.give_back(sort_items(keys, keys + n_, n_), to);
    }
  }
  void argsort(const T* row, uint32_t* places) {
    Item* sorted = sort_placed(row);
    for_elements(n_, [&](int64_t i) { places[i] = sorted[i].place; });
  }

 private:
  Item* sort_placed(const T* row) {
    for_elements(n_, [&](int64_t i) { items_[i] = {KeyOf<T>::of(row[i]), static_cast<uint32_t>(i)}; });
    return sort_items(items_, items_ + n_, n_);
  }

  int64_t n_;
  SortMemory memory_;
  Item* items_;
};

}  // namespace

void eval(Sort& primitive, InputSpan inputs, OutputSpan outputs) {
  order_rows(inputs[0], primitive.axis(), outputs[0], [](const array& rows, array& sorted, int64_t n) {
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      const T* from = rows.data<T>();
      T* to = sorted.data<T>();
      for_rows(static_cast<int64_t>(rows.size()), n, [&] { return RowSorter<T>(n, false); },
               [&](RowSorter<T>& sorter, int64_t at) { sorter.sort(from + at, to + at); });
    });
  });
}

void eval(ArgSort& primitive, InputSpan inputs, OutputSpan outputs) {
  place_rows(inputs[0], primitive.axis(), outputs[0], [](const array& rows, uint32_t* to, int64_t n) {
    dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
      const T* from = rows.data<T>();
      for_rows(static_cast<int64_t>(rows.size()), n, [&] { return RowSorter<T>(n, true); },
               [&](RowSorter<T>& sorter, int64_t at) { sorter.argsort(from + at, to + at); });
    });
  });
}

}  // namespace mlx::core::cpu
