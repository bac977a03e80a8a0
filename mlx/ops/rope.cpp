// fast::rope. A rotation: its derivative by x is the rotation itself, the transpose of that the rotation
// back.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/fast.h"
#include "mlx/ops.h"
#include "mlx/ops/fast_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

void check_shapes(const array& x, int dims, const array& offset, const std::optional<array>& freqs) {
  if (x.ndim() < 3) raise("[rope] The input must have at least 3 dimensions, but has shape ", x.shape(), ".");
  if (dims <= 0 || dims % 2 != 0 || dims > x.shape(-1))
    raise("[rope] dims must be even, positive and at most the ", x.shape(-1), " features, but is ", dims,
          ".");
  if (offset.ndim() > 1 || (offset.size() != 1 && offset.shape(0) != x.shape(0)))
    raise("[rope] The offset must be one integer or one for each of the ", x.shape(0),
          " batch entries, but has shape ", offset.shape(), ".");
  if (freqs && (freqs->ndim() != 1 || freqs->shape(0) != dims / 2))
    raise("[rope] freqs must have shape (", dims / 2, ",), but has ", freqs->shape(), ".");
}

Dtype wide_dtype(const array& x) { return x.dtype() == float64 ? float64 : float32; }

}  // namespace

namespace fast {

array rope(const array& x, int dims, bool traditional, std::optional<float> base, float scale,
           const array& offset, const std::optional<array>& freqs, StreamOrDevice s) {
  if (!issubdtype(x.dtype(), floating))
    raise("[rope] The input must be real floating-point, but is ", dtype_name(x.dtype()), ".");
  if (!issubdtype(offset.dtype(), integer))
    raise("[rope] The offset must be integer, but is ", dtype_name(offset.dtype()), ".");
  if (base.has_value() == freqs.has_value()) raise("[rope] Exactly one of base and freqs must be given.");
  if (freqs && !issubdtype(freqs->dtype(), floating))
    raise("[rope] freqs must be real floating-point, but is ", dtype_name(freqs->dtype()), ".");
  check_shapes(x, dims, offset, freqs);
  Stream stream = to_stream(s);
  Arrays inputs{x, offset};
  if (freqs) inputs.push_back(astype(*freqs, wide_dtype(x), stream));
  auto primitive = std::make_shared<RoPE>(stream, dims, traditional, base.value_or(0), scale, true);
  return array(x.shape(), x.dtype(), std::move(primitive), std::move(inputs));
}

array rope(const array& x, int dims, bool traditional, std::optional<float> base, float scale, int offset,
           const std::optional<array>& freqs, StreamOrDevice s) {
  return rope(x, dims, traditional, base, scale, array(offset), freqs, s);
}

}  // namespace fast

std::vector<Shape> RoPE::output_shapes(const Arrays& inputs) {
  std::optional<array> freqs;
  if (inputs.size() == 3) freqs = inputs[2];
  check_shapes(inputs[0], dims_, inputs[1], freqs);
  return {inputs[0].shape()};
}

// x turned with the offset and frequencies that follow in `rest`.
array RoPE::turned(const array& x, const Arrays& rest, bool forward) const {
  Arrays inputs{x};
  inputs.insert(inputs.end(), rest.begin(), rest.end());
  auto primitive = std::make_shared<RoPE>(stream(), dims_, traditional_, base_, scale_, forward);
  return array(x.shape(), x.dtype(), std::move(primitive), std::move(inputs));
}

// A quarter turn of the result's pairs, (a, b) -> (-b, a), as wide numbers; features beyond dims are left
// out.
array RoPE::derivative_by_angle(const array& out) const {
  const Stream& s = stream();
  array pairs = split(astype(out, wide_dtype(out), s), Shape{dims_}, -1, s)[0];
  array apart =
      traditional_ ? unflatten(pairs, -1, {-1, 2}, s) : swapaxes(unflatten(pairs, -1, {2, -1}, s), -1, -2, s);
  std::vector<array> ab = split(apart, 2, -1, s);
  return concatenate({negative(ab[1], s), ab[0]}, -1, s);  // (..., dims / 2, 2)
}

// The derivative of the angles (batch or 1, ..., time, dims / 2) by the frequencies: -position scale /
// freqs^2.
array RoPE::angle_by_frequency(const Arrays& primals) const {
  note_size_read();
  const Stream& s = stream();
  const array& x = primals[0];
  Dtype wide = primals[2].dtype();
  array time = arange(double(x.shape(-2)), wide, s);
  array position = add(expand_dims(astype(primals[1], wide, s), -1, s), time, s);  // (batch, time) or (time,)
  if (position.ndim() == 2) {
    Shape shape(x.ndim() - 1, 1);
    shape.front() = position.shape(0);
    shape.back() = position.shape(1);
    position = reshape(position, shape, s);
  }
  array factor(forward_ ? -double(scale_) : double(scale_), wide);
  return multiply(expand_dims(multiply(position, factor, s), -1, s), reciprocal(square(primals[2], s), s), s);
}

Arrays RoPE::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  const Stream& s = stream();
  Arrays rest(primals.begin() + 1, primals.end());
  std::optional<array> total;
  for (size_t i = 0; i < argnums.size(); i++) {
    std::optional<array> term;
    if (argnums[i] == 0) term = turned(tangents[i], rest, forward_);
    if (argnums[i] == 2) {
      array angle = multiply(angle_by_frequency(primals), tangents[i], s);
      array moved =
          multiply(derivative_by_angle(turned(primals[0], rest, forward_)), expand_dims(angle, -1, s), s);
      if (!traditional_) moved = swapaxes(moved, -1, -2, s);
      moved = astype(flatten(moved, -2, -1, s), primals[0].dtype(), s);
      array others = zeros_like(split(primals[0], Shape{dims_}, -1, s)[1], s);
      term = concatenate({moved, others}, -1, s);
    }
    if (term) accumulate(total, *term, s);
  }
  return {total ? *total : zeros_like(primals[0], s)};
}

Arrays RoPE::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                 const Arrays& outputs) {
  const Stream& s = stream();
  Arrays rest(primals.begin() + 1, primals.end()), result;
  for (int i : argnums) {
    if (i == 0) {
      result.push_back(turned(cotangents[0], rest, !forward_));
    } else if (i == 1) {
      result.push_back(zeros_like(primals[1], s));
    } else {
      array ct = split(astype(cotangents[0], primals[2].dtype(), s), Shape{dims_}, -1, s)[0];
      ct = traditional_ ? unflatten(ct, -1, {-1, 2}, s) : swapaxes(unflatten(ct, -1, {2, -1}, s), -1, -2, s);
      array by_angle = sum(multiply(ct, derivative_by_angle(outputs[0]), s), -1, false, s);
      array weighted = multiply(by_angle, angle_by_frequency(primals), s);
      result.push_back(sum(flatten(weighted, 0, -2, s), 0, false, s));
    }
  }
  return result;
}

// A batch of inputs and offsets joins the first axis.
std::pair<Arrays, std::vector<int>> RoPE::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  if (axes.size() == 3 && axes[2] >= 0) throw NoRule("[vmap] No rule for a batch of frequencies.");
  const Stream& s = stream();
  ShapeElem size = batch_size(inputs, axes);
  array x = batch_to_front(inputs[0], axes[0], size, s);
  ShapeElem entries = x.shape(1);
  array offset = inputs[1];
  if (axes[1] >= 0 || offset.size() != 1) {
    offset = batch_to_front(offset, axes[1], size, s);
    if (offset.ndim() == 1) offset = expand_dims(offset, 1, s);
    offset = flatten(broadcast_to(offset, {size, entries}, s), s);
  }
  Arrays rest{offset};
  if (inputs.size() == 3) rest.push_back(inputs[2]);
  return {{unflatten(turned(flatten(x, 0, 1, s), rest, forward_), 0, {size, entries}, s)}, {0}};
}

}  // namespace mlx::core
