// Values that cross the border: Python lists, buffers, NumPy and DLPack into arrays; arrays into Python
// values.
#pragma once

#include <optional>

#include "binding.h"

namespace mlx::python {

// mx.array(o, dtype): scalars, lists, buffers, NumPy, DLPack, __mlx_array__, arrays. Always copies.
mx::array make_array(PyObject* o, std::optional<mx::Dtype> dtype);
mx::array array_from_list(PyObject* o, std::optional<mx::Dtype> dtype);
// A list that holds arrays: they are stacked, with promotion.
mx::array stack_list(PyObject* list, std::optional<mx::Dtype> dtype);
// A copy of what the buffer protocol shows: NumPy arrays and scalars, bytes, memoryview ...
mx::array array_from_buffer(PyObject* o, std::optional<mx::Dtype> dtype);
mx::array array_from_dlpack(PyObject* o, std::optional<mx::Dtype> dtype);
// The same memory, without a copy; nothing where that cannot be.
std::optional<mx::array> alias_buffer(PyObject* o);
std::optional<mx::array> alias_dlpack(PyObject* o);
bool is_numpy_value(PyObject* o);
// numpy.bool, which older NumPys also let pass as the int 0 or 1.
bool is_numpy_bool(PyObject* o);

// The bytes of an evaluated row-major array, copied, with another meaning.
mx::array reinterpreted(const mx::array& a, mx::Dtype dtype);
// The array in another dtype, evaluated.
mx::array cast_now(const mx::array& a, mx::Dtype dtype);

// Arrays into Python values. The array is evaluated first.
PyObject* item(const mx::array& a, const char* op = "item");
PyObject* to_list(const mx::array& a);
PyObject* element_to_python(mx::Dtype dtype, const void* element);
// The PEP 3118 format of a dtype.
const char* buffer_format(mx::Dtype dtype);
int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept;
void release_buffer(PyObject* self, Py_buffer* view) noexcept;
// Row-major copy of the elements.
nb::object to_bytes(const mx::array& a);
PyObject* to_numpy(PyObject* self, PyObject* dtype, PyObject* copy);
PyObject* to_dlpack(PyObject* self, nb::dict keywords);

}  // namespace mlx::python
