#!/usr/bin/env python3
"""Checks what the library's binaries offer and ask for.

* Objects of an instruction-set level offer no function that the linker could merge with one compiled for
  another level: every weak symbol belongs to the level's own namespace.
* Objects of the library do no work before main, and call nothing that ends the process, prints or takes
  signals.
* Objects of the library, which a static library hands to a program as they are, define names of the namespace
  mlx only; what they share with other code is instances of templates, which linkers merge.
* The shared library offers names of the namespace mlx only, and the Python module its init function only.

Usage: check_symbols.py BUILD_FOLDER
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEAK = set("VvWu")
STRONG = set("TDBRGSC")
# A name, or what belongs to a class or a function of mlx: vtable, typeinfo, thunk, guard, static local ...
OURS = re.compile(r"_Z(T[VISTCWH]|Th\w*_|Tv\w*_|Z|GV|GVZ)?N[KRO]*3mlx")
BANNED = set(
    "exit _exit _Exit quick_exit abort __assert_fail signal sigaction printf __printf_chk fprintf "
    "__fprintf_chk puts putchar perror stdout stderr _ZSt4cout _ZSt4cerr _ZSt4clog".split()
)


def symbols(path: Path, *options: str) -> Iterator[tuple[str, str]]:
    """Names and kinds."""
    listing = subprocess.run(["nm", "-P", *options, str(path)], check=True, capture_output=True, text=True)
    for line in listing.stdout.splitlines():
        name, kind = line.split()[:2]
        yield name.split("@")[0], kind


def foreign_weak(listing: list[tuple[str, str]], level: str) -> Iterator[str]:
    for name, kind in listing:
        # The namespace in a mangled name: mlx, core, cpu, LEVEL with their lengths.
        if kind in WEAK and f"3mlx4core3cpu{len(level)}{level}" not in name:
            yield f"weak symbol outside namespace {level}: {name}"


def bad_manners(listing: list[tuple[str, str]]) -> Iterator[str]:
    for name, kind in listing:
        if kind in STRONG and not OURS.match(name):
            yield f"defines {name}"
        if name.startswith("_GLOBAL__sub_I"):
            yield "works before main (an object with a constructor outside of functions)"
        if kind == "U" and name in BANNED:
            yield f"refers to {name}"


def foreign_exports(path: Path) -> Iterator[str]:
    for name, _ in symbols(path, "-D", "--defined-only"):
        allowed = OURS.match(name) if path.name.startswith("libmlx") else name == "PyInit_core"
        if not allowed:
            yield f"offers {name}"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    objects = sorted(folder.glob("**/CMakeFiles/mlx*.dir/**/*.o"))
    faults, levels = [], 0
    for path in objects:
        listing = list(symbols(path))
        faults += [f"{path}: {fault}" for fault in bad_manners(listing)]
        if level := re.search(r"mlx_isa_(\w+)\.dir", str(path)):
            levels += 1
            faults += [f"{path}: {fault}" for fault in foreign_weak(listing, level[1])]
    if levels == 0:
        sys.exit(f"check_symbols: no object files of instruction-set levels under {folder}")
    shared = sorted([*folder.glob("libmlx.so"), *folder.glob("python/mlx/core.*.so")])
    for path in shared:
        faults += [f"{path}: {fault}" for fault in foreign_exports(path)]
    for fault in faults:
        print(fault)
    print(f"check_symbols: {len(objects)} object files, {len(shared)} libraries, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
