"""``python -m mlx.doctor``: what is installed, what of the machine is used and why, and what is wrong.

Ends with 0 when all is well and with 1 when something is wrong. It works without the extension module, too.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.metadata
import importlib.util
import json
import math
import os
import platform
import re
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parent
# Files of the package mlx that another distribution must not bring: they are the library, or stand before it.
LIBRARY = re.compile(r"(core(\.[^/]*)?\.(so|pyd|dylib)|.*libmlx[^/]*|.*\.metallib)")
OTHER_MLX = {"mlx-cpu", "mlx-metal", "mlx-cuda", "mlx-cuda-12", "mlx-cuda-13"}
# What the base level of the kernels needs (x86-64-v2), as Linux calls it.
BASE_FLAGS = {"cx16", "lahf_lm", "popcnt", "ssse3", "sse4_1", "sse4_2"}


class Report:
    """Sections of facts, and sentences about what is wrong."""

    def __init__(self) -> None:
        self.sections: dict[str, dict[str, Any]] = {}
        self.problems: list[str] = []

    def add(self, section: str, **facts: Any) -> None:
        self.sections.setdefault(section, {}).update(facts)

    def text(self) -> str:
        lines = []
        for section, facts in self.sections.items():
            lines.append(section)
            for name, value in facts.items():
                value = ", ".join(value) if isinstance(value, list) else value
                lines.append(
                    f"  {name.replace('_', ' ') + ':':<18} {'none' if value in ('', None) else value}"
                )
        lines += ["", *(f"PROBLEM: {problem}" for problem in self.problems)]
        return "\n".join([*lines, *([] if self.problems else ["All is well."])])

    def json(self) -> str:
        return json.dumps({**self.sections, "problems": self.problems, "ok": not self.problems}, indent=2)


# Files ------------------------------------------------------------------------------------------------------


def recorded_files() -> tuple[dict[str, dict[str, str]], set[str]]:
    """The files below mlx/ of each installed distribution that has any, with their hashes; and the names of
    installed distributions that bring another mlx."""
    owners: dict[str, dict[str, str]] = {}
    others = set()
    for distribution in importlib.metadata.distributions(path=[str(FOLDER.parent)]):
        name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"] or "").lower()
        if name in OTHER_MLX:
            others.add(f"{name} {distribution.version}")
        for line in (distribution.read_text("RECORD") or "").splitlines():
            file, _, rest = line.partition(",")
            if file.startswith("mlx/") and "/__pycache__/" not in file:
                owners.setdefault(name, {})[file[4:]] = rest.split(",")[0]
    return owners, others


def has_changed(path: Path, recorded: str) -> bool:
    kind, _, digest = recorded.partition("=")
    if kind != "sha256":
        return False
    found = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
    return found != digest


def files_here() -> set[str]:
    paths = (path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(FOLDER).as_posix() for path in paths}


def few(names: Iterable[str]) -> str:
    names = sorted(names)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def check_files(report: Report) -> None:
    owners, others = recorded_files()
    here = files_here()
    ours = next((files for files in owners.values() if "doctor.py" in files), None)
    report.add("installation", folder=str(FOLDER), distributions=sorted(owners))
    if others:
        report.problems.append(
            f"Another mlx is installed in the same folder: {few(others)}. Uninstall it, then reinstall mlx: "
            "python -m pip uninstall NAME; python -m pip install --force-reinstall --no-deps mlx"
        )
    if ours is None:
        report.add("installation", files="not checked: no installed distribution lists them")
        if "mlx" in owners:
            report.problems.append(
                "The installed distribution mlx is another one: it does not list these files."
            )
        return
    missing = set(ours) - here
    changed = {name for name in set(ours) & here if has_changed(FOLDER / name, ours[name])}
    foreign = here - set(ours)
    owned = {name for files in owners.values() for name in files}
    strays = {name for name in foreign if LIBRARY.fullmatch(name)}
    report.add(
        "installation", files=f"{len(ours)} installed, {len(foreign)} of others", strays=sorted(strays)
    )
    for what, names in (
        ("are missing", missing),
        ("are not as they were installed (overwritten by another mlx?)", changed),
        ("belong to another mlx" if strays & owned else "are left over from another mlx", strays),
    ):
        if names:
            report.problems.append(f"Files in {FOLDER} {what}: {few(names)}.")


def check_places(report: Report) -> None:
    """Other folders called mlx on sys.path whose core would be taken first, or shadows ours."""
    places = [Path(place) for place in sys.modules["mlx"].__path__] if "mlx" in sys.modules else [FOLDER]
    cores = [
        place for place in places if (place / "core/__init__.py").exists() or any(place.glob("core.*.so"))
    ]
    others = [str(place) for place in cores if place.resolve() != FOLDER]
    if others:
        report.problems.append(f"There is another mlx.core on sys.path: {few(others)}.")


# The machine ------------------------------------------------------------------------------------------------


def smallest(limits: dict[str, float]) -> str:
    """The name of the smallest limit; the first of equal ones."""
    return min(limits, key=lambda name: limits[name])


def environment() -> dict[str, str]:
    return {name: value for name, value in sorted(os.environ.items()) if name.startswith("MLX_")}


def describe_threads(report: Report, mx: ModuleType) -> None:
    quota = mx._cgroup_limits()[0]
    limits = {
        "the machine": float(os.cpu_count() or 1),
        "CPU affinity": float(len(os.sched_getaffinity(0))),
        "control group": quota if math.isinf(quota) else math.ceil(quota),
    }
    used = mx.get_num_threads()
    source = smallest(limits)
    if os.environ.get("MLX_NUM_THREADS") == str(used):
        source = "MLX_NUM_THREADS"
    shown = ", ".join(f"{name} {value:g}" for name, value in limits.items() if value < math.inf)
    report.add("threads", used=used, source=source, limits=shown)


def describe_memory(report: Report, mx: ModuleType) -> None:
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limits = {"the machine": float(physical), "control group": mx._cgroup_limits()[1]}
    # The first version of control groups says "no limit" by a huge number.
    shown = ", ".join(f"{name} {value / 2**30:.1f} GiB" for name, value in limits.items() if value < 2**60)
    report.add(
        "memory",
        limit=mx.get_memory_limit(),
        source=f"80 % of {smallest(limits)}",
        limits=shown,
        cache_limit=mx.get_cache_limit(),
    )


def describe_cpu(report: Report, mx: ModuleType) -> None:
    info = mx.device_info(mx.cpu)
    wanted = os.environ.get("MLX_CPU_ISA")
    source = "MLX_CPU_ISA" if wanted and wanted == info["instruction_set"] else "the best there is"
    report.add(
        "cpu",
        name=info["device_name"],
        architecture=info["architecture"],
        instruction_set=info["instruction_set"],
        source=source,
        available=info["instruction_sets"].split(),
    )
    if wanted and wanted != info["instruction_set"]:
        report.problems.append(f"MLX_CPU_ISA={wanted} cannot be had here; {info['instruction_set']} is used.")


def describe_gpu(report: Report, mx: ModuleType) -> None:
    if mx.is_available(mx.gpu):
        report.add("gpu", **mx.device_info(mx.gpu))
        return
    driver = (
        "NVIDIA driver found" if os.path.exists("/proc/driver/nvidia/version") else "no NVIDIA driver found"
    )
    report.add("gpu", used="none", why=f"this build has no GPU backend ({driver})")


def old_processor() -> str:
    """What the processor lacks of the lowest level of the kernels."""
    if platform.machine() != "x86_64":
        return ""
    try:
        match = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        return ""
    return few(BASE_FLAGS - set(match[1].split())) if match else ""


# Work -------------------------------------------------------------------------------------------------------


def one_operation(mx: ModuleType, device: Any) -> None:
    """A product, an element-wise chain, a reduction; on the CPU also eigenvalues, which need OpenBLAS."""
    with mx.stream(device):
        a = mx.array([[2.0, 1.0], [1.0, 3.0]])
        result = mx.sum(mx.exp(mx.log(a @ a)) * 2).item()
        if abs(result - 50.0) > 1e-3:
            raise ValueError(f"gives {result} instead of 50")
        if device == mx.cpu:
            values = mx.linalg.eigvalsh(a).tolist()
            if abs(sum(values) - 5.0) > 1e-4:
                raise ValueError(f"has eigenvalues {values}, whose sum is not 5")


def check_operations(report: Report, mx: ModuleType) -> None:
    for name, device in (("cpu", mx.cpu), ("gpu", mx.gpu)):
        if not mx.is_available(device):
            continue
        try:
            one_operation(mx, device)
            report.add("operations", **{name: "right"})
        except Exception as error:
            report.add("operations", **{name: f"{type(error).__name__}: {error}"})
            report.problems.append(f"An operation on the {name} fails: {error}")


def import_core(report: Report) -> ModuleType | None:
    missing = old_processor()
    if missing:
        report.problems.append(f"The processor is too old: it lacks {missing}.")
        return None
    try:
        import mlx.core as mx
    except Exception as error:
        report.problems.append(str(error).removesuffix(" More: python -m mlx.doctor"))
        return None
    if Path(mx.__file__).parent.resolve() != FOLDER:
        report.problems.append(f"mlx.core comes from another folder: {mx.__file__}.")
    # Another mlx has other helpers.
    return mx if hasattr(mx, "_cgroup_limits") else None


def examine() -> Report:
    report = Report()
    try:
        version = importlib.metadata.version("mlx")
    except importlib.metadata.PackageNotFoundError:
        version = "not installed"
    report.add("version", mlx=version, python=sys.version.split()[0], system=platform.platform())
    check_files(report)
    check_places(report)
    mx = import_core(report)
    if mx is not None:
        report.add("version", mlx=mx.__version__, distribution=version, compiler=mx._compiler)
        if version not in ("not installed", mx.__version__):
            report.problems.append(
                f"mlx.core has version {mx.__version__}, the installed distribution {version}."
            )
        for describe in (describe_cpu, describe_threads, describe_memory, describe_gpu, check_operations):
            describe(report, mx)
    report.add("environment", **environment())
    return report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mlx.doctor", description="Examine the installation.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    report = examine()
    print(report.json() if options.json else report.text())
    return 1 if report.problems else 0


if __name__ == "__main__":
    # A reader that stops early, such as head, ends this as it ends other tools: without a traceback.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
