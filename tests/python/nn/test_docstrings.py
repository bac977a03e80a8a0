"""Every class and function of nn, optimizers and utils shows an example, and every example runs."""

import inspect
import re
import textwrap

import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
from mlx import utils
from mlx.nn.layers import distributed

DOCUMENTED = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (nn, nn.utils, distributed, optim, nn.losses, nn.init, utils)
    for name in getattr(module, "__all__", vars(module))
    if not name.startswith("_") and callable(getattr(module, name))
    if getattr(getattr(module, name), "__module__", "").startswith("mlx.")
    if name != "describe"  # imported by two modules
}
BLOCK = re.compile(r"Example::\n\n((?:    .*\n|\n)+)")


def examples(value):
    return [textwrap.dedent(block) for block in BLOCK.findall((inspect.getdoc(value) or "") + "\n")]


WITH_EXAMPLES = {name: value for name, value in DOCUMENTED.items() if examples(value)}


def test_everything_has_one():
    assert len(DOCUMENTED) > 160
    doctests = {
        name for name, value in DOCUMENTED.items() if ">>>" in (inspect.getdoc(value) or "")
    }  # test_docs.py
    assert set(DOCUMENTED) - set(WITH_EXAMPLES) - doctests == set()


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_run(name):
    """With the names that a reader would have at hand."""
    model = nn.Linear(4, 2)
    x = mx.random.normal((2, 5, 64))
    names = {
        "mx": mx,
        "nn": nn,
        "optim": optim,
        **{name: getattr(utils, name) for name in utils.__all__},
        "model": model,
        "gradients": model.parameters(),
        "optimizer": optim.SGD(0.1),
        "loss_and_gradients": nn.value_and_grad(model, lambda batch: mx.sum(model(batch))),
        "batch": mx.ones((3, 4)),
        "layer": nn.Linear(64, 64),
        "x": x,
        **dict.fromkeys(("src", "tgt", "memory"), x),
        **dict.fromkeys(("keys", "queries"), mx.random.normal((2, 4, 5, 64))),
        "mask": mx.zeros((5, 5)),
        "cache_length": 3,
    }
    for code in examples(WITH_EXAMPLES[name]):
        exec(code, names)
    mx.eval([value for value in names.values() if isinstance(value, mx.array)])
