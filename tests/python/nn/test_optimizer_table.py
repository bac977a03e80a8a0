"""Every optimizer and its options by definition, in NumPy; resuming from a file; schedules inside."""

import math

import numpy as np
import pytest

import mlx.core as mx
import mlx.optimizers as opt
from mlx.utils import tree_flatten, tree_unflatten

STEPS = 5


def sgd(w, g, s, t, lr=0.1, momentum=0.0, decay=0.0, dampening=0.0, nesterov=False):
    g = g + decay * w
    if momentum <= 0:
        return w - lr * g
    s["v"] = momentum * s["v"] + (1 - dampening) * g
    return w - lr * (g + momentum * s["v"] if nesterov else s["v"])


def rmsprop(w, g, s, t, lr=0.01, alpha=0.99, eps=1e-8):
    s["v"] = alpha * s["v"] + (1 - alpha) * g**2
    return w - lr * g / (np.sqrt(s["v"]) + eps)


def adagrad(w, g, s, t, lr=0.1, eps=1e-8):
    s["v"] = s["v"] + g**2
    return w - lr * g / (np.sqrt(s["v"]) + eps)


def adadelta(w, g, s, t, lr=1.0, rho=0.9, eps=1e-6):
    s["v"] = rho * s["v"] + (1 - rho) * g**2
    d = np.sqrt(s["u"] + eps) / np.sqrt(s["v"] + eps) * g
    s["u"] = rho * s["u"] + (1 - rho) * d**2
    return w - lr * d


def adam(w, g, s, t, lr=0.01, betas=(0.9, 0.999), eps=1e-8, decay=0.0, correct=False):
    w = w * (1 - lr * decay)
    s["m"] = betas[0] * s["m"] + (1 - betas[0]) * g
    s["v"] = betas[1] * s["v"] + (1 - betas[1]) * g**2
    m, v = (s["m"] / (1 - betas[0] ** t), s["v"] / (1 - betas[1] ** t)) if correct else (s["m"], s["v"])
    return w - lr * m / (np.sqrt(v) + eps)


def adamax(w, g, s, t, lr=0.01, betas=(0.9, 0.999), eps=1e-8):
    s["m"] = betas[0] * s["m"] + (1 - betas[0]) * g
    s["v"] = np.maximum(betas[1] * s["v"], np.abs(g))
    return w - lr * s["m"] / (s["v"] + eps)


def lion(w, g, s, t, lr=0.01, betas=(0.9, 0.99), decay=0.0):
    c = betas[0] * s["m"] + (1 - betas[0]) * g
    s["m"] = betas[1] * s["m"] + (1 - betas[1]) * g
    return w * (1 - lr * decay) - lr * np.sign(c)


def rms(x):
    return np.sqrt(np.mean(x**2))


def adafactor(
    w, g, s, t, lr=None, eps=(1e-30, 1e-3), clip=1.0, power=-0.8, beta=None, decay=0.0, scale=True, warm=False
):
    rate = min(1e-6 * t if warm else 1e-2, 1 / math.sqrt(t)) if lr is None else lr
    rate = rate * max(eps[1], rms(w)) if scale else rate
    keep, square = 1 - t**power, g**2 + eps[0]
    if g.ndim < 2:
        s["a"] = keep * s["a"] + (1 - keep) * square
        update = g / np.sqrt(s["a"])
    else:
        s["r"] = keep * s["r"] + (1 - keep) * square.mean(-1, keepdims=True)
        s["c"] = keep * s["c"] + (1 - keep) * square.mean(-2, keepdims=True)
        update = g / np.sqrt(s["r"] / s["r"].mean(-2, keepdims=True) * s["c"])
    update = update / max(1, rms(update) / clip) * rate
    if beta is not None:
        update = s["m"] = beta * s["m"] + (1 - beta) * update
    return w * (1 - decay * rate) - update


def muon(w, g, s, t, lr=0.01, momentum=0.95, decay=0.01, nesterov=True, steps=5):
    g = g + decay * w
    s["v"] = momentum * s["v"] + (1 - momentum) * g
    u = (1 - momentum) * g + momentum * s["v"] if nesterov else s["v"]
    if g.ndim >= 2:
        x = u.reshape(len(u), -1)
        tall = x.shape[0] > x.shape[1]
        x = x.T if tall else x
        x = x / (np.linalg.norm(x) + 1e-7)
        for _ in range(steps):
            a = x @ x.T
            x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
        u = (x.T if tall else x).reshape(u.shape)
        lr = lr * math.sqrt(max(1, u.shape[-2] / u.shape[-1]))
    return w - lr * u


ROWS = {
    "SGD(0.1)": (sgd, {}),
    "SGD(0.1, momentum=0.9)": (sgd, {"momentum": 0.9}),
    "SGD(0.1, momentum=-1.0, weight_decay=0.1)": (sgd, {"decay": 0.1}),
    "SGD(0.1, 0.9, 0.01, 0.5)": (sgd, {"momentum": 0.9, "decay": 0.01, "dampening": 0.5}),
    "SGD(0.1, 0.9, nesterov=True)": (sgd, {"momentum": 0.9, "nesterov": True}),
    "RMSprop(0.01)": (rmsprop, {}),
    "RMSprop(0.01, alpha=0.5, eps=0.1)": (rmsprop, {"alpha": 0.5, "eps": 0.1}),
    "Adagrad(0.1)": (adagrad, {}),
    "Adagrad(0.1, eps=0.1)": (adagrad, {"eps": 0.1}),
    "AdaDelta(1.0)": (adadelta, {}),
    "AdaDelta(0.5, rho=0.8, eps=1e-3)": (adadelta, {"lr": 0.5, "rho": 0.8, "eps": 1e-3}),
    "Adam(0.01)": (adam, {}),
    "Adam(0.01, [0.5, 0.9], 0.1)": (adam, {"betas": (0.5, 0.9), "eps": 0.1}),
    "Adam(0.01, bias_correction=True)": (adam, {"correct": True}),
    "AdamW(0.01)": (adam, {"decay": 0.01}),
    "AdamW(0.01, weight_decay=0.5, bias_correction=True)": (adam, {"decay": 0.5, "correct": True}),
    "Adamax(0.01)": (adamax, {}),
    "Lion(0.01)": (lion, {}),
    "Lion(0.01, [0.5, 0.8], 0.3)": (lion, {"betas": (0.5, 0.8), "decay": 0.3}),
    "Adafactor()": (adafactor, {}),
    "Adafactor(learning_rate=5.0)": (adafactor, {}),
    "Adafactor(warmup_init=True, scale_parameter=False)": (adafactor, {"warm": True, "scale": False}),
    "Adafactor(beta_1=0.9, weight_decay=0.1, clip_threshold=0.5)": (
        adafactor,
        {"beta": 0.9, "decay": 0.1, "clip": 0.5},
    ),
    "Adafactor(0.1, eps=(1e-3, 0.5), decay_rate=-0.5, relative_step=False)": (
        adafactor,
        {"lr": 0.1, "eps": (1e-3, 0.5), "power": -0.5},
    ),
    "Muon(0.01)": (muon, {}),
    "Muon(0.01, 0.5, 0.0, nesterov=False, ns_steps=2)": (
        muon,
        {"momentum": 0.5, "decay": 0.0, "nesterov": False, "steps": 2},
    ),
}
SHAPES = {"vector": (5,), "wide": (3, 6), "tall": (6, 3), "kernel": (4, 3, 2, 2)}
each = pytest.mark.parametrize("call", ROWS)


def draw(seed):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape) for name, shape in SHAPES.items()}


def arrays(tree):
    return {name: mx.array(value, mx.float64) for name, value in tree.items()}


def run(optimizer, parameters, steps):
    for t in steps:
        parameters = optimizer.apply_gradients(arrays(draw(t)), parameters)
    return parameters


def make(call):
    return eval("opt." + call, {"opt": opt})


@each
def test_trajectory(call):
    step, options = ROWS[call]
    got, want = run(make(call), arrays(draw(0)), range(1, STEPS)), draw(0)
    states = {name: dict.fromkeys("vumrca", 0.0) for name in SHAPES}
    for t in range(1, STEPS):
        gradients = draw(t)
        want = {name: step(w, gradients[name], states[name], t, **options) for name, w in want.items()}
    for name in SHAPES:
        # Rates are float32 scalars.
        np.testing.assert_allclose(np.array(got[name]), want[name], rtol=2e-6, atol=2e-6)


FILES = [(call, "safetensors") for call in ROWS] + [("Adam(0.01)", "npz")]


@pytest.mark.parametrize("call, ending", FILES)
def test_resumes_from_a_file(call, ending, tmp_path):
    whole = run(make(call), arrays(draw(0)), range(1, 7))
    first = make(call)
    middle = run(first, arrays(draw(0)), range(1, 4))
    path = str(tmp_path / f"state.{ending}")
    state = dict(tree_flatten(first.state))
    mx.save_safetensors(path, state) if ending == "safetensors" else mx.savez(path, **state)
    second = make(call)
    second.state = tree_unflatten(list(mx.load(path).items()))
    assert second.step.dtype == mx.uint64 and second.step.item() == 3
    assert sorted(dict(tree_flatten(second.state))) == sorted(state)
    resumed = run(second, middle, range(4, 7))
    assert all(mx.array_equal(resumed[name], whole[name]) for name in SHAPES)


@each
def test_compiled_equals_eager(call):
    eager, parameters = make(call), {name: x.astype(mx.float32) for name, x in arrays(draw(0)).items()}
    want = parameters
    optimizer = make(call)
    optimizer.init(parameters)

    def step(parameters, gradients):
        return optimizer.apply_gradients(gradients, parameters)

    compiled = mx.compile(step, inputs=optimizer.state, outputs=optimizer.state)
    for t in range(1, STEPS):
        gradients = {name: x.astype(mx.float32) for name, x in arrays(draw(t)).items()}
        want = eager.apply_gradients(gradients, want)
        parameters = compiled(parameters, gradients)
    for name in SHAPES:
        np.testing.assert_allclose(np.array(parameters[name]), np.array(want[name]), rtol=2e-4, atol=1e-6)
    assert optimizer.step.item() == STEPS - 1


@each
@pytest.mark.parametrize("dtype", [mx.float16, mx.bfloat16])
def test_half_precision_is_kept(call, dtype):
    parameters = {name: x.astype(dtype) for name, x in arrays(draw(0)).items()}
    optimizer = make(call)
    got = optimizer.apply_gradients(
        {name: x.astype(dtype) for name, x in arrays(draw(1)).items()}, parameters
    )
    assert all(x.dtype == dtype for x in got.values())
    if dtype == mx.bfloat16:  # float16 holds neither eps = 1e-8 nor the squares of small gradients
        assert all(mx.all(mx.isfinite(x)).item() for x in got.values())
    leaves = [x for name, x in tree_flatten(optimizer.state) if "." in name]
    assert leaves and all(x.dtype == dtype for x in leaves)


def test_multi_optimizer_resumes(tmp_path):
    def both():
        rate = opt.join_schedules([opt.linear_schedule(0, 0.1, 3), opt.cosine_decay(0.1, 5)], [3])
        return opt.MultiOptimizer([opt.Muon(rate), opt.AdamW(rate)], [lambda path, g: g.ndim > 1])

    whole = run(both(), arrays(draw(0)), range(1, 7))
    first = both()
    middle = run(first, arrays(draw(0)), range(1, 4))
    path = str(tmp_path / "state.safetensors")
    mx.save_safetensors(path, dict(tree_flatten(first.state)))
    second = both()
    second.state = tree_unflatten(list(mx.load(path).items()))
    assert second.optimizers[1].step.item() == 3
    resumed = run(second, middle, range(4, 7))
    assert all(mx.array_equal(resumed[name], whole[name]) for name in SHAPES)
