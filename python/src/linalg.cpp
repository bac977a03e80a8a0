// mlx.core.linalg. Functions with several results return named tuples.

#include "mlx/linalg.h"

#include "define.h"

namespace mlx::python {

namespace {

using mx::linalg::OnError;

// "with mx.linalg.errors(mode):" sets the calling thread's mode and restores it.
class ErrorContext {
 public:
  explicit ErrorContext(OnError mode) : mode_(mode) {}
  void enter() {
    outer_.push_back(mx::linalg::current_mode());
    mx::linalg::set_current_mode(mode_);
  }
  void exit() {
    if (outer_.empty()) return;
    mx::linalg::set_current_mode(outer_.back());
    outer_.pop_back();
  }

 private:
  OnError mode_;
  std::vector<OnError> outer_;
};

// The named tuple classes; they live as long as the process.
PyObject *qr_result, *eigen_result, *svd_result, *slogdet_result;

PyObject* new_result_class(nb::module_& m, const char* name, const char* fields) {
  nb::object make = nb::module_::import_("collections").attr("namedtuple");
  nb::object type = make(name, fields, nb::arg("module") = m.attr("__name__"));
  m.attr(name) = type;
  return type.release().ptr();
}

nb::object named(PyObject* type, std::vector<mx::array>&& arrays) {
  nb::object values = nb::steal(tuple_of(std::move(arrays)));
  return steal(PyObject_CallObject(type, values.ptr()));
}
nb::object named(PyObject* type, std::pair<mx::array, mx::array>&& pair) {
  return named(type, std::vector<mx::array>{std::move(pair.first), std::move(pair.second)});
}

mx::array norm(Args& x) {
  std::optional<std::vector<int>> axis = x.has(2) ? x.axes(2) : std::nullopt;
  bool keepdims = x.boolean(3, false);
  if (!x.has(1)) return mx::linalg::norm(x.array(0), axis, keepdims, x.stream());
  if (PyUnicode_Check(x[1]))
    return mx::linalg::norm(x.array(0), x.text(1, ""), axis, keepdims, x.stream());
  if (!PyNumber_Check(x[1])) x.raise_wrong(1, "None, a number or a string");
  return mx::linalg::norm(x.array(0), x.number(1, 2), axis, keepdims, x.stream());
}

void bind_products(Functions& m) {
  m.def(
      "norm(a: array, /, ord: None | int | float | str = None, axis: None | int | list[int] = "
      "None, keepdims: "
      "bool = False, *, stream: StreamOrDevice = None) -> array",
      "Norm of vectors (one axis) or matrices (two axes).\n\nord: any number for vectors; 1, -1, "
      "2, -2, inf, -inf, "
      "'fro' and 'nuc' for matrices; None is the square root of the sum of squares. Integers "
      "become float32; the norm "
      "of complex numbers is real. The gradient at 0 is NaN.",
      [](Args& x) { return norm(x); });
  m.def("cross(a: array, b: array, axis: int = -1, *, stream: StreamOrDevice = None) -> array",
        "Cross product of vectors along an axis of size 2 or 3; the third component of the former "
        "is 0.",
        [](Args& x) {
          return mx::linalg::cross(x.array(0), x.array(1), x.small_int(2, -1), x.stream());
        });
  m.def("det(a: array, *, stream: StreamOrDevice = None) -> array",
        "Determinants. Matrices up to size 3 may have any dtype. A matrix with NaN has NaN; so has "
        "the second derivative of a singular one above size 3.",
        [](Args& x) { return mx::linalg::det(x.array(0), x.stream()); });
  m.def("slogdet(a: array, *, stream: StreamOrDevice = None) -> tuple[array, array]",
        "Sign and logarithm of the absolute value of determinants, as (sign, logabsdet); (0, -inf) "
        "for singular ones.",
        [](Args& x) { return named(slogdet_result, mx::linalg::slogdet(x.array(0), x.stream())); });
}

void bind_solvers(Functions& m) {
  m.def("inv(a: array, *, stream: StreamOrDevice = None) -> array",
        "Inverses of square matrices (..., n, n).",
        [](Args& x) { return mx::linalg::inv(x.array(0), x.stream()); });
  m.def("tri_inv(a: array, upper: bool = False, *, stream: StreamOrDevice = None) -> array",
        "Inverses of triangular matrices; the other triangle is not read.",
        [](Args& x) { return mx::linalg::tri_inv(x.array(0), x.boolean(1, false), x.stream()); });
  m.def("pinv(a: array, *, stream: StreamOrDevice = None) -> array",
        "Pseudo-inverses of (..., m, n). Singular values up to max(m, n) * eps times the largest "
        "count as 0; the "
        "gradient holds while the rank stays.",
        [](Args& x) { return mx::linalg::pinv(x.array(0), x.stream()); });
  m.def("solve(a: array, b: array, *, stream: StreamOrDevice = None) -> array",
        "x with a @ x = b. b is a vector (n,) or matrices (..., n, k); batches broadcast.",
        [](Args& x) { return mx::linalg::solve(x.array(0), x.array(1), x.stream()); });
  m.def(
      "solve_triangular(a: array, b: array, *, upper: bool = False, stream: StreamOrDevice = None) "
      "-> array",
      "x with a @ x = b for a triangle of a; the other one is not read.", [](Args& x) {
        return mx::linalg::solve_triangular(x.array(0), x.array(1), x.boolean(2, false),
                                            x.stream());
      });
}

void bind_factors(Functions& m) {
  m.def("qr(a: array, *, stream: StreamOrDevice = None) -> tuple[array, array]",
        "(Q, R) with a = Q @ R: Q (m, k) with orthonormal columns, R (k, n) upper triangular, k = "
        "min(m, n).",
        [](Args& x) { return named(qr_result, mx::linalg::qr(x.array(0), x.stream())); });
  m.def(
      "svd(a: array, compute_uv: bool = True, *, stream: StreamOrDevice = None) -> tuple[array, "
      "array, array] | array",
      "(U, S, Vh) with a = U @ diag(S) @ Vh: U (m, m), S descending, Vh (n, n); or S alone.\n\nThe "
      "gradient of vectors "
      "is NaN where singular values repeat.",
      [](Args& x) -> nb::object {
        bool compute_uv = x.boolean(1, true);
        std::vector<mx::array> f = mx::linalg::svd(x.array(0), compute_uv, x.stream());
        return compute_uv ? named(svd_result, std::move(f)) : nb::steal(wrap(f[0]));
      });
  m.def("cholesky(a: array, upper: bool = False, *, stream: StreamOrDevice = None) -> array",
        "L with a = L @ L^H, or U with a = U^H @ U. Only that triangle of a is read, and the "
        "gradient lies there.",
        [](Args& x) { return mx::linalg::cholesky(x.array(0), x.boolean(1, false), x.stream()); });
  m.def("cholesky_inv(a: array, upper: bool = False, *, stream: StreamOrDevice = None) -> array",
        "The inverse of the matrix whose Cholesky factor is a.", [](Args& x) {
          return mx::linalg::cholesky_inv(x.array(0), x.boolean(1, false), x.stream());
        });
  m.def(
      "lu(a: array, *, stream: StreamOrDevice = None) -> tuple[array, array, array]",
      "(p, L, U) with a = L[p] @ U: row indices (uint32), unit lower and upper triangular factors.",
      [](Args& x) { return tuple_of(mx::linalg::lu(x.array(0), x.stream())); });
  m.def("lu_factor(a: array, *, stream: StreamOrDevice = None) -> tuple[array, array]",
        "(LU, pivots): both factors in one matrix, and the swaps of rows (uint32) in order.",
        [](Args& x) {
          auto [factors, pivots] = mx::linalg::lu_factor(x.array(0), x.stream());
          return tuple_of({factors, pivots});
        });
}

void bind_eigenvalues(Functions& m) {
  m.def("eig(a: array, *, stream: StreamOrDevice = None) -> tuple[array, array]",
        "(eigenvalues, eigenvectors) as complex64; the vectors are columns of unit "
        "length.\n\nTheir gradient is NaN "
        "where eigenvalues repeat.",
        [](Args& x) { return named(eigen_result, mx::linalg::eig(x.array(0), x.stream())); });
  m.def("eigvals(a: array, *, stream: StreamOrDevice = None) -> array", "Eigenvalues as complex64.",
        [](Args& x) { return mx::linalg::eigvals(x.array(0), x.stream()); });
  m.def("eigh(a: array, UPLO: str = 'L', *, stream: StreamOrDevice = None) -> tuple[array, array]",
        "(eigenvalues, eigenvectors) of Hermitian matrices, ascending. The triangle UPLO (L or U) "
        "is read, and the "
        "gradient lies there; that of vectors is NaN where eigenvalues repeat.",
        [](Args& x) {
          return named(eigen_result, mx::linalg::eigh(x.array(0), x.text(1, "L"), x.stream()));
        });
  m.def("eigvalsh(a: array, UPLO: str = 'L', *, stream: StreamOrDevice = None) -> array",
        "Eigenvalues of Hermitian matrices, ascending.",
        [](Args& x) { return mx::linalg::eigvalsh(x.array(0), x.text(1, "L"), x.stream()); });
}

void bind_errors_scope(nb::module_& m) {
  nb::class_<ErrorContext> context(m, "ErrorContext",
                                   "Sets inside a with block what faulty matrices do.");
  Methods(context)
      .def("__enter__(self) -> None", "",
           [](Args& x) { nb::inst_ptr<ErrorContext>(x[0])->enter(); })
      .def(
          "__exit__(self, exc_type: type | None = None, exc_value: object | None = None, "
          "traceback: object | "
          "None = None) -> None",
          "", [](Args& x) { nb::inst_ptr<ErrorContext>(x[0])->exit(); });
  Functions(m).def("errors(mode: str) -> ErrorContext",
                   "A context for `with`: what operations built by this thread do with a matrix "
                   "that is singular, "
                   "indefinite or not finite. 'raise': LinAlgError at evaluation. 'nan': its "
                   "results are NaN, those of "
                   "the other matrices of the batch are right.",
                   [](Args& x) {
                     std::string mode = x.text(0, "");
                     if (mode != "raise" && mode != "nan") {
                       raise("[errors] The mode must be 'raise' or 'nan', not '", mode, "'.");
                     }
                     return nb::cast(ErrorContext(mode == "nan" ? OnError::nan : OnError::raise));
                   });
}

}  // namespace

void bind_linalg(nb::module_& m) {
  nb::module_ linalg = m.def_submodule("linalg", "Linear algebra on the last two axes.");
  qr_result = new_result_class(linalg, "QRResult", "Q R");
  eigen_result = new_result_class(linalg, "EigenResult", "eigenvalues eigenvectors");
  svd_result = new_result_class(linalg, "SVDResult", "U S Vh");
  slogdet_result = new_result_class(linalg, "SlogdetResult", "sign logabsdet");
  Functions functions(linalg);
  bind_products(functions);
  bind_solvers(functions);
  bind_factors(functions);
  bind_eigenvalues(functions);
  bind_errors_scope(linalg);
  m.attr("matrix_norm") = linalg.attr("norm");
  defined_signatures().push_back("mlx.core.matrix_norm = linalg.norm");
}

}  // namespace mlx::python
