// Waiting without the GIL, also while the interpreter ends.
#pragma once

#include <Python.h>

#include <exception>

namespace mlx::python {

// A thread that asks for the GIL of an ending interpreter is unwound by force, which C++ frames do not
// survive. So daemon threads that come back from a wait after begin_exit() stay where they are.
void take_gil_back(PyThreadState* state);
// Called with the GIL on the thread that ends the interpreter. Threads already asking for the GIL get it
// first.
void begin_exit();

// Runs the body without the GIL.
template <typename Body>
void without_gil(Body&& body) {
  PyThreadState* state = PyEval_SaveThread();
  std::exception_ptr error;
  try {
    body();
  } catch (...) {
    error = std::current_exception();
  }
  take_gil_back(state);
  if (error) std::rethrow_exception(error);
}

}  // namespace mlx::python
