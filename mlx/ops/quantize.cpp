// quantize and dequantize: arguments, shapes and derivatives. An affine array is linear in its scales and
// biases.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/quantize_checks.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

struct ModeRow {
  const char* name;
  QuantizationMode mode;
  int group_size, bits;  // defaults
};
constexpr ModeRow kModes[] = {{"affine", QuantizationMode::Affine, 64, 4},
                              {"mxfp4", QuantizationMode::Mxfp4, 32, 4},
                              {"mxfp8", QuantizationMode::Mxfp8, 32, 8},
                              {"nvfp4", QuantizationMode::Nvfp4, 16, 4}};

const ModeRow& row_of(QuantizationMode mode) { return kModes[static_cast<int>(mode)]; }

Shape with_last(Shape shape, ShapeElem size) {
  shape.back() = size;
  return shape;
}

std::vector<Shape> packed_shapes(const Quantization& q, const Shape& w) {
  if (w.size() < 2) raise("[quantize] w must have at least 2 dimensions, but has shape ", w, ".");
  if (w.back() % q.group_size != 0)
    raise("[quantize] The last axis of w with shape ", w, " must be divisible by the group size ",
          q.group_size, ".");
  std::vector<Shape> shapes{with_last(w, q.words(w.back())), with_last(w, w.back() / q.group_size)};
  if (q.affine()) shapes.push_back(shapes[1]);
  return shapes;
}

void check_floating(const char* op, const char* what, Dtype dtype) {
  if (!issubdtype(dtype, floating))
    raise("[", op, "] ", what, " must be real floating-point, but is ", dtype_name(dtype), ".");
}

}  // namespace

std::string quantization_mode_to_string(QuantizationMode mode) { return row_of(mode).name; }

QuantizationMode string_to_quantization_mode(const std::string& mode, std::string_view error_tag) {
  for (const ModeRow& row : kModes) {
    if (mode == row.name) return row.mode;
  }
  std::string tag = error_tag.empty() ? "" : concat("[", error_tag, "] ");
  raise(tag, "The mode must be affine, mxfp4, mxfp8 or nvfp4, not '", mode, "'.");
}

Quantization checked_quantization(const char* op, std::optional<int> group_size, std::optional<int> bits,
                                  const std::string& mode) {
  const ModeRow& row = row_of(string_to_quantization_mode(mode, op));
  Quantization q{group_size.value_or(row.group_size), bits.value_or(row.bits), row.mode};
  if (q.affine()) {
    if (q.bits < 1 || q.bits > 8 || q.bits == 7)
      raise("[", op, "] Affine bits must be 1, 2, 3, 4, 5, 6 or 8, but are ", q.bits, ".");
    if (q.group_size != 32 && q.group_size != 64 && q.group_size != 128)
      raise("[", op, "] The affine group size must be 32, 64 or 128, but is ", q.group_size, ".");
  } else if (q.group_size != row.group_size || q.bits != row.bits) {
    raise("[", op, "] ", mode, " has a group size of ", row.group_size, " and ", row.bits, " bits, not ",
          q.group_size, " and ", q.bits, ".");
  }
  return q;
}

void check_packed(const char* op, const Quantization& q, const array& w, const array& scales,
                  const std::optional<array>& biases) {
  if (w.dtype() != uint32)
    raise("[", op, "] The packed w must be uint32, but is ", dtype_name(w.dtype()), ".");
  if (w.ndim() < 2)
    raise("[", op, "] The packed w must have at least 2 dimensions, but has shape ", w.shape(), ".");
  if (q.affine() != biases.has_value())
    raise("[", op, "] Biases are ", q.affine() ? "required for" : "not part of", " the mode ",
          quantization_mode_to_string(q.mode), ".");
  if (q.affine()) {
    check_floating(op, "scales", scales.dtype());
    check_floating(op, "biases", biases->dtype());
    if (biases->shape() != scales.shape())
      raise("[", op, "] Scales of shape ", scales.shape(), " and biases of shape ", biases->shape(),
            " must be alike.");
  } else if (scales.dtype() != uint8) {
    raise("[", op, "] The scales of the mode ", quantization_mode_to_string(q.mode),
          " must be uint8, but are ", dtype_name(scales.dtype()), ".");
  }
  ShapeElem groups = q.elements(w.shape(-1)) / q.group_size;
  bool whole = groups * q.group_size * q.bits == w.shape(-1) * 32;
  if (!whole || scales.shape() != with_last(w.shape(), groups))
    raise("[", op, "] A packed w of shape ", w.shape(), " and scales of shape ", scales.shape(),
          " do not match with a group size of ", q.group_size, " and ", q.bits, " bits.");
}

void check_global_scale(const char* op, const Quantization& q, const std::optional<array>& global_scale,
                        ShapeElem count) {
  if (!global_scale) return;
  if (q.mode != QuantizationMode::Nvfp4)
    raise("[", op, "] A global scale goes with nvfp4 only, not with ", quantization_mode_to_string(q.mode),
          ".");
  if (global_scale->dtype() != float32)
    raise("[", op, "] The global scale must be float32, but is ", dtype_name(global_scale->dtype()), ".");
  bool fits =
      global_scale->ndim() == 1 ? global_scale->shape(0) == count : global_scale->ndim() == 0 && count == 1;
  if (!fits)
    raise("[", op, "] The global scale must have shape (", count, ",), but has ", global_scale->shape(), ".");
}

namespace {
// w, perhaps with a global scale, as words, scales and, for affine, biases.
Arrays packed(const Quantization& q, const Arrays& inputs, const Stream& s) {
  std::vector<Dtype> dtypes{uint32, q.affine() ? inputs[0].dtype() : uint8};
  if (q.affine()) dtypes.push_back(inputs[0].dtype());
  return array::make_arrays(packed_shapes(q, inputs[0].shape()), dtypes, std::make_shared<Quantize>(s, q), inputs);
}
}  // namespace

array dequantized(const Quantization& q, const Arrays& inputs, Dtype dtype, const Stream& s) {
  Shape shape = with_last(inputs[0].shape(), q.elements(inputs[0].shape(-1)));
  return array(std::move(shape), dtype, std::make_shared<Dequantize>(s, q, dtype), inputs);
}

array codes_of(const Quantization& q, const array& w, const array& scales, Dtype dtype, const Stream& s) {
  return dequantized(q, {w, ones_like(scales, dtype, s), zeros_like(scales, dtype, s)}, dtype, s);
}

array group_sums(const Quantization& q, const array& x, const Stream& s) {
  return sum(unflatten(x, -1, {-1, q.group_size}, s), -1, false, s);
}

std::vector<array> quantize(const array& w, std::optional<int> group_size, std::optional<int> bits,
                            const std::string& mode, const std::optional<array>& global_scale,
                            StreamOrDevice s) {
  Quantization q = checked_quantization("quantize", group_size, bits, mode);
  check_floating("quantize", "w", w.dtype());
  check_global_scale("quantize", q, global_scale);
  Arrays inputs{w};
  if (global_scale) inputs.push_back(*global_scale);
  return packed(q, inputs, to_stream(s));
}

array dequantize(const array& w, const array& scales, const std::optional<array>& biases,
                 std::optional<int> group_size, std::optional<int> bits, const std::string& mode,
                 const std::optional<array>& global_scale, std::optional<Dtype> dtype, StreamOrDevice s) {
  Quantization q = checked_quantization("dequantize", group_size, bits, mode);
  check_packed("dequantize", q, w, scales, biases);
  check_global_scale("dequantize", q, global_scale);
  if (dtype) check_floating("dequantize", "dtype", *dtype);
  Stream stream = to_stream(s);
  if (q.affine()) {
    Dtype t = result_type(scales, *biases);
    return dequantized(q, {w, astype(scales, t, stream), astype(*biases, t, stream)}, dtype.value_or(t),
                       stream);
  }
  if (!global_scale) return dequantized(q, {w, scales}, dtype.value_or(bfloat16), stream);
  return dequantized(q, {w, scales, *global_scale}, dtype.value_or(float32), stream);
}

std::vector<Shape> Quantize::output_shapes(const Arrays& inputs) {
  return packed_shapes(q_, inputs[0].shape());
}
Arrays Quantize::jvp(const Arrays&, const Arrays&, const std::vector<int>&) {
  raise(
      "[quantize] Packing has no derivative. Differentiate by the scales and biases of the result instead.");
}
Arrays Quantize::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                     const Arrays&) {
  return jvp(primals, cotangents, argnums);
}
std::pair<Arrays, std::vector<int>> Quantize::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  if (inputs.size() > 1 && axes[1] >= 0) throw NoRule("[vmap] No rule for a batch of global scales.");
  Arrays in = inputs;
  in[0] = moveaxis(inputs[0], axes[0], 0, stream());
  Arrays out = packed(q_, in, stream());
  return {out, std::vector<int>(out.size(), 0)};
}

std::vector<Shape> Dequantize::output_shapes(const Arrays& inputs) {
  std::optional<array> biases;
  if (q_.affine()) biases = inputs[2];
  check_packed("dequantize", q_, inputs[0], inputs[1], biases);
  return {with_last(inputs[0].shape(), q_.elements(inputs[0].shape(-1)))};
}

namespace {
void check_differentiable(const Quantization& q, const std::vector<int>& argnums) {
  for (int i : argnums) {
    if (i == 0) raise<std::runtime_error>("[dequantize] There is no derivative by packed values.");
    if (i == 1 && !q.affine())
      raise("[dequantize] There is no derivative by the scales of the mode ",
            quantization_mode_to_string(q.mode), ".");
  }
}
}  // namespace

Arrays Dequantize::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  check_differentiable(q_, argnums);
  Arrays in = primals;
  for (size_t i = 1; i < in.size(); i++)
    if (q_.affine() || i == 2) in[i] = zeros_like(in[i], stream());
  for (size_t k = 0; k < argnums.size(); k++) in[argnums[k]] = tangents[k];
  return {dequantized(q_, in, dtype_, stream())};
}
Arrays Dequantize::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                       const Arrays&) {
  check_differentiable(q_, argnums);
  const Stream& s = stream();
  Dtype wide = dtype_ == float64 || primals[1].dtype() == float64 ? float64 : float32;
  array ct = astype(cotangents[0], wide, s);
  Arrays result;
  for (int i : argnums) {
    const array& p = primals[i];
    if (!q_.affine()) {  // the global scale, in which the value is linear
      array unit = dequantized(q_, {primals[0], primals[1], ones_like(p, s)}, wide, s);
      result.push_back(astype(reshape(sum(multiply(ct, unit, s), false, s), p.shape(), s), p.dtype(), s));
    } else {
      array weighted = i == 2 ? ct : multiply(ct, codes_of(q_, primals[0], p, wide, s), s);
      result.push_back(astype(group_sums(q_, weighted, s), p.dtype(), s));
    }
  }
  return result;
}
std::pair<Arrays, std::vector<int>> Dequantize::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  bool global = !q_.affine() && inputs.size() > 2;
  if (global && axes[2] >= 0) throw NoRule("[vmap] No rule for a batch of global scales.");
  ShapeElem size = batch_size(inputs, axes);
  Arrays in;
  for (size_t i = 0; i < inputs.size(); i++)
    in.push_back(global && i == 2 ? inputs[i] : batch_to_front(inputs[i], axes[i], size, stream()));
  return {{dequantized(q_, in, dtype_, stream())}, {0}};
}

}  // namespace mlx::core
