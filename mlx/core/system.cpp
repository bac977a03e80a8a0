// Reads affinity, /proc and cgroup files (versions 1 and 2).

#include "mlx/core/system.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace mlx::core {

namespace {

// The folders of this process's cgroup for a controller, innermost first, up to the mount point.
std::vector<std::string> cgroup_folders(const std::string& controller, const std::string& prefix) {
  std::string root = prefix + "/sys/fs/cgroup", path;
  std::ifstream in(prefix + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    if (names == ",,") {
      path = line.substr(second + 1);
    } else if (names.find("," + controller + ",") != std::string::npos) {
      root += "/" + controller;
      path = line.substr(second + 1);
      break;
    }
  }
  std::vector<std::string> folders;
  while (path.size() > 1) {
    folders.push_back(root + path);
    path.resize(path.rfind('/'));
  }
  folders.push_back(root);  // inside a container the namespace root is mounted here
  return folders;
}

// The numbers in a one-line file; "max" reads as -1. Empty when there is no such file.
std::vector<double> numbers_in(const std::string& file) {
  std::vector<double> values;
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    char* end = nullptr;
    double value = std::strtod(word.c_str(), &end);
    values.push_back(*end ? -1.0 : value);
  }
  return values;
}

}  // namespace

double cgroup_cpus(const std::string& root) {
  double quota = INFINITY;
  for (const std::string& folder : cgroup_folders("cpu", root)) {
    std::vector<double> v2 = numbers_in(folder + "/cpu.max");
    if (v2.size() == 2 && v2[0] > 0 && v2[1] > 0) quota = std::min(quota, v2[0] / v2[1]);
    std::vector<double> time = numbers_in(folder + "/cpu.cfs_quota_us");
    std::vector<double> period = numbers_in(folder + "/cpu.cfs_period_us");
    if (time.size() == 1 && time[0] > 0 && period.size() == 1 && period[0] > 0) {
      quota = std::min(quota, time[0] / period[0]);
    }
  }
  return quota;
}

double cgroup_memory(const std::string& root) {
  double bytes = INFINITY;
  for (const std::string& folder : cgroup_folders("memory", root)) {
    for (const char* name : {"/memory.max", "/memory.high", "/memory.limit_in_bytes"}) {
      std::vector<double> limit = numbers_in(folder + name);
      if (limit.size() == 1 && limit[0] > 0) bytes = std::min(bytes, limit[0]);
    }
  }
  return bytes;
}

int available_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cpus = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set)
                                                          : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  double quota = cgroup_cpus();
  if (quota < cpus) cpus = static_cast<int>(std::ceil(quota));
  return std::max(cpus, 1);
}

size_t available_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return static_cast<size_t>(std::min(bytes, cgroup_memory()));
}

}  // namespace mlx::core
