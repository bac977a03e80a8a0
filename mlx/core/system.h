// What this process may use of the machine: processors and memory, after affinity and cgroup limits.
#pragma once

#include <cstddef>
#include <string>

namespace mlx::core {

int available_cpus();
size_t available_memory();

// The limits of this process's control groups; infinity for none. The files are looked for below `root`.
double cgroup_cpus(const std::string& root = "");
double cgroup_memory(const std::string& root = "");

}  // namespace mlx::core
