// Operators of arrays as number-protocol slots: the exact-type check comes first, conversions after it.

#include <algorithm>

#include "array_slots.h"
#include "convert.h"
#include "errors.h"
#include "scalars.h"

namespace mlx::python {

namespace {

// A name as a template argument.
template <size_t n>
struct Name {
  char text[n];
  constexpr Name(const char (&s)[n]) { std::copy_n(s, n, text); }
};

using UnaryFunction = mx::array (*)(const mx::array&, mx::StreamOrDevice);
using BinaryFunction = mx::array (*)(const mx::array&, const mx::array&, mx::StreamOrDevice);

bool both_arrays(PyObject* a, PyObject* b) { return Py_TYPE(a) == array_type && Py_TYPE(b) == array_type; }

template <UnaryFunction f>
PyObject* unary(PyObject* a) noexcept {
  return guarded([&] { return wrap(f(as_array(a), {})); });
}

template <BinaryFunction f, Name name>
PyObject* binary(PyObject* a, PyObject* b) noexcept {
  return guarded([&] {
    if (both_arrays(a, b)) return wrap(f(as_array(a), as_array(b), {}));
    auto [x, y] = to_operands(a, b, name.text, 1);
    return wrap(f(x, y, {}));
  });
}

// In-place operators bind the same Python object to the new value.
template <BinaryFunction f, Name name>
PyObject* inplace(PyObject* a, PyObject* b) noexcept {
  return guarded([&] {
    mx::array y = to_operand_like(b, as_array(a).dtype(), name.text, 2);
    mx::array result = f(as_array(a), y, {});
    as_array(a) = std::move(result);
    return Py_NewRef(a);
  });
}

PyObject* inplace_divide(PyObject* a, PyObject* b) noexcept {
  return guarded([&] {
    if (!mx::issubdtype(as_array(a).dtype(), mx::inexact)) {
      raise("[divide] In-place division needs a floating-point array, not ",
            mx::dtype_name(as_array(a).dtype()), ".");
    }
    return checked(inplace<mx::divide, "divide">(a, b));
  });
}

void check_modulus(PyObject* modulus) {
  if (modulus != Py_None) raise_type_error("[power] Arrays have no power with a modulus.");
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
  return guarded([&] {
    check_modulus(modulus);
    return checked(binary<mx::power, "power">(a, b));
  });
}

PyObject* inplace_power(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
  return guarded([&] {
    check_modulus(modulus);
    return checked(inplace<mx::power, "power">(a, b));
  });
}

PyObject* divide_with_remainder(PyObject* a, PyObject* b) noexcept {
  return guarded([&] {
    auto [x, y] = to_operands(a, b, "divmod", 1);
    return tuple_of(mx::divmod(x, y));
  });
}

// May an object take part in == and !=? Anything else is merely unequal.
bool is_comparable(PyObject* o) {
  if (is_array(o) || scalar_kind(o) != Scalar::none) return true;
  if (o == Py_None || PyUnicode_Check(o) || PyList_Check(o) || PyTuple_Check(o) || PyDict_Check(o))
    return false;
  return PyObject_CheckBuffer(o) || is_numpy_value(o) || PyObject_HasAttrString(o, "__mlx_array__") ||
         is_foreign_number(o);
}

PyObject* compare(PyObject* a, PyObject* b, int op) noexcept {
  if ((op == Py_EQ || op == Py_NE) && Py_TYPE(b) != array_type && !is_comparable(b)) {
    return PyBool_FromLong(op == Py_NE);
  }
  switch (op) {
    case Py_EQ:
      return binary<mx::equal, "equal">(a, b);
    case Py_NE:
      return binary<mx::not_equal, "not_equal">(a, b);
    case Py_LT:
      return binary<mx::less, "less">(a, b);
    case Py_LE:
      return binary<mx::less_equal, "less_equal">(a, b);
    case Py_GT:
      return binary<mx::greater, "greater">(a, b);
    default:
      return binary<mx::greater_equal, "greater_equal">(a, b);
  }
}

// Products take no scalars.
mx::array matrix(PyObject* o, int position) {
  std::optional<mx::array> a = array_or_hook(o);
  if (!a) raise_type_error("[matmul] Argument ", position, " must be an array, not ", type_name(o), ".");
  return *a;
}

PyObject* matrix_multiply(PyObject* a, PyObject* b) noexcept {
  return guarded([&] { return wrap(mx::matmul(matrix(a, 1), matrix(b, 2))); });
}

PyObject* inplace_matrix_multiply(PyObject* a, PyObject* b) noexcept {
  return guarded([&] {
    as_array(a) = mx::matmul(as_array(a), matrix(b, 2));
    return Py_NewRef(a);
  });
}

int to_bool(PyObject* a) noexcept {
  return guarded(
      [&] {
        nb::object value = steal(item(as_array(a), "bool"));
        return PyObject_IsTrue(value.ptr());
      },
      -1);
}

PyObject* to_int(PyObject* a) noexcept {
  return guarded([&] {
    nb::object value = steal(item(as_array(a), "int"));
    return PyNumber_Long(value.ptr());
  });
}

PyObject* to_float(PyObject* a) noexcept {
  return guarded([&] {
    nb::object value = steal(item(as_array(a), "float"));
    return PyNumber_Float(value.ptr());
  });
}

PyObject* to_index(PyObject* a) noexcept {
  return guarded([&]() -> PyObject* {
    const mx::array& x = as_array(a);
    if (x.ndim() != 0 || !mx::issubdtype(x.dtype(), mx::integer)) {
      raise_type_error("Only 0-dimensional integer arrays can be converted to an index.");
    }
    return item(x, "index");
  });
}

PyObject* positive(PyObject* a) noexcept {
  return guarded([&] { return wrap(as_array(a)); });
}

}  // namespace

void add_number_slots(std::vector<PyType_Slot>* slots) {
  add_slot(slots, Py_nb_add, binary<mx::add, "add">);
  add_slot(slots, Py_nb_subtract, binary<mx::subtract, "subtract">);
  add_slot(slots, Py_nb_multiply, binary<mx::multiply, "multiply">);
  add_slot(slots, Py_nb_true_divide, binary<mx::divide, "divide">);
  add_slot(slots, Py_nb_floor_divide, binary<mx::floor_divide, "floor_divide">);
  add_slot(slots, Py_nb_remainder, binary<mx::remainder, "remainder">);
  add_slot(slots, Py_nb_and, binary<mx::bitwise_and, "bitwise_and">);
  add_slot(slots, Py_nb_or, binary<mx::bitwise_or, "bitwise_or">);
  add_slot(slots, Py_nb_xor, binary<mx::bitwise_xor, "bitwise_xor">);
  add_slot(slots, Py_nb_lshift, binary<mx::left_shift, "left_shift">);
  add_slot(slots, Py_nb_rshift, binary<mx::right_shift, "right_shift">);
  add_slot(slots, Py_nb_power, power);
  add_slot(slots, Py_nb_matrix_multiply, matrix_multiply);
  add_slot(slots, Py_nb_inplace_matrix_multiply, inplace_matrix_multiply);
  add_slot(slots, Py_nb_divmod, divide_with_remainder);

  add_slot(slots, Py_nb_inplace_add, inplace<mx::add, "add">);
  add_slot(slots, Py_nb_inplace_subtract, inplace<mx::subtract, "subtract">);
  add_slot(slots, Py_nb_inplace_multiply, inplace<mx::multiply, "multiply">);
  add_slot(slots, Py_nb_inplace_true_divide, inplace_divide);
  add_slot(slots, Py_nb_inplace_floor_divide, inplace<mx::floor_divide, "floor_divide">);
  add_slot(slots, Py_nb_inplace_remainder, inplace<mx::remainder, "remainder">);
  add_slot(slots, Py_nb_inplace_and, inplace<mx::bitwise_and, "bitwise_and">);
  add_slot(slots, Py_nb_inplace_or, inplace<mx::bitwise_or, "bitwise_or">);
  add_slot(slots, Py_nb_inplace_xor, inplace<mx::bitwise_xor, "bitwise_xor">);
  add_slot(slots, Py_nb_inplace_lshift, inplace<mx::left_shift, "left_shift">);
  add_slot(slots, Py_nb_inplace_rshift, inplace<mx::right_shift, "right_shift">);
  add_slot(slots, Py_nb_inplace_power, inplace_power);

  add_slot(slots, Py_nb_negative, unary<mx::negative>);
  add_slot(slots, Py_nb_positive, positive);
  add_slot(slots, Py_nb_absolute, unary<mx::abs>);
  add_slot(slots, Py_nb_invert, unary<mx::bitwise_invert>);
  add_slot(slots, Py_nb_bool, to_bool);
  add_slot(slots, Py_nb_int, to_int);
  add_slot(slots, Py_nb_float, to_float);
  add_slot(slots, Py_nb_index, to_index);
  add_slot(slots, Py_tp_richcompare, compare);
}

}  // namespace mlx::python
