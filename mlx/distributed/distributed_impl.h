// What a backend of distributed computing implements.
#pragma once

#include <memory>

namespace mlx::core::distributed::detail {

class GroupImpl {
 public:
  virtual ~GroupImpl() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::shared_ptr<GroupImpl> split(int color, int key) const = 0;
};

}  // namespace mlx::core::distributed::detail
