// Locks that a fork must find free, and the order of what happens around a fork: new evaluations are held back,
// running ones reach a safe point, all guarded locks are taken; the child starts with a fresh pool.
#pragma once

#include <mutex>

namespace mlx::core {

// A mutex that fork takes before the process is copied. Guarded locks are taken in the order of their ranks and
// no thread may hold one while it takes another of a lower or the same rank.
class ForkMutex {
 public:
  enum Rank { graph, queue, pool, allocator, registry };
  explicit ForkMutex(Rank rank);
  ~ForkMutex();
  ForkMutex(const ForkMutex&) = delete;
  ForkMutex& operator=(const ForkMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Work that must not be cut in two by a fork holds one of these. The outermost one of a thread waits while a fork
// is being prepared. Ranges in which the thread waits for somebody else (the host's lock) are left by `Pause`.
class WorkScope {
 public:
  WorkScope();
  ~WorkScope();
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;

  // A place where the work may be cut: lets a fork pass that is being prepared.
  static void safe_point();

  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    int depth_;
  };
};

// Called in the child, in the order of registration.
void at_fork_in_child(void (*f)());

}  // namespace mlx::core
