"""Who may include whom: fails on an #include that crosses the layers of docs/dev/architecture.md.

A public header (mlx/*.h) belongs to the layer that implements it, which is named here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Longest prefix first; every file under mlx/ and python/src has a layer.
LAYERS = {
    "mlx/backend/cpu/isa/": "isa",
    "mlx/backend/cuda/device/": "device",
    # Questions about devices, which the core answers.
    "mlx/backend/cuda/cuda.h": "core",
    "mlx/backend/gpu/": "core",
    "mlx/backend/metal/": "core",
    "mlx/backend/common/": "common",
    "mlx/backend/cpu/": "cpu",
    "mlx/backend/cuda/": "cuda",
    "mlx/distributed/": "distributed",
    "mlx/graph/": "graph",
    "mlx/types/": "core",
    "mlx/core/": "core",
    "mlx/ops/": "ops",
    "mlx/io/": "io",
    "python/src/": "python",
}
PUBLIC_HEADERS = {
    "core": "allocator api array device dtype event fence memory scheduler small_vector stream utils version",
    "ops": "einsum fast fft linalg ops primitives random",
    "graph": "compile export graph_utils transforms transforms_impl",
    "io": "io",
    "distributed": "distributed",
}
# Public headers whose place below mlx/ programs know.
PUBLIC_IN_FOLDERS = {
    "mlx/backend/common/utils.h",
    "mlx/backend/cpu/encoder.h",
    "mlx/backend/cuda/cuda.h",
    "mlx/backend/gpu/device_info.h",
    "mlx/backend/metal/metal.h",
    "mlx/distributed/distributed.h",
    "mlx/distributed/ops.h",
}
# Headers that only give the rows of a table names and numbers; they may go where the table goes.
TABLE_HEADERS = {"mlx/ops/elementwise_op.h"}
# What a host language needs below the public headers: errors, hooks, threads, limits of the machine, the end
# of the process, traces.
HOST_HEADERS = {
    "mlx/core/error.h",
    "mlx/core/interrupt.h",
    "mlx/core/process.h",
    "mlx/core/reader.h",
    "mlx/core/system.h",
    "mlx/core/thread_pool.h",
    "mlx/core/tracing.h",
    "mlx/core/warnings.h",
    "mlx/ops/elementwise.h",
    "mlx/types/limits.h",
}
# mlx.h includes everything and is included by users only.
UMBRELLA = "mlx/mlx.h"

# What each layer may include besides itself; "public" is any header directly under mlx/, "def" any .def
# table.
ALLOWED = {
    "core": {"def"},
    "ops": {"core", "def"},
    "graph": {"ops", "core", "def"},
    "io": {"ops", "core", "def"},
    "distributed": {"ops", "core", "def"},
    "common": {"ops", "core", "def"},
    "cpu": {"common", "ops", "core", "isa", "def"},
    "cuda": {"common", "ops", "core", "device", "def"},
    "isa": {"def"},
    "device": {"def"},
    "python": {"public", "def"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]((?:mlx|python)/[^>"]+|[^>"/]+\.(?:h|def|cuh))[>"]')


def layer_of(path: str) -> str | None:
    if path.count("/") == 1 and path.startswith("mlx/"):
        stem = Path(path).stem
        return next((layer for layer, stems in PUBLIC_HEADERS.items() if stem in stems.split()), None)
    return next((layer for prefix, layer in LAYERS.items() if path.startswith(prefix)), None)


def verdict(source: str, target: str) -> str | None:
    """Why `source` may not include `target`, or None."""
    layer, public = layer_of(source), target.count("/") == 1 or target in PUBLIC_IN_FOLDERS
    if source == UMBRELLA:
        return None if public else f"{UMBRELLA} includes public headers only"
    if layer is None:
        return f"{source} belongs to no layer: name it in tools/check_layers.py"
    allowed = ALLOWED[layer]
    if target.endswith(".def") or target in TABLE_HEADERS:
        return None if "def" in allowed else f"{layer} reads no tables"
    if layer == "python":
        ours = target.startswith("python/src/") or target in HOST_HEADERS
        return None if public or ours else "python/src uses public headers only"
    other = layer_of(target)
    if other is None:
        return f"{target} belongs to no layer: name it in tools/check_layers.py"
    return None if other == layer or other in allowed else f"{layer} may not include {other}"


def violations() -> list[str]:
    found = []
    for folder in ("mlx", "python/src"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".cu", ".cuh", ".def"):
                continue
            source = path.relative_to(ROOT).as_posix()
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                target = match[1]
                if "/" not in target:  # a file of the same folder
                    beside = path.parent / target
                    if not beside.exists():
                        continue
                    target = beside.relative_to(ROOT).as_posix()
                reason = verdict(source, target)
                if reason:
                    found.append(f"{source}:{number}: includes {match[1]}: {reason}")
    return found


if __name__ == "__main__":
    lines = violations()
    print("\n".join(lines), file=sys.stderr, end="\n" if lines else "")
    sys.exit(bool(lines))
