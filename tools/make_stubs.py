"""Write the type stubs of mlx.core from the signatures and documentation that the module was built with.

Usage: tools/make_stubs.py [--check] [FOLDER]    (default: python/mlx/core)
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import types
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from stub_tables import ALIASES, ATTRIBUTES, GENERIC, OVERLOADS, RESULTS, SLOTS, SPECIAL  # noqa: E402

HEADER = '''"""Type stubs of {module}. Written by tools/make_stubs.py."""

import pathlib
import types
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, overload

import numpy.typing
'''
CORE_NAMES = """
_P = ParamSpec("_P")
_R = TypeVar("_R")
"""
IMPORTED_NAMES = "array bfloat16 Device DeviceType Dtype float32 int32 Stream ThreadLocalStream"


def private(name: str) -> str:
    return f"_{name[0].upper()}{name[1:]}"


class Annotations(ast.NodeTransformer):
    """Aliases under their private names; what generic classes hold."""

    names = {name: private(name) for name in ALIASES} | {"P": "_P", "R": "_R"}

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.slice = self.visit(node.slice)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.names:
            return ast.Name(self.names[node.id])
        return ast.parse(GENERIC[node.id], mode="eval").body if node.id in GENERIC else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        text = ast.unparse(node)
        return ast.parse(GENERIC[text], mode="eval").body if text in GENERIC else node


def typed(annotation: ast.expr | None) -> ast.expr:
    if annotation is None:
        return ast.Name("Any")
    return ast.fix_missing_locations(Annotations().visit(annotation))


def function(owner: str, name: str, rest: str, method: bool = False) -> str:
    """`def name(...) -> ...: ...` in one line. A method's first parameter is called self."""
    if " -> " not in rest:
        rest += " -> None"
    node = ast.parse(f"def {name}{rest}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    arguments = node.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    parameters = [a for a in every if a is not None]
    for a in parameters[1:] if method else parameters:
        a.annotation = typed(a.annotation)
    if method:
        parameters[0].arg, parameters[0].annotation = "self", None
    node.returns = typed(node.returns)
    if result := RESULTS.get(f"{owner}.{name}"):
        node.returns = ast.Name(result)
    return ast.unparse(ast.fix_missing_locations(node)).replace(":\n    ...", ": ...")


def documented(line: str, doc: str | None, indent: str) -> list[str]:
    """A function's line with its documentation as the body."""
    if not doc:
        return [indent + line]
    text = inspect.cleandoc(doc).replace("\\", "\\\\").replace('"""', "'''")
    if text.endswith('"'):
        text += " "
    lines = [indent + "    " + t if t else "" for t in f'"""{text}'.split("\n")]
    if len(lines) == 1:
        lines[0] += '"""'
    else:
        lines.append(indent + '    """')
    return [indent + line.removesuffix(" ..."), *lines]


def functions(owner: str, name: str, rest: str, doc: str | None, indent: str = "") -> list[str]:
    out = []
    chosen = OVERLOADS.get(f"{owner}.{name}")
    for text in chosen or [rest]:
        out += [f"{indent}@overload"] if chosen else []
        out += documented(function(owner, name, text, bool(indent)), doc, indent)
    return out


def slot_lines() -> list[str]:
    ignored = {"eq": "override", "ne": "override"}  # object's give a bool
    lines = []
    for rest, names in SLOTS.items():
        for name in names.split():
            line = function("mlx.core.array", f"__{name}__", rest, method=True)
            lines.append(f"    {line}" + (f"  # type: ignore[{ignored[name]}]" if name in ignored else ""))
    return lines


def entries(signatures: list[str]) -> dict[str, list[str]]:
    """Owner ("mlx.core", "mlx.core.array") -> its lines, without the owner's name."""
    table = defaultdict(list)
    for text in signatures:
        end = min(i for i in (text.find("("), text.find(":"), text.find(" =")) if i >= 0)
        owner, _, name = text[:end].rpartition(".")
        table[owner].append(name + text[end:])
    return table


def named_tuple(name: str, cls: type) -> list[str]:
    return [f"class {name}(NamedTuple):", *(f"    {field}: array" for field in cls._fields)]  # type: ignore


def property_lines(name: str, kind: str, doc: str | None) -> list[str]:
    kind = ast.unparse(typed(ast.parse(kind, mode="eval").body))
    return ["    @property", *documented(f"def {name}(self) -> {kind}: ...", doc, "    ")]


def class_stub(name: str, cls: Any, lines: list[str]) -> list[str]:
    if hasattr(cls, "_fields"):
        return named_tuple(name, cls)
    bases = [b.__name__ for b in cls.__bases__ if b is not object]
    out = documented(
        f"class {name}({', '.join(bases)}): ..." if bases else f"class {name}: ...", cls.__doc__, ""
    )
    if hasattr(cls, "__members__"):
        return out + [f"    {member} = {value.value!r}" for member, value in cls.__members__.items()]
    head = len(out)
    owner = f"{cls.__module__}.{name}"
    known = {line.split("(")[0].split(":")[0] for line in lines}
    for line in lines:
        if "(" not in line.split(":")[0]:
            attribute, kind = line.split(": ", 1)
            out += property_lines(attribute, kind, vars(cls)[attribute].__doc__)
            continue
        called, _, rest = line.partition("(")
        doc = None if called.startswith("__") else vars(cls)[called].__doc__
        made = functions(owner, called, f"({rest}", doc, "    ")
        if called == "__eq__":
            made[-1] = made[-1].replace("other: array", "other: object")
        out += made
    if name == "array":
        out += slot_lines()
    else:
        for special, rest in SPECIAL.items():
            if vars(cls).get(special) and special not in known:
                out.append("    " + function(owner, special, rest.format(name=name), method=True))
    for attribute, value in vars(cls).items():
        if isinstance(value, property) and attribute not in known:
            out += property_lines(attribute, ATTRIBUTES[f"{name}.{attribute}"], value.__doc__)
    if len(out) > head:
        out[0] = out[0].removesuffix(" ...")
    return out


def constants(module: types.ModuleType) -> list[str]:
    out = []
    for name, value in vars(module).items():
        kind = type(value)
        if name.startswith("_") and name != "__version__":
            continue
        if value is None:
            out.append(f"{name}: None")
        elif kind in (float, str) or kind.__module__.startswith("mlx.core"):
            out.append(f"{name}: {kind.__name__}")
    return out


def module_stub(module: types.ModuleType, table: dict[str, list[str]]) -> str:
    is_core = module.__name__ == "mlx.core"
    out = [HEADER.format(module=module.__name__)]
    if is_core:
        submodules = sorted(name for name, value in vars(module).items() if inspect.ismodule(value))
        out += [f"from . import {name} as {name}" for name in submodules] + [CORE_NAMES]
    else:
        out.append(f"from mlx.core import {', '.join(IMPORTED_NAMES.split())}\n")
    out += [f"{private(name)} = {meaning}" for name, meaning in ALIASES.items()]
    for name, value in vars(module).items():
        if inspect.isclass(value) and value.__module__.startswith("mlx.core") and not name.startswith("__"):
            out += ["", *class_stub(name, value, table.get(f"{module.__name__}.{name}", []))]
    out.append("")
    if not is_core:
        defined = {re.split(r"\(| =", line)[0] for line in table.get(module.__name__, [])}
        shared = (
            n
            for n, v in vars(module).items()
            if n not in defined and v is getattr(sys.modules["mlx.core"], n, 0)
        )
        out += [f"from mlx.core import {name} as {name}" for name in sorted(shared)]
    for line in table.get(module.__name__, []):
        name = re.split(r"\(| =", line)[0]
        if line.startswith("_"):
            continue
        if " = " in line and "(" not in line.split(" = ")[0]:
            out.append(line)
        else:
            out += functions(module.__name__, name, line[len(name) :], getattr(module, name).__doc__)
    return "\n".join([*out, *constants(module), ""])


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
