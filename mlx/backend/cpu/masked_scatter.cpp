// Writing where a mask is true: places are counted chunk by chunk first, so that every chunk knows its first value.
// Masks are read as bytes: both passes must agree on one that another library, which shares it, made neither 0 nor 1.

#include <algorithm>
#include <cstring>
#include <vector>

#include "mlx/backend/cpu/combine.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/core/error.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/index_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chunk = 16 * 1024;  // places

template <typename T>
void put_elements(const uint8_t* mask, int64_t n, const void* from_, void* to_) {
  const T* from = static_cast<const T*>(from_);
  T* to = static_cast<T*>(to_);
  for (int64_t i = 0; i < n; i++) {
    if (mask[i]) to[i] = *from++;
  }
}

// Rows of `bytes` each; a row is one element in the cases that matter most.
void put_rows(const uint8_t* mask, int64_t n, const char* from, char* to, int64_t bytes) {
  if (bytes == 1) return put_elements<uint8_t>(mask, n, from, to);
  if (bytes == 2) return put_elements<uint16_t>(mask, n, from, to);
  if (bytes == 4) return put_elements<uint32_t>(mask, n, from, to);
  if (bytes == 8) return put_elements<uint64_t>(mask, n, from, to);
  for (int64_t i = 0; i < n; i++) {
    if (!mask[i]) continue;
    std::memcpy(to + i * bytes, from, static_cast<size_t>(bytes));
    from += bytes;
  }
}

}  // namespace

void eval(MaskedScatter&, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  if (inputs[0].flags().row_contiguous) copy_for_update(inputs[0], out);
  else copy_row_major(inputs[0], out);
  if (out.size() == 0) return;
  array mask = row_major(inputs[1]), src = row_major(inputs[2]);
  int64_t batch = out.shape(0), places = out.shape(1), row = out.shape(2), given = src.shape(1);
  int64_t chunks = ceil_div(places, chunk);
  auto chunk_size = [&](int64_t c) { return std::min(chunk, places - c % chunks * chunk); };
  auto first_place = [&](int64_t c) { return c / chunks * places + c % chunks * chunk; };

  std::vector<int64_t> firsts(static_cast<size_t>(batch * chunks));
  parallel_for(batch * chunks, [&](int64_t c) {
    const uint8_t* m = mask.data<uint8_t>() + first_place(c);
    firsts[static_cast<size_t>(c)] = chunk_size(c) - std::count(m, m + chunk_size(c), 0);
  });
  for (int64_t b = 0; b < batch; b++) {
    int64_t total = 0;
    for (int64_t c = b * chunks; c < (b + 1) * chunks; c++) {
      int64_t count = firsts[static_cast<size_t>(c)];
      firsts[static_cast<size_t>(c)] = total;
      total += count;
    }
    if (total * row > given) {
      raise<std::runtime_error>("[masked_scatter] The mask selects ", total, " places of ", row,
                                " elements each, but there are ", given, " values.");
    }
  }
  int64_t size = static_cast<int64_t>(out.itemsize());
  parallel_for(batch * chunks, [&](int64_t c) {
    int64_t place = first_place(c), value = c / chunks * given + firsts[static_cast<size_t>(c)] * row;
    put_rows(mask.data<uint8_t>() + place, chunk_size(c), src.data<char>() + value * size,
             out.data<char>() + place * row * size, row * size);
  });
}

}  // namespace mlx::core::cpu
