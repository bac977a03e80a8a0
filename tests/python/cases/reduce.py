"""Reductions, statistics, softmax and norms."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

NUMBERS = ("bool", "int8", "uint8", "int32", "int64", *FLOATS, "complex64")
SHAPES = {"base": [(3, 4, 5)], "larger": [(2, 9, 6)], "smaller": [(1, 4, 2)]}


def axes_cases(name, oracle, dtypes=FLOATS, **options):
    fn = getattr(mx, name)
    for axis in (None, 0, 1, -1, (0, 2), (0, 1, 2)):
        for keepdims in (False, True):
            yield Case(
                f"{name}-{axis}-{keepdims}",
                lambda x, axis=axis, keepdims=keepdims: fn(x, axis=axis, keepdims=keepdims),
                SHAPES,
                lambda x, axis=axis, keepdims=keepdims: oracle(x, axis=axis, keepdims=keepdims),
                dtypes,
                **options,
            )


def small_sum(x, axis, keepdims):
    """Integers sum in at least 32 bits."""
    return np.sum(x, axis=axis, keepdims=keepdims, dtype=None if x.dtype.kind in "fc" else np.int64)


def log_sum_exp(x, axis, keepdims):
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


EPS = 1e-5


def layer_norm(x, w, b):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(var + EPS) * w + b


def rms_norm(x, w):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * w


REAL = tuple(d for d in NUMBERS if d != "complex64")
KINKS = {"second": "the result is piecewise linear"}
ORDER = {"same bits": "floating sums may be taken in another order for another layout"}
CASES = [
    *axes_cases("sum", small_sum, NUMBERS, skip=ORDER),
    *axes_cases("prod", np.prod, FLOATS, ulps=8, low=0.5, high=1.5, skip=ORDER),
    *axes_cases("max", np.max, REAL, skip=KINKS),
    *axes_cases("min", np.min, REAL, skip=KINKS),
    *axes_cases("mean", np.mean, FLOATS, low=0.2, skip=ORDER),
    *axes_cases("var", np.var, FLOATS, ulps=8, skip=ORDER),
    # The first element lies apart.
    *[
        Case(f"var-outlier-{axis}", lambda x, axis=axis: mx.var(mx.concatenate([-x[:1], x]), axis=axis),
             {"base": [(120, 3)], "larger": [(300, 2)], "smaller": [(20, 1)]},
             lambda x, axis=axis: np.var(np.concatenate([-x[:1], x]), axis=axis), FLOATS, ulps=16, low=2.9,
             high=3, skip=ORDER)
        for axis in (None, 0)
    ],
    *axes_cases("logsumexp", log_sum_exp, FLOATS, ulps=8, skip=ORDER),
    *axes_cases("all", np.all, NUMBERS, wrt=()),
    *axes_cases("any", np.any, NUMBERS, wrt=()),
    *[
        Case(f"{name}-{axis}", lambda x, f=f, axis=axis: f(x, axis=axis), SHAPES,
             lambda x, g=g, axis=axis: g(x, axis=axis).astype(np.uint32), REAL, wrt=())
        for name, f, g in (("argmax", mx.argmax, np.argmax), ("argmin", mx.argmin, np.argmin))
        for axis in (None, 0, 1, -1)
    ],
    *[
        Case(f"softmax-{axis}", lambda x, axis=axis: mx.softmax(x, axis=axis), SHAPES,
             lambda x, axis=axis: softmax(x, axis), FLOATS, ulps=8, low=-4, high=4, skip=ORDER)
        for axis in (0, 1, -1, (1, 2))
    ],
    Case("layer_norm", lambda x, w, b: mx.fast.layer_norm(x, w, b, 1e-5),
         {"base": [(4, 6), (6,), (6,)], "larger": [(9, 16), (16,), (16,)], "smaller": [(1, 3), (3,), (3,)]},
         layer_norm, FLOATS, ulps=16, skip=ORDER),
    Case("rms_norm", lambda x, w: mx.fast.rms_norm(x, w, 1e-5),
         {"base": [(4, 6), (6,)], "larger": [(9, 16), (16,)], "smaller": [(1, 3), (3,)]},
         rms_norm, FLOATS, ulps=16, skip=ORDER),
]  # fmt: skip
