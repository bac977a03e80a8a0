"""Reductions and what is done row by row: softmax, norms, losses."""

import numpy as np
from case import case, index, jax, mx, normal, torch

X = normal(4096, 1024)


def softmax_numpy(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    e /= e.sum(-1, keepdims=True)
    return e


def logsumexp_numpy(x):
    top = x.max(-1, keepdims=True)
    return np.log(np.exp(x - top).sum(-1)) + top[..., 0]


def layer_norm_plain(f, x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / f.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def rms_norm_plain(f, x, w):
    return x / f.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w


def reduction(name, op, axis=None, shape=(4096, 1024)):
    own = {"torch": lambda x: getattr(x, {"max": "amax"}.get(op, op))(axis)} if axis is not None else {}
    return case(name, normal(*shape), every=lambda f, x: getattr(x, op)(axis), **own)


REDUCTIONS = [
    case("sum all", X, every=lambda f, x: x.sum()),
    reduction("sum axis 0", "sum", 0),
    reduction("sum axis 1", "sum", 1),
    reduction("sum middle", "sum", 1, (16, 128, 1024)),
    reduction("sum first and last", "sum", (0, 2), (16, 128, 1024)),
    case("sum transposed", X, every=lambda f, x: x.T.sum(0)),
    case("max all", X, every=lambda f, x: x.max()),
    reduction("mean axis 1", "mean", 1),
    case("argmax", normal(10, 1024, 128), every=lambda f, x: x.argmax(1)),
    case("sum and add", normal(1024, 1024), normal(1024), every=lambda f, x, y: x.sum(0) + y),
]
ROWS = [
    case(
        "softmax",
        X,
        numpy=softmax_numpy,
        torch=lambda x: torch.softmax(x, -1),
        jax=lambda x: jax.nn.softmax(x),
        mlx=lambda x: mx.softmax(x, -1),
    ),
    case(
        "softmax axis 1 of 3",
        normal(32, 16, 1024),
        torch=lambda x: torch.softmax(x, 1),
        jax=lambda x: jax.nn.softmax(x, 1),
        mlx=lambda x: mx.softmax(x, 1),
    ),
    case(
        "logsumexp",
        X,
        numpy=logsumexp_numpy,
        torch=lambda x: x.logsumexp(-1),
        jax=lambda x: jax.nn.logsumexp(x, -1),
        mlx=lambda x: mx.logsumexp(x, -1),
    ),
    case(
        "cross entropy",
        normal(256, 8192),
        index(8192, 256),
        numpy=lambda x, y: logsumexp_numpy(x) - x[np.arange(len(y)), y],
        torch=lambda x, y: torch.nn.functional.cross_entropy(x, y, reduction="none"),
        jax=lambda x, y: jax.nn.logsumexp(x, -1) - jax.numpy.take_along_axis(x, y[:, None], 1)[:, 0],
        mlx=lambda x, y: mx.logsumexp(x, -1) - mx.take_along_axis(x, y[:, None], 1)[:, 0],
    ),
    case(
        "layer norm",
        X,
        numpy=lambda x: layer_norm_plain(np, x),
        torch=lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]),
        jax=lambda x: layer_norm_plain(jax.numpy, x),
        mlx=lambda x: mx.fast.layer_norm(x, None, None, 1e-5),
    ),
    case(
        "rms norm",
        X,
        normal(1024),
        numpy=lambda x, w: rms_norm_plain(np, x, w),
        torch=lambda x, w: torch.nn.functional.rms_norm(x, w.shape, w, 1e-5),
        jax=lambda x, w: rms_norm_plain(jax.numpy, x, w),
        mlx=lambda x, w: mx.fast.rms_norm(x, w, 1e-5),
    ),
]
FAMILIES = {"reductions": REDUCTIONS, "rows": ROWS}
