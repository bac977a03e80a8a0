// The fork protocol: see fork.h.

#include "mlx/core/fork.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "mlx/core/futex.h"

namespace mlx::core {

namespace {

// Never destroyed: threads may still run when the process ends.
struct ForkState {
  std::atomic<uint32_t> working{0};  // threads inside an outermost WorkScope
  std::atomic<uint32_t> forking{0};
  std::mutex registration;
  std::vector<std::pair<ForkMutex::Rank, ForkMutex*>> locks;
  std::vector<void (*)()> child_hooks;
};

ForkState& state();
thread_local int work_depth = 0;

void enter() {
  ForkState& s = state();
  while (true) {
    s.working.fetch_add(1);
    if (!s.forking.load()) return;
    if (s.working.fetch_sub(1) > 0) futex_wake(s.working, 1);
    futex_wait(s.forking, 1);
  }
}

void leave() {
  ForkState& s = state();
  s.working.fetch_sub(1);
  if (s.forking.load()) futex_wake(s.working, 1);
}

void prepare() {
  ForkState& s = state();
  uint32_t own = work_depth > 0 ? 1 : 0;
  uint32_t expected = 0;
  while (!s.forking.compare_exchange_strong(expected, 1)) {  // another thread forks at the same time
    if (own) leave();  // it must not wait for this one
    futex_wait(s.forking, 1);
    if (own) s.working.fetch_add(1);
    expected = 0;
  }
  for (uint32_t n = s.working.load(); n > own; n = s.working.load()) futex_wait(s.working, n);
  s.registration.lock();
  std::stable_sort(s.locks.begin(), s.locks.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [rank, lock] : s.locks) lock->lock();
}

void release() {
  ForkState& s = state();
  for (auto it = s.locks.rbegin(); it != s.locks.rend(); ++it) it->second->unlock();
  s.registration.unlock();
  s.forking.store(0);
  futex_wake(s.forking, 1 << 20);
}

void in_child() {
  ForkState& s = state();
  s.working.store(work_depth > 0 ? 1 : 0);
  release();
  for (auto hook : s.child_hooks) hook();
}

ForkState& state() {
  static ForkState* s = [] {
    pthread_atfork(prepare, release, in_child);
    return new ForkState;
  }();
  return *s;
}

}  // namespace

ForkMutex::ForkMutex(Rank rank) {
  std::lock_guard guard(state().registration);
  state().locks.emplace_back(rank, this);
}

ForkMutex::~ForkMutex() {
  std::lock_guard guard(state().registration);
  std::erase_if(state().locks, [this](const auto& entry) { return entry.second == this; });
}

WorkScope::WorkScope() {
  if (work_depth++ == 0) enter();
}

WorkScope::~WorkScope() {
  if (--work_depth == 0) leave();
}

void WorkScope::safe_point() {
  if (state().forking.load(std::memory_order_relaxed)) Pause pass;
}

WorkScope::Pause::Pause() : depth_(work_depth) {
  if (depth_ > 0) leave();
  work_depth = 0;
}

WorkScope::Pause::~Pause() {
  if (depth_ > 0) enter();
  work_depth = depth_;
}

void at_fork_in_child(void (*f)()) {
  std::lock_guard guard(state().registration);
  state().child_hooks.push_back(f);
}

}  // namespace mlx::core
