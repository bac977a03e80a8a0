// The array handle: construction, attributes, edges and values. Node life is in node.cpp.

#include "mlx/array.h"

#include <mutex>

#include "mlx/core/convert.h"
#include "mlx/core/error.h"
#include "mlx/core/node.h"
#include "mlx/core/primitive.h"
#include "mlx/core/residency.h"
#include "mlx/core/tracing.h"

namespace mlx::core {

namespace {

void fill_row_major(Node& node, array::DataPtr data) {
  node.data = std::move(data);
  node.offset = 0;
  node.data_size = node.size;
  node.strides = row_major_strides(node.shape);
  size_t long_dims = 0;
  for (ShapeElem n : node.shape) long_dims += n > 1;
  bool flat = long_dims <= 1 || node.size == 0;
  node.flags = {true, true, flat};
  node.has_layout.store(true, std::memory_order_release);
}

// Memory with a deleter of its own is not ours to overwrite.
bool is_foreign(const Deleter& d) {
  if (!d) return false;
  auto* function = d.target<void (*)(allocator::Buffer)>();
  return !function || *function != &allocator::free;
}

// The thread's own trace counts before any other: that of an input may be over, or another thread's.
uint32_t joined_trace(uint32_t a, uint32_t b) {
  if (a == b || b == 0) return a;
  return a == current_trace() && a != 0 ? a : b == current_trace() ? b : std::max(a, b);
}

// The buffer that an accessor asks for.
array::Data& data_of(const Node& node, const char* accessor) {
  if (!node.data) [[unlikely]] {
    raise("[", accessor, "] An array of shape ", node.shape, " has no value yet: evaluate it first.");
  }
  return *node.data;
}

void require_memory(const void* data, const Node& node) {
  if (!data && node.size > 0) raise("[array] There is no memory at nullptr for an array of shape ", node.shape, ".");
}

void mark_done(Node& node) { node.state.store(NodeState::done, std::memory_order_release); }

}  // namespace

size_t element_count(const Shape& shape) {
  size_t count = 1;
  bool empty = false;
  for (ShapeElem n : shape) {
    if (n < 0) raise("[array] Negative dimensions are not allowed, but a shape has ", n, ".");
    if (n == 0) empty = true;
  }
  if (empty) return 0;
  for (ShapeElem n : shape) {
    if (__builtin_mul_overflow(count, static_cast<size_t>(n), &count) || count > (size_t{1} << 62)) {
      raise<std::overflow_error>("[array] The size of an array does not fit in 64 bits: a dimension is ", n, ".");
    }
  }
  return count;
}

Strides row_major_strides(const Shape& shape) {
  Strides strides(shape.size(), 1);
  // Those of an empty array may wrap: nobody steps by them.
  for (size_t i = shape.size(); i-- > 1;) {
    uint64_t size = static_cast<uint64_t>(std::max<ShapeElem>(shape[i], 1));
    strides[i - 1] = static_cast<int64_t>(static_cast<uint64_t>(strides[i]) * size);
  }
  return strides;
}

array::Data::Data(allocator::Buffer buffer, size_t bytes, Deleter d) : buffer(buffer), d(std::move(d)), bytes(bytes) {}

array::Data::~Data() {
  delete residency.load();
  if (d) d(buffer);
  else if (buffer.raw_ptr()) allocator::free(buffer);
}

array::array(const void* data, size_t count, Dtype from, Shape shape, Dtype dtype)
    : node_(new Node(std::move(shape), dtype)) {
  std::unique_ptr<Node> guard(node_);
  if (count != node_->size) {
    raise("[array] Data size and shape do not match: ", count, " values for ", node_->size, " elements.");
  }
  set_data(allocator::malloc(nbytes()));
  convert_elements(node_->data->buffer.raw_ptr(), dtype, data, from, count);
  mark_done(*guard.release());
}

array::array(void* data, Shape shape, Dtype dtype, const std::function<void(void*)>& deleter)
    : node_(new Node(std::move(shape), dtype)) {
  std::unique_ptr<Node> guard(node_);
  require_memory(data, *node_);
  set_data(allocator::Buffer(data), [deleter](allocator::Buffer b) {
    if (deleter) deleter(b.raw_ptr());
  });
  node_->data->foreign = true;
  mark_done(*guard.release());
}

array::array(allocator::Buffer data, Shape shape, Dtype dtype, Deleter deleter)
    : node_(new Node(std::move(shape), dtype)) {
  std::unique_ptr<Node> guard(node_);
  require_memory(data.raw_ptr(), *node_);
  set_data(data, std::move(deleter));
  mark_done(*guard.release());
}

array::array(Shape shape, Dtype dtype, std::shared_ptr<Primitive> primitive, std::vector<array> inputs)
    : node_(new Node(std::move(shape), dtype)) {
  node_->primitive = std::move(primitive);
  node_->inputs.reserve(inputs.size());
  for (array& x : inputs) {
    node_->trace = joined_trace(node_->trace, x.node_->trace);
    node_->inputs.push_back(std::move(x));
  }
}

array array::make(Shape shape, Dtype dtype, std::shared_ptr<Primitive> primitive,
                  std::initializer_list<array> inputs) {
  Node* node = new Node(std::move(shape), dtype);
  node->primitive = std::move(primitive);
  node->inputs.reserve(inputs.size());
  for (const array& x : inputs) {
    node->trace = joined_trace(node->trace, x.node_->trace);
    node->inputs.push_back(x);
  }
  return array(node);
}

std::vector<array> array::make_arrays(std::vector<Shape> shapes, const std::vector<Dtype>& dtypes,
                                      const std::shared_ptr<Primitive>& primitive,
                                      const std::vector<array>& inputs) {
  if (shapes.size() != dtypes.size()) {
    raise("[make_arrays] There are ", shapes.size(), " shapes, but ", dtypes.size(), " dtypes.");
  }
  std::vector<array> outputs;
  for (size_t i = 0; i < shapes.size(); i++) outputs.emplace_back(shapes[i], dtypes[i], primitive, inputs);
  if (outputs.size() < 2) return outputs;
  auto* siblings = new Siblings;
  siblings->refs = static_cast<uint32_t>(outputs.size());
  for (size_t i = 0; i < outputs.size(); i++) {
    Node* node = outputs[i].node();
    siblings->kinds.emplace_back(node->shape, node->dtype);
    siblings->nodes.push_back(node);
    node->siblings = siblings;
    node->position = static_cast<uint32_t>(i);
  }
  return outputs;
}

array array::placeholder(Shape shape, Dtype dtype, const char* reason) {
  Node* node = new Node(std::move(shape), dtype);
  node->placeholder_reason = reason;
  node->trace = current_trace();
  return array(node);
}

array array::unsafe_weak_copy(const array& other) {
  other.host_pointer();  // fetches what only a device holds
  array copy(new Node(other.shape(), other.dtype()));
  copy.set_data(other.buffer(), other.data_size(), other.strides(), other.flags(), 0, [](allocator::Buffer) {});
  copy.node_->offset = other.offset();
  mark_done(*copy.node_);
  return copy;
}

size_t array::size() const { return node_->size; }
const Shape& array::shape() const { return node_->shape; }
Dtype array::dtype() const { return node_->dtype; }

namespace {
size_t checked_dim(int dim, size_t ndim) {
  int64_t n = static_cast<int64_t>(ndim), i = dim < 0 ? dim + n : dim;
  if (i < 0 || i >= n) {
    raise<AxisError>("[shape] Axis ", dim, " is out of bounds for array with ", n, " dimensions.");
  }
  return static_cast<size_t>(i);
}
}  // namespace

ShapeElem array::shape(int dim) const { return node_->shape[checked_dim(dim, ndim())]; }

const Strides& array::strides() const {
  if (node_->has_layout.load(std::memory_order_acquire)) return node_->strides;
  Strides* known = node_->row_major.load(std::memory_order_acquire);
  if (known) return *known;
  auto fresh = std::make_unique<Strides>(row_major_strides(node_->shape));
  if (!node_->row_major.compare_exchange_strong(known, fresh.get())) return *known;
  return *fresh.release();
}
int64_t array::strides(int dim) const { return strides()[checked_dim(dim, ndim())]; }

Shape array::checked(Shape shape, size_t count) {
  if (element_count(shape) != count) {
    raise("[array] Data size and shape do not match: ", count, " values for ", element_count(shape), " elements.");
  }
  return shape;
}
size_t array::shape_size(const Shape& shape) { return element_count(shape); }

// Edges

std::uintptr_t array::primitive_id() const { return reinterpret_cast<std::uintptr_t>(primitive_ptr().get()); }
std::shared_ptr<Primitive> array::primitive_ptr() const {
  std::lock_guard guard(graph_mutex());
  return node_->primitive;
}
Primitive& array::primitive() const {
  Primitive* primitive = primitive_ptr().get();
  if (!primitive) raise("[primitive] Nothing computes this array: it was given its value, or has been evaluated.");
  return *primitive;
}
bool array::has_primitive() const { return primitive_ptr() != nullptr; }

std::vector<array> array::inputs() const {
  std::lock_guard guard(graph_mutex());
  return std::vector<array>(node_->inputs.begin(), node_->inputs.end());
}

std::vector<array> array::outputs() const {
  std::lock_guard guard(graph_mutex());
  return outputs_locked(node_);
}

std::vector<array> array::siblings() const {
  std::vector<array> all = outputs();
  std::erase_if(all, [&](const array& a) { return a.node_ == node_; });
  return all;
}

int array::sibling_position() const { return node_->position; }

void array::detach() {
  Inputs inputs;  // destroyed after the lock
  std::shared_ptr<Primitive> primitive;
  std::lock_guard guard(graph_mutex());
  inputs = take_inputs_locked(node_);
  primitive.swap(node_->primitive);
}

void array::set_tracer(bool is_tracer) { node_->trace = is_tracer ? current_trace() : 0; }
bool array::is_tracer() const {
  if (node_->trace == 0) return false;
  std::lock_guard guard(graph_mutex());
  return is_active_trace_locked(node_->trace);
}

// Evaluation

void array::eval() {
  if (node_->is_done() && !node_->data->residency.load(std::memory_order_acquire)) return;
  evaluate_and_wait(std::span<const array>(this, 1));
}

void array::wait() {
  settle(*node_);
  if (node_->state.load(std::memory_order_acquire) == NodeState::failed) std::rethrow_exception(node_->error);
  if (node_->is_done() && node_->data->residency.load(std::memory_order_acquire)) {  // computed by a device
    Event e = event();
    if (e.valid()) e.wait();
  }
}

bool array::is_available() const {
  if (!node_->is_done()) return false;
  Event e = event();
  return !e.valid() || e.is_signaled();
}

array::Status array::status() const {
  NodeState s = node_->state.load(std::memory_order_acquire);
  if (s == NodeState::pending || s == NodeState::failed) return Status::unscheduled;
  return is_available() ? Status::available : Status::evaluated;
}

void array::set_status(Status s) const {
  if (s != Status::unscheduled) data_of(*node_, "set_status");
  node_->state.store(s == Status::unscheduled ? NodeState::pending : NodeState::done, std::memory_order_release);
}

Event array::event() const {
  std::lock_guard guard(graph_mutex());
  return node_->event;
}
void array::attach_event(Event e) const {
  std::lock_guard guard(graph_mutex());
  node_->event = std::move(e);
}
void array::detach_event() const { attach_event(Event()); }

void array::read_item(void* value, Dtype type) {
  if (size() != 1) raise("[item] Only an array of size 1 is a scalar, but this one has size ", size(), ".");
  eval();
  convert_elements(value, type, host_pointer(), dtype(), 1);
}

// Values

bool array::is_donatable() const {
  // Siblings, which only traced nodes keep, are a way for others to get a handle.
  return node_->refs.load(std::memory_order_acquire) == 1 && !node_->siblings && node_->data.use_count() == 1 &&
         !node_->data->foreign &&
         !node_->data->residency.load(std::memory_order_relaxed);
}
const array::Flags& array::flags() const { return node_->flags; }
size_t array::data_size() const { return node_->data_size; }
allocator::Buffer& array::buffer() { return data_of(*node_, "buffer").buffer; }
const allocator::Buffer& array::buffer() const { return data_of(*node_, "buffer").buffer; }
size_t array::buffer_size() const { return data_of(*node_, "buffer_size").bytes; }
const array::DataPtr& array::data_shared_ptr() const { return node_->data; }
int64_t array::offset() const { return node_->offset; }

void* array::host_pointer() const {
  Data& data = data_of(*node_, "data");
  if (Residency* residency = data.residency.load(std::memory_order_acquire)) residency->fetch(data);
  return static_cast<char*>(data.buffer.raw_ptr()) + node_->offset;
}

namespace {
size_t bytes_of(allocator::Buffer buffer, const Deleter& d, size_t needed) {
  return d || !buffer.raw_ptr() ? needed : allocator::allocator().size(buffer);
}
}  // namespace

void array::set_data(allocator::Buffer buffer, Deleter d) {
  size_t bytes = bytes_of(buffer, d, nbytes());
  bool foreign = is_foreign(d);
  fill_row_major(*node_, DataPtr(new Data(buffer, bytes, std::move(d))));
  node_->data->foreign = foreign;
}

void array::set_data(allocator::Buffer buffer, size_t data_size, Strides strides, Flags flags, int64_t offset,
                     Deleter d) {
  size_t bytes = bytes_of(buffer, d, data_size * itemsize());
  bool foreign = is_foreign(d);
  node_->data = DataPtr(new Data(buffer, bytes, std::move(d)));
  node_->data_size = data_size;
  node_->strides = std::move(strides);
  node_->flags = flags;
  node_->offset = offset * static_cast<int64_t>(itemsize());
  node_->data->foreign = foreign;
  node_->has_layout.store(true, std::memory_order_release);
}

void array::set_data(allocator::Buffer buffer, size_t data_size, Strides strides, Flags flags, Deleter d) {
  set_data(buffer, data_size, std::move(strides), flags, 0, std::move(d));
}

void array::copy_shared_buffer(const array& other, const Strides& strides, Flags flags, size_t data_size,
                               int64_t offset) {
  const Node& from = *other.node_;
  node_->strides = strides;
  node_->flags = flags;
  node_->data_size = data_size;
  node_->offset = from.offset + offset * static_cast<int64_t>(itemsize());
  node_->data = from.data;
  node_->has_layout.store(true, std::memory_order_release);
}

void array::copy_shared_buffer(const array& other) {
  const Node& from = *other.node_;
  copy_shared_buffer(other, from.strides, from.flags, from.data_size);
}

// Iteration

array::ArrayIterator::ArrayIterator(const array& arr, int64_t idx) : arr_(std::make_shared<array>(arr)), idx_(idx) {
  if (arr.ndim() == 0) raise("[iterator] A 0-dimensional array has no axis to iterate over.");
}

array::ArrayIterator array::end() const { return ArrayIterator(*this, ndim() ? shape(0) : 0); }

}  // namespace mlx::core
