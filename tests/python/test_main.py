"""python -m mlx: facts for build scripts."""

import subprocess
import sys
from pathlib import Path

import mlx.core as mx


def run(*arguments):
    command = [sys.executable, "-m", "mlx", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_version():
    result = run("--version")
    assert result.returncode == 0 and result.stdout == mx.__version__ + "\n"


def test_cmake_dir():
    result = run("--cmake-dir")
    assert result.returncode == 0
    assert Path(result.stdout.strip()) == Path(mx.__file__).resolve().parent


def test_says_what_it_takes():
    result = run()
    assert result.returncode == 2 and "--version or --cmake-dir" in result.stderr
