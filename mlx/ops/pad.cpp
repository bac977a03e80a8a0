// pad: a constant around an array is a primitive; the other modes join slices of the array.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/join_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

Shape padded(const Shape& shape, const Shape& low, const Shape& high) {
  Shape out = shape;
  for (size_t i = 0; i < shape.size(); i++) {
    if (__builtin_add_overflow(out[i], low[i], &out[i]) || __builtin_add_overflow(out[i], high[i], &out[i])) {
      raise<std::overflow_error>("[pad] The size of axis ", i, " does not fit in 64 bits.");
    }
  }
  return out;
}

array repeat_edges(const array& x, int axis, ShapeElem low, ShapeElem high, const Stream& s) {
  array first = repeat_along(slice_along(x, axis, 0, 1, s), axis, low, s);
  array last = repeat_along(slice_along(x, axis, -1, slice_end, s), axis, high, s);
  return concatenate({first, x, last}, axis, s);
}

// A mirror image on either side; `skip` is 1 where it leaves out the element at the border.
array mirror_once(const array& x, int axis, ShapeElem low, ShapeElem high, ShapeElem skip, const Stream& s) {
  ShapeElem n = x.shape(axis);
  array before = flip(slice_along(x, axis, skip, skip + low, s), axis, s);
  array after = flip(slice_along(x, axis, n - skip - high, n - skip, s), axis, s);
  return concatenate({before, x, after}, axis, s);
}

// Mirrors on and on: a window of the array and its image, repeated.
array mirror_often(const array& x, int axis, ShapeElem low, ShapeElem high, ShapeElem skip, const Stream& s) {
  ShapeElem n = x.shape(axis), period = 2 * (n - skip), total = low + n + high;
  ShapeElem from = (period - low % period) % period;
  bool one_more = static_cast<uint64_t>(from) + static_cast<uint64_t>((total - 1) % period) >=
                  static_cast<uint64_t>(period);
  array image = flip(slice_along(x, axis, skip, n - skip, s), axis, s);
  array both = expand_dims(concatenate({x, image}, axis, s), axis, s);
  Shape shape = both.shape();
  shape[axis] = (total - 1) / period + 1 + one_more;
  return slice_along(flatten(broadcast_to(both, shape, s), axis, axis + 1, s), axis, from, from + total, s);
}

array pad_by_pieces(array x, const Shape& low, const Shape& high, const std::string& mode, const Stream& s) {
  note_size_read();
  padded(x.shape(), low, high);
  for (int axis = 0; axis < static_cast<int>(low.size()); axis++) {
    if (low[axis] + high[axis] > 0 && x.shape(axis) == 0)
      raise("[pad] Mode ", mode, " cannot extend axis ", axis, " with size 0.");
  }
  for (int axis = 0; axis < static_cast<int>(low.size()); axis++) {
    if (low[axis] + high[axis] == 0) continue;
    ShapeElem n = x.shape(axis), skip = mode == "reflect", most = std::max(low[axis], high[axis]);
    if (mode == "edge" || n == 1)
      x = repeat_edges(x, axis, low[axis], high[axis], s);
    else if (most <= n - skip)
      x = mirror_once(x, axis, low[axis], high[axis], skip, s);
    else
      x = mirror_often(x, axis, low[axis], high[axis], skip, s);
  }
  return x;
}

array pad_constant(const array& a, const array& value, const Shape& low, const Shape& high, const Stream& s) {
  return array(padded(a.shape(), low, high), a.dtype(), std::make_shared<Pad>(s, low, high), {a, value});
}

}  // namespace

array pad(const array& a, const std::vector<int>& axes, const Shape& low_pad_size, const Shape& high_pad_size,
          const array& pad_value, const std::string& mode, StreamOrDevice s) {
  if (axes.size() != low_pad_size.size() || axes.size() != high_pad_size.size()) {
    raise("[pad] Widths ", low_pad_size, " and ", high_pad_size, " do not fit the axes ", axes, ".");
  }
  Shape low(a.ndim(), 0), high(a.ndim(), 0);
  bool grows = false;
  for (size_t i = 0; i < axes.size(); i++) {
    if (low_pad_size[i] < 0 || high_pad_size[i] < 0) {
      raise("[pad] Widths cannot be negative, but got (", low_pad_size[i], ",", high_pad_size[i], ") for axis ",
            axes[i], ".");
    }
    int axis = checked_axis("pad", axes[i], a.ndim());
    low[axis] = low_pad_size[i];
    high[axis] = high_pad_size[i];
    grows |= low[axis] > 0 || high[axis] > 0;
  }
  bool constant = mode == "constant";
  if (!constant && mode != "edge" && mode != "reflect" && mode != "symmetric") {
    raise("[pad] Mode must be constant, edge, reflect or symmetric, but got ", mode, ".");
  }
  if (pad_value.size() != 1) {
    raise("[pad] The value around an array must be a scalar, but has shape ", pad_value.shape(), ".");
  }
  if (!grows) return a;
  Stream stream = to_stream(s);
  if (!constant) return pad_by_pieces(a, low, high, mode, stream);
  return pad_constant(a, astype(reshape(pad_value, {}, stream), a.dtype(), stream), low, high, stream);
}

array pad(const array& a, const std::vector<std::pair<int, int>>& pad_width, const array& pad_value,
          const std::string& mode, StreamOrDevice s) {
  if (pad_width.size() != 1 && pad_width.size() != a.ndim()) {
    raise("[pad] ", pad_width.size(), " pairs of widths do not fit an array with ", a.ndim(), " dimensions.");
  }
  std::vector<int> axes;
  Shape low, high;
  for (int axis = 0; axis < static_cast<int>(a.ndim()); axis++) {
    const auto& [before, after] = pad_width[pad_width.size() == 1 ? 0 : axis];
    axes.push_back(axis);
    low.push_back(before);
    high.push_back(after);
  }
  return pad(a, axes, low, high, pad_value, mode, s);
}
array pad(const array& a, const std::pair<int, int>& pad_width, const array& pad_value, const std::string& mode,
          StreamOrDevice s) {
  return pad(a, std::vector<std::pair<int, int>>{pad_width}, pad_value, mode, s);
}
array pad(const array& a, int pad_width, const array& pad_value, const std::string& mode, StreamOrDevice s) {
  return pad(a, std::pair<int, int>(pad_width, pad_width), pad_value, mode, s);
}

namespace {

// Selects what lies inside of the widths, whatever the sizes.
SliceRequest interior(const Shape& low, const Shape& high) {
  SliceRequest r = whole_request(low.size());
  for (size_t i = 0; i < low.size(); i++) {
    r.start[i] = low[i];
    if (high[i] > 0) r.stop[i] = -high[i];
  }
  return r;
}

}  // namespace

std::vector<Shape> Pad::output_shapes(const Arrays& inputs) { return {padded(inputs[0].shape(), low_, high_)}; }
Arrays Pad::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  array inner = argnums[0] == 0 ? tangents[0] : zeros_like(primals[0], stream());
  array value = argnums.back() == 1 ? tangents.back() : zeros_like(primals[1], stream());
  return {pad_constant(inner, value, low_, high_, stream())};
}
Arrays Pad::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>& argnums, const Arrays&) {
  const array& ct = cotangents[0];
  Arrays result;
  for (int i : argnums) {
    if (i == 0) {
      result.push_back(slice(ct, interior(low_, high_), stream()));
    } else {
      array border = slice_update(Combine::Set, ct, array(0, ct.dtype()), interior(low_, high_), stream());
      result.push_back(astype(sum(border, stream()), ct.dtype(), stream()));
    }
  }
  return result;
}
// Each batch has a value of its own: the whole is filled with them before the arrays are written into it.
std::pair<Arrays, std::vector<int>> Pad::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  const Stream& s = stream();
  array a = batch_to_front(inputs[0], axes[0], batch_size(inputs, axes), s);
  Shape low = low_, high = high_;
  low.insert(low.begin(), 0);
  high.insert(high.begin(), 0);
  if (axes[1] < 0) return {{pad_constant(a, inputs[1], low, high, s)}, {0}};
  Shape column(a.ndim(), 1);
  column[0] = -1;
  array frame = pad_constant(a, array(0, a.dtype()), low, high, s);
  array filled = broadcast_like(reshape(inputs[1], column, s), frame, s);
  return {{slice_update(Combine::Set, filled, a, interior(low, high), s)}, {0}};
}

}  // namespace mlx::core
