// split and unstack: the parts of an array along an axis, as views.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/memory.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

// Each part is an array of its own: what they need is asked for before they are made.
void check_count(const char* name, ShapeElem count) {
  constexpr size_t bytes_per_part = 512;
  size_t limit = get_memory_limit();
  if (static_cast<size_t>(count) <= limit / bytes_per_part) return;
  raise<OutOfMemoryError>("[", name, "] ", count, " arrays need about ", bytes_per_part,
                          " bytes each, but the memory limit is ", limit, " bytes.");
}

Arrays make_parts(const std::vector<Shape>& shapes, const array& a, const std::shared_ptr<Primitive>& primitive) {
  return array::make_arrays(shapes, std::vector<Dtype>(shapes.size(), a.dtype()), primitive, {a});
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
  int ax = checked_axis("split", axis, a.ndim());
  if (num_splits <= 0) raise("[split] The number of parts must be positive, but got ", num_splits, ".");
  if (a.shape(ax) % num_splits == 0) check_count("split", num_splits);
  return make_parts(Split::equal_parts(a.shape(), ax, num_splits), a,
                    std::make_shared<Split>(to_stream(s), ax, num_splits, Shape{}));
}
std::vector<array> split(const array& a, int num_splits, StreamOrDevice s) { return split(a, num_splits, 0, s); }

std::vector<array> split(const array& a, const Shape& indices, int axis, StreamOrDevice s) {
  int ax = checked_axis("split", axis, a.ndim());
  if (indices.empty()) return {a};
  return make_parts(Split::cut_parts(a.shape(), ax, indices), a,
                    std::make_shared<Split>(to_stream(s), ax, 0, indices));
}
std::vector<array> split(const array& a, const Shape& indices, StreamOrDevice s) { return split(a, indices, 0, s); }

std::vector<array> unstack(const array& a, int axis, StreamOrDevice s) {
  int ax = checked_axis("unstack", axis, a.ndim());
  note_size_read();
  if (a.shape(ax) == 0) return {};
  check_count("unstack", a.shape(ax));
  if (a.shape(ax) > INT32_MAX) raise("[unstack] Axis ", ax, " with size ", a.shape(ax), " has too many parts.");
  Arrays parts = split(a, static_cast<int>(a.shape(ax)), ax, s);
  for (array& part : parts) part = squeeze(part, ax, s);
  return parts;
}
std::vector<array> unstack(const array& a, StreamOrDevice s) { return unstack(a, 0, s); }

Shape Split::starts(const Shape& shape) const {
  Shape result;
  for (int i = 0; i < parts_; i++) result.push_back(shape[axis_] / parts_ * i);
  if (parts_ > 0) return result;
  result.push_back(0);
  for (ShapeElem cut : cuts_) {
    result.push_back(std::clamp<ShapeElem>(cut < 0 ? cut + shape[axis_] : cut, 0, shape[axis_]));
  }
  return result;
}

std::vector<Shape> Split::output_shapes(const Arrays& inputs) {
  const Shape& shape = inputs[0].shape();
  return parts_ > 0 ? equal_parts(shape, axis_, parts_) : cut_parts(shape, axis_, cuts_);
}

Arrays Split::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return parts_ > 0 ? split(tangents[0], parts_, axis_, stream()) : split(tangents[0], cuts_, axis_, stream());
}

// Cut points that descend leave elements in two parts or in none, so each part adds to its own place.
Arrays Split::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  Shape first = starts(primals[0].shape());
  if (std::is_sorted(first.begin(), first.end())) return {concatenate(cotangents, axis_, stream())};
  array total = zeros_like(primals[0], stream());
  for (size_t k = 0; k < cotangents.size(); k++) {
    SliceRequest r = whole_request(total.ndim());
    r.start[axis_] = first[k];
    r.stop[axis_] = first[k] + cotangents[k].shape(axis_);
    total = slice_update(Combine::Sum, total, cotangents[k], r, stream());
  }
  return {total};
}

std::pair<Arrays, std::vector<int>> Split::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  Arrays parts = parts_ > 0 ? split(x, parts_, axis_ + 1, stream()) : split(x, cuts_, axis_ + 1, stream());
  std::vector<int> batch_axes(parts.size(), 0);
  return {std::move(parts), std::move(batch_axes)};
}

}  // namespace mlx::core
