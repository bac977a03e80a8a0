"""What wrong calls say: the argument, what came, what is accepted. No overload lists, C++ types or errno."""

import builtins
import inspect
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

X = mx.array([[1.0, 2.0], [3.0, 4.0]])

GOLDEN_FILE = Path(__file__).parents[1] / "golden" / "binding_errors.txt"


def golden():
    """Rows (call, name of the error, text) of the golden file: a call, then indented what it raises."""
    lines = [line for line in GOLDEN_FILE.read_text().splitlines() if line and not line.startswith("#")]
    for call, raised in zip(lines[::2], lines[1::2]):
        name, text = raised.strip().split(": ", 1)
        yield call, name, text


GOLDEN = list(golden())


@pytest.mark.parametrize("call, error, text", GOLDEN, ids=[row[0] for row in GOLDEN])
def test_golden(call, error, text):
    kind = getattr(builtins, error, None) or getattr(mx, error.removeprefix("mx."))
    with pytest.raises(kind) as info:
        eval(call, {"mx": mx, "np": np, "X": mx.array(X)})
    assert str(info.value) == text


def test_traced_values_name_the_transformation():
    for transform, name in ((mx.compile, "compile"), (mx.vmap, "vmap")):
        for use in (bool, int, float, lambda v: v.item(), lambda v: np.asarray(v), lambda v: v.tolist()):
            with pytest.raises(ValueError, match=rf"^\[{name}\]"):
                transform(lambda v, use=use: use(v) and v)(mx.array([1.0]))


def functions():
    for module in (mx, mx.fast, mx.fft, mx.linalg, mx.random):
        for name in dir(module):
            f = getattr(module, name)
            if inspect.isbuiltin(f):
                yield f"{module.__name__}.{name}", f
    for name in dir(mx.array):
        f = getattr(mx.array, name)
        if inspect.ismethoddescriptor(f) and not name.startswith("__"):
            yield f"array.{name}", f


@pytest.mark.parametrize("name, f", list(functions()))
def test_every_function_is_documented(name, f):
    signature = inspect.signature(f)
    assert name.split(".")[-1].startswith("_") or f.__doc__
    assert "(" in name or signature is not None


@pytest.mark.parametrize("name, f", list(functions()))
def test_no_internal_names_in_errors(name, f, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.getbasetemp())  # some of these calls write files
    bad = object()
    for args in ((bad,), (bad, bad), (bad,) * 3, (X, bad), (X, bad, bad), (None,), ("a", "b")):
        for kwargs in ({}, {"nonsense": 1}):
            try:
                f(*args, **kwargs)
            except Exception as e:  # noqa: BLE001
                text = str(e)
                for word in (
                    "std::",
                    "mlx::",
                    "nanobind",
                    "overload",
                    "incompatible function arguments",
                    "errno",
                    "0x",
                ):
                    assert word not in text, (name, args, text)
                assert text, (name, args)
