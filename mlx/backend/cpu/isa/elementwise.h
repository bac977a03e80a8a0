// Kernels of the rows of elementwise.def: each reads whole registers, applies the row's value, writes. A rest
// shorter than a register goes through padded buffers and the same loop, so that a value's result cannot
// depend on its position.
#pragma once

#include "mlx/backend/cpu/isa/kernels.h"
#include "mlx/backend/cpu/isa/math.h"
#include "mlx/backend/cpu/isa/registers.h"

namespace mlx::core::cpu::MLX_ISA {

#define MLX_ROW(Class, operands, set, rule, ...)            \
  struct Class##Row {                                       \
    static constexpr int kArity = operands;                 \
    static constexpr Accepts kAccepts = Accepts::set;       \
    static constexpr Result kResult = Result::rule;         \
    __VA_ARGS__                                             \
  };
#define MLX_UNARY_VALUE(expression) \
  template <typename V>             \
  static MLX_INLINE auto value(V x) { return expression; }
#define MLX_BINARY_VALUE(expression) \
  template <typename V>              \
  static MLX_INLINE auto value(V a, V b) { return expression; }
#define MLX_TERNARY_VALUE(expression)   \
  template <typename M, typename V>     \
  static MLX_INLINE auto value(M c, V a, V b) { return expression; }
#define MLX_VALUE_1 MLX_UNARY_VALUE
#define MLX_VALUE_2 MLX_BINARY_VALUE

#define UNARY(Class, function, accepts, result, domain, expression, tangent, summary) \
  MLX_ROW(Class, 1, accepts, result, MLX_UNARY_VALUE(expression))
#define BINARY(Class, function, accepts, result, domain, expression, tangent_a, tangent_b, summary) \
  MLX_ROW(Class, 2, accepts, result, MLX_BINARY_VALUE(expression))
#define TERNARY(Class, function, accepts, result, domain, expression, tangent_b, tangent_c, summary) \
  MLX_ROW(Class, 3, accepts, result, MLX_TERNARY_VALUE(expression))
#define KERNEL(Class, arity, accepts, result, domain, expression, summary) \
  MLX_ROW(Class, arity, accepts, result, MLX_VALUE_##arity(expression))
#include "mlx/ops/elementwise.def"
#undef MLX_ROW

template <typename Row, int dtype>
struct Kernel {
  using Type = Dtype<dtype>;
  using Element = typename Type::Element;
  using Register = typename Type::Register;
  static constexpr int kLanes = Type::kLanes;
  // Bytes per element of input k and of the output.
  static constexpr int input_size(int k) { return Row::kArity == 3 && k == 0 ? 1 : int(sizeof(Element)); }
  static constexpr int kOutputSize = Row::kResult == Result::Bool ? 1
                                     : Row::kResult == Result::RealPart && dtype == kComplex64
                                         ? 4
                                         : int(sizeof(Element));

  template <typename V>
  static MLX_INLINE void put(void* output, int64_t i, V value) {
    if constexpr (Row::kResult == Result::Bool) store_bool(static_cast<uint8_t*>(output) + i, value);
    else if constexpr (kOutputSize == sizeof(Element)) Type::store(static_cast<Element*>(output) + i, value);
    else Type::store(static_cast<float*>(output) + i, value);
  }

  static MLX_INLINE Register get(const void* input, int64_t i) {
    return Type::load(static_cast<const Element*>(input) + i);
  }

  // n is a multiple of the lanes.
  [[gnu::noinline]] static void loop(const void* const* inputs, void* output, int64_t n) {
    const void* first = inputs[0];
    if constexpr (Row::kArity == 1) {
      for (int64_t i = 0; i < n; i += kLanes) put(output, i, Row::value(get(first, i)));
    } else if constexpr (Row::kArity == 2) {
      const void* second = inputs[1];
      for (int64_t i = 0; i < n; i += kLanes) put(output, i, Row::value(get(first, i), get(second, i)));
    } else {
      const void *second = inputs[1], *third = inputs[2];
      for (int64_t i = 0; i < n; i += kLanes) {
        __typeof__(equal(Register{}, Register{})) condition;
        load_bool(static_cast<const uint8_t*>(first) + i, condition);
        put(output, i, Row::value(condition, get(second, i), get(third, i)));
      }
    }
  }

  static void run(const void* const* inputs, void* output, int64_t n) {
    int64_t rest = n % kLanes, whole = n - rest;
    if (whole != 0) loop(inputs, output, whole);
    if (rest == 0) return;
    alignas(kVectorBytes) char padded[Row::kArity + 1][kLanes * 8] = {};
    const void* from[Row::kArity];
    for (int k = 0; k < Row::kArity; k++) {
      __builtin_memcpy(padded[k], static_cast<const char*>(inputs[k]) + whole * input_size(k),
                       rest * input_size(k));
      from[k] = padded[k];
    }
    loop(from, padded[Row::kArity], kLanes);
    char* end = static_cast<char*>(output) + whole * kOutputSize;
    __builtin_memcpy(end, padded[Row::kArity], rest * kOutputSize);
  }
};

// Select moves bits only: one kernel per element size.
template <typename Row, int dtype>
inline constexpr int kernel_dtype = dtype;
template <int dtype>
inline constexpr int kernel_dtype<SelectRow, dtype> =
    sizeof(typename Dtype<dtype>::Element) == 1   ? kUint8
    : sizeof(typename Dtype<dtype>::Element) == 2 ? kUint16
    : sizeof(typename Dtype<dtype>::Element) == 4 ? kUint32
                                                  : kUint64;

template <typename Row, int dtype>
constexpr ElementwiseFn kernel_of_row() {
  if constexpr (accepts_dtype(Row::kAccepts, dtype)) return Kernel<Row, kernel_dtype<Row, dtype>>::run;
  else return nullptr;
}

struct ElementwiseColumn {
  ElementwiseFn kernels[kNumOps];
};

template <int dtype>
constexpr ElementwiseColumn make_column() {
  return {{
#define UNARY(Class, ...) kernel_of_row<Class##Row, dtype>(),
#define BINARY(Class, ...) kernel_of_row<Class##Row, dtype>(),
#define TERNARY(Class, ...) kernel_of_row<Class##Row, dtype>(),
#define KERNEL(Class, ...) kernel_of_row<Class##Row, dtype>(),
#include "mlx/ops/elementwise.def"
  }};
}

}  // namespace mlx::core::cpu::MLX_ISA
