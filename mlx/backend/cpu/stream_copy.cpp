// See stream_copy.h.

#include "mlx/backend/cpu/stream_copy.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "mlx/core/thread_pool.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace mlx::core::cpu {

namespace {

int64_t cache_size(int level_name, int64_t fallback) {
  long size = sysconf(level_name);
  return size > 0 ? size : fallback;
}

}  // namespace

// Virtual machines report the shared cache of the whole processor, of which they own a part.
bool exceeds_caches(int64_t bytes) {
  static const int64_t second = cache_size(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  static const int64_t last = cache_size(_SC_LEVEL3_CACHE_SIZE, 8 << 20);
  return bytes > std::min(std::max(second, last), 8 * second * num_threads());
}

#if defined(__x86_64__)

void stream_copy(const char* from, char* to, int64_t bytes) {
  int64_t head = std::min<int64_t>(-reinterpret_cast<intptr_t>(to) & 15, bytes), i = head;
  std::memcpy(to, from, static_cast<size_t>(head));
  for (; i + 64 <= bytes; i += 64) {
    for (int k = 0; k < 64; k += 16) {
      __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i + k));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + k), part);
    }
  }
  std::memcpy(to + i, from + i, static_cast<size_t>(bytes - i));
}

void stream_fence() { _mm_sfence(); }

#else

void stream_copy(const char* from, char* to, int64_t bytes) { std::memcpy(to, from, static_cast<size_t>(bytes)); }
void stream_fence() {}

#endif

}  // namespace mlx::core::cpu
