// The type array: construction, attributes, and the protocols that are not operators or indexing.

#include "array_slots.h"
#include "convert.h"
#include "define.h"
#include "evaluate.h"

namespace mlx::python {

PyTypeObject* array_type = nullptr;

namespace {

constexpr const char* constructor_text =
    "array(val: scalar | list | tuple | DLPackCompatible | array, dtype: Dtype | None = None)";

const char* array_doc =
    "An n-dimensional array of one dtype.\n\nval: a scalar, nested lists or tuples, an array, or an object "
    "with the buffer protocol, __dlpack__\nor __mlx_array__; its values are copied. dtype: by default int32, "
    "float32, complex64 or bool by the\nkind of Python values, and the dtype of other arrays (float64 "
    "becomes float32).";

Signature& constructor() {
  static Signature signature;
  return signature;
}

mx::array constructed(Args& x, int val) { return make_array(x[val], x.optional_dtype(val + 1)); }

// An instance always holds an array, also before __init__: subclasses and pickle make such.
PyObject* new_array(PyTypeObject* type, PyObject*, PyObject*) noexcept {
  return guarded([&] {
    static auto* nothing = new mx::array(0.0f);
    nb::object self = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(type)));
    new (nb::inst_ptr<mx::array>(self)) mx::array(*nothing);
    nb::inst_mark_ready(self);
    return self.release().ptr();
  });
}

int init_array(PyObject* self, PyObject* args, PyObject* keywords) noexcept {
  return guarded(
      [&] {
        Args bound(constructor());
        KeywordCall unpacked(args, keywords);
        bound.bind(nullptr, unpacked.values.data(), unpacked.positional, unpacked.names.ptr());
        as_array(self) = constructed(bound, 0);
        return 0;
      },
      -1);
}

// A Python subclass may have an __init__ of its own.
PyObject* call_subclass(PyObject* type, PyObject* const* args, size_t nargsf, PyObject* names) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  nb::object tuple = steal(PyTuple_New(n));
  for (Py_ssize_t i = 0; i < n; i++) PyTuple_SET_ITEM(tuple.ptr(), i, Py_NewRef(args[i]));
  nb::dict keywords;
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
    keywords[nb::handle(PyTuple_GET_ITEM(names, i))] = nb::handle(args[n + i]);
  }
  return checked(PyType_Type.tp_call(type, tuple.ptr(), keywords.ptr()));
}

// mx.array(...) itself, without tuple and dict.
PyObject* call_array(PyObject* type, PyObject* const* args, size_t nargsf, PyObject* keywords) noexcept {
  return guarded([&]() -> PyObject* {
    if (type != reinterpret_cast<PyObject*>(array_type)) return call_subclass(type, args, nargsf, keywords);
    Args bound(constructor());
    bound.bind(nullptr, args, PyVectorcall_NARGS(nargsf), keywords);
    return wrap(constructed(bound, 0));
  });
}

Py_hash_t hash_array(PyObject* self) noexcept {
  return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(self) >> 4);
}

Py_ssize_t array_length(PyObject* self) noexcept {
  return guarded(
      [&]() -> Py_ssize_t {
        const mx::array& a = as_array(self);
        note_size_read(a);
        if (a.ndim() == 0) raise_type_error("[len] A 0-dimensional array has no length.");
        return a.shape()[0];
      },
      Py_ssize_t{-1});
}

nb::object state_of(const mx::array& a) {
  mx::array owned = a;
  evaluate(owned);
  bool half = a.dtype() == mx::bfloat16;
  nb::object self =
      nb::steal(wrap(half ? mx::view(owned, mx::uint16) : owned));
  nb::object values = nb::steal(to_numpy(self.ptr(), nullptr, Py_True));
  return nb::make_tuple(values, static_cast<int>(a.dtype().val()));
}

void set_state(PyObject* self, PyObject* state) {
  if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 2) raise("[array] The state is no pickled array.");
  int64_t index = -1;
  if (!to_integer(PyTuple_GET_ITEM(state, 1), &index) || index < 0 || index >= mx::dtype_count) {
    raise("[array] The state has no dtype.");
  }
  mx::Dtype dtype = mx::dtype_from_index(static_cast<int>(index));
  PyObject* values = PyTuple_GET_ITEM(state, 0);
  as_array(self) = dtype == mx::bfloat16 ? reinterpreted(make_array(values, mx::uint16), dtype)
                                         : make_array(values, dtype);
}

nb::object format_array(PyObject* self, PyObject* spec) {
  if (!PyUnicode_Check(spec))
    raise_type_error("[__format__] The format must be a str, not ", type_name(spec), ".");
  if (as_array(self).ndim() != 0) {
    if (PyUnicode_GET_LENGTH(spec) == 0) return steal(PyObject_Str(self));
    raise_type_error("[__format__] Only a 0-dimensional array takes a format, not one of shape ",
                     as_array(self).shape(), ".");
  }
  nb::object value = steal(item(as_array(self)));
  return steal(PyObject_Format(value.ptr(), spec));
}

void add_attributes() {
  Methods()
      .property("shape", "tuple[int, ...]", "The sizes of the dimensions, as a tuple.",
                [](const mx::array& a) {
                  note_size_read(a);
                  return to_python(a.shape());
                })
      .property("ndim", "int", "The number of dimensions.", [](const mx::array& a) { return a.ndim(); })
      .property("size", "int", "The number of elements.",
                [](const mx::array& a) {
                  note_size_read(a);
                  return a.size();
                })
      .property("itemsize", "int", "Bytes of an element.", [](const mx::array& a) { return a.itemsize(); })
      .property("nbytes", "int", "Bytes of all elements.",
                [](const mx::array& a) {
                  note_size_read(a);
                  return a.nbytes();
                })
      .property("dtype", "Dtype", "The type of the elements.",
                [](const mx::array& a) { return to_python(a.dtype()); })
      .property("real", "array", "The real part.", [](const mx::array& a) { return mx::real(a); })
      .property("imag", "array", "The imaginary part; zeros of the same dtype for real arrays.",
                [](const mx::array& a) { return mx::imag(a); })
      .property("T", "array", "The array with its axes in reverse order.",
                [](const mx::array& a) { return mx::transpose(a); })
      .property("mT", "array", "The array with its last two axes exchanged.", [](const mx::array& a) {
        if (a.ndim() < 2) raise("[mT] At least 2 dimensions are needed, but the array has ", a.ndim(), ".");
        return mx::swapaxes(a, -1, -2);
      });
}

void add_values() {
  Methods()
      .def("item(self) -> scalar", "The value of an array of size 1, as a Python scalar.",
           [](Args& x) { return item(as_array(x[0])); })
      .def("tolist(self) -> list_or_scalar",
           "The values as nested lists; a scalar for a 0-dimensional array.",
           [](Args& x) { return to_list(as_array(x[0])); })
      .def("__complex__(self) -> complex", "",
           [](Args& x) {
             nb::object value = steal(item(as_array(x[0]), "complex"));
             Py_complex c = PyComplex_AsCComplex(value.ptr());
             return PyComplex_FromCComplex(c);
           })
      .def("__bytes__(self) -> bytes", "", [](Args& x) { return to_bytes(as_array(x[0])); })
      .def("__format__(self, spec: object, /) -> str", "", [](Args& x) { return format_array(x[0], x[1]); })
      .def("__array__(self, dtype: object | None = None, copy: object | None = None) -> numpy.ndarray", "",
           [](Args& x) { return to_numpy(x[0], x[1], x[2]); })
      .def(
          "__dlpack__(self, *, stream: object | None = None, max_version: object | None = None, dl_device: "
          "tuple[int, int] | None = None, copy: bool | None = None) -> capsule",
          "",
          [](Args& x) {
            nb::dict keywords;
            for (int i = 2; i <= 4; i++) {
              if (x[i]) keywords[x.signature().parameters[i].name.c_str()] = nb::handle(x[i]);
            }
            return to_dlpack(x[0], keywords);
          })
      .def("__dlpack_device__(self) -> tuple[int, int]", "", [](Args&) { return nb::make_tuple(1, 0); });
}

void add_copies() {
  Methods()
      .def("__copy__(self) -> array", "", [](Args& x) { return mx::array(as_array(x[0])); })
      .def("__deepcopy__(self, memo: dict) -> array", "", [](Args& x) { return mx::array(as_array(x[0])); })
      .def("__getstate__(self) -> tuple", "", [](Args& x) { return state_of(as_array(x[0])); })
      .def("__setstate__(self, state: tuple, /) -> None", "", [](Args& x) { set_state(x[0], x[1]); });
}

mx::array without_copy(PyObject* o, const char* op) {
  std::optional<mx::array> a = PyObject_CheckBuffer(o) ? alias_buffer(o) : std::nullopt;
  if (!a && PyObject_HasAttrString(o, "__dlpack__")) a = alias_dlpack(o);
  if (!a) raise("[", op, "] The ", type_name(o), " cannot be used without a copy.");
  return *a;
}

void bind_imports(nb::module_& m) {
  Functions(m)
      .def(
          "asarray(a: scalar | array | Sequence | DLPackCompatible, /, dtype: Dtype | None = None, *, copy: "
          "bool | None = None) -> array",
          "Make an array of a value.\n\ncopy: False uses the memory of `a` and raises ValueError where that "
          "cannot be; otherwise the values\nare copied, except of arrays.",
          [](Args& x) {
            std::optional<mx::Dtype> dtype = x.optional_dtype(1);
            bool keeps = is_array(x[0]) && !x.has(2);
            if (!keeps && (!x.has(2) || x.boolean(2, true))) return make_array(x[0], dtype);
            if (keeps && dtype) return mx::astype(as_array(x[0]), *dtype);
            mx::array a = is_array(x[0]) ? as_array(x[0]) : without_copy(x[0], "asarray");
            if (dtype && *dtype != a.dtype()) raise("[asarray] The dtype cannot change without a copy.");
            return a;
          })
      .def("from_dlpack(x: DLPackCompatible, /, *, copy: bool | None = None) -> array",
           "Make an array of an object with __dlpack__, in the same memory where its layout allows "
           "it.\n\ncopy: True always copies, False raises ValueError where a copy would be needed.",
           [](Args& x) {
             bool may_alias = !x.has(1) || !x.boolean(1, true), may_copy = !x.has(1) || x.boolean(1, true);
             if (is_array(x[0])) return as_array(x[0]);
             if (!PyObject_HasAttrString(x[0], "__dlpack__")) x.raise_wrong(0, "an object with __dlpack__");
             if (may_alias && !may_copy) return without_copy(x[0], "from_dlpack");
             std::optional<mx::array> a = may_alias ? alias_dlpack(x[0]) : std::nullopt;
             return a ? *a : array_from_dlpack(x[0], std::nullopt);
           });
}

}  // namespace

void bind_array(nb::module_& m) {
  constructor().parse(constructor_text);
  defined_signatures().push_back(concat("mlx.core.array.__init__(self, ", constructor_text + 6, " -> None"));
  static std::vector<PyType_Slot> slots;
  add_number_slots(&slots);
  add_index_slots(&slots);
  add_slot(&slots, Py_tp_new, new_array);
  add_slot(&slots, Py_tp_init, init_array);
  add_slot(&slots, Py_tp_vectorcall, call_array);
  add_slot(&slots, Py_tp_hash, hash_array);
  add_slot(&slots, Py_tp_repr, array_repr);
  add_slot(&slots, Py_mp_length, array_length);
  add_slot(&slots, Py_bf_getbuffer, get_buffer);
  add_slot(&slots, Py_bf_releasebuffer, release_buffer);
  slots.push_back({0, nullptr});
  static std::string doc = constructor().documentation(array_doc);
  nb::class_<mx::array> type(m, "array", doc.c_str(), nb::type_slots(slots.data()),
                             nb::is_weak_referenceable(), nb::pooled(1024));
  array_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  add_attributes();
  add_values();
  add_copies();
  bind_imports(m);
}

}  // namespace mlx::python
