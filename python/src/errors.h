// Exceptions between C++ and Python: every entry from Python catches everything and calls set_python_error.
#pragma once

#include "binding.h"

namespace mlx::python {

// Sets the Python error that matches the C++ exception being handled.
void set_python_error() noexcept;

// Runs the body of a type slot; an exception that left it would end the process. `failure` is what the slot
// returns for an error.
template <typename Body, typename Result = decltype(std::declval<Body>()())>
Result guarded(Body&& body, Result failure = Result{}) noexcept {
  try {
    return body();
  } catch (...) {
    set_python_error();
    return failure;
  }
}

// One step into a container, counted against Python's limit of recursion: containers may hold themselves. `where` ends
// the message of its error, as in " in a nested list".
class Recursion {
 public:
  explicit Recursion(const char* where) {
    if (Py_EnterRecursiveCall(where)) raise_python();
  }
  ~Recursion() { Py_LeaveRecursiveCall(); }
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
};

// A wrong argument type. The text names the argument, what came and what is accepted.
class ArgumentTypeError : public std::exception {
 public:
  explicit ArgumentTypeError(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

template <typename... Parts>
[[noreturn]] void raise_type_error(const Parts&... parts) {
  throw ArgumentTypeError(concat(parts...));
}

// Raises the warnings that the library has queued through warnings.warn, on this thread. Throws where a
// filter makes an error of one.
void raise_queued_warnings();

}  // namespace mlx::python
