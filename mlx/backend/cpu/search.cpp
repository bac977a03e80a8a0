// SearchSorted and NonZero.

#include <bit>
#include <cstring>
#include <vector>

#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/sort_keys.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/search_primitives.h"

namespace mlx::core::cpu {

namespace {

// How many of the n sorted elements are smaller than the key; with `right`, not larger.
template <typename T>
uint32_t place_of(typename KeyOf<T>::type key, const T* sorted, int64_t n, bool right) {
  const T* first = sorted;
  while (n > 0) {
    int64_t half = n / 2;
    auto middle = KeyOf<T>::of(first[half]);
    bool before = right ? middle <= key : middle < key;
    first = before ? first + half + 1 : first;
    n = before ? n - half - 1 : half;
  }
  return static_cast<uint32_t>(first - sorted);
}

}  // namespace

void eval(SearchSorted& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array sequences = row_major(inputs[0]), values = row_major(inputs[1]);
  int64_t n = sequences.shape(-1), size = static_cast<int64_t>(out.size()), rows = 1;
  for (size_t i = 0; i + 1 < sequences.ndim(); i++) rows *= sequences.shape(static_cast<int>(i));
  int64_t per_row = size / rows;
  dispatch_dtype(values.dtype(), [&]<typename T>(TypeTag<T>) {
    const T *sorted = sequences.data<T>(), *x = values.data<T>();
    uint32_t* y = out.data<uint32_t>();
    parallel_for(size, 1024, [&](int64_t i) {
      y[i] = place_of<T>(KeyOf<T>::of(x[i]), sorted + i / per_row * n, n, primitive.right());
    });
  });
}

namespace {

constexpr int64_t mask_block = 32 * 1024;

// Bytes, since what another library wrote may be neither 0 nor 1.
int64_t count(const uint8_t* mask, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) sum += mask[i] != 0;
  return sum;
}

// The highest bit of each byte that is not zero.
uint64_t nonzero_bytes(const uint8_t* mask) {
  constexpr uint64_t low = 0x7f7f7f7f7f7f7f7fu;
  uint64_t bytes;
  std::memcpy(&bytes, mask, 8);
  return (((bytes & low) + low) | bytes) & ~low;
}

// Writes at most `room` places, and returns how many.
template <typename I>
int64_t write_places(const uint8_t* mask, int64_t begin, int64_t end, I* to, int64_t room) {
  int64_t written = 0, i = begin;
  for (; i + 8 <= end && written < room; i += 8) {
    for (uint64_t bytes = nonzero_bytes(mask + i); bytes != 0 && written < room; bytes &= bytes - 1) {
      to[written++] = static_cast<I>(i + std::countr_zero(bytes) / 8);
    }
  }
  for (; i < end && written < room; i++) {
    if (mask[i] != 0) to[written++] = static_cast<I>(i);
  }
  return written;
}

// Blocks of rows are counted first, so that each knows where it writes.
template <typename I>
void find_places(const uint8_t* mask, int64_t rows, int64_t n, I* to, int64_t size) {
  int64_t blocks = std::max<int64_t>(ceil_div(n, mask_block), 1);
  int64_t grain = std::max<int64_t>(mask_block / std::max<int64_t>(n, 1), 1);
  std::vector<int64_t> starts(static_cast<size_t>(rows * blocks));
  auto each_block = [&](auto body) {
    parallel_chunks(rows * blocks, grain, [&](int64_t first, int64_t last) {
      for (int64_t task = first; task < last; task++) {
        int64_t begin = task % blocks * mask_block;
        body(task, mask + task / blocks * n, begin, std::min(begin + mask_block, n));
      }
    });
  };
  if (blocks > 1) {
    each_block([&](int64_t task, const uint8_t* row, int64_t begin, int64_t end) {
      starts[task] = count(row + begin, end - begin);
    });
    for (int64_t row = 0; row < rows; row++) {
      int64_t sum = 0;
      for (int64_t b = 0; b < blocks; b++) sum += std::exchange(starts[row * blocks + b], sum);
    }
  }
  each_block([&](int64_t task, const uint8_t* row, int64_t begin, int64_t end) {
    I* places = to + task / blocks * size;
    int64_t at = starts[task];
    if (at > size) return;
    at += write_places(row, begin, end, places + at, size - at);
    if (end == n) std::fill(places + at, places + size, static_cast<I>(n));
  });
}

}  // namespace

void eval(NonZero& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array mask = row_major(inputs[0]);
  int64_t n = mask.shape(-1), rows = static_cast<int64_t>(out.size()) / primitive.size();
  dispatch_dtype(out.dtype(), [&]<typename I>(TypeTag<I>) {
    if constexpr (std::is_same_v<I, uint32_t> || std::is_same_v<I, int64_t>) {
      find_places(mask.data<uint8_t>(), rows, n, out.data<I>(), primitive.size());
    }
  });
}

}  // namespace mlx::core::cpu
