// Python objects into arrays: buffers, NumPy, DLPack, and mx.array itself. Lists are in convert_lists.cpp.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "convert.h"
#include "dlpack.h"
#include "errors.h"
#include "evaluate.h"
#include "release.h"
#include "scalars.h"

namespace mlx::python {

mx::array reinterpreted(const mx::array& a, mx::Dtype dtype) {
  mx::allocator::Buffer buffer = mx::allocator::malloc(a.nbytes());
  if (a.nbytes()) std::memcpy(buffer.raw_ptr(), a.data<char>(), a.nbytes());
  return mx::array(buffer, a.shape(), dtype);
}

namespace {

// Views of memory larger than this are copied without the GIL.
constexpr Py_ssize_t large_copy = 1 << 20;

// What an element of a buffer is. double and complex128 become narrower on the way in unless asked for.
struct ElementType {
  mx::Dtype dtype = mx::float32;
  bool is_complex128 = false;
  bool swapped = false;
};

// Reads a PEP 3118 format of one element; nothing for formats we do not have.
std::optional<ElementType> read_format(const char* format, Py_ssize_t itemsize) {
  ElementType type;
  if (!format) format = "B";
  if (*format == '>' || *format == '!') type.swapped = itemsize > 1;
  if (std::strchr("@=<>!^", *format)) format++;
  bool is_complex = *format == 'Z';
  if (is_complex) format++;
  if (format[0] == 0 || format[1] != 0) return std::nullopt;
  if (is_complex) {
    type.dtype = mx::complex64;
    type.is_complex128 = *format == 'd';
    if (*format != 'f' && *format != 'd') return std::nullopt;
    return type;
  }
  static const mx::Dtype signed_types[] = {mx::int8, mx::int16, mx::int32, mx::int64};
  static const mx::Dtype unsigned_types[] = {mx::uint8, mx::uint16, mx::uint32, mx::uint64};
  int power = itemsize == 1 ? 0 : itemsize == 2 ? 1 : itemsize == 4 ? 2 : 3;
  if (*format == '?')
    type.dtype = mx::bool_;
  else if (std::strchr("bhilqn", *format))
    type.dtype = signed_types[power];
  else if (std::strchr("BHILQN", *format))
    type.dtype = unsigned_types[power];
  else if (*format == 'e')
    type.dtype = mx::float16;
  else if (*format == 'f')
    type.dtype = mx::float32;
  else if (*format == 'd')
    type.dtype = mx::float64;
  else
    return std::nullopt;
  return type;
}

class BufferView {
 public:
  explicit BufferView(PyObject* o, int flags = PyBUF_FULL_RO) {
    held_ = PyObject_GetBuffer(o, &view_, flags) == 0;
  }
  ~BufferView() {
    if (held_) PyBuffer_Release(&view_);
  }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;
  explicit operator bool() const { return held_; }
  Py_buffer* operator->() { return &view_; }
  Py_buffer* get() { return &view_; }
  mx::Shape shape() const { return mx::Shape(view_.shape, view_.shape + view_.ndim); }

 private:
  Py_buffer view_;
  bool held_;
};

void swap_bytes(char* data, size_t count, size_t itemsize) {
  for (size_t i = 0; i < count; i++) std::reverse(data + i * itemsize, data + (i + 1) * itemsize);
}

void copy_out(BufferView& view, void* to) {
  if (PyBuffer_IsContiguous(view.get(), 'C')) {
    if (view->len >= large_copy) {
      without_gil([&] { std::memcpy(to, view->buf, static_cast<size_t>(view->len)); });
    } else if (view->len > 0) {
      std::memcpy(to, view->buf, static_cast<size_t>(view->len));
    }
  } else if (PyBuffer_ToContiguous(to, view.get(), view->len, 'C') != 0) {
    raise_python();
  }
}

template <typename To, typename From>
mx::array narrowed(const From* from, mx::Shape shape, mx::Dtype dtype) {
  size_t count = mx::element_count(shape);
  mx::allocator::Buffer buffer = mx::allocator::malloc(count * sizeof(To));
  To* to = static_cast<To*>(buffer.raw_ptr());
  for (size_t i = 0; i < count; i++) to[i] = To(from[i]);
  return mx::array(buffer, std::move(shape), dtype);
}

mx::array finish(const mx::array& a, std::optional<mx::Dtype> dtype) {
  if (a.dtype() == mx::bool_) {  // a bool is 0 or 1, whatever the bytes were
    char* p = const_cast<char*>(a.data<char>());
    for (size_t i = 0; i < a.size(); i++) p[i] = p[i] != 0;
  }
  return dtype && *dtype != a.dtype() ? cast_now(a, *dtype) : a;
}

// An array in another library's memory; nothing where that holds bools other than 0 and 1, which no kernel expects.
std::optional<mx::array> sound(mx::array a) {
  if (a.dtype() != mx::bool_) return a;
  mx::array packed = mx::contiguous(a, false, mx::Device::cpu);
  evaluate(packed);
  const uint8_t* bytes = packed.data<uint8_t>();
  if (std::any_of(bytes, bytes + packed.size(), [](uint8_t byte) { return byte > 1; })) return std::nullopt;
  return a;
}

mx::array copy_of_view(BufferView& view, ElementType type, std::optional<mx::Dtype> dtype) {
  mx::Shape shape = view.shape();
  size_t itemsize = static_cast<size_t>(view->itemsize);
  bool narrows = type.is_complex128 || (type.dtype == mx::float64 && !dtype);
  if (!narrows) {
    mx::allocator::Buffer buffer = mx::allocator::malloc(static_cast<size_t>(view->len));
    mx::array a(buffer, shape, type.dtype);
    copy_out(view, buffer.raw_ptr());
    size_t part = type.dtype == mx::complex64 ? itemsize / 2 : itemsize;
    if (type.swapped) swap_bytes(static_cast<char*>(buffer.raw_ptr()), a.nbytes() / part, part);
    return finish(a, dtype);
  }
  bool direct = PyBuffer_IsContiguous(view.get(), 'C') && !type.swapped;
  std::vector<char> copy;
  if (!direct) {
    copy.resize(static_cast<size_t>(view->len));
    copy_out(view, copy.data());
    size_t part = type.is_complex128 ? itemsize / 2 : itemsize;
    if (type.swapped) swap_bytes(copy.data(), copy.size() / part, part);
  }
  const void* from = direct ? view->buf : copy.data();
  if (!type.is_complex128) return narrowed<float>(static_cast<const double*>(from), shape, mx::float32);
  return finish(
      narrowed<std::complex<float>>(static_cast<const std::complex<double>*>(from), shape, mx::complex64),
      dtype);
}

// NumPy dtypes that have no buffer format of their own.
mx::array from_unusual_numpy(PyObject* o, std::optional<mx::Dtype> dtype) {
  nb::handle h(o);
  std::string name = nb::hasattr(h, "dtype") ? text_of(nb::object(h.attr("dtype"))) : type_name(o);
  if (name != "bfloat16") {
    raise<std::runtime_error>("[array] NumPy values of dtype ", name, " are not supported.");
  }
  nb::object bits = nb::module_::import_("numpy").attr("asarray")(h).attr("view")("uint16");
  return finish(reinterpreted(array_from_buffer(bits.ptr(), std::nullopt), mx::bfloat16), dtype);
}

}  // namespace

bool is_numpy_value(PyObject* o) {
  std::string_view name = Py_TYPE(o)->tp_name;
  return name.starts_with("numpy.") || name.starts_with("ml_dtypes.");
}

bool is_numpy_bool(PyObject* o) {
  std::string_view name = Py_TYPE(o)->tp_name;
  return name == "numpy.bool" || name == "numpy.bool_";
}

mx::array cast_now(const mx::array& a, mx::Dtype dtype) {
  mx::array cast = mx::astype(a, dtype, mx::Device::cpu);
  evaluate(cast);
  return cast;
}

mx::array array_from_buffer(PyObject* o, std::optional<mx::Dtype> dtype) {
  BufferView view(o);
  if (!view) {
    if (!is_numpy_value(o)) raise_python();
    PyErr_Clear();
    return from_unusual_numpy(o, dtype);
  }
  std::optional<ElementType> type = read_format(view->format, view->itemsize);
  if (!type) {
    raise<std::runtime_error>("[array] Values with the buffer format '", view->format ? view->format : "",
                              "' (of ", type_name(o), ") are not supported.");
  }
  return copy_of_view(view, *type, dtype);
}

std::optional<mx::array> alias_buffer(PyObject* o) {
  BufferView view(o, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
  if (!view) {
    PyErr_Clear();
    return std::nullopt;
  }
  std::optional<ElementType> type = read_format(view->format, view->itemsize);
  if (!type || type->swapped || type->is_complex128) return std::nullopt;
  // The memoryview keeps the memory in place as long as the array lives.
  nb::object owner = steal(PyMemoryView_FromObject(o));
  return sound(mx::array(view->buf, view.shape(), type->dtype, [held = keep(owner.ptr())](void*) {}));
}

namespace {

using Tensor = nb::ndarray<nb::ro>;
using WritableTensor = nb::ndarray<>;  // read-only memory is none

template <typename T>
std::optional<mx::Dtype> dtype_of(const T& t) {
  for (int i = 0; i < mx::dtype_count; i++) {
    mx::Dtype candidate = mx::dtype_from_index(i);
    if (t.dtype() == dlpack_dtype(candidate)) return candidate;
  }
  return std::nullopt;
}

template <typename T>
std::optional<T> import_tensor(PyObject* o) {
  nb::object source = nb::borrow(o);
  if (nb::hasattr(source, "detach"))
    source = source.attr("detach")();  // torch refuses tensors that need gradients
  T t;
  if (!nb::try_cast(source, t)) return std::nullopt;
  if (t.device_type() != nb::device::cpu::value) {
    raise("[from_dlpack] Only memory of the CPU can be imported, but the ", type_name(o),
          " is on another device.");
  }
  return t;
}

template <typename T>
bool is_row_major(const T& t) {
  int64_t expected = 1;
  for (size_t i = t.ndim(); i-- > 0;) {
    if (t.shape(i) != 1 && t.stride(i) != expected) return false;
    expected *= static_cast<int64_t>(t.shape(i));
  }
  return true;
}

template <typename T>
mx::Shape shape_of(const T& t) {
  mx::Shape shape;
  for (size_t i = 0; i < t.ndim(); i++) shape.push_back(static_cast<int64_t>(t.shape(i)));
  return shape;
}

void copy_strided(const Tensor& t, size_t dim, const char* from, char** to) {
  size_t itemsize = t.itemsize();
  if (dim == t.ndim()) {
    std::memcpy(*to, from, itemsize);
    *to += itemsize;
    return;
  }
  int64_t step = t.stride(dim) * static_cast<int64_t>(itemsize);
  for (size_t i = 0; i < t.shape(dim); i++)
    copy_strided(t, dim + 1, from + static_cast<int64_t>(i) * step, to);
}

}  // namespace

mx::array array_from_dlpack(PyObject* o, std::optional<mx::Dtype> dtype) {
  std::optional<Tensor> t = import_tensor<Tensor>(o);
  std::optional<mx::Dtype> type = t ? dtype_of(*t) : std::nullopt;
  if (!type) raise("[array] The data of ", type_name(o), " cannot be imported.");
  mx::allocator::Buffer buffer = mx::allocator::malloc(t->size() * t->itemsize());
  mx::array a(buffer, shape_of(*t), *type);
  char* to = static_cast<char*>(buffer.raw_ptr());
  if (t->size() && is_row_major(*t))
    std::memcpy(to, t->data(), a.nbytes());
  else if (t->size())
    copy_strided(*t, 0, static_cast<const char*>(t->data()), &to);
  if (!dtype && *type == mx::float64) dtype = mx::float32;
  return finish(a, dtype);
}

std::optional<mx::array> alias_dlpack(PyObject* o) {
  std::optional<WritableTensor> t = import_tensor<WritableTensor>(o);
  std::optional<mx::Dtype> type = t ? dtype_of(*t) : std::nullopt;
  if (!type) return std::nullopt;
  mx::Shape shape = shape_of(*t);
  mx::Strides strides;
  int64_t before = 0, behind = 0;  // elements around the first one
  for (size_t i = 0; i < t->ndim(); i++) {
    strides.push_back(t->stride(i));
    int64_t reach = t->size() ? (shape[i] - 1) * strides[i] : 0;
    (reach < 0 ? before : behind) += std::abs(reach);
  }
  char* data = static_cast<char*>(t->data());
  bool row_major = is_row_major(*t), is_empty = t->size() == 0;
  nb::capsule owner(new WritableTensor(std::move(*t)),
                    [](void* p) noexcept { delete static_cast<WritableTensor*>(p); });
  auto release = [held = keep(owner.ptr())](void*) {};
  if (row_major || is_empty) return sound(mx::array(data, std::move(shape), *type, release));
  mx::array memory(data - before * static_cast<int64_t>(type->size()), {before + behind + 1}, *type, release);
  mx::array view = mx::as_strided(memory, shape, strides, static_cast<size_t>(before), mx::Device::cpu);
  evaluate(view);
  return sound(view);
}

namespace {

// Views of an evaluated array may write to it, so a copy has memory of its own. Other arrays have no views
// yet.
mx::array copy_of(const mx::array& a) {
  if (a.is_tracer() || a.status() != mx::array::available) return a;
  if (a.flags().row_contiguous) return reinterpreted(a, a.dtype());
  mx::array copy = mx::contiguous(a, false, mx::Device::cpu);
  evaluate(copy);
  return copy;
}

}  // namespace

mx::array make_array(PyObject* o, std::optional<mx::Dtype> dtype) {
  if (is_array(o)) {
    const mx::array& a = as_array(o);
    return dtype && *dtype != a.dtype() ? mx::astype(a, *dtype) : copy_of(a);
  }
  Scalar kind = scalar_kind(o);
  if (kind != Scalar::none) return dtype ? scalar_array_as(o, kind, *dtype) : scalar_array(o, kind);
  if (PyList_Check(o) || PyTuple_Check(o)) return array_from_list(o, dtype);
  if (o == Py_None) raise_type_error("[array] None is no value of an array.");
  if (PyUnicode_Check(o)) raise("[array] A string is no value of an array.");
  if (auto a = from_mlx_array_hook(o)) return finish(*a, dtype);
  if (PyObject_CheckBuffer(o) || is_numpy_value(o)) return array_from_buffer(o, dtype);
  if (PyObject_HasAttrString(o, "__dlpack__")) return array_from_dlpack(o, dtype);
  if (nb::object value = python_number(o); value.is_valid()) return make_array(value.ptr(), dtype);
  raise("[array] Cannot make an array of ", type_name(o),
        ": give a scalar, a list or tuple, or an object with the buffer protocol, __dlpack__ or "
        "__mlx_array__.");
}

}  // namespace mlx::python
