"""Write docs/support.md: which dtypes an operation takes and in which transformation it works, by trying.

Element-wise operations are tried on arguments from their rows, most others on those of the test cases
(tests/python/cases), the rest on those of the table below. Usage: tools/make_support.py [--check] [PAGE]
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import tempfile
from pathlib import Path

import numpy as np

import mlx.core as mx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/python"))
SHORT = {
    "bool_": "b1",
    **{f"{kind}int{bits}": f"{kind or 'i'}{bits}" for kind in ("u", "") for bits in (8, 16, 32, 64)},
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "c64",
}
DTYPES = {name: getattr(mx, name) for name in SHORT}
GROUPS = {  # names for sets that occur often
    "all": set(SHORT),
    "all but c64": set(SHORT) - {"complex64"},
    "numbers": set(SHORT) - {"bool_"},
    "real numbers": set(SHORT) - {"bool_", "complex64"},
    "integers, bool": {n for n in SHORT if "int" in n or n == "bool_"},
    "integers": {n for n in SHORT if "int" in n},
    "floats": {"float16", "bfloat16", "float32", "float64"},
    "floats, c64": {"float16", "bfloat16", "float32", "float64", "complex64"},
    "f32, f64, c64": {"float32", "float64", "complex64"},
}
KEY = mx.random.key(0)
BINARY = "bitwise_and bitwise_or bitwise_xor floor_divide left_shift power remainder right_shift"
EXTRA = {  # name: (function of arrays, shapes of those that are converted to each dtype)
    **{name: (getattr(mx, name), [(2, 3)]) for name in "abs conj imag real round".split()},
    **{name: (getattr(mx, name), [(2, 3), (2, 3)]) for name in BINARY.split()},
    "allclose": (mx.allclose, [(2, 3), (2, 3)]),
    "array_equal": (mx.array_equal, [(2, 3), (2, 3)]),
    "as_strided": (lambda x: mx.as_strided(x, (2, 2), (1, 1)), [(3,)]),
    "astype": (lambda x: x.astype(mx.float32), [(2, 3)]),
    "atleast_1d": (mx.atleast_1d, [(2, 3)]),
    "atleast_2d": (mx.atleast_2d, [(3,)]),
    "atleast_3d": (mx.atleast_3d, [(2, 3)]),
    "broadcast_arrays": (lambda x, y: tuple(mx.broadcast_arrays(x, y)), [(2, 1), (3,)]),
    "clip": (mx.clip, [(2, 3), (3,), (3,)]),
    "compress": (lambda x: mx.compress(mx.array([True, False, True]), x), [(3,)]),
    "depends": (lambda x, y: mx.depends(x, y), [(3,), (3,)]),
    "diag": (mx.diag, [(3,)]),
    "diagonal": (mx.diagonal, [(3, 3)]),
    "distributed.all_gather": (mx.distributed.all_gather, [(3,)]),
    "distributed.all_max": (mx.distributed.all_max, [(3,)]),
    "distributed.all_min": (mx.distributed.all_min, [(3,)]),
    "distributed.all_sum": (mx.distributed.all_sum, [(3,)]),
    "distributed.sum_scatter": (mx.distributed.sum_scatter, [(3,)]),
    "divmod": (lambda x, y: tuple(mx.divmod(x, y)), [(2, 3), (2, 3)]),
    "fft.istft": (lambda x: mx.fft.istft(x, n_fft=8), [(5, 6)]),
    "fft.stft": (lambda x: mx.fft.stft(x, n_fft=8), [(32,)]),
    "flatnonzero": (mx.flatnonzero, [(2, 3)]),
    "from_fp8": (mx.from_fp8, [(4,)]),
    "full": (lambda x: mx.full((2, 3), x), [()]),
    "full_like": (lambda x: mx.full_like(x, 2), [(2, 3)]),
    "gather_qqmm": (lambda x, w: mx.gather_qqmm(x, w, rhs_indices=mx.array([1, 0])), [(1, 32), (2, 32, 32)]),
    "isclose": (mx.isclose, [(2, 3), (2, 3)]),
    "linalg.eig": (lambda x: tuple(mx.linalg.eig(x)), [(3, 3)]),
    "linalg.eigvals": (mx.linalg.eigvals, [(3, 3)]),
    "matrix_transpose": (mx.matrix_transpose, [(2, 3)]),
    "nan_to_num": (mx.nan_to_num, [(2, 3)]),
    "ones_like": (mx.ones_like, [(2, 3)]),
    "permute_dims": (lambda x: mx.permute_dims(x, (1, 0)), [(2, 3)]),
    "positive": (mx.positive, [(2, 3)]),
    "put_along_axis": (lambda x, v: mx.put_along_axis(x, mx.array([[1], [0]]), v, 1), [(2, 3), (2, 1)]),
    "qqmm": (mx.qqmm, [(2, 32), (32, 32)]),
    "quantize": (lambda x: tuple(mx.quantize(x, group_size=32)), [(2, 32)]),
    "random.bernoulli": (lambda p: mx.random.bernoulli(p, key=KEY), [(2, 3)]),
    "random.categorical": (lambda x: mx.random.categorical(x, key=KEY), [(2, 3)]),
    "random.permutation": (lambda x: mx.random.permutation(x, key=KEY), [(5,)]),
    "slice": (lambda x: mx.slice(x, mx.array([1]), (0,), (1, 3)), [(2, 3)]),
    "slice_update": (lambda x, u: mx.slice_update(x, u, mx.array([1]), (0,)), [(2, 3), (1, 3)]),
    "std": (mx.std, [(2, 3)]),
    "stop_gradient": (mx.stop_gradient, [(2, 3)]),
    "to_fp8": (mx.to_fp8, [(4,)]),
    "triu": (mx.triu, [(3, 3)]),
    "unstack": (mx.unstack, [(2, 3)]),
}
MODES = ("vjp", "jvp", "vmap", "compile", "export")


def several(result) -> list[mx.array]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


# Which function to try on what ------------------------------------------------------------------------------


def from_cases() -> dict[str, tuple]:
    """name -> (function, arrays) of a case that calls this function of mlx.core and at most one other."""
    modules = [mx, *(value for value in vars(mx).values() if inspect.ismodule(value))]
    called, originals, best = set(), [], {}
    for module in modules:
        for name, value in list(vars(module).items()):
            if inspect.isbuiltin(value) and not name.startswith("_"):
                originals.append((module, name, value))
                full = f"{module.__name__}.{name}".removeprefix("mlx.core.")
                setattr(module, name, lambda *a, _f=value, _n=full, **k: called.add(_n) or _f(*a, **k))
    cases = importlib.import_module("cases")
    modes = importlib.import_module("harness.modes")
    for module in pkgutil.iter_modules(cases.__path__):
        for case in importlib.import_module(f"cases.{module.name}").CASES:
            arrays = modes.inputs(case, case.dtypes[0])[1]
            called.clear()
            case.fn(*arrays)
            for name in called:
                if name not in best or len(called) < best[name][0]:
                    best[name] = (len(called), case.fn, arrays)
    for module, name, value in originals:
        setattr(module, name, value)
    return {name: (fn, arrays) for name, (count, fn, arrays) in best.items() if count <= 2 and name != "eye"}


def candidates() -> dict[str, tuple]:
    found = from_cases()
    for _, name, arity, *_ in mx._elementwise_rows():
        if hasattr(mx, name):
            found[name] = (getattr(mx, name), [mx.array([[0.25, 0.5, 0.75]])] * arity)
    for name, (fn, shapes) in EXTRA.items():
        rng = np.random.default_rng(0)
        found[name] = (fn, [mx.array(rng.uniform(0.2, 0.9, shape).astype(np.float32)) for shape in shapes])
    return found


# Trying -----------------------------------------------------------------------------------------------------


def converted(arrays: list[mx.array], dtype: mx.Dtype) -> list[mx.array]:
    """The operands in a dtype; indices and masks beside floating operands stay."""
    floats = [mx.issubdtype(a.dtype, mx.inexact) for a in arrays]
    return [a.astype(dtype) if is_float or not any(floats) else a for a, is_float in zip(arrays, floats)]


def works(fn, *args) -> bool:
    try:
        mx.eval(several(fn(*args)))
        return True
    except (ValueError, TypeError, RuntimeError):
        return False


def same(got, want) -> bool:
    pairs = zip(several(got), several(want), strict=True)
    return all(bool(mx.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)) for a, b in pairs)


def try_mode(mode: str, fn, arrays: list[mx.array]) -> bool:
    expected = several(fn(*arrays))

    def exported(*args):
        with tempfile.TemporaryDirectory() as folder:
            mx.export_function(f"{folder}/f.mlxfn", lambda *a: fn(*a), *args)
            return mx.import_function(f"{folder}/f.mlxfn")(*args)

    def listed(*args):
        return several(fn(*args))

    places = [i for i, x in enumerate(arrays) if mx.issubdtype(x.dtype, mx.inexact)] or range(len(arrays))
    point = [arrays[i] for i in places]

    def of_floats(*args):
        full = list(arrays)
        for i, x in zip(places, args):
            full[i] = x
        return listed(*full)

    def run():
        if mode == "vjp":
            return mx.vjp(of_floats, point, [mx.ones_like(y) for y in expected])[1]
        if mode == "jvp":
            return mx.jvp(of_floats, point, [mx.ones_like(x) for x in point])[1]
        if mode == "vmap":
            batch = mx.vmap(lambda *a: tuple(listed(*a)))(*[mx.stack([x, x]) for x in arrays])
            results = [y[1] for y in several(batch)]
        elif mode == "compile":
            results = mx.compile(listed)(*arrays)
        else:
            results = exported(*arrays)
        if not same(results, expected):
            raise SystemExit(f"{mode} of {fn} gives other values.")
        return results

    return works(run)


def shown(dtypes: set[str]) -> str:
    for name, group in GROUPS.items():
        if dtypes == group:
            return name
    return ", ".join(short for name, short in SHORT.items() if name in dtypes)


def row(name: str, fn, arrays: list[mx.array]) -> str:
    taken = {d for d, dtype in DTYPES.items() if works(fn, *converted(arrays, dtype))}
    probe = next((d for d in ("float32", "complex64", "int32", "uint8", "bool_") if d in taken), None)
    if probe is None:
        raise SystemExit(f"{name} takes no dtype.")
    args = converted(arrays, DTYPES[probe])
    marks = ["yes" if try_mode(mode, fn, args) else "-" for mode in MODES]
    return f"| `{name}` | {shown(taken)} | {' | '.join(marks)} |"


HEAD = """# Support table

Written by `tools/make_support.py`, which tries every operation; a test compares. Everything runs on the
CPU, the only device so far. Shown are the dtypes of the operands that may be given (some are converted
first: see the docstrings) and whether the operation takes part in each transformation; integers and what is
piecewise constant have the derivative 0. "-" means an exception: of `vjp` and `jvp` because there is no
derivative, of the others because the size of the result depends on values (give `size=`).

| operation | dtypes | vjp | jvp | vmap | compile | export |
|---|---|---|---|---|---|---|
"""


def page() -> str:
    table = candidates()
    return HEAD + "\n".join(row(name, *table[name]) for name in sorted(table)) + "\n"


def main() -> None:
    args = [a for a in sys.argv[1:] if a != "--check"]
    path = Path(args[0]) if args else ROOT / "docs/support.md"
    text = page()
    if "--check" not in sys.argv:
        path.write_text(text)
    elif path.read_text() != text:
        raise SystemExit(f"{path} is out of date: run tools/make_support.py")


if __name__ == "__main__":
    main()
