#!/usr/bin/env python3
"""Checks that no object file of an instruction-set level offers a function that the linker could merge with
one compiled for another level: every weak symbol must belong to the level's own namespace.

Usage: check_weak_symbols.py BUILD_FOLDER   (looks for CMakeFiles/mlx_isa_LEVEL.dir/**/*.o)
"""

import re
import subprocess
import sys
from pathlib import Path

WEAK = set("VvWuU") - {"U"}


def foreign_symbols(path, level):
    listing = subprocess.run(["nm", "-P", str(path)], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        name, kind = line.split()[:2]
        # The namespace in a mangled name: mlx, core, cpu, LEVEL with their lengths.
        if kind in WEAK and f"3mlx4core3cpu{len(level)}{level}" not in name:
            yield name


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    checked, bad = 0, 0
    for path in sorted(Path(sys.argv[1]).glob("**/mlx_isa_*.dir/**/*.o")):
        level = re.search(r"mlx_isa_(\w+)\.dir", str(path)).group(1)
        checked += 1
        for name in foreign_symbols(path, level):
            bad += 1
            print(f"{path}: weak symbol outside namespace {level}: {name}")
    if checked == 0:
        sys.exit(f"check_weak_symbols: no object files of instruction-set levels under {sys.argv[1]}")
    print(f"check_weak_symbols: {checked} object files, {bad} foreign weak symbols")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
