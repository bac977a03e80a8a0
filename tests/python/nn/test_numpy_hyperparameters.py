"""NumPy scalars (of np.logspace, say) as hyperparameters: steps stay arrays, so that they can be traced."""

from functools import partial

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as opt
from mlx.utils import tree_flatten

OPTIMIZERS = {
    "SGD": lambda f: opt.SGD(f(0.5), momentum=f(0.5), weight_decay=f(0.5), dampening=f(0.5)),
    "SGD nesterov": lambda f: opt.SGD(f(0.5), momentum=f(0.5), nesterov=True),
    "RMSprop": lambda f: opt.RMSprop(f(0.5), f(0.5), f(0.5)),
    "Adagrad": lambda f: opt.Adagrad(f(0.5), f(0.5)),
    "AdaDelta": lambda f: opt.AdaDelta(f(0.5), f(0.5), f(0.5)),
    "Adam": lambda f: opt.Adam(f(0.5), betas=[f(0.5), f(0.75)], eps=f(0.5), bias_correction=True),
    "AdamW": lambda f: opt.AdamW(f(0.5), betas=[f(0.5), f(0.75)], eps=f(0.5), weight_decay=f(0.5)),
    "Adam of an array": lambda f: opt.Adam(f(0.5), betas=np.array([0.5, 0.75], f), bias_correction=True),
    "Adamax": lambda f: opt.Adamax(f(0.5), betas=[f(0.5), f(0.75)], eps=f(0.5)),
    "Lion": lambda f: opt.Lion(f(0.5), betas=[f(0.5), f(0.75)], weight_decay=f(0.5)),
    "Adafactor": lambda f: opt.Adafactor(
        f(0.5), (f(0.25), f(0.5)), f(0.5), f(-0.5), f(0.5), f(0.5), relative_step=False
    ),
    "Muon": lambda f: opt.Muon(f(0.5), momentum=f(0.5), weight_decay=f(0.5)),
    "cosine_decay": lambda f: opt.SGD(opt.cosine_decay(f(0.5), 5, f(0.25))),
    "exponential_decay": lambda f: opt.SGD(opt.exponential_decay(f(0.5), f(0.5))),
    "linear_schedule": lambda f: opt.SGD(opt.linear_schedule(f(0.5), f(0.25), 5)),
    "step_decay": lambda f: opt.SGD(opt.step_decay(f(0.5), f(0.5), 2)),
}
KINDS = [np.float64, np.float32, np.float16]


def trained(optimizer, max_norm, compiled):
    model = nn.Linear(4, 4)
    model.update({"weight": mx.arange(16.0).reshape(4, 4) / 16, "bias": mx.zeros(4)})
    optimizer.init(model.trainable_parameters())
    gradients = nn.value_and_grad(model, lambda x: mx.square(model(x)).sum())

    def step(x):
        _, g = gradients(x)
        g, _ = opt.clip_grad_norm(g, max_norm)
        optimizer.update(model, g)

    if compiled:
        state = [model.state, optimizer.state]
        step = partial(mx.compile, inputs=state, outputs=state)(step)
    for _ in range(3):
        step(mx.arange(8.0).reshape(2, 4) / 8)
    return dict(tree_flatten(optimizer.state)) | dict(tree_flatten(model.parameters()))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name, kind, compiled):
    found = trained(OPTIMIZERS[name](kind), kind(1), compiled)
    for key, value in trained(OPTIMIZERS[name](float), 1.0, False).items():
        assert type(found[key]) is mx.array, key
        assert found[key].dtype == value.dtype or key == "learning_rate", key
        assert mx.allclose(found[key], value, rtol=1e-5, atol=1e-6), key


X = mx.arange(32.0).reshape(2, 4, 4) / 8 - 2
FUNCTIONS = {
    "Dropout": lambda f: nn.Dropout(f(0.5)),
    "Dropout2d": lambda f: nn.Dropout2d(f(0.5)),
    "BatchNorm": lambda f: nn.BatchNorm(4, f(0.125), f(0.5)),
    "GroupNorm": lambda f: nn.GroupNorm(2, 4, f(0.125)),
    "InstanceNorm": lambda f: nn.InstanceNorm(4, f(0.125)),
    "LayerNorm": lambda f: nn.LayerNorm(4, f(0.125)),
    "RMSNorm": lambda f: nn.RMSNorm(4, f(0.125)),
    "RoPE": lambda f: nn.RoPE(4, base=f(64), scale=f(0.5)),
    "huber": lambda f: lambda x: nn.losses.huber_loss(x, x * x, f(0.5)),
    "smooth_l1": lambda f: lambda x: nn.losses.smooth_l1_loss(x, x * x, f(0.5)),
    "triplet": lambda f: lambda x: nn.losses.triplet_loss(x, x * x, -x, p=f(2), margin=f(0.5), eps=f(0.5)),
    "gaussian_nll": lambda f: lambda x: nn.losses.gaussian_nll_loss(x, x * x, x, full=True, eps=f(0.5)),
    "margin_ranking": lambda f: lambda x: nn.losses.margin_ranking_loss(x, x * x, -x, margin=f(0.5)),
    "cross_entropy": lambda f: (
        lambda x: nn.losses.cross_entropy(x, mx.softmax(x, -1), label_smoothing=f(0.5))
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_layers_and_losses(name, kind):
    def value_and_gradient(f):
        mx.random.seed(3)
        function = FUNCTIONS[name](f)
        step = mx.value_and_grad(lambda x: mx.square(function(x)).sum())
        if name != "BatchNorm":
            return mx.compile(step)(X)
        return [*step(X), function.running_mean, function.running_var]

    for found, wanted in zip(value_and_gradient(kind), value_and_gradient(float)):
        assert type(found) is mx.array and mx.allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_initialisers(kind):
    for make in (
        lambda f: nn.init.orthogonal(f(2)),
        lambda f: nn.init.normal(f(1), f(0.5)),
        lambda f: nn.init.uniform(f(0), f(2)),
        lambda f: nn.init.sparse(f(0.5), f(1), f(0.5)),
        lambda f: lambda x: nn.init.glorot_normal()(x, f(2)),
        lambda f: lambda x: nn.init.he_uniform()(x, gain=f(2)),
    ):
        found, wanted = [], []
        for f, out in ((kind, found), (float, wanted)):
            mx.random.seed(1)
            out.append(make(f)(mx.zeros((4, 4))))
        assert type(found[0]) is mx.array and mx.allclose(found[0], wanted[0], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("clip", [opt.clip_grad_norm, nn.utils.clip_grad_norm_sharded])
@pytest.mark.parametrize("kind", KINDS)
def test_norms_to_clip_to(kind, clip):
    clipped, norm = mx.compile(lambda gradients: clip(gradients, kind(1)))({"w": mx.array([3.0, 4.0])})
    assert type(clipped["w"]) is mx.array and clipped["w"].dtype == mx.float32 and norm.item() == 5
    assert mx.allclose(clipped["w"], mx.array([0.6, 0.8]))
