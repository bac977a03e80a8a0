// Slices: views of regular parts of an array, and writing into such parts.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// The bounds as they were asked for, so that they can be resolved again for arrays of other sizes.
struct SliceRequest {
  Shape start, stop, strides;
  // Per axis: the only size that the bounds are right for, or -1. A bound that was equal to the size of the axis may
  // have meant its end; a bound that was computed from the size has no meaning at another one.
  Shape only_size;

  // The region it selects: non-negative starts, sizes, and strides as they are.
  struct Region {
    Shape start, shape, strides;
  };
  // Throws std::invalid_argument when the bounds do not follow to this shape.
  Region resolve(const Shape& shape, const char* name) const;
  // With a batch axis in front.
  SliceRequest batched() const;
  bool operator==(const SliceRequest&) const = default;
  auto fields() { return std::tie(start, stop, strides, only_size); }
};

// Checks the bounds as a user gives them.
SliceRequest slice_request(const char* name, const array& a, Shape start, Shape stop, Shape strides);
// Selects everything along all axes of an array with ndim dimensions, whatever the sizes; for rules that narrow it.
SliceRequest whole_request(size_t ndim);
array slice(const array& a, const SliceRequest& request, const Stream& s);
// Elements start ... stop - 1 of an axis, whatever the sizes; bounds as in Python.
array slice_along(const array& a, int axis, ShapeElem start, ShapeElem stop, const Stream& s);

class Slice : public Operation {
 public:
  Slice(Stream s, SliceRequest request) : Operation(s), request_(std::move(request)) {}
  MLX_OPERATION(Slice, request_)
  const SliceRequest& request() const { return request_; }

 private:
  SliceRequest request_;
};

// What happens where several values meet.
enum class Combine { Set, Sum, Prod, Max, Min };

// Inputs: source, update. The update broadcasts to the region and has the dtype of the source.
class SliceUpdate : public Operation {
 public:
  SliceUpdate(Stream s, Combine mode, SliceRequest request)
      : Operation(s), mode_(mode), request_(std::move(request)) {}
  MLX_OPERATION(SliceUpdate, mode_, request_)
  Combine mode() const { return mode_; }
  const SliceRequest& request() const { return request_; }

 private:
  array extreme_mask(const array& source_part, const array& update) const;
  Combine mode_;
  SliceRequest request_;
};
array slice_update(Combine mode, const array& src, const array& update, const SliceRequest& request, const Stream& s);

// The parts of an array along one axis: so many equal ones, or those between the given cut points.
class Split : public Operation {
 public:
  Split(Stream s, int axis, int parts, Shape cuts) : Operation(s), axis_(axis), parts_(parts), cuts_(std::move(cuts)) {}
  MLX_OPERATION(Split, axis_, parts_, cuts_)
  int axis() const { return axis_; }
  static std::vector<Shape> equal_parts(const Shape& shape, int axis, int parts);
  static std::vector<Shape> cut_parts(const Shape& shape, int axis, const Shape& cuts);
  // The first element of each part.
  Shape starts(const Shape& shape) const;

 private:
  int axis_;
  int parts_;  // 0 unless the parts are equal
  Shape cuts_;
};

class AsStrided : public Operation {
 public:
  AsStrided(Stream s, Shape from, Shape shape, Strides strides, int64_t offset)
      : Operation(s), from_(std::move(from)), shape_(std::move(shape)), strides_(std::move(strides)), offset_(offset) {}
  MLX_OPERATION(AsStrided, from_, shape_, strides_, offset_)
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  int64_t offset() const { return offset_; }

 private:
  Shape from_, shape_;
  Strides strides_;
  int64_t offset_;
};

}  // namespace mlx::core
