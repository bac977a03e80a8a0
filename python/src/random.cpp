// mlx.core.random, and random.state, which stands for the calling thread's key.

#include "mlx/random.h"

#include "define.h"
#include "scalars.h"
#include "trees.h"

namespace mlx::python {

namespace {

using mx::random::KeySequence;

// random.state: a sequence of one element, the same object on every thread.
struct RandomState {};
PyTypeObject* state_type = nullptr;

bool is_state(PyObject* o) { return Py_TYPE(o) == state_type; }

mx::Shape shape_or(Args& x, int i, const mx::Shape& fallback) {
  return x.has(i) ? x.shape_sequence(i) : fallback;
}

// Bounds and parameters: scalars become float32, whatever their kind.
mx::array parameter(Args& x, int i, double fallback) {
  if (!x[i]) return mx::array(static_cast<float>(fallback));
  Scalar kind = scalar_kind(x[i]);
  return kind == Scalar::none || kind == Scalar::complex ? x.operand(i)
                                                         : scalar_array_as(x[i], kind, mx::float32);
}

std::optional<mx::array> optional_parameter(Args& x, int i) {
  if (!x.has(i)) return std::nullopt;
  return parameter(x, i, 0);
}

uint64_t seed_argument(Args& x, int i) {
  PyObject* o = x[i];
  if (!PyIndex_Check(o)) x.raise_wrong(i, "an int from 0 to 2^64 - 1");
  nb::object index = nb::steal(PyNumber_Index(o));
  uint64_t value = index.is_valid() ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
  if (PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError)) raise_python();
    PyErr_Clear();
    raise_type_error(x.describe(i), " must be an int from 0 to 2^64 - 1.");
  }
  return value;
}

void bind_keys(Functions& m) {
  m.def("key(seed: int) -> array", "The key (uint32, shape (2,)) of a seed.",
        [](Args& x) { return mx::random::key(seed_argument(x, 0)); });
  m.def("seed(seed: int) -> None", "Seed the calling thread's key sequence.",
        [](Args& x) { mx::random::seed(seed_argument(x, 0)); });
  m.def("split(key: array, num: int = 2, stream: StreamOrDevice = None) -> array",
        "num new keys from a key, shape (num, 2).",
        [](Args& x) { return mx::random::split(x.array(0), x.small_int(1, 2), x.stream()); });
}

void bind_continuous(Functions& m) {
  m.def(
      "uniform(low: scalar | array = 0, high: scalar | array = 1, shape: Sequence[int] = [], dtype: Dtype | "
      "None = float32, key: array | None = None, stream: StreamOrDevice = None) -> array",
      "Uniform numbers in [low, high); the bounds broadcast to the shape.", [](Args& x) {
        return mx::random::uniform(parameter(x, 0, 0), parameter(x, 1, 1), shape_or(x, 2, {}),
                                   x.dtype(3, mx::float32), x.optional_array(4), x.stream());
      });
  m.def(
      "normal(shape: Sequence[int] = [], dtype: Dtype | None = float32, loc: scalar | array | None = None, "
      "scale: scalar | array | None = None, key: array | None = None, stream: StreamOrDevice = None) -> "
      "array",
      "Normal numbers with mean loc and standard deviation scale.", [](Args& x) {
        return mx::random::normal(shape_or(x, 0, {}), x.dtype(1, mx::float32), optional_parameter(x, 2),
                                  optional_parameter(x, 3), x.optional_array(4), x.stream());
      });
  m.def(
      "truncated_normal(lower: scalar | array, upper: scalar | array, shape: Sequence[int] | None = None, "
      "dtype: Dtype | None = float32, key: array | None = None, stream: StreamOrDevice = None) -> array",
      "Standard normal numbers cut to [lower, upper]. The shape is that of the bounds by default.",
      [](Args& x) {
        mx::array lower = parameter(x, 0, 0), upper = parameter(x, 1, 0);
        mx::Dtype dtype = x.dtype(3, mx::float32);
        if (!x.has(2))
          return mx::random::truncated_normal(lower, upper, dtype, x.optional_array(4), x.stream());
        return mx::random::truncated_normal(lower, upper, x.shape_sequence(2), dtype, x.optional_array(4),
                                            x.stream());
      });
  m.def(
      "gumbel(shape: Sequence[int] = [], dtype: Dtype | None = float32, key: array | None = None, stream: "
      "StreamOrDevice = None) -> array",
      "Standard Gumbel numbers.", [](Args& x) {
        return mx::random::gumbel(shape_or(x, 0, {}), x.dtype(1, mx::float32), x.optional_array(2),
                                  x.stream());
      });
  m.def(
      "laplace(shape: Sequence[int] = [], dtype: Dtype | None = float32, loc: float = 0.0, scale: float = "
      "1.0, key: array | None = None, stream: StreamOrDevice = None) -> array",
      "Laplace numbers with mean loc.", [](Args& x) {
        return mx::random::laplace(shape_or(x, 0, {}), x.dtype(1, mx::float32),
                                   static_cast<float>(x.number(2, 0)), static_cast<float>(x.number(3, 1)),
                                   x.optional_array(4), x.stream());
      });
  m.def(
      "multivariate_normal(mean: array, cov: array, shape: Sequence[int] = [], dtype: Dtype | None = float32, key: "
      "array | None = None, stream: StreamOrDevice = None) -> array",
      "Normal vectors with mean (..., n) and covariance (..., n, n), whose symmetric root comes from its singular "
      "value decomposition. The leading axes and shape broadcast; the result has that shape and n. float32 only.",
      [](Args& x) {
        return mx::random::multivariate_normal(x.array(0), x.array(1), shape_or(x, 2, {}), x.dtype(3, mx::float32),
                                               x.optional_array(4), x.stream());
      });
}

void bind_discrete(Functions& m) {
  m.def(
      "randint(low: scalar | array, high: scalar | array, shape: Sequence[int] = [], dtype: Dtype | None = "
      "int32, key: array | None = None, stream: StreamOrDevice = None) -> array",
      "Integers in [low, high); the bounds broadcast to the shape.", [](Args& x) {
        return mx::random::randint(x.operand(0), x.operand(1), shape_or(x, 2, {}), x.dtype(3, mx::int32),
                                   x.optional_array(4), x.stream());
      });
  m.def(
      "bernoulli(p: scalar | array = 0.5, shape: Sequence[int] | None = None, key: array | None = None, "
      "stream: StreamOrDevice = None) -> array",
      "True with probability p. The shape is p's by default.", [](Args& x) {
        mx::array p = x[0] ? x.operand(0) : mx::array(0.5f);
        if (!x.has(1)) return mx::random::bernoulli(p, x.optional_array(2), x.stream());
        return mx::random::bernoulli(p, x.shape_sequence(1), x.optional_array(2), x.stream());
      });
  m.def(
      "categorical(logits: array, axis: int = -1, shape: Sequence[int] | None = None, num_samples: int | None = None, "
      "key: array | None = None, stream: StreamOrDevice = None) -> array",
      "Indices (uint32) along an axis drawn with the probabilities softmax(logits).\n\nThe shape is that of the logits "
      "without the axis, followed by num_samples where given; or shape, to which it broadcasts.",
      [](Args& x) {
        mx::array logits = x.array(0);
        int axis = x.small_int(1, -1);
        auto key = x.optional_array(4);
        if (x.has(2) && x.has(3)) mx::raise("[categorical] Give shape or num_samples, not both.");
        if (x.has(2)) return mx::random::categorical(logits, axis, x.shape_sequence(2), key, x.stream());
        if (x.has(3)) return mx::random::categorical(logits, axis, x.small_int(3), key, x.stream());
        return mx::random::categorical(logits, axis, key, x.stream());
      });
  m.def(
      "permutation(x: int | array, axis: int = 0, key: array | None = None, stream: StreamOrDevice = None) "
      "-> array",
      "The entries of an array along an axis in random order, or 0 ... x - 1 in random order.", [](Args& x) {
        int64_t n;
        if (!is_array(x[0]) && to_integer(x[0], &n, &x, 0))
          return mx::random::permutation(x.small_int(0), x.optional_array(2), x.stream());
        return mx::random::permutation(x.array(0, "an int or an array"), x.small_int(1, 0), x.optional_array(2),
                                       x.stream());
      });
}

nb::object state_item(Args& x) {
  int64_t i = x.integer(1);
  if (i != 0 && i != -1) {
    PyErr_SetString(PyExc_IndexError, "[random.state] The state has one element.");
    raise_python();
  }
  return nb::steal(wrap(KeySequence::default_().state()));
}

Py_ssize_t state_length(PyObject*) noexcept { return 1; }

void bind_state(nb::module_& random) {
  static PyType_Slot slots[] = {{Py_sq_length, reinterpret_cast<void*>(state_length)}, {0, nullptr}};
  nb::class_<RandomState> type(random, "_RandomState",
                               "The calling thread's key, as a sequence of one element.",
                               nb::type_slots(slots));
  state_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  Methods(type)
      .def("__getitem__(self, index: int) -> array", "", [](Args& x) { return state_item(x); })
      .def("__iter__(self) -> Iterator", "", [](Args&) {
        nb::object items = nb::make_tuple(nb::steal(wrap(KeySequence::default_().state())));
        return steal(PyObject_GetIter(items.ptr()));
      });
  random.attr("state") = nb::cast(RandomState{});
}

}  // namespace

std::optional<mx::array> captured_array(PyObject* o) {
  if (!is_state(o)) return std::nullopt;
  return KeySequence::default_().state();
}

void set_captured_array(PyObject* o, const mx::array& a) {
  if (is_state(o)) KeySequence::default_().set_state(a);
}

void bind_random(nb::module_& m) {
  nb::module_ random =
      m.def_submodule("random", "Random arrays. The same key gives the same numbers everywhere.");
  Functions functions(random);
  bind_keys(functions);
  bind_continuous(functions);
  bind_discrete(functions);
  bind_state(random);
}

}  // namespace mlx::python
