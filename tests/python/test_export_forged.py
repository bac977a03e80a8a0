"""A file of an exported function may say anything: no kernel meets what the library would not have made."""

import numpy as np
import pytest
from harness import mlxfn, modes
from test_cases import CASES

import mlx.core as mx

FORGERIES = 4


def gradient(case):
    """The function that gives the cotangents of ones, for files with the operations of derivatives."""

    def of_ones(*arguments):
        def values(*wanted):
            given = list(arguments)
            for i, x in zip(case.wrt, wanted, strict=True):
                given[i] = x
            out = case.fn(*given)
            return [x for x in (out if isinstance(out, tuple | list) else (out,)) if isinstance(x, mx.array)]

        wanted = [arguments[i] for i in case.wrt]
        return mx.vjp(values, wanted, [mx.ones_like(x) for x in values(*wanted)])[1]

    return of_ones


def call(function, arguments):
    try:
        mx.eval(function(*arguments))
    except (ValueError, RuntimeError, IndexError, OverflowError, MemoryError):
        return


@pytest.mark.parametrize("derive", [False, True], ids=["values", "gradients"])
@pytest.mark.parametrize("name", CASES)
def test_forged_files(name, derive, tmp_path):
    case = CASES[name]
    if derive and not case.wrt:
        pytest.skip("not differentiable")
    dtype = "float32" if "float32" in case.dtypes else case.dtypes[0]
    _, arguments = modes.inputs(case, dtype)
    path = str(tmp_path / "f.mlxfn")
    try:
        mx.export_function(path, gradient(case) if derive else case.fn, *arguments)
    except ValueError as refused:
        pytest.skip(str(refused)[:80])
    data = (tmp_path / "f.mlxfn").read_bytes()
    layout = mlxfn.Layout(data)
    assert mlxfn.with_hash(data, layout) == data
    mx.eval(mx.import_function(path)(*arguments))
    rng = np.random.default_rng(len(data))
    for _ in range(FORGERIES):
        (tmp_path / "f.mlxfn").write_bytes(mlxfn.forged(data, layout, rng))
        try:
            function = mx.import_function(path)
        except RuntimeError as refused:
            assert "[import_function]" in str(refused)
        else:
            call(function, arguments)
