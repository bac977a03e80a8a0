// Convolutions.

#include <tuple>

#include "define.h"

namespace mlx::python {

namespace {

std::vector<int> list_argument(Args& x, int i, int fallback) {
  return x[i] ? x.ints(i) : std::vector<int>{fallback};
}

// An int for both axes, or two ints.
std::pair<int, int> pair_argument(Args& x, int i, int fallback) {
  std::vector<int> list = list_argument(x, i, fallback);
  if (list.size() == 1) return {list[0], list[0]};
  if (list.size() != 2) raise(x.describe(i), " must be an int or two ints, not ", list.size(), ".");
  return {list[0], list[1]};
}

// An int, one per axis, or a pair (low, high) of lists.
std::pair<std::vector<int>, std::vector<int>> padding_argument(Args& x, int i) {
  PyObject* o = x[i];
  bool is_pair = o && (PyTuple_Check(o) || PyList_Check(o)) && PySequence_Fast_GET_SIZE(o) == 2;
  PyObject* low = is_pair ? PySequence_Fast_GET_ITEM(o, 0) : nullptr;
  if (!low || !(PyTuple_Check(low) || PyList_Check(low))) {
    std::vector<int> both = list_argument(x, i, 0);
    return {both, both};
  }
  return {x.ints_of(low, i), x.ints_of(PySequence_Fast_GET_ITEM(o, 1), i)};
}

// An int for the three axes, or three ints.
std::tuple<int, int, int> triple_argument(Args& x, int i, int fallback) {
  std::vector<int> list = list_argument(x, i, fallback);
  if (list.size() == 1) return {list[0], list[0], list[0]};
  if (list.size() != 3) raise(x.describe(i), " must be an int or three ints, not ", list.size(), ".");
  return {list[0], list[1], list[2]};
}

void bind_convolutions(Functions& m) {
  m.def(
      "conv1d(input: array, weight: array, /, stride: int = 1, padding: int = 0, dilation: int = 1, groups: "
      "int = 1, *, stream: StreamOrDevice = None) -> array",
      "Cross-correlation over one axis.\n\ninput: (batch, length, channels). weight: (outputs, length, "
      "channels / groups).",
      [](Args& x) {
        return mx::conv1d(x.array(0), x.array(1), x.small_int(2, 1), x.small_int(3, 0), x.small_int(4, 1),
                          x.small_int(5, 1), x.stream());
      });
  m.def(
      "conv2d(input: array, weight: array, /, stride: int | tuple[int, int] = 1, padding: int | tuple[int, "
      "int] = 0, dilation: int | tuple[int, int] = 1, groups: int = 1, *, stream: StreamOrDevice = None) -> "
      "array",
      "Cross-correlation over two axes.\n\ninput: (batch, height, width, channels). weight: (outputs, "
      "height, width, channels / groups).",
      [](Args& x) {
        return mx::conv2d(x.array(0), x.array(1), pair_argument(x, 2, 1), pair_argument(x, 3, 0),
                          pair_argument(x, 4, 1), x.small_int(5, 1), x.stream());
      });
  m.def(
      "conv3d(input: array, weight: array, /, stride: int | tuple[int, int, int] = 1, padding: int | "
      "tuple[int, int, int] = 0, dilation: int | tuple[int, int, int] = 1, groups: int = 1, *, stream: "
      "StreamOrDevice = None) -> array",
      "Cross-correlation over three axes.\n\ninput: (batch, depth, height, width, channels). weight: "
      "(outputs, depth, height, width, channels / groups).",
      [](Args& x) {
        return mx::conv3d(x.array(0), x.array(1), triple_argument(x, 2, 1), triple_argument(x, 3, 0),
                          triple_argument(x, 4, 1), x.small_int(5, 1), x.stream());
      });
  m.def(
      "conv_general(input: array, weight: array, /, stride: int | Sequence[int] = 1, padding: int | "
      "Sequence[int] | tuple[Sequence[int], Sequence[int]] = 0, kernel_dilation: int | Sequence[int] = 1, "
      "input_dilation: int | Sequence[int] = 1, groups: int = 1, flip: bool = False, *, stream: "
      "StreamOrDevice = None) -> array",
      "Cross-correlation over one to three axes; flip makes it a convolution.\n\npadding: an int, one per "
      "axis, or a pair of lists (before, after).",
      [](Args& x) {
        auto [low, high] = padding_argument(x, 3);
        return mx::conv_general(x.array(0), x.array(1), list_argument(x, 2, 1), low, high,
                                list_argument(x, 4, 1), list_argument(x, 5, 1), x.small_int(6, 1),
                                x.boolean(7, false), x.stream());
      });
}

void bind_transposed(Functions& m) {
  m.def(
      "conv_transpose1d(input: array, weight: array, /, stride: int = 1, padding: int = 0, dilation: int = 1, "
      "output_padding: int = 0, groups: int = 1, *, stream: StreamOrDevice = None) -> array",
      "Transposed convolution over one axis.\n\ninput: (batch, length, channels). weight: (outputs, length, "
      "channels / groups). output_padding: added to the length of the result.",
      [](Args& x) {
        return mx::conv_transpose1d(x.array(0), x.array(1), x.small_int(2, 1), x.small_int(3, 0), x.small_int(4, 1),
                                    x.small_int(5, 0), x.small_int(6, 1), x.stream());
      });
  m.def(
      "conv_transpose2d(input: array, weight: array, /, stride: int | tuple[int, int] = 1, padding: int | tuple[int, "
      "int] = 0, dilation: int | tuple[int, int] = 1, output_padding: int | tuple[int, int] = 0, groups: int = 1, *, "
      "stream: StreamOrDevice = None) -> array",
      "Transposed convolution over two axes.\n\ninput: (batch, height, width, channels). weight: (outputs, height, "
      "width, channels / groups). output_padding: added to the sizes of the result.",
      [](Args& x) {
        return mx::conv_transpose2d(x.array(0), x.array(1), pair_argument(x, 2, 1), pair_argument(x, 3, 0),
                                    pair_argument(x, 4, 1), pair_argument(x, 5, 0), x.small_int(6, 1), x.stream());
      });
  m.def(
      "conv_transpose3d(input: array, weight: array, /, stride: int | tuple[int, int, int] = 1, padding: int | "
      "tuple[int, int, int] = 0, dilation: int | tuple[int, int, int] = 1, output_padding: int | tuple[int, int, int] "
      "= 0, groups: int = 1, *, stream: StreamOrDevice = None) -> array",
      "Transposed convolution over three axes.\n\ninput: (batch, depth, height, width, channels). weight: (outputs, "
      "depth, height, width, channels / groups). output_padding: added to the sizes of the result.",
      [](Args& x) {
        return mx::conv_transpose3d(x.array(0), x.array(1), triple_argument(x, 2, 1), triple_argument(x, 3, 0),
                                    triple_argument(x, 4, 1), triple_argument(x, 5, 0), x.small_int(6, 1),
                                    x.stream());
      });
  m.def("convolve(a: array, v: array, /, mode: str = 'full', *, stream: StreamOrDevice = None) -> array",
        "Convolution of two vectors. mode: 'full', 'same' (the length of the longer one) or 'valid' (where they "
        "overlap wholly). Integers become float32.",
        [](Args& x) { return mx::convolve(x.array(0), x.array(1), x.text(2, "full"), x.stream()); });
}

}  // namespace

void bind_convolution_ops(nb::module_& module) {
  Functions m(module);
  bind_convolutions(m);
  bind_transposed(m);
}

}  // namespace mlx::python
