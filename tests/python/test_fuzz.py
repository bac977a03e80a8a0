"""Random graphs: eager, compiled and NumPy agree; element-wise chains give the same bits both ways."""

import numpy as np
import pytest

import mlx.core as mx

UNARY = ["negative", "abs", "square", "sin", "cos", "tanh", "exp", "sigmoid", "floor", "sign"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum"]
NUMPY = {"sigmoid": lambda x: 1 / (1 + np.exp(-x))}
SHAPES = [(4, 6), (6,), (4, 1), ()]


class Graph:
    """A program: each step names a function and earlier values, which stay small."""

    def __init__(self, seed: int, reductions: bool):
        rng = np.random.default_rng(seed)
        self.inputs = [rng.uniform(-1, 1, SHAPES[i % len(SHAPES)]) for i in range(3)]
        self.steps, count = [], len(self.inputs)
        for _ in range(rng.integers(3, 25)):
            kind = rng.choice(["unary", "binary", "reduce"] if reductions else ["unary", "binary"])
            if kind == "unary":
                self.steps.append((kind, str(rng.choice(UNARY)), [int(rng.integers(count))]))
            elif kind == "binary":
                self.steps.append(
                    (kind, str(rng.choice(BINARY)), [int(i) for i in rng.integers(count, size=2)])
                )
            else:
                self.steps.append((kind, str(rng.choice(["sum", "max", "mean"])), [int(rng.integers(count))]))
            count += 1
        self.outputs = [int(i) for i in rng.integers(len(self.inputs), count, size=2)] + [count - 1]

    def run(self, xp, inputs):
        values = list(inputs)
        for kind, name, operands in self.steps:
            x = [values[i] for i in operands]
            if kind == "reduce":
                y = getattr(xp, name)(x[0], axis=-1, keepdims=True) if x[0].ndim else x[0]
            else:
                y = (NUMPY.get(name) if xp is np and name in NUMPY else getattr(xp, name))(*x)
            # Bounded, and free of the kinks that rounding could cross.
            y = y * 0.5
            values.append(y if name in ("floor", "sign") else xp.tanh(y))
        return [values[i] for i in self.outputs]


def smooth(graph):
    return not any(name in ("floor", "sign") for _, name, _ in graph.steps)


@pytest.mark.parametrize("block", range(8))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_element_wise_chains_have_the_same_bits(dtype, block):
    for seed in range(block * 40, block * 40 + 40):
        graph = Graph(seed, reductions=False)
        x = [mx.array(v, dtype=getattr(mx, dtype)) for v in graph.inputs]
        eager = graph.run(mx, x)
        compiled = mx.compile(lambda *a, g=graph: g.run(mx, a))(*x)
        for a, b in zip(eager, compiled, strict=True):
            assert np.array_equal(np.array(a), np.array(b), equal_nan=True), f"seed {seed}"
        if smooth(graph):
            tolerance = 1e-4 if dtype == "float32" else 1e-12
            for a, b in zip(eager, graph.run(np, graph.inputs), strict=True):
                np.testing.assert_allclose(
                    np.array(a), b, rtol=tolerance, atol=tolerance, err_msg=f"seed {seed}"
                )


@pytest.mark.parametrize("block", range(8))
def test_graphs_with_reductions(block):
    for seed in range(1000 + block * 40, 1000 + block * 40 + 40):
        graph = Graph(seed, reductions=True)
        if not smooth(graph):
            continue
        x = [mx.array(v, dtype=mx.float32) for v in graph.inputs]
        compiled = mx.compile(lambda *a, g=graph: g.run(mx, a))(*x)
        for a, b, c in zip(graph.run(mx, x), compiled, graph.run(np, graph.inputs), strict=True):
            np.testing.assert_allclose(np.array(a), np.array(b), rtol=1e-6, atol=1e-6, err_msg=f"seed {seed}")
            np.testing.assert_allclose(np.array(a), c, rtol=1e-4, atol=1e-4, err_msg=f"seed {seed}")


@pytest.mark.parametrize("seed", range(20))
def test_evaluation_in_pieces(seed):
    """Evaluating intermediate values first changes nothing: fusion keeps the bits."""
    graph = Graph(2000 + seed, reductions=False)
    x = [mx.array(v, dtype=mx.float32) for v in graph.inputs]
    whole = graph.run(mx, x)

    class Eager:
        def __getattr__(self, name):
            def call(*args):
                y = getattr(mx, name)(*args)
                mx.eval(y)
                return y

            return call

    for a, b in zip(whole, graph.run(Eager(), x), strict=True):
        assert np.array_equal(np.array(a), np.array(b), equal_nan=True)
