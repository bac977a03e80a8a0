"""Random graphs of all operations, which `harness/fuzz` draws and checks.

docs/dev/testing.md says how to run many.

MLX_FUZZ_GRAPHS and MLX_FUZZ_SEED say how many, and from which seed on.
"""

import os
from collections import Counter
from dataclasses import replace

import pytest
from harness.fuzz.draw import Draw
from harness.fuzz.graph import Graph
from harness.fuzz.run import check_graph, report, run_seed
from harness.fuzz.table import EXCLUDED, NAMES, ROWS, public_functions

GRAPHS = int(os.environ.get("MLX_FUZZ_GRAPHS", 400))
SEED = int(os.environ.get("MLX_FUZZ_SEED", 0))
BLOCKS = 12


def fail_with(seed, failures):
    assert not failures, "\n".join(report(seed, failure) for failure in failures)


def test_every_function_is_a_row():
    """Or is named, with the reason, among those that are none."""
    rows = {name.split(":")[0] for name in NAMES}
    excluded = set(" ".join(EXCLUDED.values()).split())
    left = public_functions() - rows
    assert not left - excluded, "add rows for them to harness/fuzz/rows_*.py, or name them in table.EXCLUDED"
    assert not excluded - left, "these of table.EXCLUDED are rows, or no functions"


@pytest.mark.parametrize("name", NAMES)
def test_row(name):
    """A graph of one call, in all checks."""
    g = Draw(SEED, smooth=False, big=False)
    operands, kwargs = ROWS[name].draw(g)
    outputs = g.call(ROWS[name], operands, kwargs)
    fail_with(SEED, check_graph(Graph(tuple(g.entries), tuple(outputs)).needed(), SEED))


@pytest.mark.parametrize("block", range(BLOCKS))
def test_graphs(block):
    for seed in range(SEED + block, SEED + GRAPHS, BLOCKS):
        fail_with(seed, run_seed(seed, Counter()))


def test_a_finding_is_a_small_program(monkeypatch):
    """A wrong value in the middle of a graph is found, and the program printed is that one call."""
    monkeypatch.setitem(ROWS, "tanh", replace(ROWS["tanh"], oracle=lambda x: x * 0 + 3))
    found = [(seed, f) for seed in range(400) for f in run_seed(seed, Counter(), checks=())]
    assert found
    seed, failure = found[0]
    assert failure.check == "numpy" and len(failure.graph.calls) == 1
    text = report(seed, failure)
    assert text.startswith(f"seed {seed}, check numpy: tanh")
    exec(text[text.index("import numpy") :], {})


def test_a_failing_check_is_made_small(monkeypatch):
    """A check that dislikes one operation leaves a program with little else."""
    from harness.fuzz import checks

    def picky(graph, values, rng):
        assert not any(call.row.name == "reshape" for _, call in graph.calls)

    monkeypatch.setitem(checks.CHECKS, "picky", picky)
    found = [f for seed in range(200) for f in run_seed(seed, Counter(), checks=("picky",))]
    assert found and all(len(f.graph.calls) == 1 for f in found)


@pytest.mark.parametrize("place", range(3))
def test_one_call_of_a_chain_is_left(monkeypatch, place):
    """Calls before the one that a check dislikes, and behind it, are no part of the finding."""
    from harness.fuzz import checks

    names = ["sin", "tanh", "exp"]

    def picky(graph, values, rng):
        assert not any(call.row.name == names[place] for _, call in graph.calls)

    monkeypatch.setitem(checks.CHECKS, "picky", picky)
    g = Draw(SEED, smooth=False, big=False)
    refs = [g.new((2, 3), "float32")]
    for name in names:
        refs = g.call(ROWS[name], refs)
    [found] = check_graph(Graph(tuple(g.entries), tuple(refs)), SEED, checks=("picky",))
    assert [call.row.name for _, call in found.graph.calls] == [names[place]]
