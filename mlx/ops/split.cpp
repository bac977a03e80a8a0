// split and unstack: the parts of an array along an axis, as views.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

Arrays make_parts(const std::vector<Shape>& shapes, const Arrays& inputs, std::shared_ptr<Primitive> primitive) {
  std::vector<Dtype> dtypes(shapes.size(), inputs[0].dtype());
  return array::make_arrays(shapes, dtypes, primitive, inputs);
}

}  // namespace

std::vector<Shape> Split::equal_parts(const Shape& shape, int axis, int parts) {
  if (shape[axis] % parts != 0) {
    raise("[split] An axis of size ", shape[axis], " cannot be split into ", parts, " equal parts.");
  }
  Shape part = shape;
  part[axis] /= parts;
  return std::vector<Shape>(static_cast<size_t>(parts), part);
}

// The cut points are bounds of slices: one that does not ascend gives an empty part.
std::vector<Shape> Split::cut_parts(const Shape& shape, int axis, const Shape& cuts) {
  std::vector<Shape> parts;
  ShapeElem size = shape[axis], from = 0;
  for (size_t i = 0; i <= cuts.size(); i++) {
    ShapeElem cut = i < cuts.size() ? cuts[i] : size;
    ShapeElem to = std::clamp<ShapeElem>(cut < 0 ? cut + size : cut, 0, size);
    parts.push_back(shape);
    parts.back()[axis] = std::max<ShapeElem>(to - from, 0);
    from = to;
  }
  return parts;
}

std::vector<array> split(const array& a, int num_splits, int axis, StreamOrDevice s) {
  int ax = normalize_axis_index(axis, static_cast<int>(a.ndim()), "[split] ");
  if (num_splits <= 0) raise("[split] The number of parts must be positive, but got ", num_splits, ".");
  return make_parts(Split::equal_parts(a.shape(), ax, num_splits), {a},
                    std::make_shared<Split>(to_stream(s), ax, num_splits, Shape{}));
}
std::vector<array> split(const array& a, int num_splits, StreamOrDevice s) { return split(a, num_splits, 0, s); }

std::vector<array> split(const array& a, const Shape& indices, int axis, StreamOrDevice s) {
  int ax = normalize_axis_index(axis, static_cast<int>(a.ndim()), "[split] ");
  if (indices.empty()) return {a};
  return make_parts(Split::cut_parts(a.shape(), ax, indices), {a},
                    std::make_shared<Split>(to_stream(s), ax, 0, indices));
}
std::vector<array> split(const array& a, const Shape& indices, StreamOrDevice s) { return split(a, indices, 0, s); }

std::vector<array> unstack(const array& a, int axis, StreamOrDevice s) {
  int ax = normalize_axis_index(axis, static_cast<int>(a.ndim()), "[unstack] ");
  if (a.shape(ax) == 0) return {};
  Arrays parts = split(pin_sizes(a, {ax}, to_stream(s)), static_cast<int>(a.shape(ax)), ax, s);
  for (array& part : parts) part = squeeze(part, ax, s);
  return parts;
}
std::vector<array> unstack(const array& a, StreamOrDevice s) { return unstack(a, 0, s); }

Arrays split_like(const array& a, const Arrays& like, int axis, const Stream& s) {
  if (!tracing_shapeless()) {
    Shape cuts;
    for (size_t i = 0; i + 1 < like.size(); i++) cuts.push_back((i ? cuts.back() : 0) + like[i].shape(axis));
    return split(a, cuts, axis, s);
  }
  std::vector<Shape> shapes;
  Arrays inputs{a};
  for (const array& x : like) {
    shapes.push_back(a.shape());
    shapes.back()[axis] = x.shape(axis);
    inputs.push_back(x);
  }
  return make_parts(shapes, inputs, std::make_shared<Split>(s, axis, 0, Shape{}));
}

Shape Split::starts(std::span<const array> inputs) const {
  const Shape& shape = inputs[0].shape();
  Shape result;
  if (parts_ > 0) {
    for (int i = 0; i < parts_; i++) result.push_back(shape[axis_] / parts_ * i);
  } else if (inputs.size() > 1) {
    for (size_t i = 1; i < inputs.size(); i++) {
      result.push_back(i == 1 ? 0 : result.back() + inputs[i - 1].shape(axis_));
    }
  } else {
    result.push_back(0);
    for (ShapeElem cut : cuts_) {
      result.push_back(std::clamp<ShapeElem>(cut < 0 ? cut + shape[axis_] : cut, 0, shape[axis_]));
    }
  }
  return result;
}

bool Split::is_equivalent(const Primitive& other) const {
  auto& o = static_cast<const Split&>(other);
  return o.axis_ == axis_ && o.parts_ == parts_ && o.cuts_ == cuts_;
}

std::vector<Shape> Split::output_shapes(const Arrays& inputs) {
  const Shape& shape = inputs[0].shape();
  if (parts_ > 0) return equal_parts(shape, axis_, parts_);
  if (inputs.size() == 1) return cut_parts(shape, axis_, cuts_);
  std::vector<Shape> shapes;
  ShapeElem total = 0;
  for (size_t i = 1; i < inputs.size(); i++) {
    shapes.push_back(shape);
    total += shapes.back()[axis_] = inputs[i].shape(axis_);
  }
  if (total != shape[axis_]) raise("[split] Parts of ", total, " elements do not fill an axis of size ", shape[axis_], ".");
  return shapes;
}

Arrays Split::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  Arrays inputs = primals;
  inputs[0] = argnums[0] == 0 ? tangents[0] : zeros_like(primals[0], stream());
  return make_parts(output_shapes(inputs), inputs, std::make_shared<Split>(stream(), axis_, parts_, cuts_));
}

// Cut points that descend leave elements in two parts or in none, so each part adds to its own place.
Arrays Split::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums, const Arrays&) {
  Arrays result;
  for (int i : argnums) {
    if (i > 0) result.push_back(zeros_like(primals[i], stream()));
    else if (std::is_sorted(cuts_.begin(), cuts_.end()) && (cuts_.empty() || cuts_[0] >= 0)) {
      result.push_back(concatenate(cotangents, axis_, stream()));
    } else {
      array total = zeros_like(primals[0], stream());
      Shape first = starts(primals);
      for (size_t k = 0; k < cotangents.size(); k++) {
        SliceRequest r = whole_request(total.ndim());
        r.start[axis_] = first[k];
        r.stop[axis_] = first[k] + cotangents[k].shape(axis_);
        r.only_size[axis_] = total.shape(axis_);
        total = slice_update(Combine::Sum, total, cotangents[k], r, stream());
      }
      result.push_back(total);
    }
  }
  return result;
}

std::pair<Arrays, std::vector<int>> Split::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Arrays in;
  for (size_t i = 0; i < inputs.size(); i++) {
    in.push_back(batch_to_front(inputs[i], axes[i], batch_size(inputs, axes), stream()));
  }
  auto primitive = std::make_shared<Split>(stream(), axis_ + 1, parts_, cuts_);
  Arrays parts = make_parts(primitive->output_shapes(in), in, primitive);
  return {parts, std::vector<int>(parts.size(), 0)};
}

}  // namespace mlx::core
