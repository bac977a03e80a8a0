// Coming back to the GIL: see gil.h.

#include "gil.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace mlx::python {

namespace {

std::atomic<bool> ending{false};
std::atomic<int> returning{0};  // threads that ask for the GIL
std::atomic<unsigned long> ending_thread{0};

std::atomic<bool> callbacks_ended{false};
std::atomic<int> callbacks{0};  // threads inside a CallbackGil

constexpr std::chrono::milliseconds patience{200};

// Waits without the GIL until no thread is counted any more.
void wait_for_none(const std::atomic<int>& threads) {
  auto until = std::chrono::steady_clock::now() + patience;
  PyThreadState* state = PyEval_SaveThread();
  while (threads.load() > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  PyEval_RestoreThread(state);
}

}  // namespace

void take_gil_back(PyThreadState* state) {
  returning.fetch_add(1);
  if (ending.load() && PyThread_get_thread_ident() != ending_thread.load()) {
    returning.fetch_sub(1);
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  PyEval_RestoreThread(state);
  returning.fetch_sub(1);
}

void begin_exit() {
  ending_thread = PyThread_get_thread_ident();
  ending = true;
  wait_for_none(returning);
}

CallbackGil::CallbackGil() {
  callbacks.fetch_add(1);
  if (callbacks_ended.load()) {
    callbacks.fetch_sub(1);
    throw std::runtime_error("[python] The interpreter is ending.");
  }
  state_ = PyGILState_Ensure();
}

CallbackGil::~CallbackGil() {
  PyGILState_Release(state_);
  callbacks.fetch_sub(1);
}

void end_callbacks() {
  callbacks_ended = true;
  wait_for_none(callbacks);
}

}  // namespace mlx::python
