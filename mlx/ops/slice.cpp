// slice and flip: regular parts of an array, as views.

#include "mlx/ops.h"

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

// One axis, by the rules of Python slices. The strides are not zero.
void resolve_axis(ShapeElem size, ShapeElem start, ShapeElem stop, ShapeElem stride, ShapeElem& first,
                  ShapeElem& count) {
  ShapeElem low = stride < 0 ? -1 : 0, high = stride < 0 ? size - 1 : size;
  first = std::clamp(start < 0 ? start + size : start, low, high);
  ShapeElem last = std::clamp(stop < 0 ? stop + size : stop, low, high);
  if (stride > 0) count = last > first ? (last - first - 1) / stride + 1 : 0;
  else count = first > last ? (first - last - 1) / -stride + 1 : 0;
  if (count == 0) first = 0;
}

}  // namespace

SliceRequest::Region SliceRequest::resolve(const Shape& shape, const char* name) const {
  Region region{Shape(shape.size()), Shape(shape.size()), strides};
  for (size_t i = 0; i < shape.size(); i++) {
    if (only_size[i] >= 0 && only_size[i] != shape[i]) {
      raise("[", name, "] The bounds of axis ", i, " were made for size ", only_size[i], " and do not follow to size ",
            shape[i], ".");
    }
    resolve_axis(shape[i], start[i], stop[i], strides[i], region.start[i], region.shape[i]);
  }
  return region;
}

SliceRequest SliceRequest::batched() const {
  SliceRequest r = *this;
  r.start.insert(r.start.begin(), 0);
  r.stop.insert(r.stop.begin(), slice_end);
  r.strides.insert(r.strides.begin(), 1);
  r.only_size.insert(r.only_size.begin(), -1);
  return r;
}

SliceRequest slice_request(const char* name, const array& a, Shape start, Shape stop, Shape strides) {
  size_t ndim = a.ndim();
  if (start.size() != ndim || stop.size() != ndim || strides.size() != ndim) {
    raise("[", name, "] Bounds for ", start.size(), ", ", stop.size(), " and ", strides.size(),
          " axes do not fit an array with ", ndim, " dimensions.");
  }
  SliceRequest r{std::move(start), std::move(stop), std::move(strides), Shape(ndim, -1)};
  for (size_t i = 0; i < ndim; i++) {
    if (r.strides[i] == 0) raise("[", name, "] The step of a slice cannot be zero.");
    r.strides[i] = std::max(r.strides[i], -slice_end);  // so that it can be negated
    ShapeElem size = a.shape(static_cast<int>(i));
    bool means_end = r.strides[i] > 0 ? r.stop[i] == size : r.start[i] == size - 1 || r.stop[i] == -size - 1;
    if (means_end) r.only_size[i] = size;
  }
  return r;
}

SliceRequest whole_request(size_t ndim) {
  return {Shape(ndim, 0), Shape(ndim, slice_end), Shape(ndim, 1), Shape(ndim, -1)};
}

array slice(const array& a, const SliceRequest& request, const Stream& s) {
  Shape shape = request.resolve(a.shape(), "slice").shape;
  bool forward = std::all_of(request.strides.begin(), request.strides.end(), [](ShapeElem n) { return n == 1; });
  if (shape == a.shape() && forward && !tracing_shapeless()) return a;
  return array(std::move(shape), a.dtype(), std::make_shared<Slice>(s, request), {a});
}

array slice_along(const array& a, int axis, ShapeElem start, ShapeElem stop, const Stream& s) {
  SliceRequest r = whole_request(a.ndim());
  r.start[axis] = start;
  r.stop[axis] = stop;
  return slice(a, r, s);
}

array slice(const array& a, Shape start, Shape stop, Shape strides, StreamOrDevice s) {
  return slice(a, slice_request("slice", a, std::move(start), std::move(stop), std::move(strides)), to_stream(s));
}
array slice(const array& a, Shape start, Shape stop, StreamOrDevice s) {
  return slice(a, std::move(start), std::move(stop), Shape(a.ndim(), 1), s);
}

array flip(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  SliceRequest r = whole_request(a.ndim());
  for (int axis : axes) {
    int i = checked_axis("flip", axis, a.ndim());
    r.start[i] = slice_end;
    r.stop[i] = slice_begin;
    r.strides[i] = -1;
  }
  return slice(a, r, to_stream(s));
}
array flip(const array& a, int axis, StreamOrDevice s) { return flip(a, std::vector<int>{axis}, s); }
array flip(const array& a, StreamOrDevice s) {
  return flip(a, all_axes(a), s);
}

std::vector<Shape> Slice::output_shapes(const Arrays& inputs) {
  return {request_.resolve(inputs[0].shape(), "slice").shape};
}
Arrays Slice::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {slice(tangents[0], request_, stream())};
}
Arrays Slice::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  array zero = zeros_like(primals[0], cotangents[0].dtype(), stream());
  return {slice_update(Combine::Set, zero, cotangents[0], request_, stream())};
}
std::pair<Arrays, std::vector<int>> Slice::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{slice(moveaxis(inputs[0], axes[0], 0, stream()), request_.batched(), stream())}, {0}};
}

}  // namespace mlx::core
