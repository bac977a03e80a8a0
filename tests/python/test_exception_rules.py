"""The rules about exceptions: calls of a golden file, and what callers may catch them by."""

import builtins
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

GOLDEN = Path(__file__).parents[1] / "golden" / "exception_rules.txt"
RULES = [line.split(": ", 1) for line in GOLDEN.read_text().splitlines() if line and line[0] != "#"]


def operands():
    """New objects for each call, which may write to them."""
    names = {
        "A": mx.array([[1.0, 2.0], [3.0, 4.0]]),
        "V": mx.array([1.0, 2.0, 3.0]),
        "I": mx.array([1, 2, 3]),
        "B": mx.array([True, False, True]),
        "C": mx.array([1 + 2j, 3 - 1j]),
        "S": mx.array(1.0),
        "E": mx.zeros((0,)),
        "D3": mx.zeros((2, 3, 4)),
        "D4": mx.zeros((1, 2, 3, 4)),
        "K": mx.random.key(0),
    }
    names["Q"], names["QS"], names["QB"] = mx.quantize(mx.zeros((2, 64)))
    names["F4"], names["F4S"] = mx.quantize(mx.zeros((2, 64)), mode="mxfp4")
    names["N4"], names["N4S"] = mx.quantize(mx.zeros((2, 64)), mode="nvfp4")
    return names


@pytest.mark.parametrize("error, call", RULES, ids=[call for _, call in RULES])
def test_rule(error, call):
    kind = getattr(builtins, error, None) or getattr(mx, error)
    with pytest.raises(kind) as info:
        mx.eval(eval(call, {"mx": mx, "np": np, **operands()}))
    assert str(info.value)
