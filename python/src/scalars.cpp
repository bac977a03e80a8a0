// Scalars and other operands: see scalars.h.

#include "scalars.h"

#include <bit>

#include "convert.h"
#include "errors.h"

namespace mlx::python {

namespace {

bool is_integer_dtype(mx::Dtype t) { return mx::issubdtype(t, mx::integer); }

// The value of an int, in the wider of the two 64-bit types.
struct Integer {
  uint64_t bits;
  bool above_int64;  // bits is then unsigned
};

Integer read_int(PyObject* o) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (overflow == 0) return {static_cast<uint64_t>(value), false};
  uint64_t big = overflow > 0 ? PyLong_AsUnsignedLongLong(o) : 0;
  if (overflow < 0 || PyErr_Occurred()) {
    PyErr_Clear();
    raise<std::runtime_error>("[array] The int ", text_of(o), " does not fit in 64 bits.");
  }
  return {big, true};
}

[[noreturn]] void raise_overflow(PyObject* o, mx::Dtype dtype) {
  raise("Converting ", text_of(o), " to ", mx::dtype_name(dtype), " would result in overflow.");
}

// An int in an integer dtype that must hold it.
void check_fits(PyObject* o, Integer v, mx::Dtype dtype) {
  int bits = 8 * dtype.size();
  int64_t value = static_cast<int64_t>(v.bits);
  if (mx::kindof(dtype) == mx::Dtype::Kind::u) {
    if ((!v.above_int64 && value < 0) || (bits < 64 && v.bits >> bits)) raise_overflow(o, dtype);
    return;
  }
  int64_t limit = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
  if (v.above_int64 || value > limit || value < -limit - 1) raise_overflow(o, dtype);
}

mx::array int_array(PyObject* o, mx::Dtype dtype) {
  if (!is_integer_dtype(dtype) && dtype != mx::bool_) {  // floats take ints of any size
    double value = PyLong_AsDouble(o);
    if (value == -1.0 && PyErr_Occurred()) {
      if (!PyErr_ExceptionMatches(PyExc_OverflowError)) raise_python();
      PyErr_Clear();
      value = HUGE_VAL;
    }
    int overflow = 0;
    long long exact = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow ? mx::array(value, dtype) : mx::array(static_cast<int64_t>(exact), dtype);
  }
  Integer v = read_int(o);
  return v.above_int64 ? mx::array(v.bits, dtype) : mx::array(static_cast<int64_t>(v.bits), dtype);
}

mx::complex64_t complex_value(PyObject* o) {
  Py_complex c = PyComplex_AsCComplex(o);
  return {static_cast<float>(c.real), static_cast<float>(c.imag)};
}

// Arrays of recent scalars. An operation only reads them, so sharing one saves an allocation per call.
struct ScalarCache {
  struct Entry {
    uint64_t bits;
    int tag;
    mx::array value;
  };
  static constexpr size_t size = 64;
  std::optional<Entry> entries[size];

  static ScalarCache& get() {
    static auto* cache = new ScalarCache;
    return *cache;
  }
  std::optional<Entry>& slot(uint64_t bits, int tag) {
    uint64_t hash = (bits ^ (static_cast<uint64_t>(tag) << 57)) * 0x9e3779b97f4a7c15u;
    return entries[hash >> 58];
  }
};

template <typename Make>
mx::array cached_scalar(uint64_t bits, int kind, mx::Dtype dtype, Make&& make) {
  int tag = kind * mx::dtype_count + static_cast<int>(dtype.val());
  auto& entry = ScalarCache::get().slot(bits, tag);
  if (!entry || entry->bits != bits || entry->tag != tag) entry = ScalarCache::Entry{bits, tag, make()};
  return entry->value;
}

int kind_rank(mx::Dtype t) {
  if (t == mx::bool_) return 0;
  if (is_integer_dtype(t)) return 1;
  return t == mx::complex64 ? 3 : 2;
}

[[noreturn]] void raise_no_operand(PyObject* o, const char* op, int position) {
  std::string text =
      concat("[", op, "] Argument ", position, " must be an array or a scalar, not ", type_name(o), ".");
  if (PyList_Check(o) || PyTuple_Check(o)) text += " Convert it with mx.array.";
  if (o == Py_None) throw ArgumentTypeError(text);
  throw std::invalid_argument(text);
}

// NumPy values and other buffers.
std::optional<mx::array> from_buffer_operand(PyObject* o) {
  if (!PyObject_CheckBuffer(o) && !is_numpy_value(o)) return std::nullopt;
  return array_from_buffer(o, std::nullopt);
}

// A number where the conversion works; a TypeError means that there is none.
nb::object converted(PyObject* result) {
  if (!result && !PyErr_ExceptionMatches(PyExc_TypeError)) raise_python();
  PyErr_Clear();
  return nb::steal(result);
}

nb::object complex_number(PyObject* o) {
  Py_complex value = PyComplex_AsCComplex(o);
  return converted(PyErr_Occurred() ? nullptr : PyComplex_FromCComplex(value));
}

}  // namespace

bool is_foreign_number(PyObject* o) {
  const PyNumberMethods* methods = Py_TYPE(o)->tp_as_number;
  bool number = (methods && (methods->nb_index || methods->nb_float)) || PyObject_HasAttrString(o, "__complex__");
  return number && !PyType_Check(o) && !PyObject_HasAttrString(o, "__array__") &&
         !PyObject_HasAttrString(o, "__dlpack__");
}

nb::object python_number(PyObject* o) {
  if (!is_foreign_number(o)) return {};
  if (PyIndex_Check(o)) {
    if (nb::object value = converted(PyNumber_Index(o)); value.is_valid()) return value;
  }
  const PyNumberMethods* methods = Py_TYPE(o)->tp_as_number;
  if (methods && methods->nb_float) {
    if (nb::object value = converted(PyNumber_Float(o)); value.is_valid()) return value;
  }
  return complex_number(o);
}

uint64_t int_bits(PyObject* o) { return read_int(o).bits; }

mx::array scalar_array(PyObject* o, Scalar kind) {
  switch (kind) {
    case Scalar::boolean:
      return mx::array(o == Py_True);
    case Scalar::floating:
      return mx::array(static_cast<float>(PyFloat_AS_DOUBLE(o)));
    case Scalar::complex:
      return mx::array(complex_value(o));
    default:
      break;
  }
  Integer v = read_int(o);
  if (v.above_int64) {
    raise<std::runtime_error>("[array] The int ", v.bits,
                              " does not fit int64. Give dtype=mx.uint64 to keep it.");
  }
  int64_t value = static_cast<int64_t>(v.bits);
  if (value == static_cast<int32_t>(value)) return mx::array(static_cast<int32_t>(value));
  return mx::array(value);
}

mx::array scalar_array_as(PyObject* o, Scalar kind, mx::Dtype dtype) {
  switch (kind) {
    case Scalar::boolean:
      return mx::array(o == Py_True, dtype);
    case Scalar::floating:
      return mx::array(PyFloat_AS_DOUBLE(o), dtype);
    case Scalar::complex:
      return mx::array(complex_value(o), dtype);
    default:
      return int_array(o, dtype);
  }
}

mx::array weak_array(PyObject* o, Scalar kind, mx::Dtype with) {
  switch (kind) {
    case Scalar::boolean:
      return cached_scalar(o == Py_True, 0, with, [&] { return mx::array(o == Py_True, with); });
    case Scalar::floating: {
      double value = PyFloat_AS_DOUBLE(o);
      mx::Dtype dtype = mx::issubdtype(with, mx::inexact) ? with : mx::float32;
      return cached_scalar(std::bit_cast<uint64_t>(value), 1, dtype, [&] { return mx::array(value, dtype); });
    }
    case Scalar::complex:
      return mx::array(complex_value(o));
    default:
      break;
  }
  mx::Dtype dtype = with == mx::bool_ ? mx::int32 : with;
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (with == mx::bool_ && value != static_cast<int32_t>(value)) dtype = mx::int64;
  if (is_integer_dtype(dtype)) check_fits(o, read_int(o), dtype);
  if (overflow) return int_array(o, dtype);
  return cached_scalar(static_cast<uint64_t>(value), 2, dtype, [&] { return int_array(o, dtype); });
}

std::optional<mx::array> from_mlx_array_hook(PyObject* o) {
  static PyObject* name = PyUnicode_InternFromString("__mlx_array__");
  nb::object hook = nb::steal(PyObject_GetAttr(o, name));
  if (!hook.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) raise_python();
    PyErr_Clear();
    return std::nullopt;
  }
  if (!is_array(hook.ptr())) hook = steal(PyObject_CallNoArgs(hook.ptr()));
  if (!is_array(hook.ptr())) {
    raise_type_error("[array] __mlx_array__ must give an array, not ", type_name(hook.ptr()), ".");
  }
  return as_array(hook.ptr());
}

std::optional<mx::array> array_or_hook(PyObject* o) {
  if (is_array(o)) return as_array(o);
  return from_mlx_array_hook(o);
}

mx::array to_operand(PyObject* o, const char* op, int position) {
  if (is_array(o)) return as_array(o);
  Scalar kind = scalar_kind(o);
  if (kind != Scalar::none) return scalar_array(o, kind);
  if (o == Py_None || PyUnicode_Check(o) || PyList_Check(o) || PyTuple_Check(o))
    raise_no_operand(o, op, position);
  if (auto a = from_mlx_array_hook(o)) return *a;
  if (auto a = from_buffer_operand(o)) return *a;
  if (nb::object value = python_number(o); value.is_valid()) return to_operand(value.ptr(), op, position);
  raise_no_operand(o, op, position);
}

mx::array to_operand_like(PyObject* o, mx::Dtype dtype, const char* op, int position) {
  if (is_array(o)) return as_array(o);
  Scalar kind = scalar_kind(o);
  if (kind != Scalar::none) return weak_array(o, kind, dtype);
  if (o == Py_None || PyUnicode_Check(o) || PyList_Check(o) || PyTuple_Check(o))
    raise_no_operand(o, op, position);
  if (auto a = from_mlx_array_hook(o)) return *a;
  if (auto a = from_buffer_operand(o)) {
    return kind_rank(a->dtype()) <= kind_rank(dtype) ? mx::astype(*a, dtype) : *a;
  }
  if (nb::object value = python_number(o); value.is_valid())
    return to_operand_like(value.ptr(), dtype, op, position);
  raise_no_operand(o, op, position);
}

std::pair<mx::array, mx::array> to_operands(PyObject* a, PyObject* b, const char* op, int position) {
  if (is_array(a)) {
    const mx::array& x = as_array(a);
    return {x, to_operand_like(b, x.dtype(), op, position + 1)};
  }
  if (is_array(b)) {
    const mx::array& y = as_array(b);
    return {to_operand_like(a, y.dtype(), op, position), y};
  }
  mx::array x = to_operand(a, op, position);
  // An object with __mlx_array__ is an array to a scalar beside it.
  if (scalar_kind(a) == Scalar::none && scalar_kind(b) != Scalar::none && !PyObject_CheckBuffer(a)) {
    return {x, to_operand_like(b, x.dtype(), op, position + 1)};
  }
  mx::array y = to_operand(b, op, position + 1);
  if (scalar_kind(b) == Scalar::none && scalar_kind(a) != Scalar::none && !PyObject_CheckBuffer(b)) {
    return {to_operand_like(a, y.dtype(), op, position), y};
  }
  return {x, y};
}

}  // namespace mlx::python
