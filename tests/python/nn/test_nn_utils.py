"""nn.value_and_grad, checkpoint, average_gradients, and modules inside mx.compile."""

import pytest

import mlx.core as mx
import mlx.nn as nn
from mlx.nn.utils import checkpoint
from mlx.utils import tree_flatten


def test_value_and_grad():
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    model.layers[0].freeze(keys="bias")
    x = mx.random.normal((4, 3))

    def loss(x, scale=1.0):
        y = model(x)
        return scale * mx.sum(mx.square(y)), y

    (value, y), gradients = nn.value_and_grad(model, loss)(x, scale=2.0)
    assert y.shape == (4, 1)
    assert abs(value.item() - 2 * mx.sum(mx.square(y)).item()) < 1e-5
    assert [name for name, _ in tree_flatten(gradients)] == [
        "layers.0.weight",
        "layers.2.weight",
        "layers.2.bias",
    ]
    step = 1e-2
    bias = model.layers[2].bias
    model.layers[2].bias = bias + step
    up = loss(x, 2.0)[0].item()
    model.layers[2].bias = bias - step
    down = loss(x, 2.0)[0].item()
    assert abs((up - down) / (2 * step) - gradients["layers"][2]["bias"].item()) < 1e-2


def test_value_and_grad_leaves_the_model_alone():
    model = nn.Linear(2, 1)
    before = model.weight
    nn.value_and_grad(model, lambda x: model(x).sum())(mx.ones((1, 2)))
    assert model.weight is before

    def fail(x):
        raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        nn.value_and_grad(model, fail)(mx.ones((1, 2)))
    assert model.weight is before and model.weight.tolist() == before.tolist()


def test_value_and_grad_refuses():
    model = nn.Linear(2, 1).freeze()
    with pytest.raises(ValueError, match="Linear has no trainable parameters"):
        nn.value_and_grad(model, lambda: model.weight.sum())()
    with pytest.raises(TypeError, match="must be a Module, not"):
        nn.value_and_grad({}, lambda: mx.array(0.0))


def test_checkpoint_gives_the_same_gradients():
    layer = nn.Linear(3, 3)
    x = mx.random.normal((4, 3))

    def gradients(call):
        return nn.value_and_grad(layer, lambda x: mx.sum(mx.tanh(call(x))))(x)

    value, plain = gradients(layer)
    recomputed_value, recomputed = gradients(checkpoint(layer))
    assert mx.allclose(value, recomputed_value)
    for name in ("weight", "bias"):
        assert mx.allclose(plain[name], recomputed[name]), name
    scaled = checkpoint(layer, lambda x, factor: factor * layer(x))
    assert mx.allclose(scaled(x, factor=2.0), 2 * layer(x))


@pytest.mark.parametrize("compiled", [False, True])
def test_dropout_below_a_checkpoint_keeps_its_mask(compiled):
    layer = nn.Dropout(0.5)
    x = mx.ones((64,))

    def value_and_gradient(x):
        y, (gradient,) = mx.vjp(nn.utils.checkpoint(layer), [x], [mx.ones_like(x)])
        return y[0], gradient

    step = mx.compile(value_and_gradient, inputs=mx.random.state, outputs=mx.random.state)
    mx.random.seed(3)
    drawn = []
    for _ in range(2):
        y, gradient = (step if compiled else value_and_gradient)(x)
        assert mx.array_equal(y, gradient).item()  # both are the mask over what is kept
        drawn.append(y)
    assert not mx.array_equal(*drawn).item()  # the state went on
    mx.random.seed(3)
    assert mx.array_equal(layer(x), drawn[0]).item()


def test_checkpoint_keeps_the_statistics_of_one_call():
    x = mx.random.normal((8, 3))
    plain, kept = nn.BatchNorm(3), nn.BatchNorm(3)
    recomputing = nn.utils.checkpoint(kept)
    _, want = nn.value_and_grad(plain, lambda: mx.sum(plain(x) ** 3))()
    _, got = nn.value_and_grad(kept, lambda: mx.sum(recomputing(x) ** 3))()
    mx.eval(got)
    for name in ("weight", "bias"):
        assert mx.allclose(got[name], want[name], rtol=1e-5)
    for name in ("running_mean", "running_var"):
        assert mx.array_equal(kept[name], plain[name])


def test_compiled_forward_follows_the_module():
    model = nn.Sequential(nn.Linear(2, 2), nn.GELU())
    forward = mx.compile(lambda x: model(x), inputs=model.state)
    x = mx.random.normal((3, 2))
    assert mx.allclose(forward(x), model(x), atol=1e-6)
    model.update({"layers": [{"bias": mx.array([5.0, 5.0])}]})
    assert mx.allclose(forward(x), model(x), atol=1e-6)


def test_compiled_batch_norm_updates_its_statistics():
    norm = nn.BatchNorm(2)
    forward = mx.compile(lambda x: norm(x), inputs=norm.state, outputs=norm.state)
    x = mx.array([[1.0, 2.0], [3.0, 6.0]])
    forward(x)
    forward(x)
    assert mx.allclose(norm.running_mean, mx.array([2.0, 4.0]) * (1 - 0.9**2))
