// Groups: see distributed.h.

#include "mlx/distributed/distributed.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "mlx/core/error.h"
#include "mlx/distributed/distributed_impl.h"

namespace mlx::core::distributed {

namespace {

constexpr const char* backends[] = {"any", "jaccl", "mpi", "nccl", "ring"};

// This process alone.
class SingleGroup : public detail::GroupImpl {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::shared_ptr<detail::GroupImpl> split(int, int) const override {
    raise<std::runtime_error>("[split] A group of one process cannot be split.");
  }
};

struct Groups {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<detail::GroupImpl>> by_backend;
};
Groups& groups() {
  static auto* all = new Groups;  // never destroyed: threads may outlive main
  return *all;
}

const detail::GroupImpl& impl_of(const Group& group) {
  if (!group.raw_group()) raise("[group] The group holds no processes: make it by init().");
  return *group.raw_group();
}

}  // namespace

bool is_available() { return true; }
bool is_available(const std::string& bk) { return std::count(std::begin(backends), std::end(backends), bk) > 0; }

int Group::rank() const { return impl_of(*this).rank(); }
int Group::size() const { return impl_of(*this).size(); }
Group Group::split(int color, int key) const { return Group(impl_of(*this).split(color, key)); }

Group init(bool strict, const std::string& bk) {
  if (!is_available(bk)) {
    raise("[init] There is no backend '", bk, "'; the backends are any, jaccl, mpi, nccl and ring.");
  }
  if (strict) {
    raise<std::runtime_error>("[init] No group of several processes is configured for the backend '", bk, "'.");
  }
  std::lock_guard guard(groups().mutex);
  auto& group = groups().by_backend[bk];
  if (!group) group = std::make_shared<SingleGroup>();
  return Group(group);
}

// A group of one process has nothing to exchange.
Group init(bool strict, const std::string& bk, AllGatherFactory) { return init(strict, bk); }

void clear_backends() {
  std::lock_guard guard(groups().mutex);
  groups().by_backend.clear();
}

}  // namespace mlx::core::distributed
