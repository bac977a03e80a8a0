// Binding of arguments to slots, and conversions: see arguments.h.

#include "arguments.h"

#include <climits>
#include <cmath>

#include "convert.h"
#include "scalars.h"

namespace mlx::python {

std::string type_name(PyObject* o) {
  if (o == Py_None) return "None";
  std::string name = Py_TYPE(o)->tp_name;
  return name.starts_with("mlx.core.") ? name.substr(9) : name;
}

std::string text_of(nb::handle o) {
  nb::object text = steal(PyObject_Str(o.ptr()));
  // Halves of surrogate pairs have no UTF-8.
  nb::object bytes = steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  std::string result(PyBytes_AS_STRING(bytes.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr())));
  // A message ends at the first NUL.
  for (size_t at; (at = result.find('\0')) != std::string::npos;) result.replace(at, 1, "\\0");
  return result;
}

std::string Args::describe(int i) const {
  const std::string& name = signature_.parameters[i].name;
  if (i >= signature_.positional) return concat("[", op(), "] Argument '", name, "'");
  return concat("[", op(), "] Argument ", i + !signature_.is_method, " (", name, ")");
}

void Args::raise_wrong(int i, const char* accepted) const {
  PyObject* o = slots_[i];
  std::string came = o ? type_name(o) : "absent";
  const char* advice = "";
  if (o && std::strstr(accepted, "an array") && !is_array(o) &&
      (PyList_Check(o) || PyTuple_Check(o) || PyObject_CheckBuffer(o))) {
    advice = " Convert it with mx.array.";
  }
  raise_type_error(describe(i), " must be ", accepted, ", not ", came, ".", advice);
}

void Args::raise_missing(int i) const { raise_type_error(describe(i), " is missing."); }

void Args::bind_rest(PyObject* const* args, Py_ssize_t n) {
  if (signature_.rest_name.empty()) {
    int offset = signature_.is_method;
    int most = signature_.positional - offset;
    raise_type_error("[", op(), "] Takes ", most ? "at most " : "", most,
                     most == 1 ? " positional argument" : " positional arguments", ", but ", most + n,
                     " were given.");
  }
  rest_ = args;
  rest_count_ = n;
}

void Args::bind_keywords(PyObject* const* values, PyObject* names) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); k++) {
    PyObject* keyword = PyTuple_GET_ITEM(names, k);
    int i = signature_.find(keyword);
    if (i < signature_.positional_only) {
      std::string name = text_of(keyword);
      if (!signature_.keywords_name.empty()) {
        if (!keywords_.is_valid()) keywords_ = nb::dict();
        keywords_[nb::handle(keyword)] = nb::handle(values[k]);
        continue;
      }
      if (i >= 0) raise_type_error(describe(i), " can only be given by position, not by keyword.");
      raise_type_error("[", op(), "] There is no keyword '", name, "'. ", signature_.suggestion(name));
    }
    if (slots_[i]) raise_type_error(describe(i), " was given twice, by position and by keyword.");
    slots_[i] = values[k];
  }
}

KeywordCall::KeywordCall(PyObject* args, PyObject* keywords) : positional(PyTuple_GET_SIZE(args)) {
  for (Py_ssize_t i = 0; i < positional; i++) values.push_back(PyTuple_GET_ITEM(args, i));
  if (!keywords || PyDict_GET_SIZE(keywords) == 0) return;
  nb::list collected;
  PyObject *key, *value;
  Py_ssize_t place = 0;
  while (PyDict_Next(keywords, &place, &key, &value)) {
    collected.append(nb::handle(key));
    values.push_back(value);
  }
  names = steal(PyList_AsTuple(collected.ptr()));
}

PyObject* Args::array_of_object(int i, const char* accepted) const {
  std::optional<mx::array> a = slots_[i] ? array_or_hook(slots_[i]) : std::nullopt;
  if (!a) raise_wrong(i, accepted);
  owned_.push_back(nb::steal(wrap(std::move(*a))));
  return owned_.back().ptr();
}

std::optional<mx::array> Args::optional_array(int i) const {
  if (!has(i)) return std::nullopt;
  if (!is_array(slots_[i])) slots_[i] = array_of_object(i, "an array or None");
  return as_array(slots_[i]);
}

std::vector<mx::array> Args::rest_arrays() const {
  std::vector<mx::array> arrays;
  for (Py_ssize_t i = 0; i < rest_count_; i++) {
    std::optional<mx::array> a = array_or_hook(rest_[i]);
    if (!a) {
      raise_type_error("[", op(), "] Argument ", signature_.positional + i + 1, " must be an array, not ",
                       type_name(rest_[i]), ".");
    }
    arrays.push_back(std::move(*a));
  }
  return arrays;
}

std::vector<mx::array> Args::arrays(int i) const {
  PyObject* o = slots_[i];
  if (!PyList_Check(o) && !PyTuple_Check(o)) raise_wrong(i, "a list of arrays");
  std::vector<mx::array> result;
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(o); k++) {
    PyObject* item = PySequence_Fast_GET_ITEM(o, k);
    std::optional<mx::array> a = array_or_hook(item);
    if (!a) {
      raise_type_error(describe(i), " must be a list of arrays, but item ", k, " is of type ",
                       type_name(item), ".");
    }
    result.push_back(std::move(*a));
  }
  return result;
}

mx::array Args::operand(int i) const { return to_operand(slots_[i], op(), i + !signature_.is_method); }

std::pair<mx::array, mx::array> Args::operands(int i, int j) const {
  return to_operands(slots_[i], slots_[j], op(), i + !signature_.is_method);
}

mx::array Args::operand_like(int i, mx::Dtype dtype) const {
  return to_operand_like(slots_[i], dtype, op(), i + !signature_.is_method);
}

bool Args::boolean(int i, bool fallback) const {
  PyObject* o = slots_[i];
  if (!o) return fallback;
  if (o == Py_True) return true;
  if (o == Py_False) return false;
  if (is_numpy_bool(o)) return PyObject_IsTrue(o) == 1;
  raise_wrong(i, "True or False");
}

std::string int_text(PyObject* o) {
  nb::object index = steal(PyNumber_Index(o));
  size_t bits = nb::cast<size_t>(index.attr("bit_length")());
  return bits > 256 ? concat("an int of ", bits, " bits") : text_of(index);
}

void Args::raise_too_large(int i, const std::string& value, int bits) const {
  const std::string& name = signature_.parameters[i].name;
  if (name.starts_with("ax") || name == "indices")
    raise<mx::AxisError>(describe(i), " is ", value, ", which is out of bounds for every array.");
  raise<std::overflow_error>(describe(i), " is ", value, ", which does not fit in ", bits, " bits.");
}

bool to_integer(PyObject* o, int64_t* value, const Args* args, int i) {
  if (PyFloat_Check(o)) return false;
  if (!PyLong_CheckExact(o) && (!PyIndex_Check(o) || is_numpy_bool(o))) return false;
  nb::object index = nb::steal(PyNumber_Index(o));
  if (!index.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) raise_python();
    PyErr_Clear();
    return false;
  }
  int overflow = 0;
  *value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow && args) args->raise_too_large(i, int_text(index.ptr()), 64);
  if (overflow) raise<std::overflow_error>("[int] ", int_text(index.ptr()), " does not fit in 64 bits.");
  return true;
}

int64_t Args::integer(int i) const {
  int64_t value;
  if (!slots_[i] || !to_integer(slots_[i], &value, this, i)) raise_wrong(i, "an int");
  return value;
}

namespace {
int narrow(const Args& args, int i, int64_t value) {
  if (value < INT_MIN || value > INT_MAX) args.raise_too_large(i, std::to_string(value), 32);
  return static_cast<int>(value);
}
}  // namespace

int Args::small_int(int i) const { return narrow(*this, i, integer(i)); }
int Args::small_int(int i, int fallback) const { return slots_[i] ? small_int(i) : fallback; }

std::optional<int> Args::optional_int(int i) const {
  if (!has(i)) return std::nullopt;
  int64_t value;
  if (!to_integer(slots_[i], &value, this, i)) raise_wrong(i, "an int or None");
  return narrow(*this, i, value);
}

std::optional<double> Args::optional_number(int i) const {
  if (!has(i)) return std::nullopt;
  double value = PyFloat_Check(slots_[i]) || PyNumber_Check(slots_[i]) ? PyFloat_AsDouble(slots_[i]) : NAN;
  if (PyErr_Occurred()) {
    bool too_large = PyLong_Check(slots_[i]) && PyErr_ExceptionMatches(PyExc_OverflowError);
    if (!too_large && !PyErr_ExceptionMatches(PyExc_TypeError)) raise_python();
    PyErr_Clear();
    if (too_large)
      raise<std::overflow_error>(describe(i), " is ", int_text(slots_[i]), ", more than a float can hold.");
    raise_wrong(i, "a number");
  }
  if (!PyNumber_Check(slots_[i])) raise_wrong(i, "a number");
  return value;
}

double Args::number(int i, double fallback) const {
  if (!slots_[i]) return fallback;
  if (slots_[i] == Py_None) raise_wrong(i, "a number");
  return *optional_number(i);
}

std::string Args::text(int i, const char* fallback) const {
  if (!slots_[i]) return fallback;
  if (!PyUnicode_Check(slots_[i])) raise_wrong(i, "a string");
  if (PyUnicode_FindChar(slots_[i], 0, 0, PyUnicode_GET_LENGTH(slots_[i]), 1) >= 0)
    raise(describe(i), " must not hold a NUL character.");
  return text_of(nb::handle(slots_[i]));
}

mx::Dtype Args::dtype(int i) const {
  std::optional<mx::Dtype> t = slots_[i] ? to_dtype(slots_[i]) : std::nullopt;
  if (!t) raise_wrong(i, "a Dtype such as mx.float32");
  return *t;
}

std::optional<mx::Dtype> Args::optional_dtype(int i) const {
  if (!has(i)) return std::nullopt;
  return dtype(i);
}

mx::Dtype Args::dtype(int i, mx::Dtype fallback) const { return has(i) ? dtype(i) : fallback; }

namespace {

// Reads a sequence of ints, or an integer array with one axis; false where the object is no sequence or an item no int.
template <typename List>
bool read_ints(PyObject* o, List* list, const Args* args = nullptr, int i = 0) {
  if (PyUnicode_Check(o) || PyBytes_Check(o) || PyDict_Check(o)) return false;
  if (!PySequence_Check(o) && !is_array(o)) return false;
  nb::object fast = nb::steal(PySequence_Fast(o, ""));
  if (!fast.is_valid()) {
    PyErr_Clear();
    return false;
  }
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(fast.ptr()); k++) {
    int64_t value;
    if (!to_integer(PySequence_Fast_GET_ITEM(fast.ptr(), k), &value, args, i)) return false;
    list->push_back(static_cast<typename List::value_type>(value));
    if (list->back() == value) continue;
    if (args) args->raise_too_large(i, std::to_string(value), 32);
    raise<std::overflow_error>("[int] ", value, " does not fit in 32 bits.");
  }
  return true;
}

}  // namespace

mx::Shape Args::shape_sequence(int i) const {
  mx::Shape shape;
  if (!slots_[i] || !read_ints(slots_[i], &shape, this, i)) raise_wrong(i, "a sequence of ints");
  return shape;
}

mx::Shape to_shape(PyObject* o, const char* op, int position) {
  mx::Shape shape;
  try {
    if (read_ints(o, &shape)) return shape;
  } catch (const std::overflow_error&) {
    raise<std::overflow_error>("[", op, "] Argument ", position, " holds an int that does not fit in 64 bits.");
  }
  raise_type_error("[", op, "] Argument ", position, " must be a sequence of ints, not ", type_name(o), ".");
}

mx::Shape Args::shape(int i) const {
  int64_t value;
  if (slots_[i] && to_integer(slots_[i], &value, this, i)) return {value};
  mx::Shape shape;
  if (!slots_[i] || !read_ints(slots_[i], &shape, this, i)) raise_wrong(i, "an int or a sequence of ints");
  return shape;
}

std::vector<int> Args::ints_of(PyObject* o, int i) const {
  int64_t value;
  if (o && to_integer(o, &value, this, i)) return {narrow(*this, i, value)};
  std::vector<int> list;
  if (!o || !read_ints(o, &list, this, i)) raise_wrong(i, "an int or a sequence of ints");
  return list;
}

std::optional<std::vector<int>> Args::axes(int i) const {
  if (!has(i)) return std::nullopt;
  int64_t value;
  if (to_integer(slots_[i], &value, this, i)) return std::vector<int>{narrow(*this, i, value)};
  std::vector<int> list;
  if (!read_ints(slots_[i], &list, this, i)) raise_wrong(i, "None, an int or a sequence of ints");
  return list;
}

mx::StreamOrDevice Args::stream_argument(PyObject* o) const {
  std::optional<mx::StreamOrDevice> s = to_stream_or_device(o);
  if (!s) raise_wrong(signature_.stream, "None, a Stream or a Device");
  return *s;
}

PyObject* to_python(std::vector<mx::array>&& arrays) {
  nb::object list = steal(PyList_New(static_cast<Py_ssize_t>(arrays.size())));
  for (size_t i = 0; i < arrays.size(); i++) {
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), wrap(std::move(arrays[i])));
  }
  return list.release().ptr();
}

PyObject* tuple_of(std::vector<mx::array>&& arrays) {
  nb::object tuple = steal(PyTuple_New(static_cast<Py_ssize_t>(arrays.size())));
  for (size_t i = 0; i < arrays.size(); i++) {
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), wrap(std::move(arrays[i])));
  }
  return tuple.release().ptr();
}

PyObject* to_python(const mx::Shape& shape) {
  nb::object tuple = steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  for (size_t i = 0; i < shape.size(); i++) {
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), checked(PyLong_FromLongLong(shape[i])));
  }
  return tuple.release().ptr();
}

}  // namespace mlx::python
