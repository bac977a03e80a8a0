// How much memory arrays use and may use. All sizes are bytes.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace mlx::core {

// An allocation would pass the memory limit, or the system has no memory left. The process goes on.
class OutOfMemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

size_t get_active_memory();
size_t get_peak_memory();
void reset_peak_memory();
size_t get_cache_memory();

// The limits return the previous value.
size_t set_memory_limit(size_t limit);
size_t get_memory_limit();
size_t set_cache_limit(size_t limit);
size_t get_cache_limit();
void clear_cache();
size_t set_wired_limit(size_t limit);

}  // namespace mlx::core
