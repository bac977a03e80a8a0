// conv_general and the functions that are special cases of it, transposed convolutions included. The
// derivatives are convolutions too.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/convolution_primitive.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

// One value stands for all dimensions.
std::vector<int> per_dimension(std::vector<int> values, size_t dims, int fallback,
                               const char* what) {
  if (values.empty()) values.assign(1, fallback);
  if (values.size() == 1) values.assign(dims, values[0]);
  if (values.size() != dims) {
    raise("[conv] Got ", values.size(), " values of ", what, " for ", dims, " spatial dimensions.");
  }
  return values;
}

void check_positive(const std::vector<int>& values, const char* what) {
  for (int v : values) {
    if (v < 1) raise("[conv] The ", what, " must be positive, but got ", values, ".");
  }
}

void check_operands(const array& input, const array& weight, int groups) {
  size_t ndim = input.ndim();
  if (ndim < 3 || ndim > 5) {
    raise(
        "[conv] The input must have 1 to 3 spatial dimensions between batch and channels, but has "
        "shape ",
        input.shape(), ".");
  }
  if (weight.ndim() != ndim) {
    raise("[conv] Input and weight must have the same number of dimensions, but have shapes ",
          input.shape(), " and ", weight.shape(), ".");
  }
  if (groups < 1) raise("[conv] The number of groups must be positive, but got ", groups, ".");
}

void check_channels(const Shape& input, const Shape& weight, int groups) {
  ShapeElem channels = input.back(), outputs = weight[0];
  if (channels % groups || outputs % groups) {
    raise("[conv] The input channels ", channels, " and output channels ", outputs,
          " must be divisible by the ", groups, " groups.");
  }
  if (weight.back() != channels / groups) {
    raise("[conv] The last dimension of the weight with shape ", weight, " must be the ",
          channels, " input channels divided by the ", groups, " groups.");
  }
}

// Paddings are kept as int.
int padding_of(ShapeElem n) {
  if (n != static_cast<int>(n)) raise<std::overflow_error>("[conv] A padding of ", n, " does not fit in 32 bits.");
  return static_cast<int>(n);
}

std::vector<int> list(const std::pair<int, int>& t) { return {t.first, t.second}; }
std::vector<int> list(const std::tuple<int, int, int>& t) { return {std::get<0>(t), std::get<1>(t), std::get<2>(t)}; }

// The first and the last axis trade places.
array swap_ends(const array& x, const Stream& s) { return swapaxes(x, 0, -1, s); }

}  // namespace

Shape Convolution::output_shape(const Shape& input, const Shape& weight,
                                const ConvolutionGeometry& g) {
  check_channels(input, weight, g.groups);
  Shape out{input[0]};
  for (size_t i = 0; i < g.stride.size(); i++) {
    ShapeElem padded =
        g.input_dilation[i] * (input[i + 1] - 1) + 1 + g.padding_lo[i] + g.padding_hi[i];
    ShapeElem extent = g.kernel_dilation[i] * (weight[i + 1] - 1) + 1;
    if (padded < extent) {
      raise(
          "[conv] Spatial dimensions of input after padding cannot be smaller than those of the "
          "kernel: ",
          padded, " is less than ", extent, ".");
    }
    out.push_back((padded - extent) / g.stride[i] + 1);
  }
  out.push_back(weight[0]);
  return out;
}

array conv_general(array input, array weight, std::vector<int> stride, std::vector<int> padding_lo,
                   std::vector<int> padding_hi, std::vector<int> kernel_dilation,
                   std::vector<int> input_dilation, int groups, bool flip, StreamOrDevice s) {
  check_operands(input, weight, groups);
  Dtype t = result_type(input, weight);
  if (!issubdtype(t, floating))
    raise("[conv] The inputs must be real floating-point arrays, but promote to ", t, ".");
  size_t dims = input.ndim() - 2;
  if (padding_hi.empty()) padding_hi = padding_lo;
  ConvolutionGeometry g{per_dimension(std::move(stride), dims, 1, "stride"),
                        per_dimension(std::move(padding_lo), dims, 0, "padding"),
                        per_dimension(std::move(padding_hi), dims, 0, "padding"),
                        per_dimension(std::move(kernel_dilation), dims, 1, "kernel dilation"),
                        per_dimension(std::move(input_dilation), dims, 1, "input dilation"),
                        groups,
                        flip};
  check_positive(g.stride, "stride");
  check_positive(g.kernel_dilation, "kernel dilation");
  check_positive(g.input_dilation, "input dilation");
  Stream stream = to_stream(s);
  Shape shape = Convolution::output_shape(input.shape(), weight.shape(), g);
  return array(std::move(shape), t, std::make_shared<Convolution>(stream, std::move(g)),
               {astype(input, t, stream), astype(weight, t, stream)});
}

array conv1d(const array& input, const array& weight, int stride, int padding, int dilation,
             int groups, StreamOrDevice s) {
  return conv_general(input, weight, {stride}, {padding}, {padding}, {dilation}, {1}, groups, false,
                      s);
}

array conv2d(const array& input, const array& weight, const std::pair<int, int>& stride,
             const std::pair<int, int>& padding, const std::pair<int, int>& dilation, int groups,
             StreamOrDevice s) {
  return conv_general(input, weight, list(stride), list(padding), list(padding), list(dilation), {1, 1}, groups,
                      false, s);
}

array conv3d(const array& input, const array& weight, const std::tuple<int, int, int>& stride,
             const std::tuple<int, int, int>& padding, const std::tuple<int, int, int>& dilation,
             int groups, StreamOrDevice s) {
  return conv_general(input, weight, list(stride), list(padding), list(padding), list(dilation),
                      {1, 1, 1}, groups, false, s);
}

namespace {

// The input, spread out by the stride, meets the flipped kernel.
array conv_transpose(const array& input, const array& weight, const std::vector<int>& stride,
                     const std::vector<int>& padding, const std::vector<int>& dilation,
                     const std::vector<int>& output_padding, int groups, StreamOrDevice s) {
  size_t dims = stride.size();
  if (input.ndim() != dims + 2 || weight.ndim() != dims + 2) {
    raise("[conv_transpose", dims, "d] Input and weight must have ", dims + 2, " dimensions, but have shapes ",
          input.shape(), " and ", weight.shape(), ".");
  }
  note_size_read();
  std::vector<int> low, high;
  for (size_t i = 0; i < dims; i++) {
    if (output_padding[i] < 0) {
      raise("[conv_transpose", dims, "d] The output padding cannot be negative, but is ", output_padding, ".");
    }
    ShapeElem reach = dilation[i] * (weight.shape(static_cast<int>(i) + 1) - 1) - padding[i];
    low.push_back(padding_of(reach));
    high.push_back(padding_of(reach + output_padding[i]));
  }
  return conv_general(input, weight, std::vector<int>(dims, 1), low, high, dilation, stride, groups, true, s);
}

}  // namespace

array conv_transpose1d(const array& input, const array& weight, int stride, int padding, int dilation,
                       int output_padding, int groups, StreamOrDevice s) {
  return conv_transpose(input, weight, {stride}, {padding}, {dilation}, {output_padding}, groups, s);
}

array conv_transpose2d(const array& input, const array& weight, const std::pair<int, int>& stride,
                       const std::pair<int, int>& padding, const std::pair<int, int>& dilation,
                       const std::pair<int, int>& output_padding, int groups, StreamOrDevice s) {
  return conv_transpose(input, weight, list(stride), list(padding), list(dilation), list(output_padding), groups, s);
}

array conv_transpose3d(const array& input, const array& weight, const std::tuple<int, int, int>& stride,
                       const std::tuple<int, int, int>& padding, const std::tuple<int, int, int>& dilation,
                       const std::tuple<int, int, int>& output_padding, int groups, StreamOrDevice s) {
  return conv_transpose(input, weight, list(stride), list(padding), list(dilation), list(output_padding), groups, s);
}

array Convolution::apply(const array& input, const array& weight,
                         const ConvolutionGeometry& g) const {
  return array(output_shape(input.shape(), weight.shape(), g), input.dtype(),
               std::make_shared<Convolution>(stream(), g), {input, weight});
}

// The cotangent, spread out by the stride, meets the kernel from the other side, with its channels
// exchanged.
array Convolution::input_cotangent(const array& input, const array& weight, const array& ct) const {
  const ConvolutionGeometry& f = geometry_;
  int dims = static_cast<int>(f.stride.size());
  ConvolutionGeometry g{f.input_dilation, {}, {}, f.kernel_dilation, f.stride, f.groups, !f.flip};
  for (int i = 0; i < dims; i++) {
    ShapeElem in = input.shape(i + 1), out = ct.shape(i + 1), kernel = weight.shape(i + 1);
    g.padding_lo.push_back(padding_of(f.kernel_dilation[i] * (kernel - 1) - f.padding_lo[i]));
    g.padding_hi.push_back(
        padding_of(f.input_dilation[i] * (in - 1) + f.padding_lo[i] - f.stride[i] * (out - 1)));
  }
  array w = weight;
  if (f.groups == 1) {
    w = swap_ends(w, stream());
  } else {  // (groups, out, spatial, in) -> (groups, in, spatial, out)
    w = swapaxes(unflatten(w, 0, {f.groups, -1}, stream()), 1, -1, stream());
    w = flatten(w, 0, 1, stream());
  }
  return apply(ct, w, g);
}

// Sums over batch and positions: batch and channels exchange their roles, the cotangent is the
// kernel.
array Convolution::weight_cotangent(const array& input, const array& weight,
                                    const array& ct) const {
  const ConvolutionGeometry& f = geometry_;
  int dims = static_cast<int>(f.stride.size());
  ConvolutionGeometry g{f.kernel_dilation, f.padding_lo, {},   f.stride,
                        f.input_dilation,  f.groups,     false};
  for (int i = 0; i < dims; i++) {
    ShapeElem in = input.shape(i + 1), out = ct.shape(i + 1), kernel = weight.shape(i + 1);
    g.padding_hi.push_back(padding_of(f.kernel_dilation[i] * (kernel - 1) + f.stride[i] * (out - 1) -
                                      f.input_dilation[i] * (in - 1) - f.padding_lo[i]));
  }
  array x = input;
  if (f.groups == 1) {
    x = swap_ends(x, stream());
  } else {  // (batch, spatial, groups, in) -> (in, spatial, groups, batch)
    x = swap_ends(unflatten(x, -1, {f.groups, -1}, stream()), stream());
    x = flatten(x, -2, -1, stream());
  }
  array w = swap_ends(apply(x, swap_ends(ct, stream()), g), stream());
  std::vector<int> spatial = shifted(all_axes(dims));
  return f.flip ? flip(w, spatial, stream()) : w;
}

std::vector<Shape> Convolution::output_shapes(const Arrays& inputs) {
  return {output_shape(inputs[0].shape(), inputs[1].shape(), geometry_)};
}
Arrays Convolution::jvp(const Arrays& primals, const Arrays& tangents,
                        const std::vector<int>& argnums) {
  Arrays terms;
  for (size_t k = 0; k < argnums.size(); k++) {
    terms.push_back(argnums[k] == 0 ? apply(tangents[k], primals[1], geometry_)
                                    : apply(primals[0], tangents[k], geometry_));
  }
  return {terms.size() == 1 ? terms[0] : add(terms[0], terms[1], stream())};
}
Arrays Convolution::vjp(const Arrays& primals, const Arrays& cotangents,
                        const std::vector<int>& argnums, const Arrays&) {
  Arrays result;
  for (int i : argnums) {
    result.push_back(i == 0 ? input_cotangent(primals[0], primals[1], cotangents[0])
                            : weight_cotangent(primals[0], primals[1], cotangents[0]));
  }
  return result;
}

std::pair<Arrays, std::vector<int>> Convolution::vmap(const Arrays& inputs,
                                                      const std::vector<int>& axes) {
  const Stream& s = stream();
  const array &x = inputs[0], &w = inputs[1];
  ShapeElem size = batch_size(inputs, axes);
  if (axes[1] < 0) {  // one more batch axis
    array merged = flatten(moveaxis(x, axes[0], 0, s), 0, 1, s);
    ShapeElem rows = axes[0] == 0 ? x.shape(1) : x.shape(0);
    return {{unflatten(apply(merged, w, geometry_), 0, {size, rows}, s)}, {0}};
  }
  if (geometry_.groups > 1 || size == 0)
    throw NoRule("[vmap] No rule for batched weights of a grouped convolution, or for none.");
  array weights = flatten(moveaxis(w, axes[1], 0, s), 0, 1, s);
  ConvolutionGeometry g = geometry_;
  array input = x;
  if (axes[0] >= 0) {  // each batch element is a group of channels
    g.groups = static_cast<int>(size);
    input = flatten(moveaxis(x, axes[0], -2, s), -2, -1, s);
  }
  array out = unflatten(apply(input, weights, g), -1, {size, -1}, s);
  return {{out}, {static_cast<int>(out.ndim()) - 2}};
}

}  // namespace mlx::core
