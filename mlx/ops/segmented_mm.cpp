// segmented_mm and block_masked_mm.

#include "mlx/core/error.h"
#include "mlx/core/round.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/matmul_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

Shape segmented_shape(const array& a, const array& b, const array& segments) {
  if (a.ndim() != 2 || b.ndim() != 2)
    raise("[segmented_mm] a and b must have 2 dimensions, but have shapes ", a.shape(), " and ", b.shape(),
          ".");
  if (a.shape(1) != b.shape(0))
    raise("[segmented_mm] Last dimension of first input with shape ", a.shape(),
          " must match first dimension of second input with shape ", b.shape(), ".");
  if (segments.ndim() == 0 || segments.shape(-1) != 2)
    raise("[segmented_mm] The segments must have shape (..., 2), but have ", segments.shape(), ".");
  Shape shape(segments.shape().begin(), segments.shape().end() - 1);
  shape.push_back(a.shape(0));
  shape.push_back(b.shape(1));
  return shape;
}

array segmented(const array& a, const array& b, const array& segments, const Stream& s) {
  return array(segmented_shape(a, b, segments), a.dtype(), std::make_shared<SegmentedMM>(s),
               {a, b, segments});
}

// (segments..., size): is the index inside the segment?
array members(const array& segments, ShapeElem size, const Stream& s) {
  note_size_read();
  std::vector<array> ends = split(segments, 2, -1, s);
  array index = arange(double(size), int64, s);
  return logical_and(greater_equal(index, astype(ends[0], int64, s), s),
                     less(index, astype(ends[1], int64, s), s), s);
}

// Sum over the leading axes.
array sum_leading(const array& x, const Stream& s) {
  return x.ndim() == 2 ? x : sum(flatten(x, 0, -3, s), 0, false, s);
}

}  // namespace

array segmented_mm(array a, array b, array segments, StreamOrDevice s) {
  Stream stream = to_stream(s);
  Dtype t = result_type(a, b);
  if (!issubdtype(t, floating))
    raise("[segmented_mm] a and b must be real floating-point, but promote to ", dtype_name(t), ".");
  if (!issubdtype(segments.dtype(), integer))
    raise("[segmented_mm] The segments must be integers, but are ", dtype_name(segments.dtype()), ".");
  return segmented(astype(a, t, stream), astype(b, t, stream), segments, stream);
}

std::vector<Shape> SegmentedMM::output_shapes(const Arrays& inputs) {
  return {segmented_shape(inputs[0], inputs[1], inputs[2])};
}
Arrays SegmentedMM::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  std::optional<array> total;
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] > 1) continue;
    array term = argnums[k] == 0 ? segmented(tangents[k], primals[1], primals[2], stream())
                                 : segmented(primals[0], tangents[k], primals[2], stream());
    accumulate(total, term, stream());
  }
  return {total ? *total : zeros(output_shapes(primals)[0], primals[0].dtype(), stream())};
}
// Each segment's cotangent meets the whole other operand; what lies outside of the segment is left out of the
// sum.
Arrays SegmentedMM::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                        const Arrays&) {
  const Stream& s = stream();
  const array &a = primals[0], &b = primals[1], &ct = cotangents[0];
  array zero(0, a.dtype());
  Arrays result;
  for (int i : argnums) {
    if (i == 2) {
      result.push_back(zeros_like(primals[2], s));
      continue;
    }
    array inside = members(primals[2], a.shape(1), s);
    if (i == 0) {
      array all = matmul(ct, swapaxes(b, 0, 1, s), s);
      result.push_back(sum_leading(where(expand_dims(inside, -2, s), all, zero, s), s));
    } else {
      array all = matmul(swapaxes(a, 0, 1, s), ct, s);
      result.push_back(sum_leading(where(expand_dims(inside, -1, s), all, zero, s), s));
    }
  }
  return result;
}
std::pair<Arrays, std::vector<int>> SegmentedMM::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  if (axes[0] >= 0 || axes[1] >= 0) throw NoRule("[vmap] No rule for a batch of matrices.");
  return {{segmented(inputs[0], inputs[1], moveaxis(inputs[2], axes[2], 0, stream()), stream())}, {0}};
}

namespace {

// The mask of blocks as one entry per element of x's last two axes, applied to x: a bool mask keeps, another
// is a factor.
array with_mask(const array& x, const std::optional<array>& mask, const char* what, int block,
                const Stream& s) {
  if (!mask) return x;
  ShapeElem rows = x.shape(-2), columns = x.shape(-1), wanted_rows = ceil_div(rows, block),
            wanted_columns = ceil_div(columns, block);
  bool fits = mask->ndim() >= 2 && mask->shape(-2) == wanted_rows && mask->shape(-1) == wanted_columns;
  if (!fits)
    raise("[block_masked_mm] The mask of ", what, " must have shape (..., ", wanted_rows, ", ",
          wanted_columns, "), but has ", mask->shape(), ".");
  if (!issubdtype(mask->dtype(), floating) && mask->dtype() != bool_)
    raise("[block_masked_mm] The mask of ", what, " must be bool or real floating-point, but is ",
          dtype_name(mask->dtype()), ".");
  note_size_read();
  array m = repeat(repeat(*mask, block, -2, s), block, -1, s);
  Shape start(m.ndim(), 0), stop = m.shape();
  stop[stop.size() - 2] = rows;
  stop[stop.size() - 1] = columns;
  m = slice(m, start, stop, s);
  return mask->dtype() == bool_ ? where(m, x, array(0, x.dtype()), s)
                                : multiply(x, astype(m, x.dtype(), s), s);
}

}  // namespace

array block_masked_mm(array a, array b, int block_size, std::optional<array> mask_out,
                      std::optional<array> mask_lhs, std::optional<array> mask_rhs, StreamOrDevice s) {
  Stream stream = to_stream(s);
  Dtype t = result_type(a, b);
  if (!issubdtype(t, floating))
    raise("[block_masked_mm] The operands must be real floating-point, but promote to ", dtype_name(t), ".");
  bool masked = mask_out || mask_lhs || mask_rhs;
  if (masked && block_size != 32 && block_size != 64)
    raise("[block_masked_mm] The block size must be 32 or 64, but is ", block_size, ".");
  if (masked && (a.ndim() < 2 || b.ndim() < 2))
    raise("[block_masked_mm] The operands must have at least 2 dimensions, but have shapes ", a.shape(),
          " and ", b.shape(), ".");
  array x = with_mask(astype(a, t, stream), mask_lhs, "the left operand", block_size, stream);
  array y = with_mask(astype(b, t, stream), mask_rhs, "the right operand", block_size, stream);
  array out = matmul(x, y, stream);
  array result = with_mask(out, mask_out, "the result", block_size, stream);
  if (result.shape() != out.shape())
    raise("[block_masked_mm] The mask of the result with shape ", mask_out->shape(),
          " does not broadcast to the product of shape ", out.shape(), ".");
  return result;
}

}  // namespace mlx::core
