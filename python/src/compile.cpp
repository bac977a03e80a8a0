// mx.compile: calls go through the cache of the function object; captured containers are read before and
// written after a call.

#include "mlx/compile.h"

#include <mutex>

#include "captured.h"
#include "define.h"
#include "gil.h"
#include "mlx/transforms_impl.h"
#include "transformed.h"

namespace mlx::python {

namespace {

using Arrays = std::vector<mx::array>;

// What a trace found out, kept with its program: the forms of the result and of the captured outputs.
struct Traced {
  Form result, outputs;
};

// Calls that capture containers change them while they trace and when they end, so they go one by one.
class CapturedCall {
 public:
  explicit CapturedCall(bool captures) : captures_(captures) {
    if (captures && !mutex().try_lock()) without_gil([] { mutex().lock(); });
  }
  ~CapturedCall() {
    if (captures_) mutex().unlock();
  }
  CapturedCall(const CapturedCall&) = delete;
  CapturedCall& operator=(const CapturedCall&) = delete;

  // In the child of a fork: another thread may have held the lock.
  static void forget_in_child() { current = new std::recursive_mutex; }

 private:
  static std::recursive_mutex& mutex() { return *current; }
  static inline std::recursive_mutex* current = new std::recursive_mutex;
  bool captures_;
};

class Compiled : public Transform {
 public:
  Compiled(nb::object function, nb::object inputs, nb::object outputs, bool shapeless)
      : Transform(std::move(function)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        shapeless_(shapeless),
        cache_(mx::detail::make_compile_cache()) {}

  PyObject* call(PyObject* args, PyObject* keywords) override {
    if (!mx::detail::compile_enabled()) return call_function(args, keywords).release().ptr();
    CapturedCall one_by_one(inputs_.is_valid() || outputs_.is_valid());
    Key key;
    Arrays arrays;
    describe_tree(args, true, &key, &arrays);
    if (keywords) describe_tree(keywords, true, &key, &arrays);
    size_t own = arrays.size();
    if (inputs_.is_valid()) describe_tree(inputs_.ptr(), false, &key, &arrays);
    auto fun = [&](const Arrays& traced) { return trace(args, keywords, traced, own); };
    mx::detail::CompiledResult result = mx::detail::compiled_call(*cache_, fun, arrays, key, shapeless_);
    auto& found = *static_cast<Traced*>(result.extra.get());
    size_t next = 0;
    nb::object value = found.result.fill(result.outputs, &next);
    if (outputs_.is_valid())
      update_container(outputs_.ptr(), found.outputs.tree.get(), result.outputs, &next);
    return value.release().ptr();
  }

  int traverse(visitproc visit, void* arg) override {
    Py_VISIT(inputs_.ptr());
    Py_VISIT(outputs_.ptr());
    return Transform::traverse(visit, arg);
  }
  void clear() override {
    inputs_.reset();
    outputs_.reset();
    Transform::clear();
  }

 private:
  // Runs the function on stand-ins. Whatever happens, the containers end as they were.
  mx::detail::CompiledResult trace(PyObject* args, PyObject* keywords, const Arrays& traced, size_t own) {
    Snapshot inputs(inputs_.is_valid() ? inputs_.ptr() : Py_None);
    Snapshot outputs(outputs_.is_valid() ? outputs_.ptr() : Py_None);
    auto found = std::make_shared<Traced>();
    mx::detail::CompiledResult result;
    try {
      size_t next = 0;
      LentArrays lent(false);
      nb::object traced_args = lent.argument(args, traced, &next);
      nb::object traced_keywords = keywords ? lent.argument(keywords, traced, &next) : nb::object();
      next = own;
      if (inputs_.is_valid()) put_arrays(inputs_.ptr(), traced, &next);
      nb::object value = call_function(traced_args.ptr(), traced_keywords.ptr());
      found->result = Form::of(value.ptr(), &result.outputs);
      if (outputs_.is_valid()) found->outputs = form_of_container(outputs_.ptr(), &result.outputs);
    } catch (...) {
      inputs.restore();
      outputs.restore();
      throw;
    }
    inputs.restore();
    outputs.restore();
    result.extra = found;
    return result;
  }

  nb::object inputs_, outputs_;  // null: none
  bool shapeless_;
  std::shared_ptr<mx::detail::CompileCache> cache_;
};

nb::object container_argument(Args& x, int i) {
  if (!x.has(i)) return nb::object();
  PyObject* o = x[i];
  if (!is_container(o) && !captured_array(o))
    x.raise_wrong(i, "a dict, list or tuple of arrays, or mx.random.state");
  return nb::borrow(o);
}

}  // namespace

void forget_captured_calls_in_child() noexcept { CapturedCall::forget_in_child(); }

void bind_compile(nb::module_& m) {
  Functions(m)
      .def(
          "compile(fun: Callable[P, R], inputs: object | None = None, outputs: object | None = None, "
          "shapeless: bool = False) -> Callable[P, R]",
          "A function that is traced once per shapes, dtypes and constants of its arguments, and then run as "
          "a fused program.\n\nArguments are trees of arrays and constants. inputs, outputs: containers of "
          "arrays that the function reads and\nchanges besides its arguments, such as model.state or "
          "mx.random.state. shapeless: keep the program for other sizes.",
          [](Args& x) {
            nb::object function = callable_argument(x, 0);
            return make_callable(std::make_unique<Compiled>(function, container_argument(x, 1),
                                                            container_argument(x, 2), x.boolean(3, false)),
                                 function);
          })
      .def("disable_compile() -> None", "Let compiled functions call their function directly.",
           [](Args&) { mx::disable_compile(); })
      .def("enable_compile() -> None", "Let compiled functions run their programs again.",
           [](Args&) { mx::enable_compile(); });
}

}  // namespace mlx::python
