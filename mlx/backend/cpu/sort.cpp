// Sort and ArgSort: rows are brought together in memory, then each is sorted by one thread.

#include <cstring>
#include <memory>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/sort_keys.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/sort_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chunk_elements = 4096;

// Keys do not tell -0 from 0 nor one NaN from another: these get their elements back in the order of the row.
template <typename T>
void restore(const std::vector<T>& elements, T* to) {
  std::copy(elements.begin(), elements.end(), to);
}

template <typename T>
class RowSorter {
 public:
  explicit RowSorter(int64_t n) : n_(n), items_(new Item[2 * n]) {}

  void sort(T* row) {
    if constexpr (std::is_same_v<T, complex64_t>) {
      Item* sorted = sort_placed(row);
      std::vector<T> old(row, row + n_);
      for (int64_t i = 0; i < n_; i++) row[i] = old[sorted[i].place];
    } else {
      sort_keys(row);
    }
  }
  void argsort(const T* row, uint32_t* places) {
    Placed<K>* sorted = sort_placed(row);
    for (int64_t i = 0; i < n_; i++) places[i] = sorted[i].place;
  }

 private:
  using K = typename KeyOf<T>::type;
  using Item = Placed<K>;
  static constexpr bool has_nan = !std::is_integral_v<T>;

  Item* sort_placed(const T* row) {
    for (int64_t i = 0; i < n_; i++) items_[i] = {KeyOf<T>::of(row[i]), static_cast<uint32_t>(i)};
    return sort_items(items_.get(), items_.get() + n_, n_);
  }

  void sort_keys(T* row) {
    K* keys = reinterpret_cast<K*>(items_.get());
    std::vector<T> zeros, nans;
    bool mixed_zeros = false;
    for (int64_t i = 0; i < n_; i++) {
      keys[i] = KeyOf<T>::of(row[i]);
      if constexpr (has_nan) {
        if (keys[i] == KeyOf<T>::nan_key) nans.push_back(row[i]);
        if (keys[i] == KeyOf<T>::zero_key) mixed_zeros |= std::bit_cast<K>(row[i]) != 0;
      }
    }
    if constexpr (has_nan) {
      for (int64_t i = 0; mixed_zeros && i < n_; i++) {
        if (keys[i] == KeyOf<T>::zero_key) zeros.push_back(row[i]);
      }
    }
    const K* sorted = sort_items(keys, keys + n_, n_);
    for (int64_t i = 0; i < n_; i++) row[i] = KeyOf<T>::value(sorted[i]);
    if constexpr (has_nan) {
      restore(zeros, row + (std::lower_bound(sorted, sorted + n_, KeyOf<T>::zero_key) - sorted));
      restore(nans, row + n_ - nans.size());
    }
  }

  int64_t n_;
  std::unique_ptr<Item[]> items_;
};

// The same axes with the sorted one last.
template <typename V>
V axis_last(V values, int axis) {
  auto value = values[axis];
  values.erase(values.begin() + axis);
  values.push_back(value);
  return values;
}

bool rows_in_place(const array& x, int axis) {
  for (int i = axis + 1; i < static_cast<int>(x.ndim()); i++) {
    if (x.shape(i) != 1) return false;
  }
  return x.flags().row_contiguous;
}

// A row-major copy with the axis last.
array gather_rows(const array& x, int axis) {
  array rows(axis_last(x.shape(), axis), x.dtype(), nullptr, {});
  rows.set_data(allocator::malloc(rows.nbytes()));
  copy_strided(x.data<void>(), axis_last(x.strides(), axis), rows.data<void>(), row_major_strides(rows.shape()),
               rows.shape(), x.itemsize());
  rows.set_status(array::available);
  return rows;
}

void spread_rows(const array& rows, int axis, array& out) {
  out.set_data(allocator::malloc(out.nbytes()));
  copy_strided(rows.data<void>(), row_major_strides(rows.shape()), out.data<void>(),
               axis_last(row_major_strides(out.shape()), axis), rows.shape(), out.itemsize());
}

// Calls body(sorter, first element of the row) for each row.
template <typename T, typename F>
void for_rows(int64_t size, int64_t n, F body) {
  parallel_chunks(size / n, std::max<int64_t>(chunk_elements / n, 1), [&](int64_t begin, int64_t end) {
    RowSorter<T> sorter(n);
    for (int64_t row = begin; row < end; row++) body(sorter, row * n);
  });
}

void sort_rows(array& rows, int64_t n) {
  dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
    T* data = rows.data<T>();
    for_rows<T>(static_cast<int64_t>(rows.size()), n,
                [&](RowSorter<T>& sorter, int64_t at) { sorter.sort(data + at); });
  });
}

}  // namespace

void eval(Sort& primitive, InputSpan inputs, OutputSpan outputs) {
  const array& in = inputs[0];
  array& out = outputs[0];
  int axis = primitive.axis();
  if (in.size() == 0) {
    out.set_data(allocator::malloc(0));
  } else if (rows_in_place(in, axis)) {
    if (in.is_donatable()) out.copy_shared_buffer(in);
    else copy_row_major(in, out);
    sort_rows(out, in.shape(axis));
  } else {
    array rows = gather_rows(in, axis);
    sort_rows(rows, in.shape(axis));
    spread_rows(rows, axis, out);
  }
}

void eval(ArgSort& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  int axis = primitive.axis();
  if (out.size() == 0) {
    out.set_data(allocator::malloc(0));
    return;
  }
  bool in_place = rows_in_place(inputs[0], axis);
  array rows = in_place ? inputs[0] : gather_rows(inputs[0], axis);
  array places(rows.shape(), uint32, nullptr, {});
  array& result = in_place ? out : places;
  result.set_data(allocator::malloc(out.nbytes()));
  dispatch_dtype(rows.dtype(), [&]<typename T>(TypeTag<T>) {
    const T* from = rows.data<T>();
    uint32_t* to = result.data<uint32_t>();
    for_rows<T>(static_cast<int64_t>(rows.size()), out.shape(axis),
                [&](RowSorter<T>& sorter, int64_t at) { sorter.argsort(from + at, to + at); });
  });
  if (!in_place) spread_rows(places, axis, out);
}

}  // namespace mlx::core::cpu
