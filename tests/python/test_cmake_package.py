"""C++ outside of the tree: the examples and the extension build against the installed package and run."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
TOOLS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
# Optimized examples would take longer to compile than to run.
FLAGS = "-DCMAKE_CXX_FLAGS=-O0"


def run(*command, cwd, **env):
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": TOOLS, **env}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def copy(tmp_path):
    if not shutil.which("cmake", path=TOOLS):
        pytest.skip("cmake is not installed")

    def make(name):
        ignored = shutil.ignore_patterns("build", "*.so", "*.egg-info", "__pycache__")
        return shutil.copytree(EXAMPLES / name, tmp_path / name, ignore=ignored)

    return make


@pytest.mark.slow
def test_programs(copy):
    folder = copy("cpp")
    root = run(sys.executable, "-m", "mlx", "--cmake-dir", cwd=folder).strip()
    run("cmake", "-S", ".", "-B", "build", f"-DMLX_ROOT={root}", FLAGS, cwd=folder)
    run("cmake", "--build", "build", "-j", "2", cwd=folder)
    assert run("build/first", cwd=folder) == "array([2, 3, 4], dtype=float32)\n"
    for program in ("tutorial", "linear_regression", "logistic_regression", "threads"):
        assert run(f"build/{program}", cwd=folder)


@pytest.mark.slow
def test_page_as_written(tmp_path):
    """The CMakeLists.txt, the first program and the commands of docs/cpp.md, in an empty folder."""
    if not shutil.which("cmake", path=TOOLS):
        pytest.skip("cmake is not installed")
    page = (ROOT / "docs" / "cpp.md").read_text()
    kinds = (("cmake", "CMakeLists.txt"), ("cpp", "app.cpp"), ("sh", "commands.sh"))
    for kind, name in kinds:
        block = re.search(rf"^( *)```{kind}\n(.*?)^\1```$", page, re.MULTILINE | re.DOTALL)
        (tmp_path / name).write_text(textwrap.dedent(block[2]))
    done = run("sh", "-e", "commands.sh", cwd=tmp_path)
    assert done.endswith("array([2, 3, 4], dtype=float32)\n")
    assert "array([2, 3, 4], dtype=float32)" in page


@pytest.mark.slow
def test_extension(copy):
    folder = copy("extensions")
    pytest.importorskip("setuptools")
    pytest.importorskip("nanobind")
    run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", cwd=folder, CMAKE_ARGS=FLAGS)
    assert "axpby: done" in run(sys.executable, "test_axpby.py", cwd=folder)


def test_shared_library_is_the_modules():
    """Extensions and mlx.core use one library, whose symbols are those of the namespace mlx."""
    import mlx.core as mx

    library = Path(mx.__file__).parent / "lib" / "libmlx.so"
    assert library.exists()
    assert str(library.resolve()) in Path("/proc/self/maps").read_text()


def test_page_shows_what_is_tested():
    """Each block of docs/cpp.md is a part of an example."""
    texts = [p.read_text() for p in EXAMPLES.rglob("*") if p.suffix in (".cpp", ".h", ".py", ".txt")]
    blocks = re.findall(r"```(?:cpp|python)\n(.*?)```", (ROOT / "docs" / "cpp.md").read_text(), re.S)
    assert len(blocks) > 10
    for block in blocks:
        assert any(block in text for text in texts), block
