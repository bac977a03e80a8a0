"""Graphs as data: entries that are inputs or calls, run on arrays, printed as a program, made smaller."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import mlx.core as mx

from ..compare import as_tuple, to_mx, to_numpy
from .values import KINDS, LAYOUTS

Ref = tuple[int, int]  # entry, which of its results
DTYPES = (
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64"),
)
REALS = ("float16", "bfloat16", "float32", "float64")
INEXACT = (*REALS, "complex64")
INTEGERS = DTYPES[1:9]


@dataclass(frozen=True)
class Input:
    """An array described well enough to make it again, with other values or at another size."""

    shape: tuple
    dtype: str
    kind: str = "values"
    layout: str = "plain"
    seed: int = 0
    options: tuple = ()

    def numpy(self, variant: int = 0) -> np.ndarray:
        rng = np.random.default_rng([self.seed, variant])
        return KINDS[self.kind](rng, self.shape, self.dtype, *self.options)

    def arrays(self, variant: int = 0) -> tuple[mx.array, ...]:
        x = LAYOUTS[self.layout](to_mx(self.numpy(variant), self.dtype))
        mx.eval(x)
        return (x,)


@dataclass(frozen=True)
class Literal:
    """The results of a call, put in its place."""

    values: tuple

    def arrays(self, variant: int = 0) -> tuple[mx.array, ...]:
        return tuple(mx.array(v, dtype=mx.float64) if d == "float64" else to_mx(v, d) for v, d in self.values)


@dataclass(frozen=True)
class Row:
    """How one operation takes part.

    Args:
        name: as under `mx.`; what follows a colon tells several rows of one operation apart.
        draw: `draw(g)` gives operands (references) and keyword arguments; see `draw.py`.
        oracle: NumPy's function, on wide copies of the operands; None: only compared with itself.
        fn: instead of `mx.NAME`.
        promote: None, "common": the oracle sees operands cast to their common dtype, "float": to a float one.
        scale: what errors are relative to: None: the largest expected value; "abs": the oracle of the
            operands' magnitudes; or a function of the oracle's arguments.
        verify: instead of an oracle: gives pairs (got, expected) from the operands and the results.
        result: the dtype of the first result: "same": that of the operands, promoted; "bool"; None: any.
        smooth: differentiable, with float64 operands.
        wild: results are brought back to a small range before others use them.
        finite: the oracle only says what finite operands give.
        dynamic: the shape of the result depends on values.
        skip: names of checks that do not apply, with the reason.
    """

    name: str
    draw: Callable
    oracle: Callable | None = None
    fn: Callable | None = None
    ulps: float = 4
    promote: str | None = None
    scale: Any = None
    verify: Callable | None = None
    smooth: bool = False
    wild: bool = False
    dynamic: bool = False
    finite: bool = False
    result: str | None = None
    skip: dict = field(default_factory=dict)

    def results(self, *operands, **kwargs) -> tuple:
        return as_tuple(self(*operands, **kwargs))

    def __call__(self, *operands, **kwargs):
        return (self.fn or resolve(self.name))(*operands, **kwargs)


def resolve(name: str) -> Callable:
    path = name.split(":")[0].split(".")
    if path[0] == "array":
        return method(path[1])
    fn = mx
    for part in path:
        fn = getattr(fn, part)
    return fn


def method(name: str) -> Callable:
    def run(x, *rest, **kwargs):
        found = getattr(x, name)
        if not callable(found):
            return found
        if name in ("reshape", "transpose"):
            rest, kwargs = (*rest, *kwargs.values()), {}
        return found(*rest, **kwargs)

    return run


@dataclass(frozen=True)
class Call:
    row: Row
    operands: tuple[Ref, ...]
    kwargs: dict

    def run(self, values: Sequence[tuple]) -> tuple[mx.array, ...]:
        return as_tuple(self.row(*[values[i][k] for i, k in self.operands], **self.kwargs))


@dataclass(frozen=True)
class Graph:
    """A program. `outputs` are what it returns."""

    entries: tuple
    outputs: tuple[Ref, ...] = ()

    @property
    def calls(self) -> list[tuple[int, Call]]:
        return [(i, e) for i, e in enumerate(self.entries) if isinstance(e, Call)]

    @property
    def inputs(self) -> list[int]:
        return [i for i, e in enumerate(self.entries) if not isinstance(e, Call)]

    def arguments(self, variant: int = 0) -> list[mx.array]:
        return [x for i in self.inputs for x in self.entries[i].arrays(variant)]

    def run(self, *arguments: mx.array, each: Callable | None = None) -> list[tuple]:
        """All values. `each` is called with every call's results as soon as they are there."""
        values, position = [], 0
        for i, entry in enumerate(self.entries):
            if isinstance(entry, Call):
                values.append(entry.run(values))
                if each is not None:
                    each(i, values)
            else:
                count = len(entry.values) if isinstance(entry, Literal) else 1
                values.append(tuple(arguments[position : position + count]))
                position += count
        return values

    def function(self) -> Callable:
        """The graph as a function of its inputs."""

        def fn(*arguments):
            values = self.run(*arguments)
            return [values[i][k] for i, k in self.outputs]

        return fn

    def needed(self) -> Graph:
        """Without the entries that no output needs."""
        keep = {i for i, _ in self.outputs}
        for i, call in reversed(self.calls):
            if i in keep:
                keep |= {j for j, _ in call.operands}
        order = {old: new for new, old in enumerate(sorted(keep))}

        def moved(refs):
            return tuple((order[i], k) for i, k in refs)

        entries = [self.entries[i] for i in order]
        entries = [replace(e, operands=moved(e.operands)) if isinstance(e, Call) else e for e in entries]
        return Graph(tuple(entries), moved(self.outputs))

    def cut(self, i: int, values: tuple) -> Graph:
        """With the results of call i put in its place."""
        literal = Literal(tuple((to_numpy(v), str(v.dtype).split(".")[-1]) for v in values))
        return Graph((*self.entries[:i], literal, *self.entries[i + 1 :]), self.outputs).needed()

    def text(self) -> str:
        """A program that does the same, to be run in tests/python."""
        lines = [
            "import numpy as np",
            "import mlx.core as mx",
            "from harness.fuzz.graph import Input, Literal",
            "from harness.fuzz.table import ROWS",
        ]
        for i, entry in enumerate(self.entries):
            if isinstance(entry, Call):
                operands = [f"v{j}[{k}]" for j, k in entry.operands]
                kwargs = [f"{k}={show(v)}" for k, v in entry.kwargs.items()]
                lines.append(f"v{i} = ROWS[{entry.row.name!r}].results({', '.join(operands + kwargs)})")
            elif isinstance(entry, Literal):
                parts = [
                    f"(np.array({v.tolist()}, {v.dtype.name!r}).reshape({v.shape}), {d!r})"
                    for v, d in entry.values
                ]
                lines.append(f"v{i} = Literal(({', '.join(parts)},)).arrays()")
            else:
                lines.append(f"v{i} = {entry!r}.arrays()")
        lines.append(f"mx.eval({', '.join(f'v{i}[{k}]' for i, k in self.outputs)})")
        return re.sub(r"(?<=[\s\[(=-])(inf|nan)\b", r"np.\1", "\n".join(lines))


def show(value) -> str:
    """A keyword argument as Python text."""
    if isinstance(value, mx.Dtype):
        return str(value).replace("mlx.core", "mx")
    if isinstance(value, (tuple, list)):
        inner = ", ".join(show(v) for v in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    return repr(value)
