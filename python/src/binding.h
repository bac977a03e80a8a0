// What every binding file includes: nanobind, the public headers and the Python side of an array.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>
#include <vector>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/mlx.h"

namespace nb = nanobind;
namespace mx = mlx::core;

namespace mlx::python {

using mx::concat;
using mx::raise;

// The Python type of arrays; set once, when the module is made.
extern PyTypeObject* array_type;

inline bool is_array(PyObject* o) {
  return Py_TYPE(o) == array_type || PyType_IsSubtype(Py_TYPE(o), array_type);
}
inline mx::array& as_array(PyObject* o) { return *nb::inst_ptr<mx::array>(o); }

// Python code looks at a size of the array: a program that is traced now holds for these sizes only.
inline void note_size_read(const mx::array& a) {
  if (a.is_tracer() && mx::tracing_shapeless()) mx::note_size_read();
}

// New references.
inline PyObject* wrap(mx::array&& a) {
  nb::object o = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(array_type)));
  new (nb::inst_ptr<mx::array>(o)) mx::array(std::move(a));
  nb::inst_mark_ready(o);
  return o.release().ptr();
}
inline PyObject* wrap(const mx::array& a) { return wrap(mx::array(a)); }

// Takes the Python error that is set, as a C++ exception.
[[noreturn]] inline void raise_python() { throw nb::python_error(); }
inline PyObject* checked(PyObject* o) {
  if (!o) raise_python();
  return o;
}
inline nb::object steal(PyObject* o) { return nb::steal(checked(o)); }

// What a binding returns becomes a new reference.
inline PyObject* to_python(mx::array&& a) { return wrap(std::move(a)); }
inline PyObject* to_python(const mx::array& a) { return wrap(a); }
inline PyObject* to_python(nb::object&& o) { return o.release().ptr(); }
inline PyObject* to_python(bool value) { return PyBool_FromLong(value); }
inline PyObject* to_python(int value) { return PyLong_FromLong(value); }
inline PyObject* to_python(size_t value) { return PyLong_FromSize_t(value); }
inline PyObject* to_python(const std::string& s) {
  return PyUnicode_FromStringAndSize(s.data(), static_cast<Py_ssize_t>(s.size()));
}
PyObject* to_python(std::vector<mx::array>&& arrays);  // a list
PyObject* tuple_of(std::vector<mx::array>&& arrays);
PyObject* to_python(const mx::Shape& shape);  // a tuple
PyObject* to_python(mx::Dtype dtype);         // the constant of the module

// str(o), for messages
std::string text_of(nb::handle o);
// "int", "numpy.ndarray", "None": how messages name the type of a value.
std::string type_name(PyObject* o);

void forget_captured_calls_in_child() noexcept;

// Each file of bindings has one entry.
void bind_errors(nb::module_& m);
void bind_dtype(nb::module_& m);
void bind_device(nb::module_& m);
void bind_memory(nb::module_& m);
void bind_array(nb::module_& m);
void bind_array_api(nb::module_& m);
void bind_index(nb::module_& m);
void bind_at(nb::module_& m);
void bind_evaluate(nb::module_& m);
void bind_elementwise(nb::module_& m);
void bind_shape_ops(nb::module_& m);
void bind_creation_ops(nb::module_& m);
void bind_join_ops(nb::module_& m);
void bind_product_ops(nb::module_& m);
void bind_convolution_ops(nb::module_& m);
void bind_quantize(nb::module_& m);
void bind_custom_kernels(nb::module_& fast);
void bind_comparison_ops(nb::module_& m);
void bind_random(nb::module_& m);
void bind_fast(nb::module_& m);
void bind_fft(nb::module_& m);
void bind_linalg(nb::module_& m);
void bind_sort_ops(nb::module_& m);
void bind_scan_ops(nb::module_& m);
void bind_search_ops(nb::module_& m);
void bind_reduce_ops(nb::module_& m);
void bind_transforms(nb::module_& m);
void bind_vmap(nb::module_& m);
void bind_custom(nb::module_& m);
void bind_compile(nb::module_& m);
void bind_export(nb::module_& m);
void bind_distributed(nb::module_& m);
void bind_io(nb::module_& m);
void bind_print(nb::module_& m);

}  // namespace mlx::python
