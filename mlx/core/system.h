// What this process may use of the machine: processors and memory, after affinity and cgroup limits.
#pragma once

#include <cstddef>

namespace mlx::core {

int available_cpus();
size_t available_memory();

}  // namespace mlx::core
