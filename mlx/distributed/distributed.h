// Groups of processes that compute together.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace mlx::core::distributed {

namespace detail {
class GroupImpl;
}

// Exchanges bytes between the processes of a group that is being made: (own bytes, all bytes in order of rank, size).
using AllGatherFn = std::function<void(const char*, char*, size_t)>;
using AllGatherFactory = std::function<AllGatherFn(int rank, int size)>;

// Whether a backend can be asked for: any, ring, mpi, nccl or jaccl. A group of one process always can.
bool is_available();
bool is_available(const std::string& bk);

struct Group {
  explicit Group(std::shared_ptr<detail::GroupImpl> group) : group_(std::move(group)) {}
  int rank() const;
  int size() const;
  // The group of those that give the same color, in the order of their keys. Throws std::runtime_error for a group of
  // one process.
  Group split(int color, int key = -1) const;
  const std::shared_ptr<detail::GroupImpl>& raw_group() const { return group_; }

 private:
  std::shared_ptr<detail::GroupImpl> group_;
};

// The group of all processes, made once per backend. Where none is configured it holds this process alone; with
// strict that throws std::runtime_error. An unknown backend throws std::invalid_argument.
Group init(bool strict = false, const std::string& bk = "any");
Group init(bool strict, const std::string& bk, AllGatherFactory factory);
// The next init makes its group anew.
void clear_backends();

}  // namespace mlx::core::distributed
