"""Optimizers: state trees, schedules, resuming, compiled steps. Trajectories are in test_golden.py."""

import copy
import math
import pickle

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as opt
from mlx.utils import tree_flatten, tree_map, tree_unflatten

PARAMETERS = {"w": mx.ones((2, 3)), "b": [mx.ones(3)]}
ALL = {
    "SGD": (lambda lr: opt.SGD(lr), ["v"]),
    "RMSprop": (lambda lr: opt.RMSprop(lr), ["v"]),
    "Adagrad": (lambda lr: opt.Adagrad(lr), ["v"]),
    "AdaDelta": (lambda lr: opt.AdaDelta(lr), ["v", "u"]),
    "Adam": (lambda lr: opt.Adam(lr), ["m", "v"]),
    "AdamCorrected": (lambda lr: opt.Adam(lr, bias_correction=True), ["m", "v"]),
    "AdamW": (lambda lr: opt.AdamW(lr), ["m", "v"]),
    "Adamax": (lambda lr: opt.Adamax(lr), ["m", "v"]),
    "Lion": (lambda lr: opt.Lion(lr), ["m"]),
    "Muon": (lambda lr: opt.Muon(lr), ["v"]),
}


def names(tree):
    return [name for name, _ in tree_flatten(tree)]


@pytest.mark.parametrize("name", ALL)
def test_state_tree(name):
    make, keys = ALL[name]
    optimizer = make(0.1)
    assert names(optimizer.state) == ["step", "learning_rate"]
    optimizer.init(PARAMETERS)
    per_leaf = [f"w.{key}" for key in keys] + [f"b.0.{key}" for key in keys]
    assert names(optimizer.state) == ["step", "learning_rate", *per_leaf]
    state = optimizer.state
    optimizer.apply_gradients(PARAMETERS, PARAMETERS)
    assert optimizer.state is state and optimizer.step.item() == 1
    assert optimizer.step.dtype == mx.uint64 and optimizer.learning_rate.dtype == mx.float32


def test_state_tree_of_adafactor():
    optimizer = opt.Adafactor(beta_1=0.9)
    assert names(optimizer.state) == ["step"]
    optimizer.init(PARAMETERS)
    assert names(optimizer.state)[1:] == [
        "w.exp_avg_sq_row",
        "w.exp_avg_sq_col",
        "w.exp_avg",
        "b.0.exp_avg_sq",
        "b.0.exp_avg",
    ]
    assert optimizer.state["w"]["exp_avg_sq_row"].shape == (2,)
    assert optimizer.state["w"]["exp_avg_sq_col"].shape == (3,)


@pytest.mark.parametrize("name", [*ALL, "Adafactor"])
def test_reaches_the_minimum(name):
    optimizer = opt.Adafactor() if name == "Adafactor" else ALL[name][0](1.0 if name == "AdaDelta" else 0.03)
    target = mx.array([[1.0, -2.0], [0.5, 0.25]])
    parameters = {"w": mx.ones((2, 2))}

    def loss(parameters):
        return mx.sum(mx.square(parameters["w"] - target))

    start = loss(parameters).item()
    for _ in range(200):
        parameters = optimizer.apply_gradients(mx.grad(loss)(parameters), parameters)
        mx.eval(parameters, optimizer.state)
    assert loss(parameters).item() < 0.6 * start


@pytest.mark.parametrize("name", [*ALL, "Adafactor"])
def test_compiled_step_equals_eager(name):
    def train(compiled):
        mx.random.seed(3)
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        optimizer = (
            opt.Adafactor() if name == "Adafactor" else ALL[name][0](opt.linear_schedule(0.1, 0.01, 5))
        )
        optimizer.init(model.trainable_parameters())
        state = [model.state, optimizer.state]

        def step(x):
            value, gradients = nn.value_and_grad(model, lambda x: mx.sum(mx.square(model(x))))(x)
            optimizer.update(model, gradients)
            return value

        run = mx.compile(step, inputs=state, outputs=state) if compiled else step
        x = mx.random.normal((5, 3))
        values = []
        for _ in range(4):
            values.append(run(x))
            mx.eval(state)
        return [v.item() for v in values], tree_flatten(model.parameters()), optimizer.step.item()

    values, parameters, steps = train(False)
    compiled_values, compiled_parameters, compiled_steps = train(True)
    assert steps == compiled_steps == 4
    np.testing.assert_allclose(values, compiled_values, rtol=1e-4, atol=1e-5)
    for (key, a), (_, b) in zip(parameters, compiled_parameters):
        np.testing.assert_allclose(np.array(a), np.array(b), rtol=1e-3, atol=1e-4, err_msg=key)


@pytest.mark.parametrize("dtype", [mx.float16, mx.bfloat16])
@pytest.mark.parametrize("name", [*ALL, "Adafactor"])
def test_half_precision_is_kept(name, dtype):
    optimizer = opt.Adafactor() if name == "Adafactor" else ALL[name][0](0.1)
    half = tree_map(lambda x: x.astype(dtype), PARAMETERS)
    updated = optimizer.apply_gradients(half, half)
    assert {x.dtype for _, x in tree_flatten(updated)} == {dtype}
    leaves = [x for key, x in tree_flatten(optimizer.state) if key not in ("step", "learning_rate")]
    assert {x.dtype for x in leaves} == {dtype}
    assert optimizer.apply_gradients(half, PARAMETERS)["w"].dtype == mx.float32


def test_part_of_the_gradients():
    optimizer = opt.Adam(0.1)
    updated = optimizer.apply_gradients({"w": PARAMETERS["w"]}, PARAMETERS)
    assert list(updated) == ["w"] and names(optimizer.state)[2:] == ["w.m", "w.v"]
    m = optimizer.state["w"]["m"]
    optimizer.init(PARAMETERS)
    assert optimizer.state["w"]["m"] is m and "b" in optimizer.state
    later = opt.Adam(0.1)
    later.apply_gradients({"w": PARAMETERS["w"]}, PARAMETERS)
    later.apply_gradients(PARAMETERS, PARAMETERS)  # a parameter thawed later gets its state then
    assert names(later.state)[2:] == ["w.m", "w.v", "b.0.m", "b.0.v"]


def test_update_of_a_model():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
    model.layers[0].freeze()
    before = model.layers[0].weight
    _, gradients = nn.value_and_grad(model, lambda x: mx.sum(model(x) - 1))(mx.ones((1, 2)))
    bias = model.layers[2].bias.item()
    assert opt.SGD(0.5).update(model, gradients) is None
    assert model.layers[0].weight is before
    assert model.layers[2].bias.item() == pytest.approx(bias - 0.5)


def test_state_goes_through_names():
    def run(steps, optimizer, parameters):
        for _ in range(steps):
            parameters = optimizer.apply_gradients(PARAMETERS, parameters)
        return parameters

    whole = run(4, opt.Adam(0.1, bias_correction=True), PARAMETERS)
    first = opt.Adam(0.1, bias_correction=True)
    middle = run(2, first, PARAMETERS)
    second = opt.Adam(0.9, bias_correction=True)
    second.state = tree_unflatten(tree_flatten(first.state))
    resumed = run(2, second, middle)
    for (_, a), (_, b) in zip(tree_flatten(whole), tree_flatten(resumed)):
        assert mx.array_equal(a, b)
    assert second.step.item() == 4


def test_learning_rate():
    optimizer = opt.SGD(0.1)
    optimizer.learning_rate = 0.5
    assert optimizer.apply_gradients({"a": mx.array(1.0)}, {"a": mx.array(1.0)})["a"].item() == 0.5
    scheduled = opt.SGD(lambda step: 0.1 * (step + 1))
    seen = [scheduled.learning_rate.item()]
    for _ in range(3):
        scheduled.apply_gradients({"a": mx.array(1.0)}, {"a": mx.array(1.0)})
        seen.append(scheduled.learning_rate.item())
    assert seen == pytest.approx([0.1, 0.1, 0.2, 0.3])


def test_hyperparameters_belong_to_one_optimizer():
    changed = opt.Adam(0.1)
    changed.betas[0] = 0.5
    assert opt.Adam(0.1).betas == [0.9, 0.999] and opt.Lion(0.1, betas=(0.5, 0.75)).betas == [0.5, 0.75]


def test_numbers_of_numpy_as_attributes_of_a_subclass():
    class Halving(opt.SGD):
        def apply_single(self, gradient, parameter, state):
            return self.shrink * super().apply_single(gradient, parameter, state)

    optimizer = Halving(0.0)
    optimizer.shrink = np.float32(0.5)
    optimizer.table = np.ones(3)
    optimizer.kept = kept = [nn.Linear(1, 1)]
    optimizer.range = (np.float32(0.5), 1)
    updated = optimizer.apply_gradients({"a": mx.array([2.0])}, {"a": mx.array([4.0])})
    assert type(updated["a"]) is mx.array and updated["a"].tolist() == [2]
    assert optimizer.kept is kept and type(kept[0]) is nn.Linear
    assert optimizer.range == (0.5, 1) and type(optimizer.range[0]) is float
    assert type(optimizer.table) is np.ndarray and optimizer.state["learning_rate"].dtype == mx.float32


def test_base_class():
    optimizer = opt.Optimizer(schedulers={"warmth": lambda step: 2.0 * step})
    assert names(optimizer.state) == ["step"]
    with pytest.raises(KeyError):
        optimizer.learning_rate
    with pytest.raises(NotImplementedError, match="Optimizer does not define init_single"):
        optimizer.apply_gradients({"a": mx.ones(1)}, {"a": mx.ones(1)})

    class Plain(opt.Optimizer):
        def init_single(self, parameter, state):
            state["count"] = mx.array(0)

        def apply_single(self, gradient, parameter, state):
            state["count"] = state["count"] + 1
            return parameter - self.state["warmth"] * gradient

    plain = Plain(schedulers={"warmth": lambda step: 2.0 * (step + 1)})
    assert plain.apply_gradients({"a": mx.array(1.0)}, {"a": mx.array(5.0)})["a"].item() == 3
    assert plain.state["a"]["count"].item() == 1


def test_multi_optimizer():
    both = opt.MultiOptimizer([opt.SGD(0.1), opt.Adam(0.2)], [lambda path, g: path == "w" and g.ndim > 1])
    updated = both.apply_gradients(PARAMETERS, PARAMETERS)
    assert mx.allclose(updated["w"], mx.full((2, 3), 0.9)) and isinstance(updated["b"], list)
    sgd, adam = both.state["states"]
    assert names(sgd) == ["step", "learning_rate", "w.v"]
    assert names(adam) == ["step", "learning_rate", "b.0.m", "b.0.v"]
    assert both.learning_rate.item() == pytest.approx(0.1)
    both.learning_rate = 0.5
    assert [o.learning_rate.item() for o in both.optimizers] == [0.5, 0.5]
    other = opt.MultiOptimizer([opt.SGD(0.1), opt.Adam(0.2)], [lambda path, g: path == "w"])
    other.state = both.state
    assert other.optimizers[1].state is adam
    with pytest.raises(KeyError):
        both.step
    with pytest.raises(ValueError, match="a list of 2 dicts"):
        both.state = {"states": [sgd]}
    with pytest.raises(ValueError, match="2 optimizers need 1 filters, not 0"):
        opt.MultiOptimizer([opt.SGD(0.1), opt.SGD(0.1)])


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: opt.SGD(0.1, nesterov=True), r"\[SGD\] Nesterov .* momentum=0.0, dampening=0.0"),
        (lambda: opt.SGD(0.1, momentum=0.9, dampening=0.1, nesterov=True), "dampening=0.1"),
        (lambda: opt.RMSprop(0.1, alpha=-1), "alpha must be >=0 but is -1"),
        (lambda: opt.RMSprop(0.1, eps=0), "eps must be >0 but is 0"),
        (lambda: opt.Adagrad(0.1, eps=0), r"\[Adagrad\] eps must be >0"),
        (lambda: opt.AdaDelta(0.1, rho=-1), "rho must be >=0"),
        (lambda: opt.AdaDelta(0.1, eps=0), r"\[AdaDelta\] eps"),
        (lambda: opt.Adam(0.1, betas=[0.9, 1.0]), r"\[Adam\] betas must be two numbers in \[0, 1\)"),
        (lambda: opt.AdamW(0.1, eps=-1), r"\[AdamW\] eps must be >=0"),
        (lambda: opt.Adamax(0.1, betas=[-0.1, 0.9]), r"\[Adamax\] betas"),
        (lambda: opt.Lion(0.1, betas=[0.9]), r"\[Lion\] betas"),
        (lambda: opt.Adafactor(relative_step=False), "needs a learning_rate"),
        (lambda: opt.cosine_decay(0.1, 0), "decay_steps must be at least 1"),
        (lambda: opt.linear_schedule(0, 1, 0), "steps must be at least 1"),
        (lambda: opt.join_schedules([], []), "0 schedules need 0 boundaries"),
        (lambda: opt.join_schedules([abs], [3]), "1 schedules need 0 boundaries, not 1"),
    ],
)
def test_refused_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_refused_trees():
    a = mx.ones(1)
    with pytest.raises(KeyError, match="z"):
        opt.Adam(0.1).apply_gradients({"z": a}, {"a": a})
    with pytest.raises(TypeError, match="gradients must be a dict .* not list"):
        opt.Adam(0.1).apply_gradients([a], [a])
    for parameters in (nn.Linear(2, 2), nn.Linear(2, 2).parameters()):  # as torch's optimizers take them
        with pytest.raises(TypeError, match=r"\[Adam\] learning_rate must be a number .* given to update"):
            opt.Adam(parameters)
    with pytest.raises(TypeError, match="state must be a dict"):
        opt.Adam(0.1).state = [1]
    with pytest.raises(ValueError, match="'step' is the optimizer's own"):
        opt.Adam(0.1).init({"step": a})
    assert opt.Adam(0.1, eps=0).eps == 0


def test_clip_grad_norm():
    tree = {"a": mx.full((3,), 3.0, mx.float16), "b": [mx.full((1,), 3.0)]}
    clipped, norm = opt.clip_grad_norm(tree, 3.0)
    assert norm.dtype == mx.float32 and norm.item() == pytest.approx(6)
    assert clipped["a"].dtype == mx.float16 and clipped["b"][0].item() == pytest.approx(1.5)
    same, _ = opt.clip_grad_norm(tree, 100.0)
    assert same["b"][0].item() == 3
    huge, norm = opt.clip_grad_norm({"a": mx.full((4,), 300.0, mx.float16)}, 1.0)
    assert norm.item() == pytest.approx(600) and huge["a"][0].item() == pytest.approx(0.5, rel=1e-3)
    assert opt.clip_grad_norm({}, 1.0)[1].item() == 0


def test_schedules_of_python_numbers():
    assert opt.exponential_decay(1.0, 0.5)(3) == 0.125
    assert opt.step_decay(1.0, 0.5, 3)(4) == 0.5
    for schedule in (
        opt.exponential_decay(1.0, 0.5),
        opt.step_decay(1.0, 0.5, 3),
        opt.cosine_decay(1.0, 10, 0.1),
        opt.linear_schedule(0.0, 1.0, 5),
        opt.join_schedules([opt.linear_schedule(0.0, 1.0, 5), opt.cosine_decay(1.0, 10)], [5]),
    ):
        assert schedule(mx.array(4, mx.uint64)).dtype == mx.float32
    joined = opt.join_schedules([opt.linear_schedule(0.0, 1.0, 5), opt.cosine_decay(1.0, 10)], [5])
    assert joined(mx.array(5, mx.uint64)).item() == 1
    assert joined(10).item() == pytest.approx(0.5)
    assert opt.cosine_decay(1.0, 10)(mx.array(5, mx.uint64)).item() == pytest.approx(
        0.5 * (1 + math.cos(math.pi / 2))
    )


@pytest.mark.parametrize("name", [*ALL, "MultiOptimizer"])
def test_copies_go_on_alike(name):
    made = opt.MultiOptimizer([opt.SGD(0.1, momentum=0.9)]) if name == "MultiOptimizer" else ALL[name][0](0.1)
    made.apply_gradients(PARAMETERS, PARAMETERS)
    twins = [made, copy.deepcopy(made), pickle.loads(pickle.dumps(made))]
    first, *others = ([twin.apply_gradients(PARAMETERS, PARAMETERS), twin.state] for twin in twins)
    for other in others:
        for (_, a), (_, b) in zip(tree_flatten(first), tree_flatten(other)):
            assert mx.array_equal(a, b)
