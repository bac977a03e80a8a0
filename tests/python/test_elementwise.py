"""Every row of mlx/ops/elementwise.def in every mode: a new row is tested the moment it exists.

The rows come from the library; the oracle is NumPy's function of that name in float64, or one of
`harness/oracles.py`.
"""

import math

import numpy as np
import pytest
from harness import modes
from harness.case import Case
from harness.oracles import DOMAINS, FUNCTIONS, oracle_of

import mlx.core as mx

# Not differentiable where the draws may fall, or with a kink within reach of a difference.
NO_DERIVATIVE = {"floor", "ceil", "trunc", "sign", "floor_divide", "remainder", "round"}
ULPS = {"float16": 1, "bfloat16": 1, "float64": 8, "complex64": 24}


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
