"""python -m mlx: facts for build scripts."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    "program", ["mlx --version", "mlx --cmake-dir", "mlx --help", "mlx.doctor", "mlx.doctor --json"]
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_stops_early(program, unbuffered):
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run(
        [sys.executable, "-m", *program.split()],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    os.close(write)
    assert result.stderr == "" and result.returncode == -signal.SIGPIPE
