"""What the tests with mlx-lm share: the small model of examples/python/lm.py, commands run offline."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def environment(folder):
    """Nothing is looked for on the network."""
    return os.environ | {
        "HF_HOME": str(folder / "hub"),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
    }


def python(folder, *arguments, stdin=None, home=None):
    """What python prints when run offline in the folder; a home is where it looks for ~/.cache."""
    result = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=environment(folder) | ({} if home is None else {"HOME": str(home)}),
        capture_output=True,
        text=True,
        input=stdin,
        timeout=600,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-4000:]
    return result.stdout


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The folders that lm.py leaves, of a model of two layers."""
    folder = tmp_path_factory.mktemp("lm")
    (folder / "hub" / "hub").mkdir(parents=True)  # an empty store of downloads
    sizes = "--width 64 --layers 2 --vocabulary 512 --characters 300000 --tokens 8".split()
    steps = ["--pretraining", 30, "--iterations", 30]
    printed = python(folder, ROOT / "examples/python/lm.py", *sizes, *steps, "--out", folder)
    assert "from the cache: 1 prompt tokens read, 8 generated" in printed
    return folder


@pytest.fixture(scope="session")
def command(small):
    return lambda *arguments, **options: python(small, "-m", "mlx_lm", *arguments, **options)
