// Defining functions and methods from a signature text, a documentation and a lambda that takes Args. All go through
// the same argument binding, so that their errors read alike; each is a plain C function of CPython.
//   Functions(m).def("square(a: array, /) -> array", "Square of each element.",
//                    [](Args& x) { return mx::square(x.operand(0), x.stream()); });
#pragma once

#include <deque>
#include <type_traits>

#include "arguments.h"

namespace mlx::python {

inline PyObject* to_python(PyObject* new_reference) { return new_reference; }

// One lambda as a C function. Its type tells bindings apart, so each has its own signature.
template <typename F, bool is_method>
struct Binding {
  static_assert(std::is_class_v<F> && std::is_empty_v<F>, "a lambda without captures: each has a type of its own");
  static inline Signature signature;
  static inline std::string documentation;
  static inline PyMethodDef definition;

  static PyObject* call(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
    try {
      Args bound(signature);
      bound.bind(is_method ? self : nullptr, args, n, keywords);
      if constexpr (std::is_void_v<std::invoke_result_t<F, Args&>>) {
        F{}(bound);
        Py_RETURN_NONE;
      } else {
        return to_python(F{}(bound));
      }
    } catch (...) {
      set_python_error();
      return nullptr;
    }
  }

  static PyMethodDef* define(const char* text, const char* doc) {
    if (is_method)
      signature.parse_method(text);
    else
      signature.parse(text);
    if (signature.parameters.size() > Args::max_parameters) throw std::logic_error(text);
    documentation = signature.documentation(doc);
    definition = {signature.name.c_str(), reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)),
                  METH_FASTCALL | METH_KEYWORDS, documentation.c_str()};
    return &definition;
  }
};

// Everything that was defined: "mlx.core.softmax(...) -> array", "mlx.core.array.shape: tuple[int, ...]",
// "mlx.core.acos = arccos". The type stubs are written from it.
std::deque<std::string>& defined_signatures();

// The functions of a module.
class Functions {
 public:
  explicit Functions(nb::module_& m) : module_(m), name_(m.attr("__name__")) {}

  template <typename F>
  Functions& def(const char* signature, const char* doc, F) {
    PyMethodDef* d = Binding<F, false>::define(signature, doc);
    defined_signatures().push_back(concat(nb::cast<std::string>(name_), ".", signature));
    module_.attr(d->ml_name) = steal(PyCFunction_NewEx(d, module_.ptr(), name_.ptr()));
    return *this;
  }

  // A function, and the method of array that does the same to its first argument.
  template <typename F>
  Functions& def_both(const char* signature, const char* doc, F f);

  Functions& alias(const char* name, const char* of) {
    module_.attr(name) = module_.attr(of);
    defined_signatures().push_back(concat(nb::cast<std::string>(name_), ".", name, " = ", of));
    return *this;
  }

 private:
  nb::module_& module_;
  nb::object name_;
};

// The methods of a class, by default of array.
class Methods {
 public:
  explicit Methods(PyTypeObject* type = array_type) : type_(type) {}
  explicit Methods(nb::handle type) : type_(reinterpret_cast<PyTypeObject*>(type.ptr())) {}

  template <typename F>
  Methods& def(const char* signature, const char* doc, F) {
    PyMethodDef* d = Binding<F, true>::define(signature, doc);
    defined_signatures().push_back(concat(full_name(), ".", signature));
    nb::setattr(handle(), d->ml_name, steal(PyDescr_NewMethod(type_, d)));
    return *this;
  }

  // A read-only property of array. F takes the array.
  template <typename F>
  Methods& property(const char* name, const char* type, const char* doc, F) {
    static PyGetSetDef definition;
    defined_signatures().push_back(concat(full_name(), ".", name, ": ", type));
    definition = {name, get<F>, nullptr, doc, nullptr};
    nb::setattr(handle(), name, steal(PyDescr_NewGetSet(type_, &definition)));
    return *this;
  }

 private:
  std::string full_name() const {
    return concat(text_of(nb::object(handle().attr("__module__"))), ".", type_->tp_name);
  }
  nb::handle handle() const { return nb::handle(reinterpret_cast<PyObject*>(type_)); }

  template <typename F>
  static PyObject* get(PyObject* self, void*) noexcept {
    return guarded([&]() -> PyObject* { return to_python(F{}(as_array(self))); });
  }

  PyTypeObject* type_;
};

// The tp_init of a class: F takes Args, with self in slot 0. Give slots() to nanobind's class.
template <typename F>
struct Initializer {
  static inline Signature signature;

  static int call(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
    return guarded(
        [&] {
          Args bound(signature);
          KeywordCall unpacked(args, keywords);
          bound.bind(self, unpacked.values.data(), unpacked.positional, unpacked.names.ptr());
          F{}(bound);
          return 0;
        },
        -1);
  }
  static PyType_Slot* slots(const char* text) {
    static PyType_Slot table[] = {{Py_tp_init, reinterpret_cast<void*>(call)}, {0, nullptr}};
    signature.parse_method(text);
    defined_signatures().push_back(
        concat("mlx.core.", signature.name, ".__init__", text + signature.name.size()));
    return table;
  }
};

template <typename F>
nb::type_slots initializer(const char* text, F) {
  return nb::type_slots(Initializer<F>::slots(text));
}

// The instance in slot 0 of an initializer comes to life.
template <typename T, typename... Values>
void construct(Args& x, Values&&... values) {
  nb::handle self(x[0]);
  if (nb::inst_ready(self)) nb::inst_destruct(self);
  new (nb::inst_ptr<T>(self)) T{std::forward<Values>(values)...};
  nb::inst_mark_ready(self);
}

template <typename F>
Functions& Functions::def_both(const char* signature, const char* doc, F f) {
  Methods().def(signature, doc, f);
  return def(signature, doc, f);
}

}  // namespace mlx::python
