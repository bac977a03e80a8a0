"""python -m mlx.doctor, and what a failed import of mlx.core says, on installations broken on purpose."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mlx.core as mx

SITE = Path(mx.__file__).parents[1]
EXTENSION = Path(mx.__file__).name


def run(*arguments, site=None, **environment):
    """Python with the packages of `site` only, where one is given."""
    options = []
    if site is not None:
        options, environment = ["-S"], {"PYTHONPATH": str(site), **environment}
    return subprocess.run(
        [sys.executable, "-B", *options, *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("MLX_")} | environment,
    )


def doctor(site=None, **environment):
    result = run("-m", "mlx.doctor", "--json", site=site, **environment)
    report = json.loads(result.stdout)
    assert result.returncode == (1 if report["problems"] else 0), result.stderr
    assert report["ok"] is (not report["problems"])
    return report


def linked(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@pytest.fixture
def site(tmp_path):
    """A copy of the installation. Its files may be links: replace them, do not write into them."""
    records = list(SITE.glob("mlx-*.dist-info"))
    if not records:
        pytest.skip("mlx was not installed by pip")
    if os.statvfs(tmp_path).f_flag & os.ST_NOEXEC:
        pytest.skip("libraries in TMPDIR cannot be loaded")
    for folder in (SITE / "mlx", *records):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(folder, tmp_path / folder.name, copy_function=linked, ignore=ignored)
    return tmp_path


def replace(path, text):
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def problem(site):
    """The one thing that is wrong."""
    [text] = doctor(site)["problems"]
    return text


def failed_import(site):
    result = run("-c", "import mlx.core", site=site)
    assert result.returncode == 1
    return result.stderr.strip().splitlines()[-1]


def test_facts(site):
    report = doctor(site)
    assert report["problems"] == []
    assert report["version"]["mlx"] == report["version"]["distribution"] == mx.__version__
    assert report["cpu"]["available"] == mx.device_info(mx.cpu)["instruction_sets"].split()
    assert report["cpu"]["instruction_set"] == report["cpu"]["available"][-1]
    assert report["threads"]["used"] >= 1 and report["threads"]["source"]
    assert report["memory"]["limit"] > 0
    assert report["operations"] == {"cpu": "right"}
    assert report["installation"]["strays"] == []


def test_text():
    result = run("-m", "mlx.doctor", MLX_CPU_ISA="base", MLX_NUM_THREADS="3")
    lines = [line.split(":", 1) for line in result.stdout.splitlines() if ":" in line]
    values = {name.strip(): value.strip() for name, value in lines}
    assert values["instruction set"] == "base" and values["used"]
    assert values["MLX NUM THREADS"] == "3"


def test_switches_and_their_source(site):
    report = doctor(site, MLX_CPU_ISA="base", MLX_NUM_THREADS="3")
    assert report["cpu"]["instruction_set"] == "base" and report["cpu"]["source"] == "MLX_CPU_ISA"
    assert report["threads"]["used"] == 3 and report["threads"]["source"] == "MLX_NUM_THREADS"
    assert report["environment"] == {"MLX_CPU_ISA": "base", "MLX_NUM_THREADS": "3"}
    [text] = doctor(site, MLX_CPU_ISA="v9")["problems"]
    assert "MLX_CPU_ISA=v9 cannot be had" in text


def test_no_extension_for_this_python(site):
    (site / "mlx" / EXTENSION).rename(site / "mlx" / "core.cpython-399-riscv.so")
    text = failed_import(site)
    assert text.startswith("ImportError: mlx.core has no extension module for this Python")
    assert "core.cpython-399-riscv.so" in text and text.endswith("More: python -m mlx.doctor")
    problems = doctor(site)["problems"]
    assert any(EXTENSION in p and "missing" in p for p in problems)
    assert any("no extension module" in p for p in problems)


def test_extension_that_does_not_load(site):
    replace(site / "mlx" / EXTENSION, "no library")
    text = failed_import(site)
    assert text.startswith("ImportError: mlx.core does not load: ") and EXTENSION in text
    assert text.endswith("More: python -m mlx.doctor")
    problems = doctor(site)["problems"]
    assert any("not as they were installed" in p for p in problems)
    assert any("does not load" in p for p in problems)


def test_openblas_is_gone(site):
    shutil.rmtree(site / "mlx" / "lib" / "openblas")
    problems = doctor(site)["problems"]
    assert any("missing" in p and "openblas" in p for p in problems)
    assert any("An operation on the cpu fails" in p for p in problems)


def test_files_of_another_mlx(site):
    replace(site / "mlx" / "lib" / "mlx.metallib", "")
    assert "left over from another mlx: lib/mlx.metallib" in problem(site)


def test_a_library_of_another_mlx_over_ours(site):
    replace(site / "mlx" / "lib" / "libmlx.so", "")
    problems = doctor(site)["problems"]
    assert any("not as they were installed" in text and "libmlx.so" in text for text in problems), problems


def test_another_distribution_in_the_same_folder(site):
    replace(site / "mlx_cpu-0.30.0.dist-info" / "METADATA", "Name: mlx-cpu\nVersion: 0.30.0\n")
    replace(site / "mlx_cpu-0.30.0.dist-info" / "RECORD", "mlx/lib/libmlx.so,,\n")
    assert "mlx-cpu 0.30.0" in problem(site)


def test_a_package_beside_ours_is_welcome(site):
    replace(site / "mlx_data-0.1.dist-info" / "METADATA", "Name: mlx-data\nVersion: 0.1\n")
    replace(site / "mlx_data-0.1.dist-info" / "RECORD", "mlx/data/__init__.py,,\n")
    replace(site / "mlx" / "data" / "__init__.py", "")
    report = doctor(site)
    assert report["ok"] and report["installation"]["distributions"] == ["mlx", "mlx-data"]


def test_overwritten_file(site):
    replace(site / "mlx" / "utils.py", "other = True\n")
    assert "not as they were installed" in problem(site) and "utils.py" in problem(site)


def test_record_of_another_mlx(site):
    [record] = site.glob("mlx-*.dist-info/RECORD")
    replace(record, "mlx/core.cpython-311-x86_64-linux-gnu.so,,\n")
    assert "The installed distribution mlx is another one" in problem(site)


def test_another_core_on_the_path(site, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    replace(other / "mlx" / "core" / "__init__.py", "")
    [text] = doctor(f"{site}{os.pathsep}{other}")["problems"]
    assert "another mlx.core on sys.path" in text and str(other) in text
    problems = doctor(f"{other}{os.pathsep}{site}")["problems"]
    assert any("comes from another folder" in p for p in problems)
