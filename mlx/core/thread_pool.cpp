// The thread pool: see thread_pool.h and thread_pool_impl.h.

#include "mlx/core/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <system_error>

#include "mlx/core/error.h"
#include "mlx/core/futex.h"
#include "mlx/core/round.h"
#include "mlx/core/system.h"
#include "mlx/core/thread_pool_impl.h"
#include "mlx/core/warnings.h"

namespace mlx::core {

namespace {

constexpr int max_threads = 1024;
constexpr auto spin_time = std::chrono::microseconds(200);
thread_local bool is_worker = false;

// MLX_NUM_THREADS, or what the machine offers; nonsense gives one warning and the default.
int initial_threads() {
  int fallback = available_cpus();
  const char* text = std::getenv("MLX_NUM_THREADS");
  if (!text || !*text) return fallback;
  char* end = nullptr;
  long value = std::strtol(text, &end, 10);
  if (*end == '\0' && value >= 1 && value <= max_threads) return static_cast<int>(value);
  warn(concat("MLX_NUM_THREADS=", text, " is not a number of threads from 1 to ", max_threads, "; using ", fallback,
              "."));
  return fallback;
}

}  // namespace

struct ThreadPool::Loop {
  FunctionRef<void(int64_t)> body;
  int64_t count;
  int places;  // workers that may still join, guarded by the pool's mutex
  std::atomic<int64_t> next{0};
  std::atomic<uint32_t> inside{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error{};
};

ThreadPool& ThreadPool::get() {
  static ThreadPool* pool = [] {
    at_fork_in_child([] {
      ThreadPool& p = ThreadPool::get();
      for (std::thread& t : p.workers_) new (&t) std::thread;  // these threads do not exist in the child
      p.workers_.clear();
      p.loops_.clear();
      p.tasks_.clear();  // each is a request to drain a stream; the streams ask again
      p.generation_++;
      p.sleeping_ = 0;
      p.alive_ = 0;
      p.held_ = true;
    });
    return new ThreadPool;
  }();
  return *pool;
}

ThreadPool::ThreadPool() : threads_(initial_threads()) {}

void ThreadPool::resize(int threads) {
  if (threads < 1 || threads > max_threads) {
    raise("[set_num_threads] The number of threads must be from 1 to ", max_threads, ", but got ", threads, ".");
  }
  std::vector<std::thread> old;
  {
    std::lock_guard guard(mutex_);
    if (threads == threads_) return;
    threads_ = threads;
    generation_++;
    old.swap(workers_);
  }
  wake(1 << 20);
  // The caller may be one of them, or hold what their work waits for: they leave when their work is done.
  for (std::thread& t : old) t.detach();
  std::lock_guard guard(mutex_);
  if (!tasks_.empty()) start_workers();
}

void ThreadPool::start_worker(std::vector<std::thread>& threads, std::shared_ptr<std::atomic<bool>> over) {
  alive_++;
  try {
    threads.emplace_back([this, over, generation = generation_.load()] {
      is_worker = true;
      work(generation, over.get());
      alive_--;
    });
  } catch (...) {
    alive_--;
    throw;
  }
}

// With one thread loops run inline, and a single worker still drains the streams. False when there can be no worker.
bool ThreadPool::start_workers() {
  if (closed_) return false;
  if (!workers_.empty()) return true;
  int count = std::max(1, threads_ - 1);
  try {
    workers_.reserve(count);
    while (static_cast<int>(workers_.size()) < count) start_worker(workers_);
  } catch (const std::system_error&) {  // the system has no threads left: make do
  }
  return !workers_.empty();
}

void ThreadPool::wake(int count) {
  work_signal_++;
  if (sleeping_.load() > 0) futex_wake(work_signal_, count);
}

void ThreadPool::submit(std::function<void()> task) {
  {
    std::lock_guard guard(mutex_);
    tasks_.push_back(std::move(task));
    if (!held_) start_workers();
  }
  wake(1);
}

void ThreadPool::ensure_running() {
  std::unique_lock lock(mutex_);
  held_ = false;
  while (!tasks_.empty() && !start_workers()) {
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void ThreadPool::hold(bool on) {
  std::lock_guard guard(mutex_);
  held_ = on;
}

ThreadPool::Waiting::Waiting() {
  if (!is_worker) return;
  ThreadPool& pool = ThreadPool::get();
  std::lock_guard guard(pool.mutex_);
  if (pool.closed_) return;
  over_ = std::make_shared<std::atomic<bool>>(false);
  std::vector<std::thread> substitute;
  try {
    pool.start_worker(substitute, over_);
    substitute[0].detach();
  } catch (const std::system_error&) {  // no threads left: the wait may take longer
  }
}

ThreadPool::Waiting::~Waiting() {
  if (!over_) return;
  *over_ = true;
  ThreadPool::get().wake(1 << 20);
}

ThreadPool::Loop* ThreadPool::find_loop() {
  for (Loop* loop : loops_) {
    if (loop->places > 0 && loop->next.load(std::memory_order_relaxed) < loop->count) return loop;
  }
  return nullptr;
}

void ThreadPool::share(Loop& loop) {
  for (int64_t i; (i = loop.next.fetch_add(1, std::memory_order_relaxed)) < loop.count;) {
    try {
      loop.body(i);
    } catch (...) {
      if (!loop.failed.exchange(true)) loop.error = std::current_exception();
      loop.next.store(loop.count, std::memory_order_relaxed);
    }
  }
}

void ThreadPool::run_loop(int64_t count, FunctionRef<void(int64_t)> body) {
  int helpers = static_cast<int>(std::min<int64_t>(count, threads_)) - 1;
  if (helpers <= 0) {
    for (int64_t i = 0; i < count; i++) body(i);
    return;
  }
  Loop loop{body, count, helpers};
  {
    std::lock_guard guard(mutex_);
    held_ = false;
    start_workers();
    loops_.push_back(&loop);
  }
  wake(helpers);
  share(loop);
  {
    std::lock_guard guard(mutex_);
    std::erase(loops_, &loop);
  }
  for (int spin = 0; uint32_t inside = loop.inside.load(std::memory_order_acquire); spin++) {
    if (spin < 2000) spin_pause();
    else futex_wait(loop.inside, inside, 10);
  }
  if (loop.error) std::rethrow_exception(loop.error);
}

void ThreadPool::work(uint32_t generation, const std::atomic<bool>* over) {
  auto stays = [&] { return generation == generation_.load() && !(over && over->load()); };
  auto idle_since = std::chrono::steady_clock::now();
  while (stays()) {
    uint32_t seen = work_signal_.load();
    std::unique_lock lock(mutex_);
    if (!tasks_.empty() && !closed_) {
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    } else if (Loop* loop = find_loop()) {
      loop->places--;
      loop->inside.fetch_add(1);
      lock.unlock();
      share(*loop);
      // The owner may return, and the loop be gone, as soon as the count is down: it also looks every 10 ms.
      if (loop->inside.fetch_sub(1, std::memory_order_release) == 1) futex_wake(loop->inside, 1);
    } else {
      lock.unlock();
      if (std::chrono::steady_clock::now() - idle_since < spin_time) {
        for (int spin = 0; spin < 100 && seen == work_signal_.load(); spin++) spin_pause();
        continue;
      }
      sleeping_++;
      if (stays()) futex_wait(work_signal_, seen);
      sleeping_--;
    }
    idle_since = std::chrono::steady_clock::now();
  }
}

void ThreadPool::shut_down(int milliseconds) {
  std::vector<std::thread> old;
  {
    std::lock_guard guard(mutex_);
    closed_ = true;
    generation_++;
    old.swap(workers_);
  }
  auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (alive_.load() > 0 && std::chrono::steady_clock::now() < limit) {
    wake(1 << 20);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  bool all_left = alive_.load() == 0;
  for (std::thread& t : old) all_left ? t.join() : t.detach();
}

int num_threads() { return ThreadPool::get().size(); }
void set_num_threads(int n) { ThreadPool::get().resize(n); }

void parallel_for(int64_t count, FunctionRef<void(int64_t)> body) { ThreadPool::get().run_loop(count, body); }

void parallel_chunks(int64_t n, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) {
  if (n <= 0) return;
  // At most 64 chunks: enough to balance the load, few enough to cost nothing.
  int64_t chunks = std::clamp<int64_t>(n / std::max<int64_t>(grain, 1), 1, 64);
  int64_t step = ceil_div(n, chunks);
  parallel_for(ceil_div(n, step), [&](int64_t i) { body(i * step, std::min(n, (i + 1) * step)); });
}

}  // namespace mlx::core
