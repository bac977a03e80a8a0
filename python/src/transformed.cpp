// The type of transformed functions: see transformed.h.

#include "transformed.h"

#include "define.h"

namespace mlx::python {

namespace {

struct Callable {
  std::unique_ptr<Transform> transform;
};

PyObject* call(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
  return guarded([&]() -> PyObject* {
    nb::object pinned = nb::borrow(self);
    Transform* transform = nb::inst_ptr<Callable>(self)->transform.get();
    if (!transform)
      raise<std::runtime_error>("[call] The function has been cleared by the garbage collector.");
    if (keywords && PyDict_GET_SIZE(keywords) == 0) keywords = nullptr;
    return transform->call(args, keywords);
  });
}

int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_VISIT(*dict);
  if (!nb::inst_ready(self)) return 0;
  auto& transform = nb::inst_ptr<Callable>(self)->transform;
  return transform ? transform->traverse(visit, arg) : 0;
}

int clear(PyObject* self) noexcept {
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
  auto& transform = nb::inst_ptr<Callable>(self)->transform;
  if (transform) transform->clear();
  return 0;
}

PyObject* repr(PyObject* self) noexcept {
  return guarded([&] {
    nb::handle h(self);
    std::string name = nb::hasattr(h, "__qualname__") ? text_of(nb::object(h.attr("__qualname__"))) : "?";
    return to_python("<transformed function " + name + ">");
  });
}

}  // namespace

PyObject* make_callable(std::unique_ptr<Transform> transform, nb::handle function) {
  nb::object callable = nb::cast(Callable{std::move(transform)});
  for (const char* name : {"__name__", "__qualname__", "__module__", "__doc__"}) {
    nb::object value = nb::steal(PyObject_GetAttrString(function.ptr(), name));
    if (value.is_valid())
      callable.attr(name) = value;
    else
      PyErr_Clear();
  }
  callable.attr("__wrapped__") = function;
  return callable.release().ptr();
}

nb::object callable_argument(const Args& x, int i) {
  if (!x[i] || !PyCallable_Check(x[i])) x.raise_wrong(i, "a function");
  return nb::borrow(x[i]);
}

void bind_transformed(nb::module_& m) {
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(call)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {Py_tp_repr, reinterpret_cast<void*>(repr)},
                                {0, nullptr}};
  nb::class_<Callable>(m, "_TransformedFunction", "A function made by grad, vmap, compile and their like.",
                       nb::type_slots(slots), nb::dynamic_attr(), nb::is_weak_referenceable());
}

}  // namespace mlx::python
