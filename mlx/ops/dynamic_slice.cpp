// Slices whose start is an array: windows that are read and written through gather and scatter.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

std::vector<int> start_axes(const char* name, const array& a, const array& start, const std::vector<int>& axes) {
  check_index_dtype(name, start);
  if (start.ndim() > 1 || start.size() != axes.size()) {
    raise("[", name, "] The start must hold one index for each of the ", axes.size(), " axes, but has shape ",
          start.shape(), ".");
  }
  return checked_axes(name, axes, a.ndim());
}

// One 0-d index per axis, moved so that the window lies inside the array.
Arrays window_starts(const array& a, const array& start, const std::vector<int>& axes, const Shape& window,
                     const Stream& s) {
  note_size_read();
  array flat = stop_gradient(flatten(astype(start, int64, s), s), s);
  Arrays starts;
  for (size_t i = 0; i < axes.size(); i++) {
    array last(a.shape(axes[i]) - window[axes[i]], int64);
    starts.push_back(clip(take(flat, static_cast<int>(i), 0, s), array(0, int64), last, s));
  }
  return starts;
}

}  // namespace

array slice(const array& a, const array& start, std::vector<int> axes, Shape slice_size, StreamOrDevice s) {
  axes = start_axes("slice", a, start, axes);
  bool fits = slice_size.size() == a.ndim();
  for (size_t i = 0; fits && i < slice_size.size(); i++) {
    fits = slice_size[i] >= 0 && slice_size[i] <= a.shape(static_cast<int>(i));
  }
  if (!fits) raise("[slice] A window of size ", slice_size, " does not fit into an array of shape ", a.shape(), ".");
  Stream stream = to_stream(s);
  return gather(a, window_starts(a, start, axes, slice_size, stream), axes, slice_size, stream);
}

array slice_update(const array& src, const array& update, const array& start, std::vector<int> axes,
                   StreamOrDevice s) {
  axes = start_axes("slice_update", src, start, axes);
  if (update.ndim() > src.ndim()) {
    raise("[slice_update] The update of shape ", update.shape(), " has more dimensions than the array of shape ",
          src.shape(), ".");
  }
  Shape window = src.shape();
  int missing = static_cast<int>(src.ndim() - update.ndim());
  for (int axis : axes) window[axis] = axis < missing ? 1 : update.shape(axis - missing);
  bool fits = true;
  for (int axis : axes) fits = fits && window[axis] <= src.shape(axis);
  for (int i = missing; i < static_cast<int>(src.ndim()); i++) {
    ShapeElem n = update.shape(i - missing);
    fits = fits && (n == 1 || n == window[i]);
  }
  if (!fits) {
    raise("[slice_update] An update of shape ", update.shape(), " does not fit into an array of shape ", src.shape(),
          " along the axes ", axes, ".");
  }
  Stream stream = to_stream(s);
  array values = broadcast_to(astype(update, src.dtype(), stream), window, stream);
  return scatter(src, window_starts(src, start, axes, window, stream), values, axes, stream);
}

}  // namespace mlx::core
