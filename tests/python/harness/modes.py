"""The modes: what must hold for every case, whatever it computes."""

from __future__ import annotations

import tempfile

import numpy as np

import mlx.core as mx

from .case import Case
from .compare import as_tuple, assert_close, assert_same_bits, to_mx, to_numpy


def inputs(case: Case, dtype: str, size: str = "base") -> tuple[list[np.ndarray], list[mx.array]]:
    arguments = case.arguments(dtype, size)
    return arguments, [to_mx(x, x.dtype.name if index_like(x, dtype) else dtype) for x in arguments]


def index_like(x: np.ndarray, dtype: str) -> bool:
    """Arguments that keep their own dtype: indices and conditions of floating cases."""
    return x.dtype.kind in "iub" and not ("int" in dtype or dtype == "bool")


def oracle_of(case: Case, arguments: list[np.ndarray]) -> tuple:
    wide = [
        x.astype(np.complex128) if x.dtype.kind == "c" else x.astype(np.float64) if x.dtype.kind == "f" else x
        for x in arguments
    ]
    with np.errstate(all="ignore"):
        return as_tuple(case.oracle(*wide))


def value(case: Case, dtype: str):
    arguments, x = inputs(case, dtype)
    for got, expected in zip(as_tuple(case.fn(*x)), oracle_of(case, arguments), strict=True):
        assert_close(got, expected, case.ulps, "value")


def layouts(case: Case, dtype: str):
    """Transposed, strided, reversed and offset inputs give the bits of contiguous ones."""
    _, x = inputs(case, dtype)
    expected = as_tuple(case.fn(*x))

    def transposed(a):
        return mx.contiguous(mx.transpose(a)).T if a.ndim > 1 else a

    def strided(a):
        if a.ndim == 0:
            return a
        doubled = mx.repeat(a, 2, axis=-1)
        return doubled[..., ::2]

    def reversed_(a):
        return mx.contiguous(a[::-1])[::-1] if a.ndim else a

    def offset(a):
        return mx.concatenate([a, a], axis=0)[a.shape[0] :] if a.ndim else a

    for layout in (transposed, strided, reversed_, offset):
        moved = [layout(a) for a in x]
        mx.eval(moved)
        for got, want in zip(as_tuple(case.fn(*moved)), expected, strict=True):
            if case.skip.get("same bits"):
                assert_close(got, to_numpy(want), case.ulps, layout.__name__)
            else:
                assert_same_bits(got, want, layout.__name__)


def compiled(case: Case, dtype: str):
    """mx.compile gives the bits of eager evaluation, on the first and on later calls."""
    _, x = inputs(case, dtype)
    expected = as_tuple(case.fn(*x))
    program = mx.compile(lambda *a: case.fn(*a))
    for _ in range(2):
        for got, want in zip(as_tuple(program(*x)), expected, strict=True):
            assert_same_bits(got, want, "compiled")


def shapeless(case: Case, dtype: str):
    """Traced at one shape, called at others: equal to eager, never a stale size."""
    program = mx.compile(lambda *a: case.fn(*a), shapeless=True)
    for size in case.shapes:
        _, x = inputs(case, dtype, size)
        for got, want in zip(as_tuple(program(*x)), as_tuple(case.fn(*x)), strict=True):
            assert_same_bits(got, want, f"shapeless at {size}")


def exported(case: Case, dtype: str):
    """Written to a file and read again: the bits of eager evaluation; at other sizes they may be refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/f.mlxfn"
        _, x = inputs(case, dtype)
        mx.export_function(path, lambda *a: case.fn(*a), *x, shapeless=True)
        program = mx.import_function(path)
    for size in case.shapes:
        _, x = inputs(case, dtype, size)
        try:
            results = program(*x)
        except ValueError:
            assert size != "base", "the traced sizes must be served"
            continue
        for got, want in zip(results, as_tuple(case.fn(*x)), strict=True):
            assert_same_bits(got, want, f"exported at {size}")


def vmapped(case: Case, dtype: str):
    """Three elements at once equal three calls, for any batch axis; an empty batch has the right shape."""
    _, x = inputs(case, dtype)
    shifted = [x] + [[mx.flip(a, 0) if a.ndim else a for a in x]] + [x]
    expected = [as_tuple(case.fn(*a)) for a in shifted]
    for axis in (0, -1):
        batch = [mx.stack(list(a), axis=axis) for a in zip(*shifted, strict=True)]
        for i, got in enumerate(as_tuple(mx.vmap(case.fn, in_axes=axis)(*batch))):
            for k in range(3):
                assert_close(
                    got[k], to_numpy(expected[k][i]), case.ulps, f"vmap over axis {axis}, element {k}"
                )
    if len(x) > 1:
        mixed = mx.vmap(case.fn, in_axes=(0,) + (None,) * (len(x) - 1))(mx.stack([x[0]] * 2), *x[1:])
        for i, got in enumerate(as_tuple(mixed)):
            assert_close(got[1], to_numpy(expected[0][i]), case.ulps, "vmap over the first argument")
    none = [mx.zeros((0, *a.shape), a.dtype) for a in x]
    for got, want in zip(as_tuple(mx.vmap(case.fn)(*none)), expected[0], strict=True):
        assert got.shape == (0, *want.shape), "empty batch"


def _differentiable(case: Case):
    """The function of the differentiated arguments alone, in float64, and a point and direction."""
    arguments, x = inputs(case, "float64")
    point = [x[i] for i in case.wrt]
    rng = np.random.default_rng(7)
    direction = [mx.array(rng.standard_normal(p.shape), dtype=mx.float64) for p in point]

    def fn(*primals):
        full = list(x)
        for i, p in zip(case.wrt, primals, strict=True):
            full[i] = p
        return list(as_tuple(case.fn(*full)))

    return fn, point, direction


def _difference(fn, point, direction, h=1e-6):
    """Central difference of fn along the direction."""
    step = mx.array(h, dtype=mx.float64)
    ahead = fn(*[p + step * d for p, d in zip(point, direction, strict=True)])
    behind = fn(*[p - step * d for p, d in zip(point, direction, strict=True)])
    return [(to_numpy(a) - to_numpy(b)) / (2 * h) for a, b in zip(ahead, behind, strict=True)]


def _close(got: np.ndarray, expected: np.ndarray, what: str, tolerance: float = 1e-5):
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance, err_msg=what)


def jvp(case: Case):
    fn, point, direction = _differentiable(case)
    _, tangents = mx.jvp(fn, point, direction)
    for got, expected in zip(tangents, _difference(fn, point, direction), strict=True):
        _close(to_numpy(got), expected, "jvp against central differences")


def vjp(case: Case):
    fn, point, direction = _differentiable(case)
    rng = np.random.default_rng(11)
    cotangents = [mx.array(rng.standard_normal(y.shape), dtype=mx.float64) for y in fn(*point)]
    _, gradients = mx.vjp(fn, point, cotangents)
    for p, g in zip(point, gradients, strict=True):
        assert g.shape == p.shape and g.dtype == p.dtype, f"gradient is {g.dtype} {g.shape}"
    pulled = sum(float((to_numpy(g) * to_numpy(d)).sum()) for g, d in zip(gradients, direction, strict=True))
    differences = _difference(fn, point, direction)
    pushed = sum(float((to_numpy(c) * t).sum()) for c, t in zip(cotangents, differences, strict=True))
    _close(np.array(pulled), np.array(pushed), "vjp against central differences")


def second(case: Case):
    """The derivative of the gradient along a direction, forward over reverse and reverse over reverse."""
    fn, point, direction = _differentiable(case)
    rng = np.random.default_rng(13)
    weights = [mx.array(rng.standard_normal(y.shape), dtype=mx.float64) for y in fn(*point)]

    def gradients(*primals):
        return list(mx.vjp(fn, list(primals), weights)[1])

    _, forward = mx.jvp(gradients, point, direction)
    expected = _difference(gradients, point, direction)
    for got, want in zip(forward, expected, strict=True):
        _close(to_numpy(got), want, "jvp of vjp", 1e-4)
    _, reverse = mx.vjp(gradients, point, direction)
    product = sum(float((to_numpy(r) * to_numpy(d)).sum()) for r, d in zip(reverse, direction, strict=True))
    symmetric = sum(float((w * to_numpy(d)).sum()) for w, d in zip(expected, direction, strict=True))
    _close(np.array(product), np.array(symmetric), "vjp of vjp", 1e-4)


BY_DTYPE = {
    "value": value,
    "layouts": layouts,
    "compiled": compiled,
    "shapeless": shapeless,
    "exported": exported,
    "vmapped": vmapped,
}
DERIVATIVES = {"jvp": jvp, "vjp": vjp, "second": second}
