"""One seed: draw a graph, check it, make a failing one small."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np

import mlx.core as mx

from .checks import CHECKS, Unrelated, call_holds
from .draw import Draw, Failure
from .graph import Call, Graph, Literal
from .table import CHAINS, NAMES, ROWS, SMOOTH

SHRINKING = 20  # seconds


def draw_graph(seed: int) -> Graph:
    """The graph of a seed. Raises Failure when an operation refuses valid arguments."""
    smooth, chain = seed % 4 == 0, seed % 8 == 3
    g = Draw(seed, smooth, big=seed % 16 == 5)
    g.fresh = 0.1 if chain else g.fresh
    names = SMOOTH if smooth else CHAINS if chain else NAMES
    dynamic = seed % 8 == 1
    for _ in range(g.int(8, 20) if chain else g.int(2, 9)):
        row = ROWS[g.pick(names)]
        if row.dynamic and not dynamic:
            continue
        operands, kwargs = row.draw(g)
        g.tame(row, g.call(row, operands, kwargs))
    if not g.entries:  # all rows were dynamic ones
        g.new((), "float32")
    used = {ref[0] for e in g.entries if isinstance(e, Call) for ref in e.operands}
    outputs = [
        (i, k)
        for i, e in enumerate(g.entries)
        if isinstance(e, Call) and (i not in used or g.chance(0.15))
        for k in range(len(g.values[i]))
    ]
    if not outputs:
        outputs = [(len(g.entries) - 1, 0)]
    return Graph(tuple(g.entries), tuple(outputs)).needed()


def stepwise(graph: Graph, against_numpy: bool = True) -> list[tuple]:
    """The values one by one, each call checked against NumPy."""

    def each(i, values):
        mx.eval(values[i])
        call = graph.entries[i]
        operands = [values[j][k] for j, k in call.operands]
        try:
            call_holds(call, operands, values[i])
        except Exception as error:
            alone = Graph(graph.entries, ((i, 0),)).needed()
            while len(alone.calls) > 1:
                j = alone.calls[-2][0]
                alone = alone.cut(j, alone.run(*alone.arguments())[j])
            raise Failure("numpy", alone, f"{call.row.name}: {type(error).__name__}: {error}") from error

    return graph.run(*graph.arguments(), each=each if against_numpy else lambda i, v: mx.eval(v[i]))


def holds(graph: Graph, check: str, seed: int, values=None) -> str | None:
    """None, or what is wrong."""
    try:
        values = stepwise(graph, False) if values is None else values
        CHECKS[check](graph, values, np.random.default_rng([seed, len(check)]))
    except Unrelated:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def shrink(graph: Graph, check: str, seed: int) -> Graph:
    """A smaller graph that fails the same check: outputs and calls dropped, or replaced by their results."""
    end = time.monotonic() + SHRINKING
    smaller = True
    while smaller and time.monotonic() < end:
        smaller = False
        candidates = [Graph(graph.entries, (o,)).needed() for o in graph.outputs if len(graph.outputs) > 1]
        try:
            values = stepwise(graph, False)
            # What only follows the fault is no longer asked for.
            ends = [(i, k) for i, _ in graph.calls for k in range(len(values[i]))]
            shorter = [Graph(graph.entries, (end,)).needed() for end in ends]
            candidates += [g for g in shorter if len(g.calls) < len(graph.calls)]
            candidates += [graph.cut(i, values[i]) for i, _ in graph.calls]
        except Exception:  # noqa: S110
            pass
        for candidate in candidates:
            if time.monotonic() > end:
                break
            if candidate.calls and holds(candidate, check, seed):
                graph, smaller = candidate, True
                break
    return graph


def run_seed(seed: int, nodes: Counter, checks=tuple(CHECKS)) -> list[Failure]:
    """Draws and checks one graph. Gives what did not hold, as small as it gets."""
    try:
        graph = draw_graph(seed)
        nodes.update(call.row.name for _, call in graph.calls)
    except Failure as failure:
        return [failure]
    return check_graph(graph, seed, checks)


def check_graph(graph: Graph, seed: int, checks=tuple(CHECKS)) -> list[Failure]:
    try:
        values = stepwise(graph)
    except Failure as failure:
        return [failure]
    failures = []
    for check in checks:
        message = holds(graph, check, seed, values)
        if message is not None:
            small = shrink(graph, check, seed)
            failures.append(Failure(check, small, holds(small, check, seed) or message))
    return failures


def report(seed: int, failure: Failure) -> str:
    """The seed, what is wrong and a minimal program."""
    literal = any(isinstance(e, Literal) for e in failure.graph.entries)
    note = "\n# Literal inputs are what earlier calls gave." if literal else ""
    return f"seed {seed}, check {failure.check}: {failure.message}\n{failure.graph.text()}{note}\n"
