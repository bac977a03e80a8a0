"""Packages that know arrays by their type alone: einops, einx, autoray and opt_einsum, each against NumPy."""

import autoray
import einops
import einx
import numpy as np
import opt_einsum
import pytest

import mlx.core as mx
import mlx.nn as nn

rng = np.random.default_rng(0)


def numbers(*shape):
    return rng.normal(size=shape).astype(np.float32)


def same(got, want, tolerance=1e-5):
    assert isinstance(got, mx.array)
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "pattern, sizes",
    [("b h w c -> b (h w) c", {}), ("b (h h2) w c -> (b h2) h w c", {"h2": 2}), ("b h w c -> c w h b", {})],
)
def test_einops_rearrange(pattern, sizes):
    x = numbers(2, 4, 6, 3)
    same(einops.rearrange(mx.array(x), pattern, **sizes), einops.rearrange(x, pattern, **sizes), 0)


@pytest.mark.parametrize("how", ["mean", "sum", "max", "min", "prod"])
def test_einops_reduce(how):
    x = numbers(2, 4, 6, 3)
    pattern = "b (h h2) (w w2) c -> b h w c"
    same(einops.reduce(mx.array(x), pattern, how, h2=2, w2=2), einops.reduce(x, pattern, how, h2=2, w2=2))


def test_einops_the_rest():
    x, y = numbers(2, 3, 4), numbers(4, 5)
    same(einops.einsum(mx.array(x), mx.array(y), "a b c, c d -> a d b"), np.einsum("abc,cd->adb", x, y))
    packed, shapes = einops.pack([mx.array(x), mx.array(x[:, 0])], "a * c")
    assert packed.shape == (2, 4, 4)
    same(einops.unpack(packed, shapes, "a * c")[1], x[:, 0], 0)
    gradient = mx.grad(lambda a: einops.reduce(a * a, "a b c -> b", "sum").sum())(mx.array(x))
    same(gradient, 2 * x)


def test_einops_in_a_compiled_model():
    linear = nn.Linear(12, 5)

    def model(x):
        x = einops.reduce(x, "b (h 2) (w 2) c -> b h w c", "max")
        return linear(einops.rearrange(x, "b h w c -> b (h w c)"))

    x = numbers(2, 4, 4, 3)
    pooled = x.reshape(2, 2, 2, 2, 2, 3).max((2, 4)).reshape(2, 12)
    same(mx.compile(model)(mx.array(x)), pooled @ np.array(linear.weight).T + np.array(linear.bias))


def test_einx():
    x, y = numbers(4, 6), numbers(6, 5)
    a, b = mx.array(x), mx.array(y)
    same(einx.sum("a [b]", a), x.sum(1))
    same(einx.mean("(a [a2]) b", a, a2=2), x.reshape(2, 2, 6).mean(1))
    same(einx.id("a (b c) -> (a c) b", a, c=2), x.reshape(4, 3, 2).transpose(0, 2, 1).reshape(8, 3), 0)
    same(einx.dot("a [b], [b] c -> a c", a, b), x @ y)
    same(einx.add("a b, a", a, mx.array(x[:, 0])), x + x[:, :1])
    rows = np.array([3, 0, 2])
    same(einx.get_at("[a] b, i -> i b", a, mx.array(rows)), x[rows], 0)
    same(einx.softmax("a [b]", a), np.exp(x) / np.exp(x).sum(1, keepdims=True))


AUTORAY = {
    "sum": lambda do, x: do("sum", x, axis=0),
    "exp": lambda do, x: do("exp", x),
    "transpose": lambda do, x: do("transpose", x, (1, 0)),
    "tensordot": lambda do, x: do("tensordot", x, x, axes=((0,), (0,))),
    "einsum": lambda do, x: do("einsum", "ab,cb->ac", x, x),
    "stack": lambda do, x: do("stack", (x, x)),
    "concatenate": lambda do, x: do("concatenate", (x, x), axis=1),
    "where": lambda do, x: do("where", x > 0, x, -x),
    "reshape": lambda do, x: do("reshape", x, (2, -1)),
    "diag": lambda do, x: do("diag", x),
    "norm": lambda do, x: do("linalg.norm", x),
    "take": lambda do, x: do("take", x, 1, axis=0),
    "clip": lambda do, x: do("clip", x, -0.5, 0.5),
    "pad": lambda do, x: do("pad", x, ((1, 1), (0, 2))),
    "eye": lambda do, x: do("eye", 3, like=x),
    "split": lambda do, x: do("split", x, 2, axis=1)[1],
    "count_nonzero": lambda do, x: do("sum", x > 0),
}


@pytest.mark.parametrize("name", AUTORAY)
def test_autoray(name):
    x = numbers(4, 4)
    same(AUTORAY[name](autoray.do, mx.array(x)), AUTORAY[name](autoray.do, x))


@pytest.mark.parametrize("name", ["qr", "svd", "eigh", "cholesky", "inv", "solve"])
def test_autoray_linear_algebra(name):
    x = numbers(4, 4)
    x = x @ x.T + 4 * np.eye(4, dtype=np.float32)
    a = mx.array(x)
    with mx.stream(mx.cpu):
        out = autoray.do(f"linalg.{name}", a, *([a[:, 0]] if name == "solve" else []))
    if name in ("qr", "eigh", "svd"):
        parts = [np.array(part) for part in out]
        whole = {"qr": lambda q, r: q @ r, "eigh": lambda w, v: v * w @ v.T, "svd": lambda u, s, v: u * s @ v}
        np.testing.assert_allclose(whole[name](*parts), x, atol=1e-4)
    else:
        want = {"cholesky": np.linalg.cholesky, "inv": np.linalg.inv, "solve": lambda x: np.eye(4)[0]}
        same(out, want[name](x), 1e-4)


def test_autoray_lazy():
    x = numbers(3, 4)
    lazy = autoray.lazy.array(mx.array(x))
    same(autoray.do("sum", lazy @ autoray.do("transpose", lazy, (1, 0))).compute(), (x @ x.T).sum(), 1e-4)


def test_opt_einsum():
    shapes = [(3, 4), (4, 5), (5, 6), (6, 3)]
    arrays = [numbers(*shape) for shape in shapes]
    got = opt_einsum.contract("ab,bc,cd,de->ae", *map(mx.array, arrays), backend="mlx.core")
    same(got, np.linalg.multi_dot(arrays), 1e-4)
    expression = opt_einsum.contract_expression("ab,bc,ca->", (3, 4), (4, 5), (5, 3))
    small = [numbers(3, 4), numbers(4, 5), numbers(5, 3)]
    got = expression(*map(mx.array, small), backend="mlx.core")
    same(got, np.trace(np.linalg.multi_dot(small)), 1e-4)
