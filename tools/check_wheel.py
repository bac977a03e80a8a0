"""Checks a wheel: its size and tag, what it holds, and that its libraries run where the tag says.

Built on a newer system than manylinux_2_28, a library may need newer symbol versions only where an older libc
or libstdc++ has the same function under an older version, so that a build there needs nothing new.

Usage: tools/check_wheel.py WHEEL ...
"""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LARGEST = 40e6  # bytes
NEEDED = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+|libmlx\.so")
RUN_PATH = "$ORIGIN/lib"  # the extension finds libmlx.so beside it
HELD = (
    r"mlx/core/__init__\.py",
    r"mlx/core/__init__\.pyi",
    r"mlx/core\.cpython-\d+-[\w-]+\.so",
    r"mlx/doctor\.py",
    r"mlx/py\.typed",
    r"mlx/nn/__init__\.py",
    r"mlx/include/mlx/mlx\.h",
    r"mlx/share/cmake/MLX/MLXConfig\.cmake",
    r"mlx/lib/libmlx\.so",
    r"mlx/lib/openblas/libscipy_openblas64_\.so",
    r"mlx/lib/openblas/LICENSE.*",
    r"mlx-[\d.]+\.dist-info/licenses/LICENSE",
)
NOT_HELD = r".*(__pycache__|\.pyc$|/tests?/).*|(?!mlx/|mlx-[\d.]+\.dist-info/).*"
EXTRAS = {"cpu", "cuda", "cuda12", "cuda13"}

# manylinux_2_28, and the libstdc++ of its compilers' base system.
BASE = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 25), "CXXABI": (1, 3, 11), "GCC": (8, 0)}
# What got a new version later though it is old: threads and dl* moved into libc, mathematics lost its error
# handling, stat and strtol had other names. libstdc++'s own symbols come with the compiler's static part.
MOVED = re.compile(
    r"pthread_\w+|sem_\w+|thrd_\w+|__libc_single_threaded|dl\w+|__libc_start_main|[fl]?stat(64)?"
    r"|(exp|exp2|log|log2|pow|fmod|hypot)[fl]?|__isoc23_strto\w+"
)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def newer_symbols(library: Path) -> list[str]:
    """Undefined symbols whose versions an older system lacks, and that have no older form there."""
    found = []
    for line in run("nm", "-D", "--undefined-only", "--with-symbol-versions", str(library)).splitlines():
        name, _, version = line.split()[-1].partition("@")
        family, _, number = version.lstrip("@").rpartition("_")
        if family not in BASE or not number[:1].isdigit():
            continue
        is_new = tuple(map(int, number.split("."))) > BASE[family]
        if is_new and family == "GLIBC" and not MOVED.fullmatch(name):
            found.append(f"{name}@{version}")
    return found


def library_problems(library: Path, name: str) -> list[str]:
    dynamic = run("readelf", "-W", "-d", str(library))
    foreign = [n for n in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) if not NEEDED.fullmatch(n)]
    problems = [f"{name} needs {n}" for n in foreign]
    problems += [f"{name} needs the newer {symbol}" for symbol in newer_symbols(library)]
    run_paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic)
    problems += [f"{name} has a run path: {p}" for p in run_paths if p != RUN_PATH]
    if ".debug_info" in run("readelf", "-W", "-S", str(library)):
        problems.append(f"{name} holds debug information")
    return problems


def content_problems(wheel: zipfile.ZipFile, file: Path) -> list[str]:
    names = wheel.namelist()
    problems = [f"lacks {p}" for p in HELD if not any(re.fullmatch(p, n) for n in names)]
    problems += [f"holds {n}" for n in names if re.fullmatch(NOT_HELD, n)]
    [info] = (n for n in names if n.endswith(".dist-info/WHEEL"))
    metadata = email.message_from_bytes(wheel.read(info.replace("/WHEEL", "/METADATA")))
    if metadata.get_all("Requires-Dist"):
        problems.append(f"requires {metadata.get_all('Requires-Dist')}")
    if missing := EXTRAS - set(metadata.get_all("Provides-Extra") or []):
        problems.append(f"lacks the extras {sorted(missing)}")
    tags = email.message_from_bytes(wheel.read(info)).get_all("Tag") or []
    written = {tag.split("-")[-1] for tag in tags}
    if written != set(file.stem.split("-")[-1].split(".")) or not all(
        t.startswith("manylinux_") for t in written
    ):
        problems.append(f"has the tags {sorted(written)}: it wants the one that auditwheel finds")
    return problems


def problems_of(file: Path) -> list[str]:
    problems = []
    if file.stat().st_size > LARGEST:
        problems.append(f"has {file.stat().st_size / 1e6:.1f} MB, {LARGEST / 1e6:.0f} are allowed")
    with zipfile.ZipFile(file) as wheel, tempfile.TemporaryDirectory() as folder:
        problems += content_problems(wheel, file)
        for name in wheel.namelist():
            if re.search(r"\.so(\.|$)", name):
                problems += library_problems(Path(wheel.extract(name, folder)), name)
    return problems


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bad = 0
    for file in map(Path, sys.argv[1:]):
        problems = problems_of(file)
        bad += len(problems)
        print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, {len(problems)} problems")
        for problem in problems:
            print(f"  {file.name} {problem}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
