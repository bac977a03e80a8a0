// The event: a word that threads sleep on and a list of continuations that closes when the event fires.

#include "mlx/event.h"

#include <chrono>

#include "mlx/core/error.h"
#include "mlx/core/futex.h"
#include "mlx/core/interrupt.h"
#include "mlx/core/stream_queue.h"
#include "mlx/core/thread_pool_impl.h"

namespace mlx::core {

struct Event::Impl {
  enum : uint32_t { unset, setting, fired };

  struct Continuation {
    std::function<void()> run;
    Continuation* next;
  };

  std::atomic<uint32_t> state{unset};
  std::atomic<uint32_t> sleepers{0};
  std::exception_ptr error;
  std::vector<Event> others;  // whose errors it inherits
  std::atomic<Continuation*> continuations{nullptr};

  // Marks the list as closed: whoever finds it runs its continuation at once.
  static Continuation* closed() {
    static Continuation mark;
    return &mark;
  }

  ~Impl() {
    for (Continuation* c = continuations.load(); c && c != closed();) delete std::exchange(c, c->next);
  }
};

Event::Event(Stream stream) : impl_(std::make_shared<Impl>()), stream_(stream) {}

Event::Impl& Event::impl() const {
  if (!impl_) [[unlikely]] raise("[event] An event made without a stream never fires.");
  return *impl_;
}

const Stream& Event::stream() const {
  impl();
  return *stream_;
}

bool Event::is_signaled() const { return impl().state.load(std::memory_order_acquire) == Impl::fired; }

void Event::set(std::exception_ptr error) const {
  uint32_t expected = Impl::unset;
  if (!impl().state.compare_exchange_strong(expected, Impl::setting)) return;
  std::vector<Event> others = std::move(impl_->others);
  for (const Event& e : others) {
    if (!error) error = e.error();
  }
  impl_->error = std::move(error);
  impl_->state.store(Impl::fired);
  if (impl_->sleepers.load()) futex_wake(impl_->state, 1 << 20);
  Impl::Continuation* list = impl_->continuations.exchange(Impl::closed());
  Impl::Continuation* in_order = nullptr;
  while (list) in_order = std::exchange(list, std::exchange(list->next, in_order));
  while (in_order) {
    in_order->run();
    delete std::exchange(in_order, in_order->next);
  }
}

void Event::inherit_errors(std::vector<Event> others) const {
  for (const Event& e : others) e.impl();
  impl().others = std::move(others);
}

void Event::then(std::function<void()> f) const {
  auto* fresh = new Impl::Continuation{std::move(f), impl().continuations.load()};
  do {
    if (fresh->next == Impl::closed()) {
      fresh->run();
      delete fresh;
      return;
    }
  } while (!impl_->continuations.compare_exchange_weak(fresh->next, fresh));
}

std::exception_ptr Event::error() const { return is_signaled() ? impl_->error : nullptr; }

void Event::check_error() const {
  if (std::exception_ptr e = error()) std::rethrow_exception(e);
}

bool Event::wait_for(int milliseconds) const {
  for (int spin = 0; spin < 200; spin++) {
    if (is_signaled()) return true;
    spin_pause();
  }
  ThreadPool::get().ensure_running();
  ThreadPool::Waiting lend_place;
  WorkScope::Pause pause;  // an operation that waits for another evaluation must not hold a fork back
  auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  impl_->sleepers.fetch_add(1);
  bool signaled = false;
  while (!(signaled = is_signaled())) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - std::chrono::steady_clock::now()).count();
    if (left <= 0) break;
    uint32_t seen = impl_->state.load();
    if (seen != Impl::fired) futex_wait(impl_->state, seen, static_cast<int>(left));
  }
  impl_->sleepers.fetch_sub(1);
  return signaled;
}

void Event::wait() const {
  if (!is_signaled()) {
    InterruptPoll interrupt;
    while (!wait_for(static_cast<int>(InterruptPoll::period.count()))) interrupt.poll();
  }
  check_error();
}

void Event::wait(Stream stream) const {
  if (!is_signaled()) stream_queue(stream).push({.waits = {*this}, .run = [] {}});
}

void Event::signal(Stream stream) const {
  impl();
  stream_queue(stream).push({.waits = {}, .run = [event = *this] { event.set(); }});
}

}  // namespace mlx::core
