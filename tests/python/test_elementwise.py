"""Every row of mlx/ops/elementwise.def in every mode: a new row is tested the moment it exists.

The rows come from the library; the oracle is NumPy's function of that name in float64, or the table below.
"""

import math

import numpy as np
import pytest
from harness import modes
from harness.case import Case

import mlx.core as mx

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
        return np.where(wide, rest, shift(a, np.where(wide, 0, b))).astype(a.dtype)

    return fn


ORACLES = {
    "conj": np.conj,
    "erf": erf,
    "erfinv": erfinv,
    "left_shift": shifted(np.left_shift),
    "right_shift": shifted(np.right_shift),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sign": lambda x: np.where(x == 0, 0, x / np.abs(x)) if x.dtype.kind == "c" else np.sign(1 * x),
    "degrees": lambda x: x * (180 / np.pi),
    "radians": lambda x: x * (np.pi / 180),
    "subtract": lambda a, b: a != b if a.dtype == bool else a - b,
    "logical_not": lambda x: x == 0,
    # Of complex operands the one with the larger real part names the branch.
    "logaddexp": lambda a, b: np.where(
        a.real > b.real, a + np.log(1 + np.exp(b - a)), b + np.log(1 + np.exp(a - b))
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
# Not differentiable where the draws may fall, or with a kink within reach of a difference.
NO_DERIVATIVE = {"floor", "ceil", "trunc", "sign", "floor_divide", "remainder", "round"}
ULPS = {"float16": 1, "bfloat16": 1, "float64": 8, "complex64": 24}


def lexicographic(a, b):
    """-1, 0 or 1 by the real part, then the imaginary part."""
    real = np.sign(np.real(a).astype(np.float64) - np.real(b).astype(np.float64))
    return np.where(real != 0, real, np.sign(1.0 * np.imag(a) - np.imag(b)))


def oracle_of(name):
    fn = ORACLES.get(name) or getattr(np, name, None)
    if fn is None and name == "bitwise_invert":
        fn = np.invert
    assert fn is not None, f"add an oracle for {name} to tests/python/test_elementwise.py"
    return fn


def make_case(row):
    cls, name, arity, dtypes, _, domain = row
    name = name or FUNCTIONS.get(cls)
    if name is None or name == "select":
        return None
    low, high = DOMAINS[domain]

    def draw(rng, shape, dtype, index):
        if arity == 2 and index == 0:
            span = (0.2, 3) if name == "power" else DOMAINS["all"]
        else:
            span = (low, high)
        if dtype == "bool":
            return rng.random(shape) < 0.5 if domain != "nonzero" else np.ones(shape, bool)
        if "int" in dtype:
            first = 1 if domain == "nonzero" else max(0 if dtype[0] == "u" else -5, math.ceil(span[0]))
            if name == "power" and index == 1:
                first = 0
            return rng.integers(first, max(first + 1, math.floor(span[1]) + 1), shape).astype(dtype)
        return None if (arity == 1 or index == 1) else modes_draw(rng, span, shape, dtype)

    fn = getattr(mx, name)
    shapes = {
        "base": [(3, 5), (5,)][:arity],
        "larger": [(7, 2), (2,)][:arity],
        "smaller": [(1, 4), (4,)][:arity],
    }
    return Case(name, fn, shapes, oracle_of(name), dtypes, low=low, high=high, draw=draw)


def modes_draw(rng, span, shape, dtype):
    from harness.case import round_to

    x = span[0] + (span[1] - span[0]) * rng.random(shape)
    if dtype == "complex64":
        return (x + 1j * (span[0] + (span[1] - span[0]) * rng.random(shape))).astype(np.complex64)
    return round_to(x, dtype)


ROWS = mx._elementwise_rows()
CASES = {case.name: case for case in map(make_case, ROWS) if case}
PAIRS = [(name, dtype) for name, case in CASES.items() for dtype in case.dtypes]


def test_every_row_has_a_case():
    named = {row[1] or FUNCTIONS.get(row[0]) for row in ROWS}
    assert named - set(CASES) - {None, "select"} == set()


@pytest.mark.parametrize("mode", modes.BY_DTYPE)
@pytest.mark.parametrize(("name", "dtype"), PAIRS)
def test_row(name, dtype, mode):
    case = CASES[name]
    if mode == "value" and dtype in ULPS:
        case = Case(**{**case.__dict__, "ulps": ULPS[dtype]})
    modes.BY_DTYPE[mode](case, dtype)


@pytest.mark.parametrize("mode", modes.DERIVATIVES)
@pytest.mark.parametrize(
    "name", [n for n, c in CASES.items() if "float64" in c.dtypes and n not in NO_DERIVATIVE]
)
def test_derivatives(name, mode):
    case = CASES[name]
    arguments, x = modes.inputs(case, "float64")
    if case.fn(*x).dtype != mx.float64:
        pytest.skip("the result is not a number to differentiate")
    modes.DERIVATIVES[mode](case)


@pytest.mark.sweep
@pytest.mark.parametrize("name", CASES)
def test_sample(name):
    """One run per row for the sweeps: tiny tiles, one thread, no fusion, each instruction set."""
    case = CASES[name]
    dtype = "float32" if "float32" in case.dtypes else case.dtypes[0]
    for mode in ("value", "layouts", "compiled"):
        modes.BY_DTYPE[mode](case, dtype)


def test_round_at_extreme_decimals():
    x = mx.array([1.25, 123.0, -0.0, float("inf")])
    for decimals in (30, 37, 50, 2**31 - 1):
        assert mx.round(x, decimals).tolist() == x.tolist()
    for decimals in (-39, -100, -(2**31)):
        assert mx.round(x[:3], decimals).tolist() == [0, 0, 0]
        assert mx.round(mx.array([15, 123]), decimals).tolist() == [0, 0]
    assert mx.round(mx.array(1.25, mx.float64), 300).item() == 1.25
    assert mx.isnan(mx.round(mx.array(float("nan")), -100)).item()
