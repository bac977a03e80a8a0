// Arrays into Python values: item, tolist, the buffer protocol, NumPy, DLPack.

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "convert.h"
#include "dlpack.h"
#include "errors.h"
#include "evaluate.h"
#include "mlx/memory.h"

namespace mlx::python {

namespace {

template <typename T>
PyObject* element(const void* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  if constexpr (std::is_same_v<T, bool>)
    return PyBool_FromLong(value);
  else if constexpr (std::is_same_v<T, mx::complex64_t>)
    return PyComplex_FromDoubles(value.real(), value.imag());
  else if constexpr (!std::is_integral_v<T>)
    return PyFloat_FromDouble(static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>)
    return PyLong_FromLongLong(value);
  else
    return PyLong_FromUnsignedLongLong(value);
}

struct DtypeRow {
  const char* format;
  PyObject* (*to_python)(const void*);
};

// In the order of Dtype::Val.
constexpr std::array<DtypeRow, mx::dtype_count> rows = {{{"?", element<bool>},
                                                         {"B", element<uint8_t>},
                                                         {"H", element<uint16_t>},
                                                         {"I", element<uint32_t>},
                                                         {"Q", element<uint64_t>},
                                                         {"b", element<int8_t>},
                                                         {"h", element<int16_t>},
                                                         {"i", element<int32_t>},
                                                         {"q", element<int64_t>},
                                                         {"e", element<mx::float16_t>},
                                                         {"f", element<float>},
                                                         {"d", element<double>},
                                                         {"bfloat16", element<mx::bfloat16_t>},
                                                         {"Zf", element<mx::complex64_t>}}};

const DtypeRow& row_of(mx::Dtype dtype) { return rows[static_cast<size_t>(dtype.val())]; }

PyObject* list_of(const mx::array& a, const char* from, size_t dim) {
  if (dim == a.ndim()) return row_of(a.dtype()).to_python(from);
  int64_t step = a.strides()[dim] * static_cast<int64_t>(a.itemsize());
  nb::object list = steal(PyList_New(a.shape()[dim]));
  for (int64_t i = 0; i < a.shape()[dim]; i++) {
    PyList_SET_ITEM(list.ptr(), i, checked(list_of(a, from + i * step, dim + 1)));
  }
  return list.release().ptr();
}

// An exported view owns the data, not the Python object: the object may be bound to other values meanwhile.
struct Export {
  mx::array array;
  std::vector<Py_ssize_t> shape, strides;
};

// ml_dtypes.bfloat16 where that package is there. No lock is held while it is imported.
PyObject* numpy_bfloat16() {
  static PyObject* type = nullptr;
  static bool was_sought = false;
  if (!was_sought) {
    nb::object package = nb::steal(PyImport_ImportModule("ml_dtypes"));
    if (package.is_valid()) type = PyObject_GetAttrString(package.ptr(), "bfloat16");
    PyErr_Clear();
    was_sought = true;
  }
  return type;
}

// Whether two elements may lie at one address, as in broadcast axes and overlapping windows: whoever wrote one would
// change the other.
bool may_overlap(const mx::array& a) {
  if (a.size() <= 1 || a.flags().row_contiguous || a.flags().col_contiguous) return false;
  std::vector<std::pair<int64_t, int64_t>> axes;  // distance, size
  for (size_t i = 0; i < a.ndim(); i++) {
    if (a.shape()[i] > 1) axes.emplace_back(std::abs(a.strides()[i]), a.shape()[i]);
  }
  std::sort(axes.begin(), axes.end());
  int64_t extent = 1;
  for (auto [distance, size] : axes) {
    if (distance < extent) return true;
    extent += (size - 1) * distance;
  }
  return false;
}

char empty_memory[16];

void* data_of(mx::array& a) { return a.size() ? static_cast<void*>(a.data<char>()) : empty_memory; }

}  // namespace

PyObject* element_to_python(mx::Dtype dtype, const void* p) { return row_of(dtype).to_python(p); }
const char* buffer_format(mx::Dtype dtype) { return row_of(dtype).format; }

PyObject* item(const mx::array& a, const char* op) {
  if (a.size() != 1)
    raise("[", op, "] Only an array of size 1 is a scalar, but this one has shape ", a.shape(), ".");
  evaluate(a);
  return element_to_python(a.dtype(), a.data<char>());
}

PyObject* to_list(const mx::array& a) {
  mx::array owned = a;
  if (a.size() > mx::get_memory_limit() / sizeof(PyObject*)) {
    raise<mx::OutOfMemoryError>("[tolist] Lists of the ", a.size(), " elements need more than ",
                                a.size() * sizeof(PyObject*), " bytes; the limit is ", mx::get_memory_limit(), ".");
  }
  evaluate(owned);
  return list_of(owned, owned.size() ? owned.data<char>() : nullptr, 0);
}

nb::object to_bytes(const mx::array& a) {
  mx::array owned = a;
  evaluate(owned);
  if (owned.nbytes() > mx::get_memory_limit()) {
    raise<mx::OutOfMemoryError>("[bytes] ", owned.nbytes(), " bytes are needed; the limit is ", mx::get_memory_limit(),
                                ".");
  }
  nb::object bytes = steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(owned.nbytes())));
  char* to = PyBytes_AS_STRING(bytes.ptr());
  if (owned.size() == 0) return bytes;
  if (owned.flags().row_contiguous) {
    std::memcpy(to, owned.data<char>(), owned.nbytes());
    return bytes;
  }
  nb::object self = nb::steal(wrap(owned));
  Py_buffer view;
  if (PyObject_GetBuffer(self.ptr(), &view, PyBUF_STRIDED_RO) != 0) raise_python();
  int failed = PyBuffer_ToContiguous(to, &view, view.len, 'C');
  PyBuffer_Release(&view);
  if (failed) raise_python();
  return bytes;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  return guarded(
      [&] {
        mx::array a = as_array(self);
        if (a.dtype() == mx::bfloat16 && (flags & PyBUF_FORMAT) && numpy_bfloat16()) {
          // NumPy then asks __array__, which knows better.
          PyErr_SetString(PyExc_BufferError, "[array] Buffers have no format for bfloat16; use numpy.asarray.");
          return -1;
        }
        evaluate(a);
        bool wants_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
        bool wants_c = !wants_strides || (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS;
        bool wants_f = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
        bool any = (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
        bool contiguous = a.flags().row_contiguous || a.size() == 0;
        if (any ? !contiguous && !a.flags().col_contiguous
                : (wants_c && !contiguous) || (wants_f && !a.flags().col_contiguous)) {
          PyErr_SetString(PyExc_BufferError, "[array] The array is not contiguous in memory.");
          return -1;
        }
        bool read_only = may_overlap(a);
        if (read_only && (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
          PyErr_SetString(PyExc_BufferError, "[array] A broadcast array, whose elements share memory, is read-only.");
          return -1;
        }
        auto* e = new Export{a, {}, {}};
        for (size_t i = 0; i < a.ndim(); i++) {
          e->shape.push_back(a.shape()[i]);
          e->strides.push_back(a.strides()[i] * static_cast<int64_t>(a.itemsize()));
        }
        if (a.data_shared_ptr())
          a.data_shared_ptr()->foreign = true;  // writes through the view must stay visible
        view->buf = data_of(a);
        view->len = static_cast<Py_ssize_t>(a.nbytes());
        view->itemsize = static_cast<Py_ssize_t>(a.itemsize());
        view->readonly = read_only;
        view->ndim = static_cast<int>(a.ndim());
        view->format = flags & PyBUF_FORMAT ? const_cast<char*>(buffer_format(a.dtype())) : nullptr;
        view->shape = flags & PyBUF_ND ? e->shape.data() : nullptr;
        view->strides = wants_strides ? e->strides.data() : nullptr;
        view->suboffsets = nullptr;
        view->internal = e;
        view->obj = Py_NewRef(self);
        return 0;
      },
      -1);
}

void release_buffer(PyObject*, Py_buffer* view) noexcept { delete static_cast<Export*>(view->internal); }

namespace {

// The memory of the evaluated array as a tensor of a framework.
template <typename Framework>
nb::object shared_tensor(const mx::array& of, nb::dlpack::dtype dtype) {
  auto* a = new mx::array(of);
  nb::capsule owner(a, [](void* p) noexcept { delete static_cast<mx::array*>(p); });
  evaluate(*a);
  if (a->data_shared_ptr()) a->data_shared_ptr()->foreign = true;
  std::vector<size_t> shape(a->shape().begin(), a->shape().end());
  return nb::cast(
      nb::ndarray<Framework>(data_of(*a), a->ndim(), shape.data(), owner, a->strides().data(), dtype));
}

}  // namespace

PyObject* to_numpy(PyObject* self, PyObject* dtype, PyObject* copy) {
  static nb::object* numpy = nullptr;
  if (!numpy) numpy = new nb::object(nb::module_::import_("numpy"));
  nb::object out;
  mx::array a = as_array(self);
  if (a.dtype() == mx::bfloat16 && numpy_bfloat16()) {
    out = shared_tensor<nb::numpy>(a, nb::dtype<uint16_t>()).attr("view")(nb::handle(numpy_bfloat16()));
    if (may_overlap(a)) out.attr("setflags")(nb::arg("write") = false);
  } else {
    out = numpy->attr("asarray")(steal(PyMemoryView_FromObject(self)));
  }
  if (dtype && dtype != Py_None) {
    if (is_array(dtype)) raise_type_error("[__array__] Argument 1 (dtype) must be a NumPy dtype, not array.");
    nb::object wanted = numpy->attr("dtype")(nb::handle(dtype));
    if (!out.attr("dtype").equal(wanted)) {
      if (copy == Py_False) raise("[array] The dtype cannot change without a copy.");
      return out.attr("astype")(wanted).release().ptr();
    }
  }
  if (copy == Py_True) return out.attr("copy")().release().ptr();
  return out.release().ptr();
}

PyObject* to_dlpack(PyObject* self, nb::dict keywords) {
  mx::array a = as_array(self);
  evaluate(a);
  nb::object copy = keywords.attr("pop")("copy", nb::none());
  bool must_copy = copy.ptr() == Py_True, overlaps = may_overlap(a);
  if (overlaps && copy.ptr() == Py_False) {
    PyErr_SetString(PyExc_BufferError,
                    "[__dlpack__] A broadcast array, whose elements share memory, cannot be given without a copy.");
    raise_python();
  }
  if (must_copy || overlaps) {
    a = mx::contiguous(a);
    evaluate(a);
    if (must_copy) a = reinterpreted(a, a.dtype());
  }
  nb::object tensor = shared_tensor<nb::array_api>(a, dlpack_dtype(a.dtype()));
  return tensor.attr("__dlpack__")(**keywords).release().ptr();
}

}  // namespace mlx::python
