// Waiting without the GIL and asking for it from any thread, also while the interpreter ends.
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

// The GIL, for a call from the library into Python on any thread. Throws std::runtime_error after end_callbacks().
class CallbackGil {
 public:
  CallbackGil();
  ~CallbackGil();
  CallbackGil(const CallbackGil&) = delete;
  CallbackGil& operator=(const CallbackGil&) = delete;

 private:
  PyGILState_STATE state_;
};
// Called with the GIL once the streams are drained. Waits a moment for the calls that are under way.
void end_callbacks();

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
