// The queue of references that threads without the GIL have dropped: see release.h.

#include "release.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace mlx::python {

namespace {

struct Queue {
  std::mutex mutex;
  std::vector<PyObject*> objects;
  std::atomic<bool> filled{false};
  std::atomic<bool> stopped{false};
};

Queue* current_queue = new Queue;  // never destroyed: threads may outlive the statics
Queue& queue() { return *current_queue; }

int drain_pending(void*) {
  drain_releases();
  return 0;
}

}  // namespace

PyRef keep(PyObject* o) {
  Py_INCREF(o);
  return PyRef(o, release);
}

void release(PyObject* o) noexcept {
  Queue& q = queue();
  if (!o || q.stopped.load(std::memory_order_acquire)) return;
  if (PyGILState_Check()) {
    Py_DECREF(o);
    return;
  }
  bool first;
  {
    std::lock_guard guard(q.mutex);
    first = q.objects.empty();
    q.objects.push_back(o);
    q.filled.store(true, std::memory_order_release);
  }
  // A full table of pending calls is no loss: the next binding call that waits drains as well.
  if (first) Py_AddPendingCall(drain_pending, nullptr);
}

void drain_releases() noexcept {
  Queue& q = queue();
  if (!q.filled.load(std::memory_order_acquire)) return;
  std::vector<PyObject*> objects;
  {
    std::lock_guard guard(q.mutex);
    objects.swap(q.objects);
    q.filled.store(false, std::memory_order_release);
  }
  for (PyObject* o : objects) Py_DECREF(o);
}

void forget_releases_in_child() noexcept { current_queue = new Queue; }

void stop_releases() noexcept { queue().stopped.store(true, std::memory_order_release); }

}  // namespace mlx::python
