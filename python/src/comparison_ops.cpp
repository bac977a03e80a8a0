// Comparisons of whole arrays, limits of values, contractions; and the rows of the element-wise
// table for the tests.

#include "define.h"
#include "mlx/ops/elementwise.h"

namespace mlx::python {

namespace {

void bind_comparisons(Functions& m) {
  m.def(
      "array_equal(a: scalar | array, b: scalar | array, /, *, equal_nan: bool = False, "
      "stream: StreamOrDevice = None) -> array",
      "Whether two arrays have the same shape and elements: a bool array of shape ().\n\nDtypes "
      "are promoted. With "
      "equal_nan NaN equals NaN.",
      [](Args& x) {
        auto [a, b] = x.operands(0, 1);
        return mx::array_equal(a, b, x.boolean(2, false), x.stream());
      });
  constexpr const char* closeness =
      "(a: array, b: array, /, rtol: float = 1e-5, atol: float = 1e-8, *, "
      "equal_nan: bool = False, stream: StreamOrDevice = None) -> array";
  m.def(concat("isclose", closeness).c_str(),
        "Where |a - b| <= atol + rtol |b|. Equal infinities are close; with equal_nan two NaN are.",
        [](Args& x) {
          return mx::isclose(x.array(0), x.array(1), x.number(2, 1e-5), x.number(3, 1e-8), x.boolean(4, false),
                             x.stream());
        });
  m.def(concat("allclose", closeness).c_str(),
        "Whether all elements are close, see isclose: a bool array of shape ().", [](Args& x) {
          return mx::allclose(x.array(0), x.array(1), x.number(2, 1e-5), x.number(3, 1e-8), x.boolean(4, false),
                              x.stream());
        });
}

void bind_limits(Functions& m) {
  m.def(
      "clip(a: array, /, a_min: scalar | array | None, a_max: scalar | array | None, *, "
      "stream: StreamOrDevice = None) -> array",
      "Elements limited to [a_min, a_max]; None for no limit on that side. Bounds "
      "broadcast.\n\nRaises ValueError "
      "when both are None.",
      [](Args& x) {
        auto bound = [&](int i) {
          return x.has(i) ? std::make_optional(x.operands(0, i).second) : std::nullopt;
        };
        mx::Dtype t = x.array(0).dtype();
        for (int i : {1, 2}) {
          if (x.has(i)) t = mx::promote_types(t, x.operands(0, i).first.dtype());
        }
        return mx::clip(mx::astype(x.array(0), t, x.stream()), bound(1), bound(2), x.stream());
      });
  m.def(
      "nan_to_num(a: scalar | array, /, nan: float = 0.0, posinf: float | None = None, neginf: "
      "float | None = None, *, "
      "stream: StreamOrDevice = None) -> array",
      "NaN replaced by nan, infinities by posinf and neginf (the dtype's largest and lowest values "
      "by default).",
      [](Args& x) {
        auto limit = [&](int i) -> std::optional<float> {
          auto value = x.optional_number(i);
          return value ? std::make_optional(static_cast<float>(*value)) : std::nullopt;
        };
        return mx::nan_to_num(x.operand(0), static_cast<float>(x.number(1, 0)), limit(2), limit(3),
                              x.stream());
      });
}

void bind_contractions(Functions& m) {
  m.def("inner(a: array, b: array, /, *, stream: StreamOrDevice = None) -> array",
        "Sums of products over the last axis of both; of scalars, their product.",
        [](Args& x) { return mx::inner(x.array(0), x.array(1), x.stream()); });
  m.def("outer(a: array, b: array, /, *, stream: StreamOrDevice = None) -> array",
        "All products of an element of a with one of b, both flattened: shape (a.size, b.size).",
        [](Args& x) { return mx::outer(x.array(0), x.array(1), x.stream()); });
  m.def(
      "tensordot(a: array, b: array, /, axes: int | list[Sequence[int]] = 2, *, stream: "
      "StreamOrDevice = None) -> array",
      "Sums of products over axes.\n\naxes: how many of the last axes of a and the first of b, or "
      "a pair of lists "
      "of axes.",
      [](Args& x) {
        PyObject* axes = x[2];
        if (!axes || PyIndex_Check(axes))
          return mx::tensordot(x.array(0), x.array(1), x.small_int(2, 2), x.stream());
        if (!(PyTuple_Check(axes) || PyList_Check(axes)) || PySequence_Fast_GET_SIZE(axes) != 2) {
          x.raise_wrong(2, "an int or a pair of lists of ints");
        }
        auto side = [&](int i) { return x.ints_of(PySequence_Fast_GET_ITEM(axes, i), 2); };
        return mx::tensordot(x.array(0), x.array(1), side(0), side(1), x.stream());
      });
}

// (class, function, arity, accepted dtypes, result, domain) of each row: what the table tests are
// driven by.
nb::list rows() {
  constexpr const char* results[] = {"Same", "Bool", "RealPart"};
  constexpr const char* domains[] = {"all", "positive", "nonzero", "unit",
                                     "ge1", "gtm1",     "small",   "count"};
  nb::list list;
  for (const mx::ElementwiseRow& row : mx::kElementwiseRows) {
    nb::list dtypes;
    for (int t = 0; t < mx::kNumDtypes; t++) {
      if (mx::accepts_dtype(row.accepts, t))
        dtypes.append(std::string(mx::dtype_name(mx::dtype_from_index(t))));
    }
    list.append(nb::make_tuple(std::string(row.class_name), std::string(row.function), row.arity,
                               dtypes, results[static_cast<int>(row.result)],
                               domains[static_cast<int>(row.domain)]));
  }
  return list;
}

}  // namespace

void bind_comparison_ops(nb::module_& module) {
  Functions m(module);
  bind_comparisons(m);
  bind_limits(m);
  bind_contractions(m);
  m.def("_elementwise_rows() -> list[tuple]", "The rows of the element-wise table.",
        [](Args&) { return rows(); });
}

}  // namespace mlx::python
