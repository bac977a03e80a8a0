"""Every class of nn and optimizers shows an example, and every example runs."""

import inspect
import re
import textwrap

import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
from mlx.nn.layers import distributed

DOCUMENTED = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (nn, nn.utils, distributed, optim, nn.losses, nn.init)
    for name in getattr(module, "__all__", vars(module))
    if not name.startswith("_") and callable(getattr(module, name))
    if getattr(getattr(module, name), "__module__", "").startswith(("mlx.nn", "mlx.optimizers"))
}
BLOCK = re.compile(r"Example::\n\n((?:    .*\n|\n)+)")


def examples(value):
    return [textwrap.dedent(block) for block in BLOCK.findall((inspect.getdoc(value) or "") + "\n")]


WITH_EXAMPLES = {name: value for name, value in DOCUMENTED.items() if examples(value)}


def test_every_class_has_one():
    classes = [name for name, value in DOCUMENTED.items() if inspect.isclass(value)]
    assert len(classes) >= 90 and [name for name in classes if name not in WITH_EXAMPLES] == []
    assert [name for name, value in DOCUMENTED.items() if not inspect.getdoc(value)] == []


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_run(name):
    """With the names that a reader would have at hand."""
    model = nn.Linear(4, 2)
    x = mx.random.normal((2, 5, 64))
    names = {
        "mx": mx,
        "nn": nn,
        "optim": optim,
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
