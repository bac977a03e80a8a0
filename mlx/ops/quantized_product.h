// What the products with quantized matrices share.
#pragma once

#include <optional>

#include "mlx/ops/quantize_primitives.h"
#include "mlx/utils.h"

namespace mlx::core {

// Dtype of x times a packed matrix.
Dtype product_dtype(const char* op, const Quantization& q, const array& x, const array& scales,
                    const std::optional<array>& biases);
// Columns of the product; the inner sizes must match.
ShapeElem product_columns(const char* op, const Quantization& q, const array& x, const array& w,
                          bool transpose);
// Cotangent of the unpacked matrix, whose leading axes are given.
array packed_cotangent(const array& x, const array& ct, bool transpose, const Shape& leading,
                       const Stream& s);
// Throws for derivatives by packed values (input 1) and by scales that are no numbers (input 2).
void check_product_argnums(const char* op, const Quantization& q, const std::vector<int>& argnums);

// Operands of a product in which both sides are quantized, as float32 numbers: x, and w unless it came
// packed.
struct QuantizedOperands {
  Quantization q;
  array x, w;
  std::optional<array> packed, scales;
};
QuantizedOperands quantized_operands(const char* op, const array& x, const array& w,
                                     const std::optional<array>& scales, std::optional<int> group_size,
                                     std::optional<int> bits, const std::string& mode,
                                     const std::optional<array>& global_scale_x,
                                     const std::optional<array>& global_scale_w, ShapeElem matrices,
                                     StreamOrDevice s);

}  // namespace mlx::core
