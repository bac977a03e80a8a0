// Random bits on the CPU. Word i pairs with word i + half: both come from one call of the generator.

#include <algorithm>
#include <cstring>

#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/random_primitive.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t pairs_per_chunk = 16 * 1024;

// `bytes` random bytes. Of an odd number of words the middle one is the first half of a pair with counter 0.
void fill(uint32_t k0, uint32_t k1, char* out, int64_t bytes) {
  int64_t words = (bytes + 3) / 4, half = words / 2, odd = words % 2;
  auto generate = kernels().random.threefry;
  auto write = [&](int64_t word, const uint32_t* values, int64_t count) {
    int64_t at = word * 4;
    std::memcpy(out + at, values, static_cast<size_t>(std::min(count * 4, bytes - at)));
  };
  parallel_chunks(half, pairs_per_chunk, [&](int64_t begin, int64_t end) {
    uint32_t first[1024], second[1024];
    for (int64_t i = begin; i < end; i += 1024) {
      int64_t n = std::min<int64_t>(1024, end - i);
      generate(k0, k1, static_cast<uint32_t>(i), static_cast<uint32_t>(i + half + odd), n, first, second);
      write(i, first, n);
      write(i + half + odd, second, n);
    }
  });
  if (odd) {
    uint32_t first, second;
    generate(k0, k1, static_cast<uint32_t>(half), 0, 1, &first, &second);
    write(half, &first, 1);
  }
}

}  // namespace

void eval(RandomBits&, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  array keys = row_major(inputs[0]);
  int64_t count = static_cast<int64_t>(keys.size() / 2);
  if (count == 0) return;
  int64_t block = static_cast<int64_t>(out.nbytes()) / count;
  const uint32_t* k = keys.data<uint32_t>();
  int64_t grain = std::max<int64_t>(1, 4096 / std::max<int64_t>(block, 1));
  parallel_for(count, grain, [&](int64_t i) { fill(k[2 * i], k[2 * i + 1], out.data<char>() + i * block, block); });
}

}  // namespace mlx::core::cpu
