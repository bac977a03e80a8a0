// Python scalars and foreign arrays as operands. A Python scalar is weak: it takes the dtype of the array
// beside it where its kind allows. NumPy scalars and arrays do so as well, as far as their kind does.
#pragma once

#include <optional>

#include "binding.h"

namespace mlx::python {

enum class Scalar { none, boolean, integer, floating, complex };

inline Scalar scalar_kind(PyObject* o) {
  if (PyFloat_CheckExact(o)) return Scalar::floating;
  if (PyLong_CheckExact(o)) return Scalar::integer;
  if (PyBool_Check(o)) return Scalar::boolean;
  if (PyComplex_Check(o)) return Scalar::complex;
  if (PyFloat_Check(o)) return Scalar::floating;  // numpy.float64 is one
  if (PyLong_Check(o)) return Scalar::integer;
  return Scalar::none;
}

// The Python number that any other number stands for (fractions.Fraction, decimal.Decimal, whatever has
// __index__, __float__ or __complex__); invalid where there is none, and for arrays of other libraries.
nb::object python_number(PyObject* o);
// Does an object look like such a number?
bool is_foreign_number(PyObject* o);

// The low 64 bits of an int; one that neither int64 nor uint64 holds is an error.
uint64_t int_bits(PyObject* o);

// The array of a scalar on its own: int32 (int64 where needed), float32, complex64, bool.
mx::array scalar_array(PyObject* o, Scalar kind);
// The same in a given dtype; integers wrap.
mx::array scalar_array_as(PyObject* o, Scalar kind, mx::Dtype dtype);
// The array of a scalar beside an array of that dtype. An int that does not fit the integer dtype is an
// error.
mx::array weak_array(PyObject* o, Scalar kind, mx::Dtype with);

// Operands of the operation `op`; position counts from 1, for messages.
mx::array to_operand(PyObject* o, const char* op, int position);
mx::array to_operand_like(PyObject* o, mx::Dtype dtype, const char* op, int position);
std::pair<mx::array, mx::array> to_operands(PyObject* a, PyObject* b, const char* op, int position);

// What o.__mlx_array__ gives, as method or attribute; nothing where there is none.
std::optional<mx::array> from_mlx_array_hook(PyObject* o);
// An array, or what __mlx_array__ gives.
std::optional<mx::array> array_or_hook(PyObject* o);

}  // namespace mlx::python
