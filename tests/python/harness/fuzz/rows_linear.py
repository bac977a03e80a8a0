"""Rows of products, convolution, linear algebra and Fourier transforms."""

from __future__ import annotations

import numpy as np

import mlx.core as mx

from .draw import INEXACT, REALS
from .graph import DTYPES, Row

SOLID = ("float32", "float64", "complex64")
REAL_SOLID = ("float32", "float64")
PRECISION = 400  # units in the last place of a factorization, relative to the largest value


def wide(x):
    return x.astype(np.int64) if x.dtype.kind in "b" else x.astype("u8" if x.dtype.kind == "u" else "i8") \
        if x.dtype.kind in "iu" else x  # fmt: skip


def integer_wide(fn):
    return lambda *args, **kwargs: fn(*[wide(a) for a in args], **kwargs)


def product(shapes, dtypes=DTYPES, **kwargs):
    """Operands of shapes that `shapes(g)` gives, of one dtype or two."""

    def draw(g):
        first = g.dtype(dtypes)
        made = [g.new(s, first if g.chance(0.8) else g.dtype(dtypes)) for s in shapes(g)]
        return made, {k: v(g) for k, v in kwargs.items()}

    return draw


def matmul_shapes(g):
    m, k, n = g.length(), g.length(), g.length()
    lead = g.small(0, 2)
    other = lead if g.chance(0.6) else lead[1:]
    kind = g.int(0, 4)
    if kind == 0:
        return (k,), (*other, k, n)
    if kind == 1:
        return (*lead, m, k), (k,)
    return (*lead, m, k), (*other, k, n)


def addmm_shapes(g):
    m, k, n = g.length(), g.length(), g.length()
    return (m, n) if g.chance(0.5) else (n,), (m, k), (k, n)


def inner_shapes(g):
    k = g.length()
    return (*g.small(0, 2), k), (*g.small(0, 2), k)


def tensordot_draw(g):
    n = g.int(0, 2)
    shared = tuple(g.length() for _ in range(n))
    return product(lambda g: ((*g.small(0, 2), *shared), (*shared, *g.small(0, 2))))(g)[0], {"axes": n}


EINSUM = ("ij,jk->ik", "bij,bjk->bik", "i,j->ij", "ii->i", "ij->ji", "ij->", "ij,ij->ij", "ij,j->i",
        "ij,jk,kl->il",
          "...ij,...jk->...ik", "...i->...", "i,i->", "bqhd,bkhd->bhqk", "ij,kj", "ijk,kl->lij")  # fmt: skip


def einsum_draw(g):
    text = g.pick(EINSUM)
    sizes = {label: min(g.length(), 9) for label in "ijklbqhd"}
    lead = g.small(0, 1)
    shapes = []
    for part in text.split("->")[0].split(","):
        shape = lead if part.startswith("...") else ()
        shapes.append((*shape, *[sizes[c] for c in part.strip(".")]))
    dtype = g.dtype((*INEXACT, "int32", "int64"))
    return [g.new(s, dtype) for s in shapes], {"text": text}


def einsum(*operands, text):
    return mx.einsum(text, *operands)


def kron_draw(g):
    return [g.new(g.small(0, 2), d := g.dtype((*INEXACT, "int32"))), g.new(g.small(0, 2), d)], {}


def hadamard_draw(g):
    n = g.pick([1, 2, 4, 8, 16, 12, 20, 24])
    return [g.new((*g.small(0, 2), n), g.dtype(REALS))], {}


def gather_mm_draw(g):
    m, k, n = g.length(1), g.length(), g.length(1)
    a, b = g.int(1, 4), g.int(1, 4)
    d = g.dtype(REALS)
    count = g.small(0, 2)
    refs = [
        g.new((a, m, k), d),
        g.new((b, k, n), d),
        g.new(count, "int32", "index", a),
        g.new(count, "int32", "index", b),
    ]
    return refs, {}


def segmented_draw(g):
    m, k, n = g.length(1), g.length(1), g.length(1)
    d = g.dtype(REALS)
    return [g.new((m, k), d), g.new((k, n), d), g.new((g.int(1, 4), 2), "uint32", "segments", k)], {}


def segmented_oracle(a, b, segments):
    return np.stack([a[:, i:j] @ b[i:j] for i, j in segments])


def masked_draw(g):
    m, k, n = g.int(1, 70), g.int(1, 70), g.int(1, 70)
    d = g.dtype(REALS)
    blocks = [-(-s // 32) for s in (m, k, n)]
    masks = [(blocks[0], blocks[2]), (blocks[0], blocks[1]), (blocks[1], blocks[2])]
    return [g.new((m, k), d), g.new((k, n), d), *[g.new(s, "bool") for s in masks]], {}


def masked(a, b, out, left, right):
    return mx.block_masked_mm(a, b, 32, out, left, right)


def masked_oracle(a, b, out, left, right):
    def grown(mask, like):
        return np.repeat(np.repeat(mask, 32, 0), 32, 1)[: like.shape[0], : like.shape[1]]

    y = (a * grown(left, a)) @ (b * grown(right, b))
    return y * grown(out, y)


# Convolution: input (N, spatial..., C), weight (O, spatial..., C / groups).


def conv_draw(n, transposed=False):
    def draw(g):
        groups = g.pick([1, 1, 2])
        channels, out = groups * g.int(1, 3), groups * g.int(1, 3)
        window = tuple(g.int(1, 3) for _ in range(n))
        dilation = tuple(g.int(1, 2) for _ in range(n))
        space = tuple((w - 1) * d + 1 + g.int(0, 4) for w, d in zip(window, dilation))
        x = g.new((g.int(1, 2), *space, channels), d := g.dtype(REALS))
        w = g.new((out, *window, channels // groups), d)

        # A transposed convolution takes the padding away from the result.
        most = [min(1, (w - 1) * d // 2) if transposed else 1 for w, d in zip(window, dilation)]
        kwargs = {
            "stride": tuple(g.int(1, 2) for _ in range(n)),
            "padding": tuple(g.int(0, m) for m in most),
            "dilation": dilation,
        }
        if n == 1:
            kwargs = {k: v[0] for k, v in kwargs.items()}
        kwargs["groups"] = groups
        return [x, w], kwargs

    return draw


def many(value, n):
    return value if isinstance(value, tuple) else (value,) * n


def conv_oracle(x, w, stride=1, padding=0, dilation=1, groups=1):
    n = x.ndim - 2
    stride, padding, dilation = many(stride, n), many(padding, n), many(dilation, n)
    x = np.pad(x, [(0, 0), *[(p, p) for p in padding], (0, 0)])
    size = [(x.shape[i + 1] - (w.shape[i + 1] - 1) * dilation[i] - 1) // stride[i] + 1 for i in range(n)]
    y = np.zeros((x.shape[0], *size, w.shape[0]))
    inputs, outputs = x.shape[-1] // groups, w.shape[0] // groups
    for place in np.ndindex(*w.shape[1:-1]):
        part = tuple(
            slice(p * d, p * d + (m - 1) * s + 1, s) for p, d, m, s in zip(place, dilation, size, stride)
        )
        taken = x[(slice(None), *part)]
        for k in range(groups):
            a = taken[..., k * inputs : (k + 1) * inputs]
            b = w[(slice(k * outputs, (k + 1) * outputs), *place)]
            y[..., k * outputs : (k + 1) * outputs] += a @ b.T
    return y


def conv_general_oracle(x, w, stride, padding, kernel_dilation, input_dilation, groups, flip):
    n = x.ndim - 2
    spread = np.zeros((x.shape[0], *[(s - 1) * d + 1 for s, d in zip(x.shape[1:-1], many(input_dilation, n))],
                       x.shape[-1]))  # fmt: skip
    spread[(slice(None), *[slice(None, None, d) for d in many(input_dilation, n)])] = x
    w = np.flip(w, range(1, n + 1)) if flip else w
    return conv_oracle(spread, w, stride, padding, kernel_dilation, groups)


def conv_transpose_oracle(x, w, stride, padding, dilation, groups):
    n = x.ndim - 2
    shapes = zip(w.shape[1:-1], many(dilation, n), many(padding, n))
    wider = tuple((k - 1) * d - p for k, d, p in shapes)
    return conv_general_oracle(x, w, 1, wider, dilation, stride, groups, True)


def conv_general_draw(g):
    n = g.int(1, 3)
    refs, kwargs = conv_draw(n)(g)
    kwargs = {"stride": kwargs["stride"], "padding": kwargs["padding"], "kernel_dilation": kwargs["dilation"],
              "input_dilation": g.int(1, 2), "groups": kwargs["groups"], "flip": g.chance(0.5)}  # fmt: skip
    return refs, kwargs


def convolve_draw(g):
    d = g.dtype((*INEXACT, "int32"))
    return [g.new((g.int(1, 9),), d), g.new((g.int(1, 5),), d)], {"mode": g.pick(["full", "same", "valid"])}


# Linear algebra.


def matrices(kind="square", dtypes=SOLID, right=False, **kwargs):
    def draw(g):
        n = g.int(1, 5) if g.chance(0.9) else g.int(0, 9)
        lead = g.small(0, 2)
        dtype = g.dtype(dtypes)
        refs = [g.new((*lead, n, n), dtype, kind, layout=g.pick(["plain", "strided"]))]
        if right:
            refs.append(g.new((*lead, n, g.int(1, 3)), dtype))
        return refs, {k: v(g) for k, v in kwargs.items()}

    return draw


def rectangles(dtypes=SOLID, **kwargs):
    def draw(g):
        shape = (*g.small(0, 1), g.int(1, 5), g.int(1, 5))
        return [g.new(shape, g.dtype(dtypes))], {k: v(g) for k, v in kwargs.items()}

    return draw


def t(x):
    return np.swapaxes(x, -1, -2)


def adjoint(x):
    return np.conj(t(x))


def qr_holds(a, q, r):
    return [
        (q @ r, a),
        (adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2],) + (q.shape[-1],) * 2)),
    ]


def svd_holds(a, u, s, vt):
    k = s.shape[-1]
    return [((u[..., :k] * s[..., None, :]) @ vt[..., :k, :], a), (s, np.linalg.svd(a, compute_uv=False))]


def eigh_holds(a, w, v, UPLO="L"):
    return [(a @ v, v * w[..., None, :]), (w, np.linalg.eigvalsh(a, UPLO))]


def eig_holds(a, w, v):
    return [(a @ v, v * w[..., None, :])]


def eigvals_holds(a, w):
    return [(np.sort_complex(w), np.sort_complex(np.linalg.eigvals(a)))]


def lu_holds(a, p, lower, upper):
    product = lower @ upper
    rows = np.take_along_axis(product, p.astype(np.int64)[..., None], -2)
    back = np.take_along_axis(a, p.astype(np.int64)[..., None], -2)
    # Either way round is a permutation of rows.
    return [(rows, a)] if np.allclose(rows, a, rtol=1e-3, atol=1e-3) else [(product, back)]


def cholesky_oracle(a, upper=False):
    lower = np.linalg.cholesky(a)
    return adjoint(lower) if upper else lower


def triangular(g):
    upper = g.chance(0.5)
    refs, _ = matrices("upper" if upper else "lower", right=True)(g)
    return refs, {"upper": upper}


def pinv_oracle(a):
    return np.linalg.pinv(a)


def pinv_scale(a):
    """Errors grow with the square of the inverse of the smallest singular value."""
    s = np.linalg.svd(a, compute_uv=False)
    return max(1.0, float((s.max(-1) / s.min(-1) ** 2).max())) if s.size else 1.0


def tri_inv_draw(g):
    upper = g.chance(0.5)
    refs, _ = matrices("upper" if upper else "lower")(g)
    return refs, {"upper": upper}


def cholesky_inv_draw(g):
    return matrices("lower", REAL_SOLID)(g)


def norm_draw(g):
    x = g.array(REALS, low=1, high=3, shortest=1)
    n = len(g.shape_of(x))
    if n > 1 and g.chance(0.5):
        axis = [int(a) for a in g.rng.permutation(n)[:2]]
        return [x], {"ord": g.pick([None, "fro", 1, -1, np.inf]), "axis": axis, "keepdims": g.chance(0.5)}
    return [x], {
        "ord": g.pick([None, 1, 2, 3, np.inf, -np.inf]),
        "axis": g.axis(x),
        "keepdims": g.chance(0.5),
    }


def norm_oracle(x, ord, axis, keepdims):
    return np.linalg.norm(x, ord, tuple(axis) if isinstance(axis, list) else axis, keepdims)


def cross_draw(g):
    shape = (*g.small(0, 2), 3)
    return [g.new(shape, d := g.dtype(REALS)), g.new(shape, d)], {}


def slogdet_oracle(a):
    return tuple(np.linalg.slogdet(a))


# Fourier transforms.

NORMS = ("backward", "ortho", "forward")


def fft_draw(real, inverse=False):
    def draw(g):
        kinds = REALS[:1] + REALS[2:] if real else ("complex64", "float32", "int32")
        x = g.array(kinds, low=1, shortest=2 if inverse else 1)
        axis = g.axis(x)
        n = None if g.chance(0.5) else g.int(2 if inverse else 1, 17)
        return [x], {"n": n, "axis": axis, "norm": g.pick(NORMS)}

    return draw


def fftn_draw(real, inverse=False, two=False):
    def draw(g):
        kinds = REALS[:1] + REALS[2:] if real else ("complex64", "float32")
        x = g.array(kinds, low=2, high=3, shortest=2 if inverse else 1)
        n = len(g.shape_of(x))
        count = 2 if two else g.int(1, n)
        axes = tuple(int(a) for a in g.rng.permutation(n)[:count])
        s = None if g.chance(0.5) else tuple(g.int(2, 7) for _ in axes)
        return [x], {"s": s, "axes": axes, "norm": g.pick(NORMS)}

    return draw


def fft_rows():
    rows = []
    for name in ("fft", "ifft", "rfft", "irfft"):
        real, inverse = name == "rfft", name == "irfft"
        # Relative to the size of a sum of as many terms. An infinity times the parts of a root of unity,
        # of which one may be 0, is infinite or NaN, by the order of the factors.
        options = {"ulps": 24, "wild": True, "finite": True}
        rows.append(Row(f"fft.{name}", fft_draw(real, inverse), getattr(np.fft, name), scale=magnitude(name),
                        **options))  # fmt: skip
        for suffix in ("2", "n"):
            full = name + suffix
            rows.append(Row(f"fft.{full}", fftn_draw(real, inverse, suffix == "2"), getattr(np.fft, full),
                            scale=magnitude(full), **options))  # fmt: skip
    return rows


def magnitude(name):
    def scale(x, **kwargs):
        y = np.abs(getattr(np.fft, name)(np.abs(x), **kwargs))
        return float(y.max()) * 2 if y.size else 1.0

    return scale


def stft_draw(g):
    n = g.pick([4, 8, 16])
    x = g.new((*g.small(0, 1), g.int(n, 40)), g.dtype(REAL_SOLID[:1]))
    return [x], {"n_fft": n, "hop_length": n // 4}


def istft_draw(g):
    n = g.pick([4, 8])
    return [g.new((n // 2 + 1, g.int(8, 12)), "complex64")], {"n_fft": n, "hop_length": n // 4}


ACCURATE = {"ulps": PRECISION}
ROWS = [
    Row("matmul", product(matmul_shapes), integer_wide(np.matmul), ulps=16, scale="abs", promote="common",
        smooth=True,
        wild=True),
    Row("addmm", product(addmm_shapes, INEXACT, alpha=lambda g: g.pick([1.0, 0.5]),
        beta=lambda g: g.pick([1.0, 2.0])),
        lambda c, a, b, alpha, beta: beta * c + alpha * (a @ b), ulps=16, scale="abs", promote="common",
        smooth=True, wild=True),
    Row("inner", product(inner_shapes), integer_wide(np.inner), ulps=16, scale="abs", promote="common",
        smooth=True,
        wild=True),
    Row("outer", product(lambda g: ((g.length(),), (g.length(),))), np.outer, promote="common", smooth=True,
        wild=True),
    Row("vecdot", product(lambda g: (s := g.small(1, 3), s)),
        lambda a, b: (np.conj(wide(a)) * wide(b)).sum(-1), ulps=16, scale="abs", promote="common",
        smooth=True,
        wild=True),
    Row("tensordot", tensordot_draw, integer_wide(np.tensordot), ulps=16, scale="abs", promote="common",
        smooth=True,
        wild=True),
    Row("einsum", einsum_draw, lambda *a, text: np.einsum(text, *[wide(x) for x in a]), einsum, ulps=32,
        scale="abs",
        smooth=True, wild=True),
    Row("kron", kron_draw, np.kron, smooth=True, wild=True, ulps=8),
    Row("hadamard_transform", hadamard_draw, ulps=16, wild=True, smooth=True),
    Row("gather_mm", gather_mm_draw, lambda a, b, i, j: a[i] @ b[j], ulps=16, scale=lambda a, b,
        *i: 9.0 * a.shape[-1],
        smooth=True, wild=True),
    Row("segmented_mm", segmented_draw, segmented_oracle, ulps=16, scale=lambda a, b, s: 9.0 * a.shape[-1],
        smooth=True, wild=True),
    Row("block_masked_mm", masked_draw, masked_oracle, masked, ulps=16, scale=lambda a, *r: 9.0 * a.shape[-1],
        smooth=True, wild=True),
    *[Row(f"conv{n}d", conv_draw(n), conv_oracle, ulps=16, scale="abs", smooth=True, wild=True) for n in (1,
        2, 3)],
    *[Row(f"conv_transpose{n}d", conv_draw(n, True), conv_transpose_oracle, scale="abs", ulps=16,
        smooth=True, wild=True) for n in (1, 2, 3)],
    Row("conv_general", conv_general_draw, conv_general_oracle, scale="abs", smooth=True, wild=True, ulps=16),
    Row("convolve", convolve_draw, np.convolve, ulps=16, scale="abs", promote="float", wild=True,
        smooth=True),
    Row("linalg.inv", matrices(), np.linalg.inv, smooth=True, **ACCURATE),
    Row("linalg.tri_inv", tri_inv_draw, lambda a, upper: np.linalg.inv(a), smooth=True, **ACCURATE),
    Row("linalg.pinv", rectangles(), pinv_oracle, ulps=4000, scale=pinv_scale),
    Row("linalg.solve", matrices(right=True), np.linalg.solve, smooth=True, **ACCURATE),
    Row("linalg.solve_triangular", triangular, lambda a, b, upper: np.linalg.solve(a, b), smooth=True,
        **ACCURATE),
    Row("linalg.det", matrices(), np.linalg.det, wild=True, smooth=True, **ACCURATE),
    Row("linalg.slogdet", matrices(), slogdet_oracle, **ACCURATE),
    Row("linalg.qr", rectangles(), verify=qr_holds, **ACCURATE),
    Row("linalg.svd", rectangles(), verify=svd_holds, **ACCURATE),
    Row("linalg.eigh", matrices("definite", UPLO=lambda g: g.pick("LU")), verify=eigh_holds, **ACCURATE),
    Row("linalg.eigvalsh", matrices("definite", UPLO=lambda g: g.pick("LU")),
        lambda a, UPLO: np.linalg.eigvalsh(a, UPLO), **ACCURATE),
    Row("linalg.eig", matrices(), verify=eig_holds, **ACCURATE),
    Row("linalg.eigvals", matrices(), verify=eigvals_holds, **ACCURATE),
    Row("linalg.lu", matrices(), verify=lu_holds, **ACCURATE),
    Row("linalg.lu_factor", matrices(), **ACCURATE),
    Row("linalg.cholesky", matrices("definite", upper=lambda g: g.chance(0.5)), cholesky_oracle, smooth=True,
        **ACCURATE),
    Row("linalg.cholesky_inv", cholesky_inv_draw, lambda a: np.linalg.inv(a @ adjoint(a)), smooth=True,
        **ACCURATE),
    Row("linalg.norm", norm_draw, norm_oracle, ulps=16, wild=True),
    Row("matrix_norm", norm_draw, norm_oracle, ulps=16, wild=True),
    Row("linalg.cross", cross_draw, np.cross, scale=lambda a, b: 18.0, wild=True, smooth=True),
    *fft_rows(),
    Row("fft.fftfreq", lambda g: ([], {"n": g.int(1, 9), "d": 0.5}), np.fft.fftfreq),
    Row("fft.rfftfreq", lambda g: ([], {"n": g.int(1, 9), "d": 0.5}), np.fft.rfftfreq),
    Row("fft.fftshift", lambda g: ([g.array(low=1)], {}), np.fft.fftshift, smooth=True),
    Row("fft.ifftshift", lambda g: ([g.array(low=1)], {}), np.fft.ifftshift, smooth=True),
    Row("fft.stft", stft_draw, wild=True, ulps=64), Row("fft.istft", istft_draw, wild=True, ulps=64),
]  # fmt: skip
