// Nested lists and tuples of scalars and arrays into arrays.

#include <complex>

#include "convert.h"
#include "errors.h"
#include "scalars.h"

namespace mlx::python {

namespace {

bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

// What a first walk over the list finds out.
struct Survey {
  mx::Shape shape;
  Scalar kind = Scalar::none;  // the highest kind of the scalars
  bool wide = false;           // an int is outside int32
  bool huge = false;           // an int is outside int64
  bool has_arrays = false;
};

bool is_array_like(PyObject* o) {
  return is_array(o) || (!PyUnicode_Check(o) && (PyObject_CheckBuffer(o) || is_numpy_value(o)));
}

void survey_int(PyObject* o, Survey* s) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
  s->wide |= overflow != 0 || value != static_cast<int32_t>(value);
  s->huge |= overflow != 0;
}

[[noreturn]] void raise_no_element(PyObject* o) {
  raise("[array] ", type_name(o),
        " is no element of an array: a list may hold scalars, arrays and lists of them.");
}

// Checks the items of a list at `depth`; the first leaf of the walk fixes the shape.
void survey(PyObject* list, size_t depth, bool first, Survey* s) {
  Recursion guard(" in a nested list");
  Py_ssize_t n = PySequence_Fast_GET_SIZE(list);
  if (first)
    s->shape.push_back(n);
  else if (depth >= s->shape.size())
    raise("Initialization encountered extra dimension.");
  else if (s->shape[depth] != n)
    raise("Initialization encountered non-uniform length.");
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject* item = PySequence_Fast_GET_ITEM(list, i);
    Scalar kind = scalar_kind(item);
    if (kind != Scalar::none) {
      if (!s->has_arrays && depth + 1 != s->shape.size())
        raise("Initialization encountered non-uniform length.");
      if (kind == Scalar::integer) survey_int(item, s);
      s->kind = std::max(s->kind, kind);
    } else if (is_list(item)) {
      survey(item, depth + 1, first && i == 0, s);
      if (s->has_arrays) return;
    } else if (is_array_like(item) || from_mlx_array_hook(item)) {
      s->has_arrays = true;
      return;  // such lists are stacked, which checks the shapes
    } else {
      raise_no_element(item);
    }
  }
}

template <typename T>
T leaf_value(PyObject* o) {
  if constexpr (std::is_same_v<T, bool>) {
    return o == Py_True;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    int overflow = 0;
    return PyLong_AsLongLongAndOverflow(o, &overflow);
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return int_bits(o);
  } else if constexpr (std::is_same_v<T, double>) {
    return PyFloat_CheckExact(o) ? PyFloat_AS_DOUBLE(o) : PyFloat_AsDouble(o);
  } else {
    Py_complex c = PyComplex_AsCComplex(o);
    return T(static_cast<float>(c.real), static_cast<float>(c.imag));
  }
}

template <typename T, typename Stored>
void fill(PyObject* list, size_t depth, size_t ndim, Stored** to) {
  Py_ssize_t n = PySequence_Fast_GET_SIZE(list);
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject* item = PySequence_Fast_GET_ITEM(list, i);
    if (depth + 1 < ndim)
      fill<T>(item, depth + 1, ndim, to);
    else
      *(*to)++ = static_cast<Stored>(leaf_value<T>(item));
  }
}

// Reads the leaves as T and stores them as the dtype of Stored.
template <typename T, typename Stored>
mx::array filled(PyObject* list, const mx::Shape& shape, mx::Dtype dtype) {
  mx::allocator::Buffer buffer = mx::allocator::malloc(mx::element_count(shape) * sizeof(Stored));
  mx::array a(buffer, shape, dtype);
  Stored* to = static_cast<Stored*>(buffer.raw_ptr());
  fill<T>(list, 0, shape.size(), &to);
  if (PyErr_Occurred()) raise_python();
  return a;
}

mx::array filled_by_kind(PyObject* list, const Survey& s, std::optional<mx::Dtype> dtype) {
  bool wants_double = dtype && *dtype == mx::float64;
  switch (s.kind) {
    case Scalar::boolean:
      return filled<bool, bool>(list, s.shape, mx::bool_);
    case Scalar::integer:
      if (s.huge && (!dtype || !mx::issubdtype(*dtype, mx::integer))) {
        raise<std::runtime_error>(
            "[array] An int in the list does not fit int64. Give dtype=mx.uint64 to keep it.");
      }
      if (s.huge) return filled<uint64_t, uint64_t>(list, s.shape, mx::uint64);
      if (s.wide || dtype) return filled<int64_t, int64_t>(list, s.shape, mx::int64);
      return filled<int64_t, int32_t>(list, s.shape, mx::int32);
    case Scalar::complex:
      return filled<std::complex<float>, std::complex<float>>(list, s.shape, mx::complex64);
    default:
      break;
  }
  if (wants_double) return filled<double, double>(list, s.shape, mx::float64);
  return filled<double, float>(list, s.shape, mx::float32);
}

}  // namespace

namespace {
// An item of a list that holds arrays somewhere.
mx::array item_array(PyObject* o) {
  if (is_array(o)) return as_array(o);
  Scalar kind = scalar_kind(o);
  if (kind != Scalar::none) return scalar_array(o, kind);
  if (is_list(o)) return stack_list(o, std::nullopt);
  if (auto a = from_mlx_array_hook(o)) return *a;
  if (is_array_like(o)) return array_from_buffer(o, std::nullopt);
  raise_no_element(o);
}
}  // namespace

mx::array stack_list(PyObject* list, std::optional<mx::Dtype> dtype) {
  Recursion guard(" in a nested list");
  std::vector<mx::array> items;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); i++) {
    items.push_back(item_array(PySequence_Fast_GET_ITEM(list, i)));
    if (items.back().shape() != items[0].shape()) raise("Initialization encountered non-uniform length.");
  }
  if (items.empty()) return mx::zeros({0}, dtype.value_or(mx::float32));
  mx::array stacked = mx::stack(items);
  return dtype && *dtype != stacked.dtype() ? mx::astype(stacked, *dtype) : stacked;
}

mx::array array_from_list(PyObject* list, std::optional<mx::Dtype> dtype) {
  Survey s;
  survey(list, 0, true, &s);
  if (s.has_arrays) return stack_list(list, dtype);
  mx::array a = filled_by_kind(list, s, dtype);
  return dtype && *dtype != a.dtype() ? cast_now(a, *dtype) : a;
}

}  // namespace mlx::python
