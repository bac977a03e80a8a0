// Python objects that the graph or a deleter owns: they may be dropped on any thread, with or without the
// GIL.
#pragma once

#include <Python.h>

#include <memory>

namespace mlx::python {

// A shared owner; copying it needs no GIL, and the last one may go anywhere.
using PyRef = std::shared_ptr<PyObject>;
PyRef keep(PyObject* o);

// Drops a reference: at once where this thread holds the GIL, else through a queue.
void release(PyObject* o) noexcept;
// Drops what other threads have queued. Needs the GIL.
void drain_releases() noexcept;
// In the child of a fork: another thread may have held the lock.
void forget_releases_in_child() noexcept;
// From now on dropped references leak: the interpreter is ending.
void stop_releases() noexcept;

}  // namespace mlx::python
