"""Write the type stubs of mlx.core from the signatures that the module was built with.

Usage: tools/make_stubs.py [--check] [FOLDER]    (default: python/mlx/core)
"""

from __future__ import annotations

import argparse
import inspect
import sys
import types
from collections import defaultdict
from pathlib import Path

HEADER = '''"""Type stubs of {module}. Written by tools/make_stubs.py."""

from __future__ import annotations

import pathlib
import types
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Literal, ParamSpec, TypeVar

import numpy

P = ParamSpec("P")
R = TypeVar("R")
'''
SUBMODULE_HEADER = '''"""Type stubs of {module}. Written by tools/make_stubs.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlx.core import Dtype, StreamOrDevice, array, float32, int32, scalar
'''
ALIASES = """
scalar = bool | int | float | complex
list_or_scalar = list | scalar
DLPackCompatible = Any
capsule = Any
file = Any
StreamOrDevice = Stream | ThreadLocalStream | Device | DeviceType | None
"""

# Type slots have no signatures of their own.
SLOTS = {
    "self, other: scalar | array, /) -> array": (
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv "
        "mod rmod imod pow rpow ipow and rand iand or ror ior xor rxor ixor lshift rlshift ilshift "
        "rshift rrshift irshift lt le gt ge"
    ),
    "self, other: object, /) -> array": "eq ne",
    "self, other: array, /) -> array": "matmul rmatmul imatmul",
    "self, other: scalar | array, /) -> tuple[array, array]": "divmod rdivmod",
    "self) -> array": "neg pos abs invert",
    "self) -> int": "len int index",
    "self) -> float": "float",
    "self) -> bool": "bool",
    "self) -> Iterator[array]": "iter",
    "self, value: scalar | array, /) -> bool": "contains",
    "self, indices: Any, /) -> array": "getitem",
    "self, indices: Any, value: Any, /) -> None": "setitem",
}


def slot_lines() -> list[str]:
    table = {name: rest for rest, names in SLOTS.items() for name in names.split()}
    ignore = {"eq", "ne"}  # object's give a bool
    return [
        f"    def __{name}__({rest}: ..." + ("  # type: ignore[override]" if name in ignore else "")
        for name, rest in table.items()
    ]


def annotated(signature: str) -> str:
    """`f(a: T = x) -> R`, with the defaults of dtypes as dots and types for what has none."""
    head, arrow, result = signature.rpartition(" -> ")
    if not arrow:
        head, result = signature, "None"
    return f"def {head} -> {result}: ..."


def entries(signatures: list[str]) -> dict[str, list[str]]:
    """Owner ("mlx.core", "mlx.core.array") -> its lines, without the owner's name."""
    table = defaultdict(list)
    for text in signatures:
        end = min(i for i in (text.find("("), text.find(":"), text.find(" =")) if i >= 0)
        owner, _, name = text[:end].rpartition(".")
        table[owner].append(name + text[end:])
    return table


def class_stub(name: str, cls: type, lines: list[str]) -> list[str]:
    bases = [b.__name__ for b in cls.__bases__ if b is not object]
    out = [f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"]
    for line in lines:
        if ":" in line and "(" not in line.split(":")[0]:
            attribute, kind = line.split(": ", 1)
            out += ["    @property", f"    def {attribute}(self) -> {kind}: ..."]
        else:
            out.append("    " + annotated(line))
    if name == "array":
        out += slot_lines()
    if hasattr(cls, "__members__"):
        out += [f"    {member} = {value.value!r}" for member, value in cls.__members__.items()]
    known = {line.split("(")[0].split(":")[0] for line in lines}
    for attribute, value in vars(cls).items():
        if isinstance(value, property) and attribute not in known:
            out.append(f"    {attribute}: Any")
    if len(out) == 1:
        out[0] += " ..."
    return out


def module_stub(module: types.ModuleType, table: dict[str, list[str]]) -> str:
    is_core = module.__name__ == "mlx.core"
    out = [(HEADER if is_core else SUBMODULE_HEADER).format(module=module.__name__)]
    for name, value in vars(module).items():
        if inspect.isclass(value) and value.__module__.startswith("mlx.core") and not name.startswith("__"):
            out += ["", *class_stub(name, value, table.get(f"{module.__name__}.{name}", [])), ""]
    if is_core:
        submodules = sorted(name for name, value in vars(module).items() if inspect.ismodule(value))
        out += [f"from . import {name} as {name}" for name in submodules]
        out.append(ALIASES)
    for line in table.get(module.__name__, []):
        if line.startswith("_"):
            continue
        out.append(line if " = " in line and "(" not in line.split(" = ")[0] else annotated(line))
    for name, value in vars(module).items():
        kind = type(value)
        if not name.startswith("_") and (
            kind in (float, type(None)) or kind.__module__.startswith("mlx.core")
        ):
            out.append(f"{name}: {kind.__name__}" if value is not None else f"{name}: None")
    out.append("__version__: str\n" if is_core else "")
    return "\n".join(out)


def stubs() -> dict[str, str]:
    """File name -> text."""
    import mlx.core as mx

    table = entries(mx._signatures())
    modules = {"__init__": mx}
    modules |= {name: value for name, value in vars(mx).items() if inspect.ismodule(value)}
    return {f"{name}.pyi": module_stub(module, table) for name, module in modules.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[1] / "python/mlx/core")
    parser.add_argument("--check", action="store_true", help="only say whether the files are up to date")
    options = parser.parse_args()
    stale = []
    for name, text in stubs().items():
        path = options.folder / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not options.check:
            options.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if options.check and stale:
        print(f"stubs: out of date: {', '.join(stale)}; run tools/make_stubs.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
