"""tools/check_symbols.py finds what would clash in a program."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[3] / "tools" / "check_symbols.py"

PROGRAMS = {
    "namespace mlx::core { int x = 2; static int hidden; int* f() { return &hidden; } }": "",
    "namespace mlx { struct A { virtual ~A(); }; A::~A() = default; }": "",
    "int stray() { return 1; }": "defines _Z5strayv",
    'extern "C" double cblas_ddot() { return 0; }': "defines cblas_ddot",
    "namespace other { int x = 1; }": "defines _ZN5other1xE",
    "int common;": "defines common",
    "#include <cstdio>\nnamespace mlx { void f() { std::puts(0); } }": "refers to puts",
    "namespace mlx { int g(); int before = g(); }": "works before main",
}


@pytest.mark.parametrize("text", PROGRAMS)
def test_objects(text, tmp_path):
    if not shutil.which("g++"):
        pytest.skip("g++ is not installed")
    folder = tmp_path / "CMakeFiles" / "mlx_isa_base.dir"
    folder.mkdir(parents=True)
    subprocess.run(["g++", "-x", "c++", "-c", "-", "-o", folder / "x.o"], input=text, text=True, check=True)
    said = subprocess.run([sys.executable, TOOL, tmp_path], capture_output=True, text=True).stdout
    *faults, total = said.splitlines()
    faults = [f for f in faults if "weak symbol" not in f]
    assert total.startswith("check_symbols: 1 object files")
    assert len(faults) == bool(PROGRAMS[text]) and all(PROGRAMS[text] in f for f in faults), said
