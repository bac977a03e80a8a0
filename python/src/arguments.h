// The arguments of one call, bound to the slots of a signature, and their conversion to C++ values.
#pragma once

#include <cstring>
#include <optional>

#include "binding.h"
#include "errors.h"
#include "signature.h"

namespace mlx::python {

class Args {
 public:
  static constexpr int max_parameters = 20;

  explicit Args(const Signature& signature) : signature_(signature) {}

  // Fills the slots, or throws what is wrong with the call.
  void bind(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) {
    int given = 0;
    if (self) slots_[given++] = self;
    Py_ssize_t taken = signature_.positional - given;
    if (n < taken) taken = n;
    for (Py_ssize_t i = 0; i < taken; i++) slots_[given++] = args[i];
    int count = static_cast<int>(signature_.parameters.size());
    std::memset(slots_ + given, 0, static_cast<size_t>(count - given) * sizeof(PyObject*));
    if (taken < n) bind_rest(args + taken, n - taken);
    if (keywords) bind_keywords(args + n, keywords);
    for (int i = given; i < count; i++) {
      if (!slots_[i] && signature_.parameters[i].required) raise_missing(i);
    }
  }

  const Signature& signature() const { return signature_; }
  const char* op() const { return signature_.name.c_str(); }
  PyObject* operator[](int i) const { return slots_[i]; }
  // Given, and not None.
  bool has(int i) const { return slots_[i] && slots_[i] != Py_None; }

  // Arguments that must be arrays, or objects with __mlx_array__.
  const mx::array& array(int i, const char* accepted = "an array") const {
    if (!slots_[i] || !is_array(slots_[i])) slots_[i] = array_of_object(i, accepted);
    return as_array(slots_[i]);
  }
  std::optional<mx::array> optional_array(int i) const;
  // A list or tuple of arrays.
  std::vector<mx::array> arrays(int i) const;

  // Arrays or scalars. Of two, a Python scalar takes the dtype of the other.
  mx::array operand(int i) const;
  std::pair<mx::array, mx::array> operands(int i, int j) const;
  // A value to be used together with an array of that dtype.
  mx::array operand_like(int i, mx::Dtype dtype) const;

  bool boolean(int i, bool fallback) const;
  int64_t integer(int i) const;
  int small_int(int i, int fallback) const;
  int small_int(int i) const;
  std::optional<int> optional_int(int i) const;
  double number(int i, double fallback) const;
  std::optional<double> optional_number(int i) const;
  std::string text(int i, const char* fallback) const;
  mx::Dtype dtype(int i) const;
  mx::Dtype dtype(int i, mx::Dtype fallback) const;
  std::optional<mx::Dtype> optional_dtype(int i) const;

  // Shapes and lists of ints.
  mx::Shape shape(int i) const;                       // an int or a sequence
  mx::Shape shape_sequence(int i) const;              // a sequence only
  std::optional<std::vector<int>> axes(int i) const;  // nothing for None; an int is a list of one
  std::vector<int> ints(int i) const { return ints_of(slots_[i], i); }
  // An int or a sequence of ints that is a part of argument i.
  std::vector<int> ints_of(PyObject* o, int i) const;

  mx::StreamOrDevice stream() const {
    PyObject* o = slots_[signature_.stream];
    if (!o || o == Py_None) return {};
    return stream_argument(o);
  }

  // What *args and **kwargs collected.
  PyObject* const* rest() const { return rest_; }
  // *args that must be arrays.
  std::vector<mx::array> rest_arrays() const;
  Py_ssize_t rest_count() const { return rest_count_; }
  nb::dict keywords() const { return keywords_.is_valid() ? keywords_ : nb::dict(); }

  // TypeError: "[softmax] Argument 2 (axis) must be `accepted`, not str."
  [[noreturn]] void raise_wrong(int i, const char* accepted) const;
  // An int of more bits than the argument can hold: AxisError for an axis, else an IntOverflowError.
  [[noreturn]] void raise_too_large(int i, const std::string& value, int bits) const;
  // "[softmax] Argument 2 (axis)".
  std::string describe(int i) const;

 private:
  void bind_rest(PyObject* const* args, Py_ssize_t n);
  void bind_keywords(PyObject* const* values, PyObject* names);
  [[noreturn]] void raise_missing(int i) const;
  mx::StreamOrDevice stream_argument(PyObject* o) const;
  // What __mlx_array__ of an argument gives; it lives as long as the call.
  PyObject* array_of_object(int i, const char* accepted) const;

  const Signature& signature_;
  PyObject* const* rest_ = nullptr;
  Py_ssize_t rest_count_ = 0;
  nb::dict keywords_ = nb::steal<nb::dict>(nullptr);
  mutable std::vector<nb::object> owned_;
  mutable PyObject* slots_[max_parameters];
};

// A call by tuple and dict, laid out as Args::bind takes it.
struct KeywordCall {
  KeywordCall(PyObject* args, PyObject* keywords);
  std::vector<PyObject*> values;
  Py_ssize_t positional;
  nb::object names;  // null without keywords
};

// Conversions without a slot.
std::optional<mx::Device> to_device(PyObject* o);
std::optional<mx::StreamOrDevice> to_stream_or_device(PyObject* o);
std::optional<mx::Dtype> to_dtype(PyObject* o);
// An int or anything with __index__, bool excepted. False where it is none. One beyond 64 bits throws, naming
// argument i of the call where that is given.
bool to_integer(PyObject* o, int64_t* value, const Args* args = nullptr, int i = 0);
// The digits of an int; the number of its bits where there are many.
std::string int_text(PyObject* o);
mx::Shape to_shape(PyObject* o, const char* op, int position);

}  // namespace mlx::python
