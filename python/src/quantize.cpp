// Quantized arrays, their products, and 8-bit floats.

#include "define.h"

namespace mlx::python {

namespace {

void bind_packing(Functions& m) {
  m.def(
      "quantize(w: array, /, group_size: int | None = None, bits: int | None = None, mode: str = 'affine', "
      "global_scale: array | None = None, *, stream: StreamOrDevice = None) -> list[array]",
      "The packed codes of w, its scales and, for affine, its biases.\n\nGroups of values along the last "
      "axis share a "
      "scale. Modes (group size, bits): affine (32, 64 or 128; 1 to 6 or 8; by default 64, 4), mxfp4 (32, "
      "4), mxfp8 "
      "(32, 8), nvfp4 (16, 4).\nw: real floating-point, at least two dimensions, the last divisible by the "
      "group "
      "size.\nglobal_scale: one float32, for nvfp4 only.\nReturns uint32 of shape (..., n * bits / 32) and "
      "scales and "
      "biases of shape (..., n / group_size), uint8 for modes other than affine.",
      [](Args& x) {
        return mx::quantize(x.array(0), x.optional_int(1), x.optional_int(2), x.text(3, "affine"),
                            x.optional_array(4), x.stream());
      });
  m.def(
      "dequantize(w: array, /, scales: array, biases: array | None = None, group_size: int | None = None, "
      "bits: int | "
      "None = None, mode: str = 'affine', global_scale: array | None = None, dtype: Dtype | None = None, *, "
      "stream: "
      "StreamOrDevice = None) -> array",
      "The values of a quantized array: scale * code + bias.\n\ndtype: by default that of scales and biases "
      "for affine, "
      "bfloat16 for the other modes, float32 with a global scale.",
      [](Args& x) {
        return mx::dequantize(x.array(0), x.array(1), x.optional_array(2), x.optional_int(3),
                              x.optional_int(4), x.text(5, "affine"), x.optional_array(6),
                              x.optional_dtype(7), x.stream());
      });
  m.def("to_fp8(x: array, /, *, stream: StreamOrDevice = None) -> array",
        "The uint8 codes of 8-bit floats, e4m3 without infinity: nearest even, saturating at 448; NaN "
        "becomes 448.",
        [](Args& x) { return mx::to_fp8(x.array(0), x.stream()); });
  m.def("from_fp8(x: array, /, dtype: Dtype = bfloat16, *, stream: StreamOrDevice = None) -> array",
        "The values of 8-bit floats given as uint8 codes of e4m3.",
        [](Args& x) { return mx::from_fp8(x.array(0), x.dtype(1, mx::bfloat16), x.stream()); });
}

void bind_quantized_products(Functions& m) {
  m.def(
      "quantized_matmul(x: array, w: array, /, scales: array, biases: array | None = None, transpose: bool = "
      "True, "
      "group_size: int | None = None, bits: int | None = None, mode: str = 'affine', *, stream: "
      "StreamOrDevice = None) "
      "-> array",
      "x @ dequantize(w).T, or x @ dequantize(w) where transpose is False.\n\nLeading axes broadcast; a "
      "vector x counts "
      "as a row. Differentiable by x and by affine scales and biases.",
      [](Args& x) {
        return mx::quantized_matmul(x.array(0), x.array(1), x.array(2), x.optional_array(3),
                                    x.boolean(4, true), x.optional_int(5), x.optional_int(6),
                                    x.text(7, "affine"), x.stream());
      });
  m.def(
      "gather_qmm(x: array, w: array, /, scales: array, biases: array | None = None, lhs_indices: array | "
      "None = None, "
      "rhs_indices: array | None = None, transpose: bool = True, group_size: int | None = None, bits: int | "
      "None = None, "
      "mode: str = 'affine', global_scale: array | None = None, *, sorted_indices: bool = False, stream: "
      "StreamOrDevice "
      "= None) -> array",
      "quantized_matmul of the matrices that the indices name.\n\nThe indices count over the flattened "
      "leading axes of x "
      "and of w and broadcast; the result has their shape and that of one product. By default they name all "
      "matrices. An "
      "index out of range raises when the result is evaluated.\nglobal_scale: float32, one per matrix of w, "
      "nvfp4 only.",
      [](Args& x) {
        return mx::gather_qmm(x.array(0), x.array(1), x.array(2), x.optional_array(3), x.optional_array(4),
                              x.optional_array(5), x.boolean(6, true), x.optional_int(7), x.optional_int(8),
                              x.text(9, "affine"), x.boolean(11, false), x.stream(), x.optional_array(10));
      });
}

void bind_products_of_quantized(Functions& m) {
  m.def(
      "qqmm(x: array, w: array, /, scales: array | None = None, group_size: int | None = None, bits: int | "
      "None = None, "
      "mode: str = 'nvfp4', global_scale_x: array | None = None, global_scale_w: array | None = None, *, "
      "stream: "
      "StreamOrDevice = None) -> array",
      "The product of x and w.T, x quantized in the mode of w.\n\nw: two dimensions, packed with scales, or "
      "floating-point and then quantized too. Derivatives pass straight through the rounding of x and of an "
      "unpacked w.",
      [](Args& x) {
        return mx::qqmm(x.array(0), x.array(1), x.optional_array(2), x.optional_int(3), x.optional_int(4),
                        x.text(5, "nvfp4"), x.optional_array(6), x.optional_array(7), x.stream());
      });
  m.def(
      "gather_qqmm(x: array, w: array, /, scales: array | None = None, lhs_indices: array | None = None, "
      "rhs_indices: "
      "array | None = None, group_size: int | None = None, bits: int | None = None, mode: str = 'nvfp4', "
      "global_scale_x: "
      "array | None = None, global_scale_w: array | None = None, *, sorted_indices: bool = False, stream: "
      "StreamOrDevice "
      "= None) -> array",
      "qqmm of the matrices that the indices name; see gather_qmm.", [](Args& x) {
        return mx::gather_qqmm(x.array(0), x.array(1), x.optional_array(2), x.optional_array(3),
                               x.optional_array(4), x.optional_int(5), x.optional_int(6), x.text(7, "nvfp4"),
                               x.optional_array(8), x.optional_array(9), x.boolean(10, false), x.stream());
      });
}

void bind_selected_products(Functions& m) {
  m.def(
      "gather_mm(a: array, b: array, /, lhs_indices: array | None = None, rhs_indices: array | None = None, "
      "*, "
      "sorted_indices: bool = False, stream: StreamOrDevice = None) -> array",
      "matmul of the matrices that the indices name.\n\nThe indices count over the flattened leading axes of "
      "a and of b, "
      "negative ones from the end, and broadcast; the result has their shape and that of one product. By "
      "default they "
      "name all matrices. An index out of range raises when the result is evaluated.",
      [](Args& x) {
        return mx::gather_mm(x.array(0), x.array(1), x.optional_array(2), x.optional_array(3),
                             x.boolean(4, false), x.stream());
      });
  m.def(
      "block_masked_mm(a: array, b: array, /, block_size: int = 64, mask_out: array | None = None, mask_lhs: "
      "array | None "
      "= None, mask_rhs: array | None = None, *, stream: StreamOrDevice = None) -> array",
      "matmul with blocks of block_size rows and columns masked: a bool mask keeps or zeroes, another is a "
      "factor.\n\nThe "
      "masks have one entry per block of the result, of a and of b; their leading axes broadcast. "
      "block_size: 32 or 64.",
      [](Args& x) {
        return mx::block_masked_mm(x.array(0), x.array(1), x.small_int(2, 64), x.optional_array(3),
                                   x.optional_array(4), x.optional_array(5), x.stream());
      });
  m.def("segmented_mm(a: array, b: array, /, segments: array, *, stream: StreamOrDevice = None) -> array",
        "a[:, start:end] @ b[start:end] for each of the segments (..., 2).\n\nA segment without elements "
        "gives zeros; one "
        "that leaves the operands raises when the result is evaluated.",
        [](Args& x) { return mx::segmented_mm(x.array(0), x.array(1), x.array(2), x.stream()); });
}

}  // namespace

void bind_quantize(nb::module_& module) {
  Functions m(module);
  bind_packing(m);
  bind_quantized_products(m);
  bind_products_of_quantized(m);
  bind_selected_products(m);
}

}  // namespace mlx::python
