// The array: a handle to a node of the lazy graph. Copies share the node.
#pragma once

#include <atomic>
#include <complex>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "mlx/allocator.h"
#include "mlx/dtype.h"
#include "mlx/event.h"
#include "mlx/small_vector.h"

namespace mlx::core {

class Primitive;
struct Node;
class Residency;

using Deleter = std::function<void(allocator::Buffer)>;
using ShapeElem = int64_t;
using Shape = SmallVector<ShapeElem>;
using Strides = SmallVector<int64_t>;

// The types of C++ values that become arrays of one element.
template <typename T>
inline constexpr bool is_scalar_v = std::is_arithmetic_v<T> || std::is_same_v<T, float16_t> ||
                                    std::is_same_v<T, bfloat16_t> || std::is_same_v<T, complex64_t>;

class array {
 public:
  // A scalar. A double makes float32 unless a dtype is given.
  template <typename T, typename = std::enable_if_t<is_scalar_v<T>>>
  explicit array(T val, Dtype dtype = TypeToDtype<T>())
      : array(&val, 1, natural<T>(), Shape{}, dtype) {}
  explicit array(const std::complex<float>& val, Dtype dtype = complex64)
      : array(&val, 1, complex64, Shape{}, dtype) {}

  // Copies the range; its length must be the size of the shape.
  template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
  explicit array(It data, Shape shape,
                 Dtype dtype = TypeToDtype<typename std::iterator_traits<It>::value_type>())
      : array(Copied<typename std::iterator_traits<It>::value_type>(data, shape), shape, dtype) {}
  template <typename T>
  explicit array(std::initializer_list<T> data, Dtype dtype = TypeToDtype<T>())
      : array(data.begin(), Shape{static_cast<ShapeElem>(data.size())}, dtype) {}
  explicit array(std::initializer_list<float> data)
      : array(data.begin(), Shape{static_cast<ShapeElem>(data.size())}, float32) {}
  explicit array(std::initializer_list<int> data, Dtype dtype)
      : array(data.begin(), Shape{static_cast<ShapeElem>(data.size())}, dtype) {}
  template <typename T>
  explicit array(std::initializer_list<T> data, Shape shape, Dtype dtype = TypeToDtype<T>())
      : array(data.begin(), data.size(), std::move(shape), dtype) {}

  // Uses the memory without a copy; it is never donated, and the deleter runs when the last array
  // lets go of it.
  explicit array(void* data, Shape shape, Dtype dtype, const std::function<void(void*)>& deleter);
  explicit array(allocator::Buffer data, Shape shape, Dtype dtype, Deleter deleter = {});  // allocator::free

  // A lazy array.
  array(Shape shape, Dtype dtype, std::shared_ptr<Primitive> primitive, std::vector<array> inputs);
  // The outputs of one primitive.
  static std::vector<array> make_arrays(std::vector<Shape> shapes, const std::vector<Dtype>& dtypes,
                                        const std::shared_ptr<Primitive>& primitive,
                                        const std::vector<array>& inputs);
  // For our own operations: no vector on the way.
  static array make(Shape shape, Dtype dtype, std::shared_ptr<Primitive> primitive,
                    std::initializer_list<array> inputs);
  // An array that stands for a value which a transformation will supply; `reason` names the
  // transformation and is part of the error when somebody asks for the value.
  static array placeholder(Shape shape, Dtype dtype, const char* reason);
  // The value of an evaluated array, without a share in its memory, which must outlive the copy.
  static array unsafe_weak_copy(const array& other);

  array(const array& other) noexcept;
  array(array&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  array& operator=(const array& other) & noexcept;
  array& operator=(array&& other) & noexcept;
  array& operator=(const array&) && = delete;
  array& operator=(array&&) && = delete;
  ~array();

  size_t itemsize() const { return dtype().size(); }
  size_t size() const;
  size_t nbytes() const { return size() * itemsize(); }
  size_t ndim() const { return shape().size(); }
  const Shape& shape() const;
  // Negative dims count from the end; out of range throws AxisError.
  ShapeElem shape(int dim) const;
  // In elements. Row-major until the array is evaluated.
  const Strides& strides() const;
  int64_t strides(int dim) const;
  Dtype dtype() const;

  void eval();
  // Evaluates; the array must hold one element.
  template <typename T>
  T item() {
    T value;
    read_item(&value, natural<T>());
    return value;
  }
  template <typename T>
  T item() const {
    return const_cast<array*>(this)->item<T>();
  }

  struct ArrayIterator {
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = array;
    using reference = array;
    using pointer = void;
    explicit ArrayIterator(const array& arr, int64_t idx = 0);
    reference operator*() const;
    ArrayIterator& operator+(difference_type diff) {
      idx_ += diff;
      return *this;
    }
    ArrayIterator& operator++() {
      idx_++;
      return *this;
    }
    friend bool operator==(const ArrayIterator& a, const ArrayIterator& b) {
      return a.idx_ == b.idx_;
    }
    friend bool operator!=(const ArrayIterator& a, const ArrayIterator& b) { return !(a == b); }

   private:
    std::shared_ptr<array> arr_;
    int64_t idx_;
  };
  ArrayIterator begin() const { return ArrayIterator(*this); }
  ArrayIterator end() const;

  // The graph. Everything that reads edges returns owning snapshots: another thread may detach them
  // meanwhile.
  std::uintptr_t id() const { return reinterpret_cast<std::uintptr_t>(node_); }
  std::uintptr_t primitive_id() const;
  // Throws std::invalid_argument for an array that has none: a constant, or one that has been evaluated.
  Primitive& primitive() const;
  std::shared_ptr<Primitive> primitive_ptr() const;
  bool has_primitive() const;
  std::vector<array> inputs() const;
  // The other outputs of the primitive, in order; and all of them.
  std::vector<array> siblings() const;
  int sibling_position() const;
  std::vector<array> outputs() const;
  // Lets go of primitive and inputs.
  void detach();
  void set_tracer(bool is_tracer);
  bool is_tracer() const;

  // The value. A Data block is a buffer with its owner count: arrays, views, exports and queued
  // work count one each.
  struct Data {
    allocator::Buffer buffer;
    Deleter d;  // empty: allocator::free
    size_t bytes;
    bool foreign = false;                        // imported or exported memory: never donated
    std::atomic<Residency*> residency{nullptr};  // owned; set once a device has touched the buffer
    std::atomic<uint32_t> refs{1};

    Data(allocator::Buffer buffer, size_t bytes, Deleter d);
    ~Data();
  };
  class DataPtr {
   public:
    DataPtr() = default;
    explicit DataPtr(Data* owned) : data_(owned) {}
    DataPtr(const DataPtr& other) : data_(other.data_) {
      if (data_) data_->refs.fetch_add(1, std::memory_order_relaxed);
    }
    DataPtr(DataPtr&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    DataPtr& operator=(DataPtr other) noexcept {
      std::swap(data_, other.data_);
      return *this;
    }
    ~DataPtr() {
      if (data_ && data_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete data_;
    }
    long use_count() const { return data_ ? data_->refs.load(std::memory_order_acquire) : 0; }
    Data* get() const { return data_; }
    Data* operator->() const { return data_; }
    Data& operator*() const { return *data_; }
    explicit operator bool() const { return data_ != nullptr; }

   private:
    Data* data_ = nullptr;
  };
  struct Flags {
    bool contiguous : 1;      // no gaps in the range of the buffer that the array covers
    bool row_contiguous : 1;  // C order
    bool col_contiguous : 1;  // Fortran order
  };

  // May an operation write its result into this array's buffer? True for the only reference to a
  // buffer of ours.
  bool is_donatable() const;
  const Flags& flags() const;
  // Elements between the first and the last one that the array covers: 1 for a broadcast scalar.
  size_t data_size() const;
  // These and data() throw std::invalid_argument where nothing has given the array memory.
  allocator::Buffer& buffer();
  const allocator::Buffer& buffer() const;
  size_t buffer_size() const;
  const DataPtr& data_shared_ptr() const;
  // Valid once the array is evaluated. Fetches the bytes when only a device holds them.
  template <typename T>
  T* data() {
    return static_cast<T*>(host_pointer());
  }
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(host_pointer());
  }
  // In bytes, from the start of the buffer.
  int64_t offset() const;

  enum Status { unscheduled, evaluated, available };
  bool is_available() const;
  // Waits for an evaluation under way, rethrows its error.
  void wait();
  Status status() const;
  void set_status(Status s) const;
  Event event() const;
  void attach_event(Event e) const;
  void detach_event() const;

  void set_data(allocator::Buffer buffer, Deleter d = {});
  void set_data(allocator::Buffer buffer, size_t data_size, Strides strides, Flags flags,
                Deleter d);
  void set_data(allocator::Buffer buffer, size_t data_size, Strides strides, Flags flags,
                int64_t offset = 0, Deleter d = {});
  // The array becomes a view of the other's buffer. The offset is in elements of this array, from
  // the other's start.
  void copy_shared_buffer(const array& other, const Strides& strides, Flags flags, size_t data_size,
                          int64_t offset = 0);
  void copy_shared_buffer(const array& other);
  // This handle refers to the other's node from now on.
  void overwrite_descriptor(const array& other) { *this = other; }

  // Internal: the node. See core/node.h.
  Node* node() const { return node_; }
  explicit array(Node* owned) : node_(owned) {}

 private:
  template <typename T>
  struct Copied {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>> values;
    template <typename It>
    Copied(It from, const Shape& shape) {
      size_t count = shape_size(shape);
      values.reserve(count);
      for (size_t i = 0; i < count; i++, ++from) values.push_back(*from);
    }
  };
  template <typename T>
  explicit array(const Copied<T>& c, const Shape& shape, Dtype dtype)
      : array(c.values.data(), c.values.size(), natural<T>(), shape, dtype) {}
  template <typename It>
  explicit array(It data, size_t count, Shape shape, Dtype dtype)
      : array(data, checked(std::move(shape), count), dtype) {}
  // Copies `count` elements of type `from`, converting them to dtype.
  array(const void* data, size_t count, Dtype from, Shape shape, Dtype dtype);

  // The dtype that stores T exactly: unlike TypeToDtype, double is float64.
  template <typename T>
  static Dtype natural() {
    if constexpr (std::is_same_v<T, double>)
      return float64;
    else
      return TypeToDtype<T>();
  }
  static Shape checked(Shape shape, size_t count);
  static size_t shape_size(const Shape& shape);
  void read_item(void* value, Dtype type);
  void* host_pointer() const;

  Node* node_;
};

template <typename T>
inline constexpr bool is_array_v =
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<T>>, array>;
template <typename... T>
inline constexpr bool is_arrays_v = (is_array_v<T> && ...);
template <typename... T>
using enable_for_arrays_t = typename std::enable_if_t<is_arrays_v<T...>>;

// Elements of a shape. Throws std::invalid_argument for a negative dimension, std::overflow_error
// past 2^63 - 1.
size_t element_count(const Shape& shape);
Strides row_major_strides(const Shape& shape);

}  // namespace mlx::core
