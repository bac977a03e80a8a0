// See layout.h.

#include "mlx/backend/common/layout.h"

#include <algorithm>

namespace mlx::core {

namespace {

// Do the strides step through memory without gaps, axes visited in the given order from the fastest one?
template <typename Order>
bool is_dense_in_order(const Shape& shape, const Strides& strides, const Order& order) {
  int64_t expected = 1;
  for (size_t axis : order) {
    if (shape[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

}  // namespace

Layout layout_of(const Shape& shape, const Strides& strides) {
  size_t size = element_count(shape);
  if (size == 0) return {{true, true, true}, 0};
  SmallVector<size_t> forward, backward, by_stride;
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); i++) {
    forward.push_back(i);
    last += (shape[i] - 1) * std::abs(strides[i]);
    if (shape[i] > 1 && strides[i] != 0) by_stride.push_back(i);
  }
  backward.insert(backward.begin(), forward.rbegin(), forward.rend());
  std::sort(by_stride.begin(), by_stride.end(), [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  return {{is_dense_in_order(shape, strides, by_stride), is_dense_in_order(shape, strides, backward),
           is_dense_in_order(shape, strides, forward)},
          static_cast<size_t>(last + 1)};
}

void set_view(array& out, const array& in, Strides strides, int64_t offset) {
  Layout layout = layout_of(out.shape(), strides);
  out.copy_shared_buffer(in, strides, layout.flags, layout.data_size, offset);
}

// Walks both shapes from the back: each run of new axes must cover a run of old axes that is dense in itself.
std::optional<Strides> reshape_strides(const Shape& from, const Strides& strides, const Shape& to) {
  Collapsed old = collapse(from, {strides});
  Strides result(to.size(), 1);
  if (element_count(to) == 0) return row_major_strides(to);
  int axis = static_cast<int>(old.shape.size()) - 1;
  int64_t left = old.shape[axis], stride = old.strides[0][axis];
  for (size_t i = to.size(); i-- > 0;) {
    if (to[i] == 1) continue;
    if (left == 1 && --axis >= 0) {
      left = old.shape[axis];
      stride = old.strides[0][axis];
    }
    if (left % to[i] != 0) return std::nullopt;
    result[i] = stride;
    left /= to[i];
    stride *= to[i];
  }
  return result;
}

Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& to) {
  Strides result(to.size(), 0);
  size_t extra = to.size() - shape.size();
  for (size_t i = 0; i < shape.size(); i++) result[extra + i] = shape[i] == 1 ? 0 : strides[i];
  return result;
}

Collapsed collapse(const Shape& shape, std::vector<Strides> strides, int64_t largest) {
  Collapsed c;
  c.strides.resize(strides.size());
  for (size_t i = 0; i < shape.size(); i++) {
    if (shape[i] == 1) continue;
    bool joins = !c.shape.empty() && c.shape.back() <= largest / std::max<int64_t>(shape[i], 1);
    for (size_t k = 0; joins && k < strides.size(); k++) joins = c.strides[k].back() == strides[k][i] * shape[i];
    if (joins) c.shape.back() *= shape[i];
    else c.shape.push_back(shape[i]);
    for (size_t k = 0; k < strides.size(); k++) {
      if (joins) c.strides[k].back() = strides[k][i];
      else c.strides[k].push_back(strides[k][i]);
    }
  }
  if (c.shape.empty()) {
    c.shape.push_back(1);
    for (Strides& s : c.strides) s.push_back(1);
  }
  return c;
}

void widen(Collapsed& c, size_t ndim) {
  while (c.shape.size() < ndim) {
    c.shape.insert(c.shape.begin(), 1);
    for (Strides& s : c.strides) s.insert(s.begin(), 0);
  }
}

}  // namespace mlx::core
