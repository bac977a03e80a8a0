// Coming back to the GIL: see gil.h.

#include "gil.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace mlx::python {

namespace {

std::atomic<bool> ending{false};
std::atomic<int> returning{0};  // threads that ask for the GIL
std::atomic<unsigned long> ending_thread{0};

constexpr std::chrono::milliseconds patience{200};

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
  auto until = std::chrono::steady_clock::now() + patience;
  PyThreadState* state = PyEval_SaveThread();
  while (returning.load() > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  PyEval_RestoreThread(state);
}

}  // namespace mlx::python
