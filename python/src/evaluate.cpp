// eval, async_eval, synchronize.

#include "evaluate.h"

#include "define.h"
#include "release.h"
#include "trees.h"

namespace mlx::python {

namespace {

void after_wait() {
  drain_releases();
  raise_queued_warnings();
}

// The arrays in the arguments, which may be any trees; other leaves are ignored.
std::vector<mx::array> arrays_of(const Args& x) {
  std::vector<mx::array> arrays;
  for (Py_ssize_t i = 0; i < x.rest_count(); i++) collect_arrays(x.rest()[i], &arrays);
  return arrays;
}

void synchronize(Args& x) {
  mx::StreamOrDevice s = x.stream();
  without_gil([&] {
    if (s.index() == 0)
      mx::synchronize();
    else
      mx::synchronize(mx::to_stream(s));
  });
  after_wait();
}

}  // namespace

void evaluate(const mx::array& a) {
  mx::array pinned = a;  // another thread may rebind the Python object meanwhile
  without_gil([&] { pinned.eval(); });
  after_wait();
}

void evaluate(std::vector<mx::array> arrays) {
  without_gil([&] {
    mx::eval(arrays);
    arrays.clear();
  });
  after_wait();
}

void bind_evaluate(nb::module_& m) {
  Functions(m)
      .def(
          "eval(*args) -> None",
          "Compute arrays and wait for them.\n\nThe arguments are arrays or trees (dict, list, tuple) of "
          "arrays; other leaves are ignored. An error\nof the computation is raised here, and again by every "
          "later use.",
          [](Args& x) { evaluate(arrays_of(x)); })
      .def("async_eval(*args) -> None",
           "Start computing arrays (or trees of arrays) and return at once.\n\nErrors are raised when the "
           "arrays are used.",
           [](Args& x) {
             std::vector<mx::array> arrays = arrays_of(x);
             without_gil([&] {
               mx::async_eval(arrays);
               arrays.clear();
             });
             after_wait();
           })
      .def("synchronize(stream: StreamOrDevice = None) -> None",
           "Wait until all the work given to a stream is done (the default stream without an argument).",
           [](Args& x) { synchronize(x); });
}

}  // namespace mlx::python
