"""NumPy's side of the element-wise table: functions it lacks or that differ, and the ranges of arguments."""

from __future__ import annotations

import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])


def erfinv(x):
    """Newton's iteration on erf."""
    y = np.zeros_like(np.asarray(x, np.float64))
    for _ in range(60):
        y = y - (erf(y) - x) / (2 / math.sqrt(math.pi) * np.exp(-y * y))
    return y


def shifted(shift):
    """NumPy leaves shifts by the width or more undefined."""

    def fn(a, b):
        width = a.dtype.itemsize * 8
        wide = (b < 0) | (b.astype(np.int64) >= width)
        rest = np.where(a < 0, -1, 0) if shift is np.right_shift else 0
        # In one dtype: uint64 beside int64 would be float64.
        shifted_by = np.where(wide, 0, b).astype(b.dtype)
        return np.where(wide, np.asarray(rest).astype(a.dtype), shift(a, shifted_by))

    return fn


ORACLES = {
    "conj": np.conj,
    "erf": erf,
    "erfinv": erfinv,
    "left_shift": shifted(np.left_shift),
    "right_shift": shifted(np.right_shift),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sign": lambda x: (
        np.where(x == 0, 0, x / np.abs(x)) if x.dtype.kind == "c" else np.where(x != x, 0, np.sign(1 * x))
    ),
    "floor_divide": lambda a, b: (
        np.where(np.isinf(a), a / b, np.floor_divide(a, b)) if a.dtype.kind == "f" else np.floor_divide(a, b)
    ),
    "remainder": lambda a, b: (
        np.remainder(a, b) if a.dtype.kind == "f" else np.where(b == 0, a, np.remainder(a, b))
    ),
    "degrees": lambda x: x * (180 / np.pi),
    "radians": lambda x: x * (np.pi / 180),
    "subtract": lambda a, b: a != b if a.dtype == bool else a - b,
    "logical_not": lambda x: x == 0,
    # Of complex operands the one with the larger real part names the branch.
    "logaddexp": lambda a, b: (
        np.where(a.real > b.real, a + np.log(1 + np.exp(b - a)), b + np.log(1 + np.exp(a - b)))
        if np.iscomplexobj(a)
        else np.logaddexp(a, b)
    ),
    "isposinf": lambda x: np.isposinf(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool),
    "isneginf": lambda x: np.isneginf(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool),
    "floor": lambda x: np.floor(x) if x.dtype.kind in "fc" else x,
    "ceil": lambda x: np.ceil(x) if x.dtype.kind in "fc" else x,
    "trunc": lambda x: np.trunc(x) if x.dtype.kind in "fc" else x,
    "square": lambda x: x * x,
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "less": lambda a, b: lexicographic(a, b) < 0,
    "less_equal": lambda a, b: lexicographic(a, b) <= 0,
    "greater": lambda a, b: lexicographic(a, b) > 0,
    "greater_equal": lambda a, b: lexicographic(a, b) >= 0,
}
# KERNEL rows: their functions are written by hand under these names.
FUNCTIONS = {
    "Abs": "abs",
    "Real": "real",
    "Imag": "imag",
    "Conjugate": "conj",
    "Power": "power",
    "FloorDivide": "floor_divide",
    "Remainder": "remainder",
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
    "LeftShift": "left_shift",
    "RightShift": "right_shift",
}
DOMAINS = {
    "all": (-3, 3),
    "positive": (0.2, 4),
    "nonzero": (0.5, 4),
    "unit": (-0.9, 0.9),
    "ge1": (1.1, 4),
    "gtm1": (-0.8, 4),
    "small": (-2, 2),
    "count": (0, 7),
}


def lexicographic(a, b):
    """-1, 0 or 1 by the real part, then the imaginary part; NaN where that is NaN."""

    def order(x, y):
        return np.where((x != x) | (y != y), np.nan, (x > y) * 1.0 - (x < y))

    real = order(np.real(a), np.real(b))
    return np.where(real != 0, real, order(np.imag(a), np.imag(b)))


def oracle_of(name):
    fn = ORACLES.get(name) or getattr(np, name, None)
    if fn is None and name == "bitwise_invert":
        fn = np.invert
    assert fn is not None, f"add an oracle for {name} to tests/python/harness/oracles.py"
    return fn
