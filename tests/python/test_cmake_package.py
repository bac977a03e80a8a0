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


def cache_of(folder):
    """The variables of a configured folder."""
    lines = (folder / "CMakeCache.txt").read_text().splitlines()
    return dict(re.findall(r"^(\w+):\w+=(.*)$", "\n".join(lines), re.M))


def configure(source, folder, *options):
    return run("cmake", "-S", source, "-B", folder, *options, cwd=folder.parent)


# MLX's options.
OPTIONS = """MLX_BUILD_PYTHON=OFF MLX_BUILD_TESTS=OFF MLX_BUILD_EXAMPLES=OFF MLX_BUILD_BENCHMARKS=ON
MLX_BUILD_METAL=OFF MLX_BUILD_CPU=ON MLX_BUILD_PYTHON_STUBS=OFF MLX_BUILD_CUDA=OFF
MLX_METAL_DEBUG=OFF MLX_METAL_JIT=OFF MLX_ENABLE_X64_MAC=OFF MLX_BUILD_GGUF=OFF
MLX_BUILD_SAFETENSORS=OFF MLX_USE_CCACHE=OFF BUILD_SHARED_LIBS=ON USE_SYSTEM_FMT=ON USE_ASAN=OFF
USE_UBSAN=OFF USE_TSAN=OFF MLX_CUDA_ARCHITECTURES=native MLX_LOAD_CUDA_LIBS_FROM_PYTHON=OFF""".split()


def test_options(copy, tmp_path):
    said = configure(ROOT, tmp_path / "all", *(f"-D{option}" for option in OPTIONS))
    assert "not used" not in said and "Warning" not in said, said
    configure(ROOT, tmp_path / "plain", "-DMLX_BUILD_TESTS=OFF")
    plain = cache_of(tmp_path / "plain")
    assert plain["MLX_BUILD_EXAMPLES"] == plain["MLX_USE_CCACHE"] == "ON"
    assert plain["CMAKE_BUILD_TYPE"] == "Release"
    off = "MLX_BUILD_BENCHMARKS MLX_BUILD_PYTHON_BINDINGS BUILD_SHARED_LIBS USE_ASAN USE_UBSAN USE_TSAN"
    assert {plain[name] for name in off.split()} == {"OFF"}


def test_part_of_another_project(copy, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(app LANGUAGES CXX)\n"
        f'add_subdirectory("{ROOT}" mlx)\nadd_executable(app app.cpp)\n'
        "target_link_libraries(app PRIVATE mlx)\n"
    )
    shutil.copy(EXAMPLES / "cpp" / "first.cpp", tmp_path / "app.cpp")
    configure(tmp_path, tmp_path / "build")
    cache = cache_of(tmp_path / "build")
    assert cache["MLX_BUILD_TESTS"] == cache["MLX_BUILD_EXAMPLES"] == "OFF" and not cache["CMAKE_BUILD_TYPE"]


def test_openblas_is_looked_for_again(copy, tmp_path):
    """A Python without the package is forgotten, so that configuring again finds one that has it."""
    pytest.importorskip("scipy_openblas64")
    other = tmp_path / "bin" / "python3"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    command = ["cmake", "-S", ROOT, "-B", tmp_path / "build", "-DMLX_BUILD_TESTS=OFF"]
    said = run(*command, cwd=tmp_path, PATH=f"{other.parent}{os.pathsep}{TOOLS}")
    assert f"{other} has no package scipy-openblas64" in said
    assert "libscipy_openblas64_.so" in run(*command, cwd=tmp_path)
