// Dtype, its categories, finfo and iinfo, and the questions about dtypes.

#include "define.h"
#include "mlx/types/limits.h"

namespace mlx::python {

namespace {

PyTypeObject* dtype_type = nullptr;
PyObject* category_type = nullptr;
PyObject* dtype_objects[mx::dtype_count];

std::string shown(mx::Dtype t) { return std::string(mx::dtype_name(t)); }

std::string six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::optional<mx::Dtype::Category> to_category(PyObject* o) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(o)) != category_type) return std::nullopt;
  return nb::cast<mx::Dtype::Category>(nb::handle(o));
}

bool is_subtype(Args& x) {
  auto a = to_dtype(x[0]), b = to_dtype(x[1]);
  auto ca = to_category(x[0]), cb = to_category(x[1]);
  if (!a && !ca)
    raise("[issubdtype] Argument 1 must be a Dtype or DtypeCategory, not ", type_name(x[0]), ".");
  if (!b && !cb)
    raise("[issubdtype] Argument 2 must be a Dtype or DtypeCategory, not ", type_name(x[1]), ".");
  if (a && b) return mx::issubdtype(*a, *b);
  if (a) return mx::issubdtype(*a, *cb);
  if (b) return mx::issubdtype(*ca, *b);
  return mx::issubdtype(*ca, *cb);
}

struct Kind {
  const char* name;
  bool (*holds)(mx::Dtype);
};

constexpr Kind kinds[] = {
    {"bool", [](mx::Dtype t) { return t == mx::bool_; }},
    {"signed integer", [](mx::Dtype t) { return mx::issubdtype(t, mx::signedinteger); }},
    {"unsigned integer", [](mx::Dtype t) { return mx::issubdtype(t, mx::unsignedinteger); }},
    {"integral", [](mx::Dtype t) { return mx::issubdtype(t, mx::integer); }},
    {"real floating", [](mx::Dtype t) { return mx::issubdtype(t, mx::floating); }},
    {"complex floating", [](mx::Dtype t) { return t == mx::complex64; }},
    {"numeric", [](mx::Dtype t) { return t != mx::bool_; }},
};

bool is_dtype(mx::Dtype t, PyObject* kind) {
  if (auto other = to_dtype(kind)) return t == *other;
  if (PyTuple_Check(kind)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kind); i++) {
      if (is_dtype(t, PyTuple_GET_ITEM(kind, i))) return true;
    }
    return false;
  }
  std::string name = PyUnicode_Check(kind) ? text_of(nb::handle(kind)) : "";
  std::string known;
  for (const Kind& k : kinds) {
    if (name == k.name) return k.holds(t);
    known += concat(known.empty() ? "'" : ", '", k.name, "'");
  }
  std::string came = PyUnicode_Check(kind) ? concat("'", name.substr(0, 40), "'") : type_name(kind);
  raise("[isdtype] The kind must be a Dtype, a tuple of kinds, or one of ", known, ", not ", came, ".");
}

// The dtype of an array or a Dtype.
std::optional<mx::Dtype> dtype_of(PyObject* o) {
  if (is_array(o)) return as_array(o).dtype();
  return to_dtype(o);
}

mx::Dtype common_dtype(Args& x) {
  if (x.rest_count() == 0) raise("[result_type] At least one array or Dtype is needed.");
  std::optional<mx::Dtype> result;
  for (Py_ssize_t i = 0; i < x.rest_count(); i++) {
    auto t = dtype_of(x.rest()[i]);
    if (!t)
      raise("[result_type] Argument ", i + 1, " must be an array or a Dtype, not ",
            type_name(x.rest()[i]), ".");
    result = result ? mx::promote_types(*result, *t) : *t;
  }
  return *result;
}

nb::object equals(PyObject* self, PyObject* other, bool wanted) {
  auto a = to_dtype(self), b = to_dtype(other);
  return nb::bool_((a && b && *a == *b) == wanted);
}

void bind_infos(nb::module_& m) {
  nb::class_<mx::finfo>(m, "finfo", "Limits of a floating-point dtype.",
                        initializer("finfo(self, dtype: Dtype)",
                                    [](Args& x) { construct<mx::finfo>(x, x.dtype(1)); }))
      .def_ro("bits", &mx::finfo::bits, "Bits of a number.")
      .def_ro("min", &mx::finfo::min, "The lowest finite number.")
      .def_ro("max", &mx::finfo::max, "The largest finite number.")
      .def_ro("eps", &mx::finfo::eps, "The step from 1 to the next number.")
      .def_ro("smallest_normal", &mx::finfo::smallest_normal,
              "The smallest positive number of full precision.")
      .def_ro("dtype", &mx::finfo::dtype, "The dtype; float32 for complex64.")
      .def("__repr__", [](const mx::finfo& f) {
        return nb::str(concat("finfo(min=", six_digits(f.min), ", max=", six_digits(f.max),
                              ", dtype=", mx::dtype_name(f.dtype), ")")
                           .c_str());
      });
  nb::class_<mx::iinfo>(m, "iinfo", "Limits of an integer dtype.",
                        initializer("iinfo(self, dtype: Dtype)",
                                    [](Args& x) { construct<mx::iinfo>(x, x.dtype(1)); }))
      .def_ro("bits", &mx::iinfo::bits, "Bits of a number.")
      .def_ro("min", &mx::iinfo::min, "The lowest number.")
      .def_ro("max", &mx::iinfo::max, "The largest number.")
      .def_ro("dtype", &mx::iinfo::dtype, "The dtype.")
      .def("__repr__", [](const mx::iinfo& i) {
        return nb::str(
            concat("iinfo(min=", i.min, ", max=", i.max, ", dtype=", mx::dtype_name(i.dtype), ")")
                .c_str());
      });
}

void bind_questions(nb::module_& m) {
  Functions(m)
      .def("issubdtype(arg1: Dtype | DtypeCategory, arg2: Dtype | DtypeCategory, /) -> bool",
           "Whether a dtype or category is the same as, or below, another one.",
           [](Args& x) { return is_subtype(x); })
      .def("isdtype(dtype: Dtype, kind: Dtype | str | tuple[Dtype | str, ...]) -> bool",
           "Whether a dtype is of a kind: a dtype, a tuple of kinds or the name of a kind of the "
           "array API.",
           [](Args& x) { return is_dtype(x.dtype(0), x[1]); })
      .def("result_type(*arrays_and_dtypes: array | Dtype) -> Dtype",
           "The dtype that an operation on these arrays and dtypes gives.",
           [](Args& x) { return common_dtype(x); })
      .def("can_cast(from_: array | Dtype, to: Dtype) -> bool",
           "Whether promotion of a dtype (or an array's) with `to` gives `to`.", [](Args& x) {
             auto from = dtype_of(x[0]);
             if (!from)
               raise("[can_cast] Argument 1 must be an array or a Dtype, not ", type_name(x[0]),
                     ".");
             mx::Dtype to = x.dtype(1);
             return mx::promote_types(*from, to) == to;
           });
}

}  // namespace

std::optional<mx::Dtype> to_dtype(PyObject* o) {
  if (Py_TYPE(o) != dtype_type) return std::nullopt;
  return *nb::inst_ptr<mx::Dtype>(o);
}

PyObject* to_python(mx::Dtype dtype) {
  return Py_NewRef(dtype_objects[static_cast<size_t>(dtype.val())]);
}

void bind_dtype(nb::module_& m) {
  nb::class_<mx::Dtype> type(m, "Dtype", "The type of an array's elements.");
  dtype_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  type.def_prop_ro(
          "size", [](mx::Dtype t) { return static_cast<int>(t.size()); }, "Bytes of an element.")
      .def("__repr__", [](mx::Dtype t) { return nb::str(("mlx.core." + shown(t)).c_str()); })
      .def(
          "__eq__", [](nb::handle a, nb::object b) { return equals(a.ptr(), b.ptr(), true); },
          nb::arg("other").none())
      .def(
          "__ne__", [](nb::handle a, nb::object b) { return equals(a.ptr(), b.ptr(), false); },
          nb::arg("other").none())
      .def("__hash__", [](mx::Dtype t) { return static_cast<int>(t.val()); })
      .def(
          "__deepcopy__", [](nb::object self, nb::object) { return self; }, nb::arg("memo"))
      .def("__copy__", [](nb::object self) { return self; })
      .def("__reduce__",
           [](mx::Dtype t) { return nb::str(t == mx::bool_ ? "bool_" : shown(t).c_str()); });
  for (int i = 0; i < mx::dtype_count; i++) {
    mx::Dtype t = mx::dtype_from_index(i);
    dtype_objects[i] = nb::cast(t).release().ptr();
    m.attr(t == mx::bool_ ? "bool_" : shown(t).c_str()) = nb::handle(dtype_objects[i]);
  }
  using Category = mx::Dtype::Category;
  nb::enum_<Category> category(m, "DtypeCategory", "Categories of dtypes.");
  category.value("complexfloating", Category::complexfloating)
      .value("floating", Category::floating)
      .value("inexact", Category::inexact)
      .value("signedinteger", Category::signedinteger)
      .value("unsignedinteger", Category::unsignedinteger)
      .value("integer", Category::integer)
      .value("number", Category::number)
      .value("generic", Category::generic)
      .export_values();
  category_type = category.ptr();
  bind_infos(m);
  bind_questions(m);
}

}  // namespace mlx::python
