"""The pages of docs/: their Python blocks run, the tables agree with the library, and nothing is left out."""

import doctest
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import mlx.core as mx

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    if "```python" in path.read_text()
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
    """docs/environment.md names the variables that the code reads, and no others."""
    read = set()
    for folder in ("mlx", "python"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".cpp", ".h", ".py", ".cu", ".cuh"}:
                text = path.read_text()
                read |= set(re.findall(r'(?:getenv|get_var)\(\s*"(\w+)"', text))
                read |= set(re.findall(r'environ(?:\.get)?[\[(]\s*"(\w+)"', text))
    documented = set(re.findall(r"^\| `(\w+)`", (ROOT / "docs/environment.md").read_text(), re.MULTILINE))
    assert documented == read


@pytest.mark.slow
def test_support_table():
    """docs/support.md against trying."""
    command = [sys.executable, ROOT / "tools/make_support.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_links():
    """Relative links of the pages lead to files."""
    for path in [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]:
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", prose):
            assert os.path.exists(path.parent / target), f"{path.name} links to {target}"
