// Arrays made from a value, a range or a pattern.

#include <climits>

#include "convert.h"
#include "define.h"
#include "scalars.h"

namespace mlx::python {

namespace {

// A fill value: an explicit dtype wins, an int must fit it.
mx::array fill_value(Args& x, int i, std::optional<mx::Dtype> dtype) {
  PyObject* o = x[i];
  Scalar kind = scalar_kind(o);
  if (!dtype || kind == Scalar::none) return x.operand(i);
  if (kind == Scalar::integer && *dtype != mx::bool_) return weak_array(o, kind, *dtype);
  return scalar_array_as(o, kind, *dtype);
}

mx::array full(Args& x) {
  std::optional<mx::Dtype> dtype = x.optional_dtype(2);
  mx::array value = fill_value(x, 1, dtype);
  return mx::full(x.shape(0), value, dtype.value_or(value.dtype()), x.stream());
}

void bind_creation(Functions& m) {
  m.def(
      "full(shape: int | Sequence[int], vals: scalar | array, dtype: Dtype | None = None, *, stream: "
      "StreamOrDevice = None) -> array",
      "An array of a shape filled with a value, which may be an array that broadcasts to the shape.",
      [](Args& x) { return full(x); });
  m.def(
      "full_like(a: array, /, vals: scalar | array, dtype: Dtype | None = None, *, stream: StreamOrDevice = "
      "None) -> array",
      "An array of a's shape filled with a value; the dtype is a's by default.", [](Args& x) {
        mx::Dtype dtype = x.dtype(2, x.array(0).dtype());
        return mx::full_like(x.array(0), fill_value(x, 1, dtype), dtype, x.stream());
      });
  m.def(
      "zeros(shape: int | Sequence[int], dtype: Dtype | None = float32, *, stream: StreamOrDevice = None) -> "
      "array",
      "An array of zeros.",
      [](Args& x) { return mx::zeros(x.shape(0), x.dtype(1, mx::float32), x.stream()); });
  m.def(
      "ones(shape: int | Sequence[int], dtype: Dtype | None = float32, *, stream: StreamOrDevice = None) -> "
      "array",
      "An array of ones.", [](Args& x) { return mx::ones(x.shape(0), x.dtype(1, mx::float32), x.stream()); });
  m.def("zeros_like(a: array, /, dtype: Dtype | None = None, *, stream: StreamOrDevice = None) -> array",
        "Zeros of a's shape, and of its dtype by default.",
        [](Args& x) { return mx::zeros_like(x.array(0), x.dtype(1, x.array(0).dtype()), x.stream()); });
  m.def("ones_like(a: array, /, dtype: Dtype | None = None, *, stream: StreamOrDevice = None) -> array",
        "Ones of a's shape, and of its dtype by default.",
        [](Args& x) { return mx::ones_like(x.array(0), x.dtype(1, x.array(0).dtype()), x.stream()); });
  m.alias("empty", "zeros").alias("empty_like", "zeros_like");
}

void bind_windows(Functions& m) {
  m.def("bartlett(M: int, *, stream: StreamOrDevice = None) -> array",
        "The triangular window of M float32 values that is 0 at both ends; one value is 1.",
        [](Args& x) { return mx::bartlett(x.small_int(0), x.stream()); });
  m.def("blackman(M: int, *, stream: StreamOrDevice = None) -> array",
        "The symmetric window 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1)) of M float32 values.",
        [](Args& x) { return mx::blackman(x.small_int(0), x.stream()); });
  m.def("hamming(M: int, *, stream: StreamOrDevice = None) -> array",
        "The symmetric window 0.54 - 0.46 cos(2 pi n / (M - 1)) of M float32 values.",
        [](Args& x) { return mx::hamming(x.small_int(0), x.stream()); });
  m.def("hanning(M: int, *, stream: StreamOrDevice = None) -> array",
        "The symmetric window 0.5 - 0.5 cos(2 pi n / (M - 1)) of M float32 values.",
        [](Args& x) { return mx::hanning(x.small_int(0), x.stream()); });
}

double range_number(Args& x, PyObject* o, const char* what) {
  if (!PyLong_Check(o) && !PyFloat_Check(o)) {
    raise_type_error("[", x.op(), "] The ", what, " must be an int or a float, not ", type_name(o), ".");
  }
  double value = PyFloat_AsDouble(o);
  if (value == -1.0 && PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) raise_python();
    PyErr_Clear();
    raise<std::overflow_error>("[", x.op(), "] The ", what, " is ", int_text(o), ", more than a float can hold.");
  }
  return value;
}

// int32, or int64 for ints beyond it; float32 as soon as one number is a float.
mx::Dtype range_dtype(std::initializer_list<PyObject*> numbers) {
  mx::Dtype dtype = mx::int32;
  for (PyObject* o : numbers) {
    if (!o) continue;
    if (!PyLong_Check(o)) return mx::float32;
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow || value != static_cast<int32_t>(value)) dtype = mx::int64;
  }
  return dtype;
}

// arange(stop), arange(start, stop), arange(start, stop, step), arange(stop, step=...).
mx::array arange(Args& x) {
  PyObject* first = x[0] ? x[0] : x[1];
  if (!first) raise_type_error("[arange] The argument stop is missing.");
  bool one = !x[0] || !x.has(1);  // only stop was given
  PyObject* step = x.has(2) ? x[2] : nullptr;
  PyObject* from = one ? nullptr : x[0];
  PyObject* to = one ? first : x[1];
  if (one && PyBool_Check(to)) raise("[arange] The stop must be an int or a float, not bool.");
  double start = from ? range_number(x, from, "start") : 0;
  double stop = range_number(x, to, "stop"), by = step ? range_number(x, step, "step") : 1;
  mx::Dtype dtype = x.has(3) ? x.dtype(3) : range_dtype({from, to, step});
  return mx::arange(start, stop, by, dtype, x.stream());
}

double real_number(Args& x, int i) {
  if (scalar_kind(x[i]) != Scalar::none || is_numpy_value(x[i])) return x.number(i, 0);
  return x.operand(i).item<double>();
}

void bind_ranges(Functions& m) {
  m.def(
      "arange(start: int | float = 0, stop: None | int | float = None, step: None | int | float = None, "
      "dtype: Dtype | None = None, *, stream: StreamOrDevice = None) -> array",
      "Evenly spaced numbers from start up to, but without, stop; with one argument from 0 up to it.\n\nThe "
      "dtype is int32 for ints (int64 where one needs it), else float32.",
      [](Args& x) { return arange(x); });
  m.def(
      "linspace(start: scalar, stop: scalar, num: int = 50, endpoint: bool = True, dtype: Dtype | None = "
      "float32, stream: StreamOrDevice = None) -> array",
      "num evenly spaced numbers from start to stop; with endpoint=False without the latter.", [](Args& x) {
        return mx::linspace(real_number(x, 0), real_number(x, 1), x.small_int(2, 50), x.boolean(3, true),
                            x.dtype(4, mx::float32), x.stream());
      });
}

void bind_patterns(Functions& m) {
  m.def(
      "eye(n: int, m: int | None = None, k: int = 0, dtype: Dtype | None = float32, *, stream: "
      "StreamOrDevice = None) -> array",
      "An n x m matrix with ones on the k-th diagonal; m is n by default.", [](Args& x) {
        int n = x.small_int(0);
        return mx::eye(n, x.optional_int(1).value_or(n), x.small_int(2, 0), x.dtype(3, mx::float32),
                       x.stream());
      });
  m.def("identity(n: int, dtype: Dtype | None = float32, *, stream: StreamOrDevice = None) -> array",
        "The n x n identity matrix.",
        [](Args& x) { return mx::identity(x.small_int(0), x.dtype(1, mx::float32), x.stream()); });
  m.def(
      "tri(n: int, m: int | None = None, k: int = 0, dtype: Dtype | None = float32, *, stream: "
      "StreamOrDevice = None) -> array",
      "An n x m matrix with ones on and below the k-th diagonal.", [](Args& x) {
        int n = x.small_int(0);
        return mx::tri(n, x.optional_int(1).value_or(n), x.small_int(2, 0), x.dtype(3, mx::float32),
                       x.stream());
      });
  m.def("tril(x: array, k: int = 0, *, stream: StreamOrDevice = None) -> array",
        "The array with zeros above the k-th diagonal of its last two axes.",
        [](Args& x) { return mx::tril(x.array(0), x.small_int(1, 0), x.stream()); });
  m.def("triu(x: array, k: int = 0, *, stream: StreamOrDevice = None) -> array",
        "The array with zeros below the k-th diagonal of its last two axes.",
        [](Args& x) { return mx::triu(x.array(0), x.small_int(1, 0), x.stream()); });
  m.def(
      "trace(a: array, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Dtype | None = None, *, stream: "
      "StreamOrDevice = None) -> array",
      "Sum of the elements on a diagonal of the matrices that two axes span; offset counts to the right. Small "
      "integers and bool give int32 or uint32 unless a dtype is given.",
      [](Args& x) {
        int offset = x.small_int(1, 0), axis1 = x.small_int(2, 0), axis2 = x.small_int(3, 1);
        auto dtype = x.optional_dtype(4);
        return dtype ? mx::trace(x.array(0), offset, axis1, axis2, *dtype, x.stream())
                     : mx::trace(x.array(0), offset, axis1, axis2, x.stream());
      });
  m.def_both("diag(a: array, /, k: int = 0, *, stream: StreamOrDevice = None) -> array",
             "A matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix.",
             [](Args& x) { return mx::diag(x.array(0), x.small_int(1, 0), x.stream()); });
  m.def_both(
      "diagonal(a: array, offset: int = 0, axis1: int = 0, axis2: int = 1, stream: StreamOrDevice = None) -> "
      "array",
      "A diagonal of the matrices that two axes span.", [](Args& x) {
        return mx::diagonal(x.array(0), x.small_int(1, 0), x.small_int(2, 0), x.small_int(3, 1), x.stream());
      });
}

}  // namespace

void bind_creation_ops(nb::module_& module) {
  Functions m(module);
  bind_creation(m);
  bind_windows(m);
  bind_ranges(m);
  bind_patterns(m);
}

}  // namespace mlx::python
