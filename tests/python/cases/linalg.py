"""Linear algebra. Functions of vectors are made independent of signs, so that every mode can compare them."""

import numpy as np
import scipy.linalg
from harness.case import FLOATS, Case

import mlx.core as mx

REAL = ("float32", "float64")
ALL = (*REAL, "complex64")
SQUARE = {"base": [(2, 4, 4)], "larger": [(3, 5, 5)], "smaller": [(1, 1, 1)]}
ONE = {"base": [(4, 4)], "larger": [(6, 6)], "smaller": [(2, 2)]}
TALL = {"base": [(2, 5, 3)], "larger": [(1, 7, 4)]}
WIDE = {"base": [(2, 3, 5)], "larger": [(1, 4, 6)]}
BOTH = {"square": SQUARE, "tall": TALL, "wide": WIDE}


def adjoint(x):
    x = x.swapaxes(-1, -2)
    return x.conj() if isinstance(x, np.ndarray) or x.dtype == mx.complex64 else x


def eye_like(x):
    make = np.eye if isinstance(x, np.ndarray) else mx.eye
    return make(x.shape[-1], dtype=x.dtype)


def definite(x):
    """A Hermitian positive definite matrix made of x, as an expression of either library."""
    return x @ adjoint(x) + eye_like(x)


def dominant(x):
    """Well conditioned."""
    return x + 3 * eye_like(x)


def mx_svd(x):
    """U f(S) V^H, which does not depend on signs."""
    u, s, vh = mx.linalg.svd(x)
    k = s.shape[-1]
    return (u[..., :k] * mx.exp(s)[..., None, :]) @ vh[..., :k, :], s


def np_svd(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return (u * np.exp(s)[..., None, :]) @ vh, s


def mx_projectors(x):
    """Onto the first and the remaining left vectors of the full decomposition."""
    u, _, vh = mx.linalg.svd(x)
    k = min(x.shape[-2:])
    rest = vh[..., k:, :]
    return u[..., :k] @ adjoint(u[..., :k]), u[..., k:] @ adjoint(u[..., k:]), adjoint(rest) @ rest


def np_projectors(x):
    u, _, vh = np.linalg.svd(x)
    k = min(x.shape[-2:])
    rest = vh[..., k:, :]
    return u[..., :k] @ adjoint(u[..., :k]), u[..., k:] @ adjoint(u[..., k:]), adjoint(rest) @ rest


def eigh_function(library, uplo):
    def function(x):
        w, v = library.linalg.eigh(x, uplo)
        return (v * library.sin(w)[..., None, :]) @ adjoint(v), w

    return function


def hermitian_of(x, uplo):
    strict = np.triu(x, 1) if uplo == "U" else np.tril(x, -1)
    diagonal = np.einsum("...ii->...i", x).real
    return strict + adjoint(strict) + diagonal[..., None] * np.eye(x.shape[-1])


def np_eigh(x, uplo):
    return eigh_function(np, uplo)(hermitian_of(x, uplo))


def by_matrix(function):
    """A SciPy function of one matrix, over a batch."""

    def batched(*arrays):
        batch = arrays[0].shape[:-2]
        results = [function(*[a[i] for a in arrays]) for i in np.ndindex(*batch)]
        if not isinstance(results[0], tuple):
            return np.array(results).reshape(*batch, *results[0].shape)
        columns = zip(*results)
        return tuple(np.array(c).reshape(*batch, *c[0].shape) for c in columns)

    return batched


def scipy_lu(x):
    p, lower, upper = scipy.linalg.lu(x, p_indices=True)
    return np.asarray(p, np.uint32), lower, upper


def scipy_lu_factor(x):
    factors, pivots = scipy.linalg.lu_factor(x)
    return factors, pivots.astype(np.uint32)


def case(name, fn, shapes, oracle, dtypes=ALL, ulps=200, **options):
    return Case(f"linalg-{name}", fn, shapes, oracle, dtypes, ulps=ulps, **options)


def triangle(x, upper):
    return np.triu(x) if upper else np.tril(x)


def norm_case(ord, axis, shapes=((3, 4, 5),), **options):
    def oracle(x):
        return np.linalg.norm(x, ord, axis)

    label = f"norm-{ord}-{axis}".replace(" ", "")
    return case(label, lambda x: mx.linalg.norm(x, ord, axis), {"base": list(shapes)}, oracle,
                (*FLOATS, "complex64"), 60, **options)  # fmt: skip


PIECEWISE = {"skip": {"second": "the result is piecewise linear"}}
CASES = [
    case("inv", lambda x: mx.linalg.inv(dominant(x)), SQUARE, lambda x: np.linalg.inv(dominant(x))),
    case("tri_inv", lambda x: mx.linalg.tri_inv(dominant(x)), SQUARE,
         lambda x: np.linalg.inv(triangle(dominant(x), False))),
    case("tri_inv-upper", lambda x: mx.linalg.tri_inv(dominant(x), True), ONE,
         lambda x: np.linalg.inv(triangle(dominant(x), True))),
    case("cholesky", lambda x: mx.linalg.cholesky(definite(x)), SQUARE,
         lambda x: np.linalg.cholesky(definite(x))),
    case("cholesky-upper", lambda x: mx.linalg.cholesky(definite(x), True), SQUARE,
         lambda x: adjoint(np.linalg.cholesky(definite(x)))),
    case("cholesky-triangle", lambda x: mx.linalg.cholesky(dominant(x)), ONE,
         lambda x: np.linalg.cholesky(dominant(x)), REAL),
    case("cholesky_inv", lambda x: mx.linalg.cholesky_inv(dominant(x)), SQUARE,
         lambda x: np.linalg.inv(triangle(dominant(x), False) @ adjoint(triangle(dominant(x), False)))),
    case("cholesky_inv-upper", lambda x: mx.linalg.cholesky_inv(dominant(x), upper=True), ONE,
         lambda x: np.linalg.inv(adjoint(triangle(dominant(x), True)) @ triangle(dominant(x), True))),
    case("solve", lambda a, b: mx.linalg.solve(dominant(a), b), {"base": [(2, 4, 4), (2, 4, 3)]},
         lambda a, b: np.linalg.solve(dominant(a), b)),
    case("solve-vector", lambda a, b: mx.linalg.solve(dominant(a), b),
         {"base": [(4, 4), (4,)], "larger": [(5, 5), (5,)]}, lambda a, b: np.linalg.solve(dominant(a), b)),
    case("solve-broadcast", lambda a, b: mx.linalg.solve(dominant(a), b), {"base": [(3, 1, 4, 4), (2, 4, 1)]},
         lambda a, b: np.linalg.solve(dominant(a), b[None])),  # NumPy before 2 takes fewer axes for vectors
    case("solve_triangular", lambda a, b: mx.linalg.solve_triangular(dominant(a), b),
         {"base": [(2, 4, 4), (2, 4, 3)]}, lambda a, b: np.linalg.solve(triangle(dominant(a), False), b)),
    case("solve_triangular-upper", lambda a, b: mx.linalg.solve_triangular(dominant(a), b, upper=True),
         {"base": [(4, 4), (4,)]}, lambda a, b: np.linalg.solve(triangle(dominant(a), True), b)),
    *[case(f"pinv-{name}", mx.linalg.pinv, shapes, np.linalg.pinv, ulps=1000)
      for name, shapes in BOTH.items()],
    *[case(f"qr-{name}", lambda x: tuple(mx.linalg.qr(x)), shapes, lambda x: tuple(np.linalg.qr(x)), ulps=100)
      for name, shapes in BOTH.items()],
    *[case(f"lu-{name}", mx.linalg.lu, shapes, by_matrix(scipy_lu), ulps=100)
      for name, shapes in BOTH.items()],
    *[case(f"lu_factor-{name}", mx.linalg.lu_factor, shapes, by_matrix(scipy_lu_factor), ulps=100)
      for name, shapes in BOTH.items()],
    *[case(f"svd-{name}", mx_svd, shapes, np_svd, ulps=100) for name, shapes in BOTH.items()],
    *[case(f"svd-values-{name}", lambda x: mx.linalg.svd(x, compute_uv=False), shapes,
           lambda x: np.linalg.svd(x, compute_uv=False), ulps=60) for name, shapes in BOTH.items()],
    case("svd-projectors-tall", mx_projectors, TALL, np_projectors, ulps=200),
    case("svd-projectors-wide", mx_projectors, WIDE, np_projectors, ulps=200),
    *[case(f"eigh-{u}", eigh_function(mx, u), SQUARE, lambda x, u=u: np_eigh(x, u), ulps=100)
      for u in ("L", "U")],
    *[case(f"eigvalsh-{u}", lambda x, u=u: mx.linalg.eigvalsh(x, u), ONE,
           lambda x, u=u: np_eigh(x, u.upper())[1], ulps=60) for u in ("l", "U")],
    *[case(f"det-{n}", mx.linalg.det, {"base": [(2, n, n)]}, np.linalg.det, ulps=60)
      for n in (1, 2, 3, 4, 6)],
    *[case(f"slogdet-{n}", lambda x: tuple(mx.linalg.slogdet(x)), {"base": [(2, n, n)]},
           lambda x: tuple(np.linalg.slogdet(x)), ulps=200) for n in (2, 3, 4, 5)],
    case("det-half", mx.linalg.det, {"base": [(2, 3, 3)]}, np.linalg.det, ("float16", "bfloat16"), ulps=8),
    norm_case(None, None), norm_case(None, 1), norm_case(None, (0, 2)), norm_case("fro", (0, 1)),
    norm_case(2, 1), norm_case(3, -1), norm_case(0.5, 0, low=0.1), norm_case(-2, 0, low=0.1),
    norm_case(1, 1, **PIECEWISE), norm_case(np.inf, 1, **PIECEWISE), norm_case(-np.inf, 2, **PIECEWISE),
    norm_case(0, 1, wrt=()),
    norm_case(1, (0, 1), **PIECEWISE), norm_case(-1, (1, 2), **PIECEWISE),
    norm_case(np.inf, (2, 0), **PIECEWISE), norm_case(-np.inf, (0, 1), **PIECEWISE),
    norm_case("nuc", (0, 1)), norm_case("nuc", (2, 0)), norm_case(2, (1, 2)), norm_case(-2, (0, 2)),
    case("cross", mx.linalg.cross, {"base": [(4, 3), (4, 3)], "larger": [(6, 3), (6, 3)]}, np.cross,
         (*ALL, "int32", "float16"), ulps=8),
    case("cross-two", mx.linalg.cross, {"base": [(4, 2), (3,)]},
         lambda a, b: np.cross(np.pad(a, ((0, 0), (0, 1))), b), ulps=8),
]  # fmt: skip
