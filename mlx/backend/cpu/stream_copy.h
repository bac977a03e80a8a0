// Stores that go past the caches: a result that does not fit there costs one transfer instead of two.
#pragma once

#include <cstdint>

namespace mlx::core::cpu {

// Whether an operation that touches so many bytes finds none of them in a cache afterwards.
bool exceeds_caches(int64_t bytes);

// Copies to memory that nobody reads before stream_fence().
void stream_copy(const char* from, char* to, int64_t bytes);
void stream_fence();

}  // namespace mlx::core::cpu
