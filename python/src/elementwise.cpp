// Element-wise functions: the rows of mlx/ops/elementwise.def become Python functions here, with the row's
// summary as documentation, and a few of them methods of array.

#include "mlx/ops/elementwise.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "define.h"

namespace mlx::python {

namespace {

using UnaryFunction = mx::array (*)(const mx::array&, mx::StreamOrDevice);
using BinaryFunction = mx::array (*)(const mx::array&, const mx::array&, mx::StreamOrDevice);

constexpr std::string_view method_names[] = {"abs", "square", "sqrt",    "rsqrt", "reciprocal", "exp",
                                             "log", "log2",   "log10",   "sin",   "cos",        "log1p",
                                             "tan", "tanh",   "sigmoid", "conj"};

std::string documentation_of(std::string_view summary, mx::Accepts accepts) {
  std::string text(summary);
  switch (accepts) {
    case mx::Accepts::Float:
      return text + "\n\nIntegers and bool give float32.";
    case mx::Accepts::RealFloat:
      return text + "\n\nIntegers and bool give float32; complex64 is not supported.";
    case mx::Accepts::Real:
      return text + "\n\ncomplex64 is not supported.";
    case mx::Accepts::Int:
      return text + "\n\nInteger and bool dtypes only.";
    case mx::Accepts::Integer:
      return text + "\n\nInteger dtypes only; two bools shift as uint8.";
    default:
      return text;
  }
}

template <UnaryFunction f>
void define_unary(Functions& m, std::string_view name, const std::string& doc) {
  std::string signature = concat(name, "(a: scalar | array, /, *, stream: StreamOrDevice = None) -> array");
  auto call = [](Args& x) { return f(x.operand(0), x.stream()); };
  bool is_method =
      std::find(std::begin(method_names), std::end(method_names), name) != std::end(method_names);
  if (is_method)
    m.def_both(signature.c_str(), doc.c_str(), call);
  else
    m.def(signature.c_str(), doc.c_str(), call);
}

template <BinaryFunction f>
void define_binary(Functions& m, std::string_view name, const std::string& doc) {
  std::string signature =
      concat(name, "(a: scalar | array, b: scalar | array, /, *, stream: StreamOrDevice = None) -> array");
  m.def(signature.c_str(), doc.c_str(), [](Args& x) {
    auto [a, b] = x.operands(0, 1);
    return f(a, b, x.stream());
  });
}

// The rows whose function is written by hand share the summary with their kernel.
std::string special_doc(mx::Op op) {
  const mx::ElementwiseRow& row = mx::elementwise_row(op);
  return documentation_of(row.summary, row.accepts);
}

void bind_rows(Functions& m) {
#define UNARY(Class, function, accepts, result, domain, value, tangent, summary) \
  define_unary<&mx::function>(m, #function, documentation_of(summary, mx::Accepts::accepts));
#define BINARY(Class, function, accepts, result, domain, value, tangent_a, tangent_b, summary) \
  define_binary<&mx::function>(m, #function, documentation_of(summary, mx::Accepts::accepts));
#include "mlx/ops/elementwise.def"
}

void bind_special_rows(Functions& m) {
  define_unary<&mx::abs>(m, "abs", special_doc(mx::Op::Abs));
  define_unary<&mx::real>(m, "real", special_doc(mx::Op::Real));
  define_unary<&mx::imag>(m, "imag", special_doc(mx::Op::Imag));
  define_unary<&mx::conjugate>(m, "conj", special_doc(mx::Op::Conjugate));
  m.alias("conjugate", "conj");
  define_binary<&mx::power>(m, "power", special_doc(mx::Op::Power));
  define_binary<&mx::floor_divide>(m, "floor_divide", special_doc(mx::Op::FloorDivide));
  define_binary<&mx::remainder>(m, "remainder", special_doc(mx::Op::Remainder));
  define_binary<&mx::bitwise_and>(m, "bitwise_and", special_doc(mx::Op::BitwiseAnd));
  define_binary<&mx::bitwise_or>(m, "bitwise_or", special_doc(mx::Op::BitwiseOr));
  define_binary<&mx::bitwise_xor>(m, "bitwise_xor", special_doc(mx::Op::BitwiseXor));
  define_binary<&mx::left_shift>(m, "left_shift", special_doc(mx::Op::LeftShift));
  define_binary<&mx::right_shift>(m, "right_shift", special_doc(mx::Op::RightShift));
}

void bind_others(Functions& m) {
  m.def_both("round(a: array, /, decimals: int = 0, *, stream: StreamOrDevice = None) -> array",
             "Round to a number of decimals, halves to even; a negative number rounds before the point.",
             [](Args& x) { return mx::round(x.operand(0), x.small_int(1, 0), x.stream()); });
  m.def("positive(a: array, /, *, stream: StreamOrDevice = None) -> array", "The array itself.",
        [](Args& x) { return mx::positive(x.array(0), x.stream()); });
  m.def("divmod(a: scalar | array, b: scalar | array, /, *, stream: StreamOrDevice = None) -> list[array]",
        "Quotient rounded down, and remainder with the divisor's sign, as a list.", [](Args& x) {
          auto [a, b] = x.operands(0, 1);
          return mx::divmod(a, b, x.stream());
        });
  m.def_both("astype(a: array, /, dtype: Dtype, stream: StreamOrDevice = None) -> array",
             "Convert the elements to another dtype.",
             [](Args& x) { return mx::astype(x.array(0), x.dtype(1), x.stream()); });
}

}  // namespace

void bind_elementwise(nb::module_& module) {
  Functions m(module);
  bind_rows(m);
  bind_special_rows(m);
  bind_others(m);
  for (auto [name, of] : {std::pair{"acos", "arccos"},
                          {"acosh", "arccosh"},
                          {"asin", "arcsin"},
                          {"asinh", "arcsinh"},
                          {"atan", "arctan"},
                          {"atan2", "arctan2"},
                          {"atanh", "arctanh"},
                          {"pow", "power"},
                          {"bitwise_left_shift", "left_shift"},
                          {"bitwise_right_shift", "right_shift"}}) {
    m.alias(name, of);
  }
}

}  // namespace mlx::python
