"""mx.linalg beyond the table: faulty and empty matrices, eig, named results, repeated values, errors."""

import threading

import numpy as np
import pytest

import mlx.core as mx

la = mx.linalg
GOOD = np.array([[4.0, 1.0], [1.0, 3.0]])
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])
NAN = np.array([[np.nan, 1.0], [1.0, 2.0]])
INF = np.array([[np.inf, 1.0], [1.0, 2.0]])


def f64(x):
    return mx.array(np.asarray(x, np.float64), dtype=mx.float64)


def close(got, want, tolerance=1e-12):
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


# name, function, a matrix it cannot take, what the error says
ONES = np.ones((2, 1))
FAULTS = [
    ("inv", la.inv, SINGULAR, "is singular"),
    ("tri_inv", la.tri_inv, np.array([[1.0, 0.0], [1.0, 0.0]]), "is singular"),
    ("solve", lambda a: la.solve(a, f64(ONES).astype(a.dtype)), SINGULAR, "is singular"),
    ("solve_triangular", lambda a: la.solve_triangular(a, f64(ONES).astype(a.dtype), upper=True),
     np.array([[1.0, 1.0], [0.0, 0.0]]), "is singular"),
    ("cholesky", la.cholesky, INDEFINITE, "is not positive definite"),
]  # fmt: skip
FAULTS += [
    (name, function, faulty, "has elements that are NaN or infinite")
    for name, function in [
        ("inv", la.inv), ("cholesky", la.cholesky), ("qr", lambda a: la.qr(a)[1]),
        ("svd", lambda a: la.svd(a)[1]),
        ("svd", lambda a: la.svd(a, compute_uv=False)), ("pinv", la.pinv), ("lu", lambda a: la.lu(a)[2]),
        ("lu_factor", lambda a: la.lu_factor(a)[0]), ("eig", lambda a: la.eig(a)[0]), ("eigvals", la.eigvals),
        ("eigh", lambda a: la.eigh(a)[1]), ("eigvalsh", la.eigvalsh),
        ("solve", lambda a: la.solve(a, f64(ONES).astype(a.dtype))),
    ]
    for faulty in (NAN, INF)
]  # fmt: skip


@pytest.mark.parametrize("dtype", [mx.float32, mx.float64, mx.complex64])
@pytest.mark.parametrize("name, function, faulty, text", FAULTS)
def test_faults_raise_again_and_name_the_matrix(name, function, faulty, text, dtype):
    single = function(f64(faulty).astype(dtype))
    for _ in range(2):
        with pytest.raises(la.LinAlgError) as info:
            mx.eval(single)
        assert str(info.value) == f"[{name}] The matrix {text}."
        assert isinstance(info.value, ValueError) and isinstance(info.value, RuntimeError)
    batch = np.stack([GOOD] * 6).reshape(2, 3, 2, 2)
    batch[1, 0] = faulty
    batch[1, 2] = faulty
    with pytest.raises(la.LinAlgError) as info:
        mx.eval(function(f64(batch).astype(dtype)))
    assert str(info.value) == f"[{name}] The matrix with batch index (1,0) {text}."
    close(la.inv(f64(GOOD)), np.linalg.inv(GOOD))  # the next operation works


@pytest.mark.parametrize("dtype", [mx.float32, mx.float64, mx.complex64])
@pytest.mark.parametrize("name, function, faulty, text", FAULTS)
def test_in_the_nan_scope_that_matrix_alone_is_nan(name, function, faulty, text, dtype):
    batch = f64(np.stack([GOOD, faulty, GOOD])).astype(dtype)
    with la.errors("nan"):
        lazy = function(batch)
    got = np.array(lazy)
    assert np.isnan(got[1]).all()
    want = np.array(function(f64(GOOD).astype(dtype)))
    np.testing.assert_array_equal(got[0], want)
    np.testing.assert_array_equal(got[2], want)
    with pytest.raises(la.LinAlgError):
        mx.eval(function(batch))  # the scope has ended


def test_the_scope_belongs_to_the_thread_and_nests():
    seen = []

    def other():
        try:
            mx.eval(la.inv(mx.array(SINGULAR, dtype=mx.float32)))
        except la.LinAlgError:
            seen.append("raised")

    with la.errors("nan"):
        with la.errors("raise"), pytest.raises(la.LinAlgError):
            mx.eval(la.inv(mx.array(SINGULAR)))
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert np.isnan(np.array(la.inv(mx.array(SINGULAR)))).all()
    assert seen == ["raised"]
    with pytest.raises(ValueError, match=r"\[errors\] The mode must be 'raise' or 'nan', not 'ignore'"):
        la.errors("ignore")
    with pytest.raises(RuntimeError, match="stop"), la.errors("nan"):
        raise RuntimeError("stop")
    with pytest.raises(la.LinAlgError):
        mx.eval(la.inv(mx.array(SINGULAR)))


def test_the_scope_survives_transformations():
    batch = mx.array(np.stack([GOOD, SINGULAR]), dtype=mx.float32)
    with la.errors("nan"):
        out = [mx.vmap(la.inv)(batch), mx.compile(la.inv)(batch), mx.grad(lambda a: la.inv(a).sum())(batch)]
    for x in out:
        x = np.array(x)
        assert np.isfinite(x[0]).all() and np.isnan(x[1]).all()
    with pytest.raises(la.LinAlgError):
        mx.eval(mx.compile(la.inv)(batch))


def test_only_the_named_triangle_is_read():
    a = np.array([[4.0, np.nan], [1.0, 3.0]])
    symmetric = GOOD
    close(la.cholesky(f64(a)), np.linalg.cholesky(symmetric))
    close(la.eigvalsh(f64(a)), np.linalg.eigvalsh(symmetric))
    close(la.eigvalsh(f64(a.T), "U"), np.linalg.eigvalsh(symmetric))
    close(la.tri_inv(f64(a)), np.linalg.inv(np.tril(symmetric)))
    x = la.solve_triangular(f64(a.T), f64([1.0, 2.0]), upper=True)
    close(x, np.linalg.solve(np.triu(symmetric), [1.0, 2.0]))


def test_singular_matrices_where_that_is_no_fault():
    a = np.arange(16.0).reshape(4, 4)
    for n in (2, 3, 4):
        singular = np.zeros((n, n))
        assert float(la.det(f64(singular))) == 0
        sign, size = la.slogdet(f64(singular))
        assert float(sign) == 0 and float(size) == -np.inf
    assert np.isnan(float(la.det(f64(np.full((4, 4), np.nan)))))
    p, lower, upper = la.lu(f64(a))
    close(lower[p] @ upper, a)
    close(la.pinv(f64(a)), np.linalg.pinv(a), 1e-9)


EMPTY = [(0, 0), (2, 0, 0), (0, 3, 3), (0, 0, 0)]


@pytest.mark.parametrize("shape", EMPTY)
@pytest.mark.parametrize("dtype", [mx.float32, mx.float64, mx.complex64])
def test_empty_square(shape, dtype):
    a, x = mx.zeros(shape, dtype), np.zeros(shape)
    for name in "inv cholesky pinv det qr svd eigh eigvalsh eig eigvals slogdet".split():
        got, want = getattr(la, name)(a), getattr(np.linalg, name)(x)
        pairs = zip(got, want, strict=True) if isinstance(got, tuple) else [(got, want)]
        for g, w in pairs:
            assert g.shape == w.shape
            close(g, w)
    assert la.tri_inv(a).shape == la.cholesky_inv(a).shape == shape
    b = mx.ones((*shape[:-1], 2), dtype)
    assert la.solve(a, b).shape == la.solve_triangular(a, b).shape == b.shape
    assert [y.shape for y in la.lu(a)] == [shape[:-1], shape, shape]
    assert [y.shape for y in la.lu_factor(a)] == [shape, shape[:-1]]


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (2, 3, 0), (0, 2, 3)])
def test_empty_rectangular(shape):
    a, x = mx.zeros(shape, mx.float64), np.zeros(shape)
    results = [(*m.linalg.svd(y), *m.linalg.qr(y), m.linalg.pinv(y)) for m, y in ((mx, a), (np, x))]
    for got, want in zip(*results):
        assert got.shape == want.shape
        close(got, want)


def test_named_results():
    a = mx.array(GOOD, dtype=mx.float32)
    assert [type(r)._fields for r in (la.qr(a), la.svd(a), la.eigh(a), la.eig(a), la.slogdet(a))] == [
        ("Q", "R"),
        ("U", "S", "Vh"),
        ("eigenvalues", "eigenvectors"),
        ("eigenvalues", "eigenvectors"),
        ("sign", "logabsdet"),
    ]
    q, r = la.qr(a)
    assert isinstance(la.qr(a), tuple) and mx.array_equal(la.qr(a).Q, q)
    assert mx.compile(la.qr)(a).R.shape == r.shape


# eig gives complex64 whatever comes in, so its tolerances are those of float32.


def general(n, seed, shape=()):
    return np.random.default_rng(seed).standard_normal((*shape, n, n))


@pytest.mark.parametrize("dtype", [mx.float32, mx.float64, mx.complex64])
def test_eig(dtype):
    a = general(5, 1, (3,))
    x = f64(a).astype(dtype)
    values, vectors = la.eig(x)
    assert values.dtype == vectors.dtype == mx.complex64
    w, v = np.array(values), np.array(vectors)
    np.testing.assert_allclose(a @ v, v * w[:, None, :], atol=2e-5)
    np.testing.assert_allclose(np.linalg.norm(v, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(in_order(w), in_order(np.linalg.eigvals(a)), atol=2e-5)
    np.testing.assert_allclose(in_order(np.array(la.eigvals(x))), in_order(w), atol=2e-5)
    one = mx.vmap(la.eig)(x)
    np.testing.assert_array_equal(np.array(one.eigenvectors), v)


def in_order(values):
    """Sorted by real parts, those that agree up to rounding by imaginary parts."""
    return np.array([sorted(row, key=lambda z: (round(z.real, 3), z.imag)) for row in values])


def analytic(x, weights):
    """A real function of eigenvalues and of vectors up to their phase."""
    w, v = la.eig(x)

    def size(z):
        return mx.real(z) ** 2 + mx.imag(z) ** 2

    return size(w).sum() + (size(weights @ v) * (1 + mx.real(w))).sum()


@pytest.mark.parametrize("dtype", [mx.float32, mx.float64])
def test_eig_derivatives(dtype):
    a, direction = general(4, 3), general(4, 4)
    weights = mx.array(general(4, 5), dtype=mx.float32)

    def exact(t):
        w, v = np.linalg.eig(a + t * direction)
        return (abs(w) ** 2).sum() + (abs(np.array(weights) @ v) ** 2 * (1 + w.real)).sum()

    want = (exact(1e-6) - exact(-1e-6)) / 2e-6
    x, d = f64(a).astype(dtype), f64(direction).astype(dtype)
    gradient = mx.grad(lambda y: analytic(y, weights))(x)
    assert gradient.dtype == dtype
    np.testing.assert_allclose(float((gradient * d).sum()), want, rtol=2e-4)
    _, (pushed,) = mx.jvp(lambda y: analytic(y, weights), [x], [d])
    np.testing.assert_allclose(float(pushed), want, rtol=2e-4)
    second = (exact(1e-3) - 2 * exact(0) + exact(-1e-3)) / 1e-6
    _, (curved,) = mx.jvp(mx.grad(lambda y: analytic(y, weights)), [x], [d])
    np.testing.assert_allclose(float((curved * d).sum()), second, rtol=5e-3)
    values = mx.grad(lambda y: mx.real(la.eigvals(y) ** 2).sum())(x)  # tr A^2
    np.testing.assert_allclose(np.array(values), 2 * a.T, atol=2e-4)


def complex_case(function):
    """A real function of a complex matrix: its gradient against central differences of float32 accuracy."""
    rng = np.random.default_rng(8)
    a = (rng.standard_normal((3, 3)) + 1j * rng.standard_normal((3, 3))).astype(np.complex64)
    d = (rng.standard_normal((3, 3)) + 1j * rng.standard_normal((3, 3))).astype(np.complex64)
    gradient = np.array(mx.grad(function)(mx.array(a)))
    _, (pushed,) = mx.jvp(function, [mx.array(a)], [mx.array(d)])
    return a, d, gradient, float(pushed)


COMPLEX = {
    "inv": (la.inv, np.linalg.inv),
    "cholesky": (
        lambda a: la.cholesky(a @ mx.conjugate(a.T) + mx.eye(3, dtype=a.dtype)),
        lambda a: np.linalg.cholesky(a @ a.conj().T + np.eye(3)),
    ),
    "qr": (lambda a: mx.concatenate(la.qr(a)), lambda a: np.concatenate(np.linalg.qr(a))),
    "lu": (lambda a: mx.concatenate(la.lu(a)[1:]), None),
    "pinv": (lambda a: la.pinv(a[:, :2]), lambda a: np.linalg.pinv(a[:, :2])),
    "svd": (
        lambda a: (lambda u, s, v: (u * mx.exp(s)) @ v)(*la.svd(a)),
        lambda a: (lambda u, s, v: (u * np.exp(s)) @ v)(*np.linalg.svd(a)),
    ),
    "det": (la.det, np.linalg.det),
    "slogdet": (
        lambda a: (lambda sign, size: sign * mx.exp(size))(
            *la.slogdet(mx.tile(a, (2, 2)) + mx.eye(6, dtype=a.dtype))
        ),
        lambda a: np.linalg.det(np.tile(a, (2, 2)) + np.eye(6)),
    ),
    "eig": (
        lambda a: (lambda w, v: (v * mx.exp(w)) @ la.inv(v))(*la.eig(a)),
        lambda a: (lambda w, v: (v * np.exp(w)) @ np.linalg.inv(v))(*np.linalg.eig(a)),
    ),
    "eigh": (
        lambda a: (lambda w, v: (v * mx.sin(w)) @ mx.conjugate(v.T))(*la.eigh(a + mx.conjugate(a.T))),
        lambda a: (lambda w, v: (v * np.sin(w)) @ v.conj().T)(*np.linalg.eigh(a + a.conj().T)),
    ),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_derivatives(name):
    function, oracle = COMPLEX[name]
    if oracle is None:
        scipy_linalg = pytest.importorskip("scipy.linalg")

        def oracle(a):
            return np.concatenate(scipy_linalg.lu(a, p_indices=True)[1:])

    rng = np.random.default_rng(9)
    shape = np.array(function(mx.array(np.eye(3, dtype=np.complex64) + 0.1 * general(3, 1)))).shape
    weights = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)

    def scalar(a):
        return mx.real(mx.array(weights) * function(a)).sum()

    a, d, gradient, pushed = complex_case(scalar)

    def exact(t):
        return (weights * oracle(a.astype(np.complex128) + t * d)).real.sum()

    want = (exact(1e-6) - exact(-1e-6)) / 2e-6
    np.testing.assert_allclose((gradient.conj() * d).real.sum(), want, rtol=2e-4, atol=1e-4)
    np.testing.assert_allclose(pushed, want, rtol=2e-4, atol=1e-4)


def test_repeated_values():
    """Values keep their derivative; what needs the vectors is NaN, never a wrong number."""
    a = f64(np.diag([1.0, 1.0, 2.0]))
    close(mx.grad(lambda x: la.eigvalsh(x).sum())(a), np.eye(3))
    close(mx.grad(lambda x: la.eigh(x)[0].sum())(a), np.eye(3))
    close(mx.grad(lambda x: la.svd(x)[1].sum())(a), np.eye(3))
    close(mx.grad(lambda x: la.svd(x, compute_uv=False).sum())(a), np.eye(3))
    weights = f64(general(3, 2))
    rotated = f64(np.linalg.qr(general(3, 6))[0])
    nearly = rotated @ a @ rotated.T  # equal up to rounding
    for x in (a, nearly):

        def rebuilt(y):
            w, v = la.eigh(y)
            return (weights * ((v * mx.exp(w)) @ v.T)).sum()

        def singular(y):
            u, s, vh = la.svd(y)
            return (weights * ((u * mx.exp(s)) @ vh)).sum()

        def general_vectors(y):
            w, v = la.eig(y)
            return mx.real((weights.astype(mx.complex64) * ((v * mx.exp(w)) @ la.inv(v))).sum())

        for function in (rebuilt, singular, general_vectors):
            assert np.isnan(np.array(mx.grad(function)(x))).any(), function.__name__
    assert np.isnan(np.array(mx.grad(lambda x: la.slogdet(x)[1])(f64(np.zeros((4, 4)))))).all()
    assert np.isnan(np.array(mx.grad(lambda x: la.norm(x))(f64(np.zeros(3))))).all()


@pytest.mark.parametrize("n", [2, 3, 4, 6])
@pytest.mark.parametrize("rank_lost", [0, 1, 2])
def test_gradient_of_det_is_that_of_singular_matrices_too(n, rank_lost):
    a = general(n, n)
    a[:rank_lost] = a[-1]
    minors = [[np.delete(np.delete(a, i, 0), j, 1) for j in range(n)] for i in range(n)]
    cofactors = [[(-1) ** (i + j) * np.linalg.det(minors[i][j]) for j in range(n)] for i in range(n)]
    close(mx.grad(la.det)(f64(a)), cofactors, 1e-12)
    close(mx.jvp(la.det, [f64(a)], [f64(np.ones((n, n)))])[1][0], np.sum(cofactors), 1e-12)
    if rank_lost == 0 or n <= 3:
        return
    a[0] = 0  # singular beyond doubt
    assert np.isnan(np.array(mx.jvp(mx.grad(la.det), [f64(a)], [f64(a)])[1][0])).all()


def test_layouts_of_large_batches_and_threads():
    a = np.random.default_rng(0).standard_normal((300, 9, 9)) + 9 * np.eye(9)
    before, results = mx.get_num_threads(), []
    for threads in (1, 3):
        mx.set_num_threads(threads)
        results.append(np.array(la.inv(f64(a))))
    mx.set_num_threads(before)
    np.testing.assert_array_equal(*results)
    close(results[0], np.linalg.inv(a))


ERRORS = [
    (lambda: la.inv(mx.zeros((2, 3))), ValueError,
     "[inv] Matrices must be square, but the array has shape (2,3)."),
    (lambda: la.inv(mx.zeros((3,))), ValueError,
     "[inv] Matrices need at least two dimensions, but the array has 1."),
    (lambda: la.cholesky(mx.zeros((2, 2), mx.int32)), ValueError,
     "[cholesky] Arrays must be of dtype float32, float64 or complex64, not int32."),
    (lambda: la.qr(mx.zeros((2, 2), mx.float16)), ValueError,
     "[qr] Arrays must be of dtype float32, float64 or complex64, not float16."),
    (lambda: la.eigh(mx.zeros((2, 2)), "X"), ValueError, "[eigh] UPLO must be 'L' or 'U', not 'X'."),
    (lambda: la.solve(mx.zeros((2, 2)), mx.zeros((3,))), ValueError,
     "[solve] Matrices of shape (2,2) do not fit a right-hand side of shape (3,)."),
    (lambda: la.det(mx.zeros((2, 3), mx.int32)), ValueError,
     "[det] Matrices must be square, but the array has shape (2,3)."),
    (lambda: la.det(mx.zeros((4, 4), mx.float16)), ValueError,
     "[det] Arrays must be of dtype float32, float64 or complex64, not float16."),
    (lambda: la.cross(mx.zeros((4,)), mx.zeros((3,))), ValueError,
     "[cross] Vectors have 2 or 3 elements, but axis -1 has size 4."),
    (lambda: la.norm(mx.array(1.0), 2), ValueError,
     "[norm] With an order but no axis the array must have one or two dimensions, but has 0."),
    (lambda: la.norm(mx.zeros((2, 2, 2)), "fro"), ValueError,
     "[norm] With an order but no axis the array must have one or two dimensions, but has 3."),
    (lambda: la.norm(mx.zeros((2, 2, 2)), axis=[0, 1, 2]), ValueError,
     "[norm] At most two axes make a norm, but got (0,1,2)."),
    (lambda: la.norm(mx.zeros((2, 2)), "nuc", axis=0), ValueError,
     "[norm] The order 'nuc' needs two axes, but got 1."),
    (lambda: la.norm(mx.zeros((2, 2)), "odd"), ValueError, "[norm] There is no norm of order 'odd'."),
    (lambda: la.norm(mx.zeros((2, 2)), 3), ValueError, "[norm] A matrix has no norm of order 3."),
    (lambda: la.norm(mx.zeros((0,)), float("inf")), ValueError,
     "[norm] The largest or smallest of no elements: the array has shape (0,)."),
    (lambda: la.norm(mx.zeros((2,)), axis=3), mx.AxisError, None),
]  # fmt: skip


@pytest.mark.parametrize("call, error, text", ERRORS, ids=range(len(ERRORS)))
def test_errors(call, error, text):
    with pytest.raises(error) as info:
        call()
    assert text is None or str(info.value) == text


def test_norm_defaults():
    x = np.arange(24.0).reshape(2, 3, 4)
    assert float(la.norm(mx.array(x))) == pytest.approx(np.linalg.norm(x.ravel()))
    assert la.norm(mx.array([3, 4])).dtype == mx.float32 and float(la.norm(mx.array([3, 4]))) == 5
    assert float(la.norm(mx.array([300.0, 400.0], dtype=mx.float16))) == 500
    z = mx.array([3 + 4j, 0])
    for order in (None, 1, 2, 3, np.inf, 0.5):
        assert la.norm(z, order).dtype == mx.float32
        assert float(la.norm(z, order)) == pytest.approx(5)
    np.testing.assert_array_equal(np.array(la.norm(mx.array([[-1.0, 2.0]]), axis=[])), [[1.0, 2.0]])
    for axis in (0, (0, 2), (2, 0)):
        for order in (None, 1, np.inf):
            got = la.norm(mx.array(x), order, axis, keepdims=True)
            close(got, np.linalg.norm(x, order, axis, keepdims=True), 1e-6)
    assert la.norm(mx.array(x), "nuc", (0, 2), keepdims=True).shape == (1, 3, 1)
    assert mx.matrix_norm is la.norm
