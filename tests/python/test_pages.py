"""The pages of docs/: their Python blocks run, the tables agree with the library, and nothing is left out."""

import doctest
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    if "```python" in path.read_text() and path.name != "cpp.md"  # part of a setup.py, built by its own test
)


def blocks(text):
    """(first line, code) of the Python blocks of a page."""
    found = re.finditer(r"^( *)```python\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, m.start(2)) + 1, textwrap.dedent(m[2])) for m in found]


@pytest.mark.parametrize("page", PAGES)
def test_blocks(page, tmp_path, monkeypatch):
    """All blocks of a page run one after the other in one namespace; what >>> prints is compared."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for line, code in blocks((ROOT / page).read_text()):
        if ">>> " not in code:
            exec(compile("\n" * (line - 1) + code, page, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(code, names, page, page, line - 1)
        test.globs = names
        out = []
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        runner.run(test, out=out.append, clear_globs=False)
        assert not out, "".join(out)


def test_promotion_table():
    """docs/dtypes.md against result_type."""
    short = {"b1": "bool_", "bf16": "bfloat16", "c64": "complex64"}
    short |= {
        f"{kind}{bits}": f"{long}{bits}"
        for kind, long in (("u", "uint"), ("i", "int"))
        for bits in (8, 16, 32, 64)
    }
    short |= {f"f{bits}": f"float{bits}" for bits in (16, 32, 64)}
    rows = re.findall(r"^\| \*\*(\w+)\*\* \| (.*) \|$", (ROOT / "docs/dtypes.md").read_text(), re.MULTILINE)
    heads = [name for name, _ in rows]
    assert sorted(heads) == sorted(short)
    for name, cells in rows:
        for other, cell in zip(heads, cells.split(" | "), strict=True):
            got = mx.result_type(getattr(mx, short[name]), getattr(mx, short[other]))
            assert got == getattr(mx, short[cell]), f"{name} with {other}"


def test_environment_variables():
    """docs/environment.md names the variables that the code reads."""
    read = set()
    for folder in ("mlx", "python"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".cpp", ".h", ".py", ".cu", ".cuh"}:
                text = path.read_text()
                read |= set(re.findall(r'(?:getenv|get_var)\(\s*"(\w+)"', text))
                read |= set(re.findall(r'environ(?:\.get)?[\[(]\s*"(\w+)"', text))
    rows = re.findall(r"^\| (`\w+`[^|]*) \|", (ROOT / "docs/environment.md").read_text(), re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert read and not read - documented


def test_reference_has_each_name_once():
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs/site/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    text = "\n".join(build.core_pages().values())
    found = re.findall(r"^\.\. py:\w+:: mlx\.core\.([\w.]+)", text, re.MULTILINE)
    assert sorted(found) == sorted(build.core_names())


@pytest.mark.slow
def test_support_table():
    """docs/support.md against trying."""
    command = [sys.executable, ROOT / "tools/make_support.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


PROVOKED = {
    "inside a vectorized function is not known": lambda: mx.vmap(lambda x: x.item())(mx.ones(2)),
    "inside a compiled function is not known": lambda: mx.compile(lambda x: x if x > 0 else -x)(mx.array(1)),
    "How many elements a mask selects depends on its values": lambda: mx.vmap(lambda x: x[x > 0])(mx.eye(2)),
    "cannot be broadcast": lambda: mx.ones(2) + mx.ones(3),
    "Cannot reshape array of size": lambda: mx.ones(2).reshape(3),
    "does not broadcast to the indexed region": lambda: mx.ones(3).__setitem__(0, mx.ones(2)),
    "must match second to last dimension": lambda: nn.Linear(2, 3)(mx.ones((1, 5))),
    "input channels divided by": lambda: nn.Conv2d(3, 2, 3)(mx.ones((1, 3, 8, 8))),
    "is out of bounds for axis": lambda: mx.eval(mx.ones(3)[mx.array([5])]),
    "is out of bounds for array with": lambda: mx.sum(mx.ones(3), axis=1),
    "is given twice in": lambda: mx.sum(mx.eye(2), axis=(1, -1)),
    "The function must return a scalar array": lambda: mx.grad(lambda x: x)(mx.ones(3)),
    "must be an array or a tree of arrays, but it holds": lambda: mx.grad(lambda x: x)(3.0),
    "Inconsistent batch sizes": lambda: mx.vmap(mx.add)(mx.ones(3), mx.ones(4)),
    "must be a Dtype such as mx.float32": lambda: mx.zeros(2, 3),
    "The operation is not defined for": lambda: mx.ones(2) & 1,
    "would result in overflow": lambda: mx.array([1], dtype=mx.int8) + 300,
    "does not fit in 64 bits": lambda: mx.array(2**64),
    "Only a 0-dimensional array takes a format": lambda: f"{mx.ones(2):.3f}",
    "Convert it with mx.array": lambda: mx.exp([1.0]),
    "There is no keyword": lambda: mx.softmax(mx.ones(3), dim=0),
    "must be of dtype float32, float64 or complex64": lambda: mx.linalg.inv(mx.eye(2).astype(mx.float16)),
    "The matrix is singular": lambda: mx.eval(mx.linalg.inv(mx.zeros((2, 2)))),
    "not positive definite": lambda: mx.eval(mx.linalg.cholesky(-mx.eye(2))),
    "Out of memory": lambda: beyond_the_limit(),
    "There is no device gpu": lambda: mx.set_default_device(mx.Device(mx.gpu, 99)),
    "Only an array of size 1 is a scalar": lambda: bool(mx.ones(2)),
    "must be integers": lambda: mx.take(mx.ones(3), mx.array([0.5])),
    "in the weights and": lambda: nn.Linear(2, 3, bias=False).load_weights([("weight", mx.ones((2, 3)))]),
    "not in the module": lambda: nn.Linear(2, 3).load_weights([("w", mx.ones(2))]),
    "needs OpenBLAS": lambda: without_openblas(),
    "is not known. Name the file": lambda: mx.load("model.pt"),
    "No such file or directory": lambda: mx.load("nowhere.npy"),
    "holds no trace for the inputs": lambda: at_another_size(),
    "must be divisible by the group size": lambda: mx.quantize(mx.ones((2, 100))),
    "must be a number or a function of the step": lambda: optim.Adam(nn.Linear(2, 2)),
    "The arguments must be trees of arrays and constants": lambda: mx.compile(lambda x: x)(object()),
}


def beyond_the_limit():
    before = mx.set_memory_limit(mx.get_active_memory() + 2**20)
    try:
        mx.eval(mx.arange(10**7) + 1)
    finally:
        mx.set_memory_limit(before)


def at_another_size():
    with tempfile.TemporaryDirectory() as folder:
        mx.export_function(f"{folder}/double.mlxfn", lambda x: 2 * x, mx.ones(2))
        mx.import_function(f"{folder}/double.mlxfn")(mx.ones(3))


def without_openblas():
    code = "import mlx.core as mx; mx.eval(mx.linalg.inv(mx.eye(2)))"
    environment = {**os.environ, "MLX_OPENBLAS_PATH": "/nowhere"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    raise RuntimeError(done.stderr)


def test_troubleshooting_names_all():
    rows = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs/troubleshooting.md").read_text(), re.MULTILINE)
    assert rows == list(PROVOKED)


@pytest.mark.parametrize("message", PROVOKED)
def test_message(message):
    with pytest.raises((ValueError, TypeError, RuntimeError, MemoryError), match=re.escape(message)):
        PROVOKED[message]()


# What docs/from_numpy.md gives for functions that mx has not got, of a vector, two matrices and an edge list.
STAND_INS = {
    "mx.flatten(a)": "np.ravel(a)",
    "a @ b": "np.dot(a, b)",
    "mx.vecdot(v, v)": "np.vdot(v, v)",
    "mx.linalg.cross(a, b)": "np.cross(a, b)",
    "mx.concatenate(l, axis=0)": "np.vstack(l)",
    "mx.concatenate(l)": "np.append(a, b, axis=0)",
    "mx.sqrt(a * a + b * b)": "np.hypot(a, b)",
    "a ** (1 / 3)": "np.cbrt(a)",
    "mx.flip(a, axis=1)": "np.fliplr(a)",
    "mx.flip(a.T, axis=0)": "np.rot90(a)",
    "mx.sum(mx.where(mx.isnan(a), 0, a))": "np.nansum(a)",
    "mx.sum(a * w) / mx.sum(w)": "np.average(a, weights=w)",
    "mx.max(a) - mx.min(a)": "np.ptp(a)",
    'mx.searchsorted(edges, a, side="right")': "np.digitize(a, edges)",
    "mx.any(a[..., None] == v, axis=-1)": "np.isin(a, v)",
    "10 ** mx.linspace(0, 2, 5)": "np.logspace(0, 2, 5)",
    "mx.linalg.pinv(a) @ b": "np.linalg.lstsq(a, b, rcond=None)[0]",
}


@pytest.mark.parametrize("ours, theirs", STAND_INS.items())
def test_stand_ins(ours, theirs):
    numbers = np.random.default_rng(0).uniform(1, 4, (3, 3, 3)).astype(np.float32)
    values = {"a": numbers[0], "b": numbers[1], "w": numbers[2], "v": numbers[0, 0], "edges": np.arange(4.0)}
    arrays = {name: mx.array(value) for name, value in values.items()}
    expected = eval(theirs, {"np": np, "l": [values["a"], values["b"]]}, values)
    got = eval(ours, {"mx": mx, "l": [arrays["a"], arrays["b"]]}, arrays)
    np.testing.assert_allclose(np.array(got), expected, rtol=2e-4)
    form = ours.replace("(v, v)", "(a, b)").replace("== v", "== b").replace("(0, 2, 5)", "(a, b, n)")
    assert f"`{form}`" in (ROOT / "docs/from_numpy.md").read_text()


def test_files_named_exist():
    """A file of the repository that a page names is there; docs/dev makes up an operation flip."""
    name = r"`((?:benchmarks|docs|examples|mlx|python|tests|tools)/[\w./-]+\.\w+)`"
    for path in [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]:
        for file in re.findall(name, path.read_text()):
            assert (ROOT / file).exists() or "/flip" in file, f"{path.name} names {file}"


def test_links():
    """Relative links of the pages lead to files."""
    for path in [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]:
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", prose):
            assert os.path.exists(path.parent / target), f"{path.name} links to {target}"
