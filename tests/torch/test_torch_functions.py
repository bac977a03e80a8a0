"""Activations, losses, initializers, optimizers and schedules against torch. Run by `make test-torch`."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as f

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as opt
from mlx.nn import losses

torch.set_num_threads(1)
rng = np.random.default_rng(0)


def close(got, want, tolerance=1e-7):
    np.testing.assert_allclose(np.array(got), want.detach().numpy(), rtol=tolerance, atol=tolerance)


# Activations ------------------------------------------------------------------------------------------------

ACTIVATIONS = {
    "sigmoid": f.sigmoid,
    "relu": f.relu,
    "relu2": lambda x: f.relu(x) ** 2,
    "relu6": f.relu6,
    "leaky_relu": f.leaky_relu,
    "log_softmax": lambda x: f.log_softmax(x, -1),
    "elu": f.elu,
    "softmax": lambda x: f.softmax(x, -1),
    "softplus": f.softplus,
    "softsign": f.softsign,
    "softshrink": f.softshrink,
    "celu": f.celu,
    "silu": f.silu,
    "log_sigmoid": f.logsigmoid,
    "gelu": f.gelu,
    "gelu_approx": lambda x: f.gelu(x, approximate="tanh"),
    "gelu_fast_approx": lambda x: x * torch.sigmoid(1.702 * x),
    "glu": f.glu,
    "selu": f.selu,
    "mish": f.mish,
    "hardswish": f.hardswish,
    "hard_tanh": f.hardtanh,
    "hard_shrink": f.hardshrink,
    "softmin": lambda x: f.softmin(x, -1),
    "tanh": f.tanh,
}
LAYERS = [
    ("Sigmoid()", f.sigmoid),
    ("ReLU()", f.relu),
    ("ReLU2()", ACTIVATIONS["relu2"]),
    ("ReLU6()", f.relu6),
    ("LeakyReLU(0.2)", lambda x: f.leaky_relu(x, 0.2)),
    ("ELU(0.7)", lambda x: f.elu(x, 0.7)),
    ("Softmax()", ACTIVATIONS["softmax"]),
    ("Softplus()", f.softplus),
    ("Softsign()", f.softsign),
    ("Softshrink(0.3)", lambda x: f.softshrink(x, 0.3)),
    ("CELU(0.7)", lambda x: f.celu(x, 0.7)),
    ("SiLU()", f.silu),
    ("LogSoftmax()", ACTIVATIONS["log_softmax"]),
    ("LogSigmoid()", f.logsigmoid),
    ("GELU()", f.gelu),
    ("GELU('precise')", ACTIVATIONS["gelu_approx"]),
    ("GELU('tanh')", ACTIVATIONS["gelu_approx"]),
    ("GELU('fast')", ACTIVATIONS["gelu_fast_approx"]),
    ("GLU()", f.glu),
    ("Mish()", f.mish),
    ("Tanh()", f.tanh),
    ("Hardswish()", f.hardswish),
    ("SELU()", f.selu),
    ("HardTanh()", f.hardtanh),
    ("HardShrink(0.3)", lambda x: f.hardshrink(x, 0.3)),
    ("Softmin()", ACTIVATIONS["softmin"]),
]
ALL = [(f"nn.{name}", theirs) for name, theirs in ACTIVATIONS.items()] + [(f"nn.{c}", t) for c, t in LAYERS]


@pytest.mark.parametrize("ours, theirs", ALL, ids=[row[0] for row in ALL])
def test_activation(ours, theirs):
    x = rng.normal(size=(50, 8)) * 4
    tensor = torch.tensor(x, requires_grad=True)
    want = theirs(tensor)
    weights = rng.normal(size=tuple(want.shape))
    (want * torch.tensor(weights)).sum().backward()
    function = eval(ours)
    array = mx.array(x, mx.float64)
    # The constants of selu have five digits here.
    tolerance = 1e-5 if "selu" in ours.lower() else 1e-7
    close(function(array), want, tolerance)
    slope = mx.grad(lambda x: mx.sum(function(x) * mx.array(weights, mx.float64)))(array)
    close(slope, tensor.grad, max(tolerance, 1e-6))


def test_step_and_prelu():
    x = rng.normal(size=(50,))
    close(nn.step(mx.array(x), 0.3), torch.tensor(x).ge(0.3).int())
    close(nn.Step(0.3)(mx.array(x)), torch.tensor(x).ge(0.3).int())
    alpha = np.array([0.1])
    want = f.prelu(torch.tensor(x), torch.tensor(alpha))
    close(nn.prelu(mx.array(x, mx.float64), mx.array(alpha, mx.float64)), want)


# Losses: values without reduction, spelled out where torch has no function ----------------------------------

x, t = rng.normal(size=(6, 5)), rng.normal(size=(6, 5))
ids, weights = rng.integers(0, 5, 6), rng.random(6)
probabilities = rng.dirichlet(np.ones(5), 6)
p, labels = rng.random((6, 5)) * 0.98 + 0.01, rng.integers(0, 2, (6, 5)).astype(float)
signs, third = rng.choice([-1.0, 1.0], (6, 5)), rng.normal(size=(6, 5))
N = {"reduction": "none"}
LOSSES = [
    ("cross_entropy", (x, ids), {}, lambda x, i: f.cross_entropy(x, i, **N), 1e-7),
    (
        "cross_entropy",
        (x, ids),
        {"label_smoothing": 0.2},
        lambda x, i: f.cross_entropy(x, i, label_smoothing=0.2, **N),
        1e-7,
    ),
    ("cross_entropy", (x, probabilities), {}, lambda x, q: f.cross_entropy(x, q, **N), 1e-7),
    ("cross_entropy", (x, ids, weights), {}, lambda x, i, w: f.cross_entropy(x, i, **N) * w, 1e-7),
    ("cross_entropy", (x.T.copy(), ids), {"axis": 0}, lambda x, i: f.cross_entropy(x.T, i, **N), 1e-7),
    (
        "binary_cross_entropy",
        (x, labels),
        {},
        lambda x, y: f.binary_cross_entropy_with_logits(x, y, **N),
        1e-7,
    ),
    (
        "binary_cross_entropy",
        (p, labels),
        {"with_logits": False},
        lambda p, y: f.binary_cross_entropy(p, y, **N),
        1e-7,
    ),
    (
        "binary_cross_entropy",
        (x, labels, p),
        {},
        lambda x, y, w: f.binary_cross_entropy_with_logits(x, y, w, **N),
        1e-7,
    ),
    ("l1_loss", (x, t), {}, lambda x, t: f.l1_loss(x, t, **N), 1e-7),
    ("mse_loss", (x, t), {}, lambda x, t: f.mse_loss(x, t, **N), 1e-7),
    ("nll_loss", (x, ids), {}, lambda x, i: f.nll_loss(x, i, **N), 1e-7),
    ("gaussian_nll_loss", (x, t, p), {}, lambda x, t, v: f.gaussian_nll_loss(x, t, v, **N), 1e-7),
    (
        "gaussian_nll_loss",
        (x, t, p),
        {"full": True},
        lambda x, t, v: f.gaussian_nll_loss(x, t, v, full=True, **N),
        1e-7,
    ),
    ("kl_div_loss", (x, t), {}, lambda x, t: f.kl_div(x, t, log_target=True, **N).sum(-1), 1e-7),
    ("smooth_l1_loss", (x, t), {"beta": 0.7}, lambda x, t: f.smooth_l1_loss(x, t, beta=0.7, **N), 1e-7),
    ("triplet_loss", (x, t, third), {}, lambda a, b, c: f.triplet_margin_loss(a, b, c, **N), 1e-5),
    ("hinge_loss", (x, signs), {}, lambda x, s: (1 - x * s).clamp(0), 1e-7),
    ("huber_loss", (x, t), {"delta": 0.7}, lambda x, t: f.huber_loss(x, t, delta=0.7, **N), 1e-7),
    ("log_cosh_loss", (x, t), {}, lambda x, t: torch.log(torch.cosh(x - t)), 1e-7),
    ("cosine_similarity_loss", (x, t), {}, lambda x, t: f.cosine_similarity(x, t), 1e-7),
    (
        "margin_ranking_loss",
        (x, t, signs),
        {"margin": 0.3},
        lambda x, t, s: f.margin_ranking_loss(x, t, s, 0.3, **N),
        1e-7,
    ),
]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("name, inputs, options, theirs, tolerance", LOSSES)
def test_loss(name, inputs, options, theirs, tolerance, reduction):
    tensors = [torch.tensor(v) for v in inputs]
    tensors[0].requires_grad_()
    want = theirs(*tensors)
    want = {"none": lambda y: y, "mean": torch.mean, "sum": torch.sum}[reduction](want)
    want.sum().backward()
    function = getattr(losses, name)
    arrays = [mx.array(v, mx.int32 if v.dtype.kind == "i" else mx.float64) for v in inputs]
    close(function(*arrays, **options, reduction=reduction), want, tolerance)
    slope = mx.grad(lambda *a: mx.sum(function(*a, **options, reduction=reduction)))(*arrays)
    close(slope, tensors[0].grad, max(tolerance, 1e-6))


# Initializers: moments and bounds -------------------------------------------------------------------------

INITIALIZERS = [
    ("constant(0.3)", lambda w: torch.nn.init.constant_(w, 0.3), (400, 300)),
    ("normal(0.5, 2.0)", lambda w: torch.nn.init.normal_(w, 0.5, 2.0), (400, 300)),
    ("uniform(-1.0, 3.0)", lambda w: torch.nn.init.uniform_(w, -1, 3), (400, 300)),
    ("identity()", torch.nn.init.eye_, (300, 300)),
    ("glorot_normal()", torch.nn.init.xavier_normal_, (400, 300)),
    ("glorot_uniform()", torch.nn.init.xavier_uniform_, (400, 300)),
    ("he_normal()", lambda w: torch.nn.init.kaiming_normal_(w, nonlinearity="linear"), (400, 300)),
    ("he_uniform()", lambda w: torch.nn.init.kaiming_uniform_(w, nonlinearity="linear"), (400, 300)),
    ("glorot_uniform()", torch.nn.init.xavier_uniform_, (64, 5, 5, 96)),
    ("he_normal()", lambda w: torch.nn.init.kaiming_normal_(w, nonlinearity="linear"), (64, 5, 5, 96)),
    ("sparse(0.25, 0.0, 2.0)", lambda w: torch.nn.init.sparse_(w.T, 0.25, 2.0), (400, 300)),
    ("orthogonal(2.0)", lambda w: torch.nn.init.orthogonal_(w, 2.0), (200, 300)),
]


@pytest.mark.parametrize(
    "call, theirs, shape", INITIALIZERS, ids=[f"{row[0]}-{len(row[2])}" for row in INITIALIZERS]
)
def test_initializer(call, theirs, shape):
    """Mean, deviation, extremes and share of zeros, within what so many draws allow."""
    mx.random.seed(0)
    torch.manual_seed(0)
    got = np.array(eval(f"nn.init.{call}")(mx.zeros(shape)))
    outputs, *middle, inputs = shape
    want = torch.empty(outputs, inputs, *middle)
    theirs(want)
    want = want.numpy()
    spread = float(want.std())
    assert got.mean() == pytest.approx(want.mean(), abs=0.02 * spread + 1e-6)
    assert got.std() == pytest.approx(spread, rel=0.02, abs=1e-6)
    assert np.mean(got == 0) == pytest.approx(np.mean(want == 0), abs=1e-2)
    if "uniform" in call or "constant" in call:
        assert got.min() == pytest.approx(want.min(), rel=1e-2, abs=1e-2 * spread)
        assert got.max() == pytest.approx(want.max(), rel=1e-2, abs=1e-2 * spread)
    if "orthogonal" in call:
        close(got @ got.T, torch.tensor(want @ want.T), 1e-4)


# Optimizers -----------------------------------------------------------------------------------------------

o = torch.optim
# ours, torch's, rate of torch at step t: two of ours lack corrections that torch cannot switch off
OPTIMIZERS = [
    ("SGD(0.1)", lambda w: o.SGD(w, 0.1), None),
    ("SGD(0.1, 0.9, 0.01)", lambda w: o.SGD(w, 0.1, 0.9, weight_decay=0.01), None),
    ("SGD(0.1, 0.9, nesterov=True)", lambda w: o.SGD(w, 0.1, 0.9, nesterov=True), None),
    ("RMSprop(0.01)", lambda w: o.RMSprop(w, 0.01), None),
    ("Adagrad(0.1)", lambda w: o.Adagrad(w, 0.1, eps=1e-8), None),
    ("AdaDelta(1.0)", lambda w: o.Adadelta(w, 1.0), None),
    ("Adam(0.01, bias_correction=True)", lambda w: o.Adam(w, 0.01), None),
    (
        "Adam(0.01, eps=0)",
        lambda w: o.Adam(w, eps=0),
        lambda t: 0.01 * (1 - 0.9**t) / math.sqrt(1 - 0.999**t),
    ),
    (
        "AdamW(0.01, weight_decay=0.1, bias_correction=True)",
        lambda w: o.AdamW(w, 0.01, weight_decay=0.1),
        None,
    ),
    ("Adamax(0.01, eps=1e-9)", lambda w: o.Adamax(w, eps=1e-9), lambda t: 0.01 * (1 - 0.9**t)),
    ("Adafactor()", lambda w: o.Adafactor(w, 0.01), None),
    ("Muon(0.01, weight_decay=0.0)", lambda w: o.Muon(w, 0.01, weight_decay=0.0), None),
]


@pytest.mark.parametrize("ours, theirs, rate", OPTIMIZERS, ids=[row[0] for row in OPTIMIZERS])
def test_optimizer(ours, theirs, rate):
    draw = np.random.default_rng(0)
    shapes = {"matrix": (6, 4)} if "Muon" in ours else {"matrix": (6, 4), "vector": (5,)}
    start = {name: draw.normal(size=shape) for name, shape in shapes.items()}
    tensors = {name: torch.tensor(value.copy(), requires_grad=True) for name, value in start.items()}
    arrays = {name: mx.array(value, mx.float64) for name, value in start.items()}
    optimizer, other = eval(f"opt.{ours}"), theirs(list(tensors.values()))
    for step in range(1, 6):
        gradients = {name: draw.normal(size=shape) for name, shape in shapes.items()}
        for name, tensor in tensors.items():
            tensor.grad = torch.tensor(gradients[name])
        for group in other.param_groups if rate else ():
            group["lr"] = rate(step)
        other.step()
        arrays = optimizer.apply_gradients({n: mx.array(g, mx.float64) for n, g in gradients.items()}, arrays)
    for name, tensor in tensors.items():
        # Muon iterates in bfloat16 there; rates are float32 scalars here.
        close(arrays[name], tensor, 2e-3 if "Muon" in ours else 2e-6)


def test_lion():
    """No optimizer of torch: its sign and lerp."""
    w, m = torch.tensor(t), torch.zeros(6, 5).double()
    optimizer, arrays = opt.Lion(0.01, weight_decay=0.1), {"w": mx.array(t, mx.float64)}
    for g in (x, third, -x):
        g = torch.tensor(g)
        w = w * (1 - 0.01 * 0.1) - 0.01 * torch.lerp(g, m, 0.9).sign()
        m = torch.lerp(g, m, 0.99)
        arrays = optimizer.apply_gradients({"w": mx.array(g.numpy(), mx.float64)}, arrays)
    close(arrays["w"], w, 1e-6)


def test_clip_grad_norm():
    tensors = [torch.zeros(6, 5), torch.zeros(5)]
    for tensor, g in zip(tensors, (x, x[0] * 3)):
        tensor.grad = torch.tensor(g, dtype=torch.float32)
    norm = torch.nn.utils.clip_grad_norm_(tensors, 2.0)
    got, own = opt.clip_grad_norm([mx.array(x), mx.array(x[0] * 3)], 2.0)
    close(own, norm, 1e-5)
    for a, b in zip(got, tensors):
        close(a, b.grad, 1e-5)


s = o.lr_scheduler
SCHEDULES = [
    ("exponential_decay(0.1, 0.9)", lambda w: s.ExponentialLR(w, 0.9)),
    ("step_decay(0.1, 0.5, 3)", lambda w: s.StepLR(w, 3, 0.5)),
    ("cosine_decay(0.1, 10, 0.01)", lambda w: s.CosineAnnealingLR(w, 10, 0.01)),
    ("linear_schedule(0.05, 0.1, 4)", lambda w: s.LinearLR(w, 0.5, 1.0, 4)),
]


@pytest.mark.parametrize("call, theirs", SCHEDULES, ids=[row[0] for row in SCHEDULES])
def test_schedule(call, theirs):
    optimizer = o.SGD([torch.zeros(1, requires_grad=True)], 0.1)
    other, schedule = theirs(optimizer), eval(f"opt.{call}")
    for step in range(10):
        assert float(schedule(mx.array(step, mx.uint64))) == pytest.approx(
            optimizer.param_groups[0]["lr"], rel=1e-5
        )
        optimizer.step()
        other.step()
