"""An environment for each peer, so that none brings another's packages along."""

import subprocess
import sys
from pathlib import Path

# peer: framework it speaks, what is installed
PEERS = {
    "numpy": ("numpy", ["numpy", "scipy"]),
    "torch": ("torch", ["torch", "numpy"]),
    "jax": ("jax", ["jax", "numpy"]),
    "wheel": ("mlx", ["mlx[cpu]", "numpy"]),
}
ALONE = ["-E", "-s"]  # no PYTHONPATH, no packages of the user: a peer sees its own environment only
IMPORTS = {
    "numpy": "scipy.fft",
    "torch": "torch",
    "jax": "jax",
    "mlx": "mlx.core",
}


def has(python, framework):
    command = [str(python), *ALONE, "-c", f"import numpy, {IMPORTS[framework]}"]
    try:
        return subprocess.run(command, capture_output=True, timeout=300).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install(python, arguments):
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def environment(peer, folder):
    """The Python of the peer's environment, made where there is none; None, said why, if that fails."""
    framework, packages = PEERS[peer]
    python = Path(folder).resolve() / peer / "bin/python"
    if python.exists() and has(python, framework):
        return python
    print(f"installing {' '.join(packages)} into {python.parents[1]}", file=sys.stderr, flush=True)
    made = subprocess.run([sys.executable, "-m", "venv", python.parents[1]], capture_output=True, text=True)
    if made.returncode == 0:
        made = install(python, packages)
        if made.returncode == 0 and has(python, framework):
            return python
    said = (made.stderr or made.stdout).strip().splitlines()
    print(
        f"without {peer}: {said[-1] if said else 'it is installed but cannot be imported'}", file=sys.stderr
    )
    return None


def named(text):
    """`PEER=PYTHON` of the command line."""
    peer, _, python = text.partition("=")
    if peer not in PEERS or not python:
        raise ValueError(f"'{text}' is not PEER=PYTHON, with a peer of {', '.join(PEERS)}")
    return peer, python
