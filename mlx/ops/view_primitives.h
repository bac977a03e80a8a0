// Operations whose result is a view of their input wherever the layout allows it.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// With a second input the result takes that one's shape: how rules broadcast when sizes must not be baked in.
class Broadcast : public Operation {
 public:
  Broadcast(Stream s, Shape shape) : Operation(s), shape_(std::move(shape)) {}
  MLX_OPERATION(Broadcast, shape_)
  const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
};

class ExpandDims : public Operation {
 public:
  ExpandDims(Stream s, std::vector<int> axes) : Operation(s), axes_(std::move(axes)) {}
  MLX_OPERATION(ExpandDims, axes_)
  const std::vector<int>& axes() const { return axes_; }  // sorted, of the output
  static Shape output_shape(const Shape& shape, const std::vector<int>& axes);

 private:
  std::vector<int> axes_;
};

class Squeeze : public Operation {
 public:
  Squeeze(Stream s, std::vector<int> axes) : Operation(s), axes_(std::move(axes)) {}
  MLX_OPERATION(Squeeze, axes_)
  const std::vector<int>& axes() const { return axes_; }  // sorted
  static Shape output_shape(const Shape& shape, const std::vector<int>& axes);

 private:
  std::vector<int> axes_;
};

// The shape is what the caller asked for, -1 included, so that it can be resolved again for other inputs.
class Reshape : public Operation {
 public:
  Reshape(Stream s, Shape shape) : Operation(s), shape_(std::move(shape)) {}
  MLX_OPERATION(Reshape, shape_)
  const Shape& shape() const { return shape_; }
  // Throws std::invalid_argument when the sizes differ.
  static Shape resolve(const Shape& from, const Shape& to);

 private:
  Shape shape_;
};

// Joins the axes start ... end into one, whatever their sizes are.
class Flatten : public Operation {
 public:
  Flatten(Stream s, int start, int end) : Operation(s), start_(start), end_(end) {}
  MLX_OPERATION(Flatten, start_, end_)
  static Shape output_shape(const Shape& shape, int start, int end);

 private:
  int start_, end_;
};

// Splits one axis into several; the shape may hold one -1.
class Unflatten : public Operation {
 public:
  Unflatten(Stream s, int axis, Shape shape) : Operation(s), axis_(axis), shape_(std::move(shape)) {}
  MLX_OPERATION(Unflatten, axis_, shape_)
  static Shape output_shape(const Shape& shape, int axis, const Shape& parts);

 private:
  int axis_;
  Shape shape_;
};

class Transpose : public Operation {
 public:
  Transpose(Stream s, std::vector<int> axes) : Operation(s), axes_(std::move(axes)) {}
  MLX_OPERATION(Transpose, axes_)
  const std::vector<int>& axes() const { return axes_; }

 private:
  std::vector<int> axes_;
};

// The bytes of the row-major content as values of another dtype.
class View : public Operation {
 public:
  View(Stream s, Dtype dtype) : Operation(s), dtype_(dtype) {}
  MLX_OPERATION(View, dtype_)
  static Shape output_shape(const Shape& shape, Dtype from, Dtype to);

 private:
  Dtype dtype_;
};

// The number of elements along the axes, or its reciprocal; the input's values are not looked at.
class NumberOfElements : public Operation {
 public:
  NumberOfElements(Stream s, std::vector<int> axes, bool inverted, Dtype dtype)
      : Operation(s), axes_(std::move(axes)), inverted_(inverted), dtype_(dtype) {}
  MLX_OPERATION(NumberOfElements, axes_, inverted_, dtype_)
  double count(const Shape& shape) const;

 private:
  std::vector<int> axes_;
  bool inverted_;
  Dtype dtype_;
};

class StopGradient : public Operation {
 public:
  explicit StopGradient(Stream s) : Operation(s) {}
  MLX_OPERATION(StopGradient)
};

}  // namespace mlx::core
