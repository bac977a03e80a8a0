// Searching: places in sorted vectors, what is not zero, what occurs. Sizes that depend on values are found by
// evaluation, unless the caller gives them.

#include "define.h"
#include "evaluate.h"

namespace mlx::python {

namespace {

#define MLX_FIXED_SIZE                                                                                         \
  "\n\nThe size of the result depends on values: without size the argument is evaluated, which inside vmap "   \
  "and compile\nraises ValueError. With size so many are given: what is missing is fill_value (by default 0), " \
  "what is too much\nis left out."

std::optional<int64_t> size_argument(Args& x, int i) {
  return x.has(i) ? std::make_optional(x.integer(i)) : std::nullopt;
}
std::optional<mx::array> fill_argument(Args& x, int i, mx::Dtype dtype) {
  return x.has(i) ? std::make_optional(x.operand_like(i, dtype)) : std::nullopt;
}

// Runs the body, which evaluates where no size is given.
template <typename F>
auto sized(const std::optional<int64_t>& size, F body) {
  if (size) return body();
  std::optional<decltype(body())> result;
  without_gil([&] { result = body(); });
  evaluate(std::vector<mx::array>{});  // warnings, and references that were dropped meanwhile
  return std::move(*result);
}

void bind_nonzero(Functions& m) {
  m.def(
      "nonzero(a: array, /, *, size: int | None = None, fill_value: scalar | array | None = None, stream: "
      "StreamOrDevice = None) -> tuple[array, ...]",
      "The indices (uint32) of the elements that are not zero, in row-major order: one array per axis." MLX_FIXED_SIZE,
      [](Args& x) {
        mx::array a = x.array(0);
        auto size = size_argument(x, 1);
        auto fill = fill_argument(x, 2, mx::uint32);
        auto s = x.stream();
        return tuple_of(sized(size, [&] { return mx::nonzero(a, size, fill, s); }));
      });
  m.def(
      "flatnonzero(a: array, /, *, size: int | None = None, fill_value: scalar | array | None = None, stream: "
      "StreamOrDevice = None) -> array",
      "The indices (uint32) in the flat array of the elements that are not zero." MLX_FIXED_SIZE, [](Args& x) {
        mx::array a = x.array(0);
        auto size = size_argument(x, 1);
        auto fill = fill_argument(x, 2, mx::uint32);
        auto s = x.stream();
        return sized(size, [&] { return mx::flatnonzero(a, size, fill, s); });
      });
  m.def(
      "argwhere(a: array, /, *, size: int | None = None, fill_value: scalar | array | None = None, stream: "
      "StreamOrDevice = None) -> array",
      "The indices (uint32) of the elements that are not zero, in row-major order: one row per element, shape "
      "(n, ndim)." MLX_FIXED_SIZE,
      [](Args& x) {
        mx::array a = x.array(0);
        auto size = size_argument(x, 1);
        auto fill = fill_argument(x, 2, mx::uint32);
        auto s = x.stream();
        return sized(size, [&] { return mx::argwhere(a, size, fill, s); });
      });
  m.def(
      "compress(condition: array, a: array, /, axis: int | None = None, *, size: int | None = None, fill_value: "
      "scalar | array | None = None, stream: StreamOrDevice = None) -> array",
      "The entries of an array along an axis where a vector, which may be shorter, is not zero; axis=None flattens "
      "first." MLX_FIXED_SIZE,
      [](Args& x) {
        mx::array condition = x.array(0), a = x.array(1);
        auto axis = x.optional_int(2);
        auto size = size_argument(x, 3);
        auto fill = fill_argument(x, 4, a.dtype());
        auto s = x.stream();
        return sized(size, [&] { return mx::compress(condition, a, axis, size, fill, s); });
      });
}

PyObject* where(Args& x) {
  if (!x[1] && !x[2]) {
    mx::array condition = x.operand(0);
    auto size = size_argument(x, 3);
    auto fill = fill_argument(x, 4, mx::uint32);
    auto s = x.stream();
    return tuple_of(sized(size, [&] { return mx::nonzero(condition, size, fill, s); }));
  }
  if (!x[1] || !x[2]) raise_type_error("[where] Both values have to be given, or neither.");
  if (x.has(3) || x.has(4)) raise_type_error("[where] With two values there is no size and no fill_value.");
  auto [a, b] = x.operands(1, 2);
  return to_python(mx::where(x.operand(0), a, b, x.stream()));
}

PyObject* unique(Args& x) {
  mx::array a = x.array(0);
  auto size = size_argument(x, 1);
  bool wanted[] = {true, x.boolean(2, false), x.boolean(3, false), x.boolean(4, false)};
  auto fill = fill_argument(x, 5, a.dtype());
  auto s = x.stream();
  mx::UniqueResult result = sized(size, [&] { return mx::unique(a, size, fill, s); });
  std::vector<mx::array> parts;
  const mx::array* all[] = {&result.values, &result.index, &result.inverse, &result.counts};
  for (int i = 0; i < 4; i++) {
    if (wanted[i]) parts.push_back(*all[i]);
  }
  return parts.size() == 1 ? wrap(parts[0]) : tuple_of(std::move(parts));
}

void bind_occurrences(Functions& m) {
  m.def(
      "where(condition: scalar | array, x: scalar | array | None = None, y: scalar | array | None = None, /, *, "
      "size: int | None = None, fill_value: scalar | array | None = None, stream: StreamOrDevice = None) -> array | "
      "tuple[array, ...]",
      "Elements of x where the condition is nonzero, else of y. All three broadcast.\n\nWith the condition alone: its "
      "nonzero(), for which size and fill_value are.",
      [](Args& x) { return where(x); });
  m.def(
      "unique(a: array, /, size: int | None = None, return_index: bool = False, return_inverse: bool = False, "
      "return_counts: bool = False, fill_value: scalar | array | None = None, *, stream: StreamOrDevice = None) -> "
      "array | tuple[array, ...]",
      "The distinct elements of the flat array, sorted; each NaN is distinct and comes last.\n\nreturn_index: also "
      "where each occurs first (uint32). return_inverse: also the place of each element among the\nresults (uint32, "
      "a's shape). return_counts: also how often each occurs (int32).\nThe size of the result depends on values: "
      "without size the argument is evaluated, which inside vmap and compile\nraises ValueError. With size so many "
      "are given: what is missing is fill_value (by default the smallest element) with\na count of 0, what is too "
      "much is left out.",
      [](Args& x) { return unique(x); });
  m.def(
      "bincount(a: array, /, weights: array | None = None, minlength: int = 0, *, size: int | None = None, stream: "
      "StreamOrDevice = None) -> array",
      "How often each value occurs in a vector of non-negative integers (int32), or the sum of the weights "
      "there.\n\nThe length is the largest value plus one, at least minlength, for which the argument is evaluated; "
      "inside vmap and\ncompile that raises ValueError. With size it is size, and values out of range do not count.",
      [](Args& x) {
        mx::array a = x.array(0);
        auto weights = x.optional_array(1);
        int64_t least = x[2] ? x.integer(2) : 0;
        auto size = size_argument(x, 3);
        auto s = x.stream();
        return sized(size, [&] { return mx::bincount(a, weights, least, size, s); });
      });
  m.def(
      "searchsorted(sorted_sequence: array, values: array, /, side: str = 'left', *, stream: StreamOrDevice = None) "
      "-> array",
      "The place (uint32) of each value in a sorted vector: before (left) or behind (right) what equals it. NaN "
      "comes last.",
      [](Args& x) { return mx::searchsorted(x.array(0), x.array(1), x.text(2, "left"), x.stream()); });
}

}  // namespace

void bind_search_ops(nb::module_& module) {
  Functions m(module);
  bind_nonzero(m);
  bind_occurrences(m);
}

}  // namespace mlx::python
