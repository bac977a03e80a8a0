// What the functions on quantized arrays check alike.
#pragma once

#include <optional>

#include "mlx/ops/quantize_primitives.h"
#include "mlx/stream.h"

namespace mlx::core {

// Mode, group size and bits with the mode's defaults.
Quantization checked_quantization(const char* op, std::optional<int> group_size, std::optional<int> bits,
                                  const std::string& mode);

// A packed matrix with its scales and biases: dtypes, which of them there are, shapes.
void check_packed(const char* op, const Quantization& q, const array& w, const array& scales,
                  const std::optional<array>& biases);

// A float32 scale of one element (count 1) or one per matrix, and a mode that takes one.
void check_global_scale(const char* op, const Quantization& q, const std::optional<array>& global_scale,
                        ShapeElem count = 1);

// The integers that affine codes are, as an array of that dtype and of the unpacked shape.
array codes_of(const Quantization& q, const array& w, const array& scales, Dtype dtype, const Stream& s);

// Dequantize's node: inputs as the primitive takes them.
array dequantized(const Quantization& q, const std::vector<array>& inputs, Dtype dtype, const Stream& s);

// Sums over the groups of the last axis.
array group_sums(const Quantization& q, const array& x, const Stream& s);

}  // namespace mlx::core
