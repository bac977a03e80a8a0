// Quantized arrays: packing, unpacking and products; see mlx/ops.h.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

enum class QuantizationMode { Affine, Mxfp4, Mxfp8, Nvfp4 };
std::string quantization_mode_to_string(QuantizationMode mode);
QuantizationMode string_to_quantization_mode(const std::string& mode, std::string_view error_tag = "");

// What a global scale of nvfp4 is relative to: 6 * 448.
inline constexpr double kGlobalRange = 2688;

struct Quantization {
  int group_size, bits;
  QuantizationMode mode;
  bool operator==(const Quantization&) const = default;
  auto fields() { return std::tie(group_size, bits, mode); }
  bool affine() const { return mode == QuantizationMode::Affine; }
  // Elements along the last axis and the uint32 words that hold them.
  ShapeElem words(ShapeElem elements) const { return elements * bits / 32; }
  ShapeElem elements(ShapeElem words) const { return words * 32 / bits; }
};

// Input: w, and for nvfp4 perhaps a float32 scale of one element. Outputs: packed words, scales and, for
// affine, biases.
class Quantize : public Operation {
 public:
  Quantize(Stream s, Quantization q) : Operation(s), q_(q) {}
  MLX_OPERATION(Quantize, q_)
  const Quantization& quantization() const { return q_; }

 private:
  Quantization q_;
};

// Inputs: words, scales, biases for affine, or perhaps a float32 scale for nvfp4. Affine scales have the
// result's dtype.
class Dequantize : public Operation {
 public:
  Dequantize(Stream s, Quantization q, Dtype dtype) : Operation(s), q_(q), dtype_(dtype) {}
  MLX_OPERATION(Dequantize, q_, dtype_)
  const Quantization& quantization() const { return q_; }

 private:
  Quantization q_;
  Dtype dtype_;
};

// x as quantization leaves it, in float32: dequantize(quantize(x)). Derivatives pass straight through.
class RoundToQuantized : public Operation {
 public:
  RoundToQuantized(Stream s, Quantization q) : Operation(s), q_(q) {}
  MLX_OPERATION(RoundToQuantized, q_)
  const Quantization& quantization() const { return q_; }

 private:
  Quantization q_;
};

// Inputs: x (..., m, k), words, scales and, for affine, biases; the leading axes broadcast. x and affine
// scales have the result's dtype.
class QuantizedMatmul : public Operation {
 public:
  QuantizedMatmul(Stream s, Quantization q, bool transpose) : Operation(s), q_(q), transpose_(transpose) {}
  MLX_OPERATION(QuantizedMatmul, q_, transpose_)
  const Quantization& quantization() const { return q_; }
  bool transpose() const { return transpose_; }

 private:
  Quantization q_;
  bool transpose_;
};

// Inputs: x, words, scales, biases for affine or perhaps one float32 scale per matrix for nvfp4, then the
// indices of the matrices of x and of w, which have the same shape.
class GatherQMM : public Operation {
 public:
  GatherQMM(Stream s, Quantization q, bool transpose) : Operation(s), q_(q), transpose_(transpose) {}
  MLX_OPERATION(GatherQMM, q_, transpose_)
  const Quantization& quantization() const { return q_; }
  bool transpose() const { return transpose_; }

 private:
  Quantization q_;
  bool transpose_;
};

// Floats to the codes of e4m3 and back.
class ConvertFP8 : public Operation {
 public:
  ConvertFP8(Stream s, Dtype dtype) : Operation(s), dtype_(dtype) {}
  MLX_OPERATION(ConvertFP8, dtype_)

 private:
  Dtype dtype_;  // of the result: uint8 encodes
};

}  // namespace mlx::core
