// Callables made of other callables: grad(f), vmap(f), compile(f) ... One Python type, which the garbage
// collector can look into, holds what each does.
#pragma once

#include <memory>

#include "binding.h"

namespace mlx::python {

class Transform {
 public:
  explicit Transform(nb::object function) : function_(std::move(function)) {}
  virtual ~Transform() = default;

  // keywords may be null.
  virtual PyObject* call(PyObject* args, PyObject* keywords) = 0;
  // The Python objects that it owns.
  virtual int traverse(visitproc visit, void* arg) {
    Py_VISIT(function_.ptr());
    return 0;
  }
  virtual void clear() { function_.reset(); }

 protected:
  // Calls the function that was transformed.
  nb::object call_function(PyObject* args, PyObject* keywords) const {
    return steal(PyObject_Call(function_.ptr(), args, keywords));
  }
  nb::object function_;
};

// A new callable with the name and documentation of `function`.
PyObject* make_callable(std::unique_ptr<Transform> transform, nb::handle function);

// The callable argument i, or TypeError.
class Args;
nb::object callable_argument(const Args& x, int i);

void bind_transformed(nb::module_& m);

}  // namespace mlx::python
