"""The check of wheels finds what it looks for."""

import runpy
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

CHECK = runpy.run_path(str(Path(__file__).parents[3] / "tools" / "check_wheel.py"))


def library(folder, body, *options):
    compiler = shutil.which("gcc")
    if not compiler or not shutil.which("readelf"):
        pytest.skip("gcc and binutils are not installed")
    (folder / "l.c").write_text(body)
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", folder / "l.so", folder / "l.c", *options], check=True
    )
    return folder / "l.so"


def test_old_functions_under_new_versions_pass(tmp_path):
    body = "#include <dlfcn.h>\n#include <pthread.h>\nvoid f(void) { dlerror(); pthread_exit(dlopen(0, 1)); }"
    assert CHECK["library_problems"](library(tmp_path, body), "l.so") == []


def test_new_functions_fail(tmp_path):
    body = "int gettid(void);\nint f(void) { return gettid(); }"
    [problem] = CHECK["library_problems"](library(tmp_path, body), "l.so")
    assert problem == "l.so needs the newer gettid@GLIBC_2.30"


def test_run_paths_and_debug_information_fail(tmp_path):
    built = library(tmp_path, "int f(void) { return 1; }", "-g", "-Wl,-rpath,/tmp/x")
    assert CHECK["library_problems"](built, "l.so") == [
        "l.so has a run path: /tmp/x",
        "l.so holds debug information",
    ]


def test_contents(tmp_path):
    file = tmp_path / "mlx-1.0-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr("mlx/tests/test_x.py", "")
        wheel.writestr("mlx-1.0.dist-info/WHEEL", "Tag: cp311-cp311-linux_x86_64\n")
        wheel.writestr("mlx-1.0.dist-info/METADATA", "Name: mlx\nRequires-Dist: numpy\nProvides-Extra: cpu\n")
    problems = "\n".join(CHECK["problems_of"](file))
    for text in (
        "lacks mlx/doctor",
        "holds mlx/tests/test_x.py",
        "requires ['numpy']",
        "lacks the extras",
        "tag",
    ):
        assert text in problems
