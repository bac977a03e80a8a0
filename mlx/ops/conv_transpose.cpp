// Transposed convolutions: the input, spread out by the stride, meets the flipped kernel.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"

namespace mlx::core {

namespace {

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
    int kernel = static_cast<int>(weight.shape(static_cast<int>(i) + 1));
    low.push_back(dilation[i] * (kernel - 1) - padding[i]);
    high.push_back(low[i] + output_padding[i]);
  }
  return conv_general(input, weight, std::vector<int>(dims, 1), low, high, dilation, stride, groups, true, s);
}

std::vector<int> list(const std::pair<int, int>& t) { return {t.first, t.second}; }
std::vector<int> list(const std::tuple<int, int, int>& t) { return {std::get<0>(t), std::get<1>(t), std::get<2>(t)}; }

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

}  // namespace mlx::core
