"""Activations: values against NumPy in float64, gradients, kinks, dtypes."""

import math

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn

erf = np.vectorize(math.erf)


def softplus(x):
    return np.logaddexp(x, 0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


REFERENCE = {
    "celu": lambda x: np.maximum(x, 0) + np.expm1(np.minimum(x, 0)),
    "elu": elu,
    "gelu": lambda x: x * (1 + erf(x / math.sqrt(2))) / 2,
    "gelu_approx": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "gelu_fast_approx": lambda x: x * sigmoid(1.702 * x),
    "hard_shrink": lambda x: np.where(np.abs(x) > 0.5, x, 0),
    "hard_tanh": lambda x: np.clip(x, -1, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "leaky_relu": lambda x: np.maximum(0.01 * x, x),
    "log_sigmoid": lambda x: -softplus(-x),
    "log_softmax": lambda x: x - np.log(np.sum(np.exp(x), -1, keepdims=True)),
    "mish": lambda x: x * np.tanh(softplus(x)),
    "relu": lambda x: np.maximum(x, 0),
    "relu2": lambda x: np.maximum(x, 0) ** 2,
    "relu6": lambda x: np.clip(x, 0, 6),
    "selu": lambda x: 1.0507 * elu(x, 1.67326),
    "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x),
    "softmax": lambda x: np.exp(x) / np.sum(np.exp(x), -1, keepdims=True),
    "softmin": lambda x: np.exp(-x) / np.sum(np.exp(-x), -1, keepdims=True),
    "softplus": softplus,
    "softshrink": lambda x: np.where(np.abs(x) > 0.5, x - np.sign(x) * 0.5, 0),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "step": lambda x: (x >= 0).astype(np.int32),
    "tanh": np.tanh,
}
# No point lies within 0.01 of a kink.
POINTS = np.linspace(-7.03, 7.07, 47).astype(np.float32)
KEEP_INTEGERS = {"relu", "relu2", "hard_shrink", "step"}


@pytest.mark.parametrize("name", REFERENCE)
def test_values(name):
    got = getattr(nn, name)(mx.array(POINTS))
    np.testing.assert_allclose(
        np.array(got), REFERENCE[name](POINTS.astype(np.float64)), rtol=2e-5, atol=2e-6
    )


@pytest.mark.parametrize("name", [n for n in REFERENCE if n != "step"])
def test_gradients(name):
    weights = np.cos(np.arange(len(POINTS)))

    def scalar(x):
        return np.sum(REFERENCE[name](x) * weights)

    h, x = 1e-6, POINTS.astype(np.float64)
    want = [(scalar(x + h * e) - scalar(x - h * e)) / (2 * h) for e in np.eye(len(x))]
    w = mx.array(weights.astype(np.float32))
    got = mx.grad(lambda x: mx.sum(getattr(nn, name)(x) * w))(mx.array(POINTS))
    np.testing.assert_allclose(np.array(got), want, rtol=1e-3, atol=2e-5)


@pytest.mark.parametrize(
    "name, at, slope",
    [
        ("relu", 0, 0),
        ("relu2", 0, 0),
        ("relu6", 0, 0),
        ("relu6", 6, 0),
        ("softshrink", 0, 0),
        ("leaky_relu", 0, 1),
        ("elu", 0, 1),
        ("celu", 0, 1),  # 0 in the published framework, although the function is smooth here
        ("selu", 0, 1.7580941),
        ("hard_tanh", 1, 0),
        ("hard_tanh", -1, 0),
        ("step", 0, 0),
    ],
)
def test_gradient_at_kinks(name, at, slope):
    assert mx.grad(getattr(nn, name))(mx.array(float(at))).item() == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize(
    "name", ["elu", "celu", "selu", "softplus", "mish", "log_sigmoid", "silu", "gelu", "sigmoid"]
)
def test_large_inputs_have_finite_gradients(name):
    for x in (-1e4, -100.0, 100.0, 1e4):
        slope = mx.grad(getattr(nn, name))(mx.array(x)).item()
        assert math.isfinite(slope), x


@pytest.mark.parametrize("name", REFERENCE)
def test_dtypes(name):
    function = getattr(nn, name)
    for dtype in (mx.float16, mx.bfloat16):
        assert function(mx.array([0.5, -1.0], dtype)).dtype == (mx.int32 if name == "step" else dtype)
    assert function(mx.array([3, -1, 2])).dtype == (mx.int32 if name in KEEP_INTEGERS else mx.float32)


@pytest.mark.parametrize("name", REFERENCE)
def test_vmap(name):
    x = mx.array(POINTS[:12]).reshape(3, 4)
    function = getattr(nn, name)
    assert mx.allclose(mx.vmap(function)(x), function(x), atol=1e-6)


@pytest.mark.parametrize("name", sorted(set(REFERENCE) - {"softmax", "softmin", "log_softmax"}))
def test_empty_and_0d(name):
    assert getattr(nn, name)(mx.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert getattr(nn, name)(mx.array(0.7)).shape == ()


def test_functions_with_arguments():
    x = mx.array([-2.0, -0.3, 0.4, 3.0])
    assert nn.leaky_relu(x, 0.5).tolist() == [-1.0, pytest.approx(-0.15), pytest.approx(0.4), 3.0]
    assert mx.allclose(nn.elu(x, alpha=2.0)[:1], mx.array([2 * math.expm1(-2)]))
    assert mx.allclose(nn.celu(x, 2.0)[:1], mx.array([2 * math.expm1(-1)]))
    assert nn.softshrink(x, 1.0).tolist() == [-1, 0, 0, 2]
    assert nn.hard_shrink(x, lambd=1.0).tolist() == [-2, 0, 0, 3]
    assert nn.hard_tanh(x, -0.5, 2.0).tolist() == [-0.5, pytest.approx(-0.3), pytest.approx(0.4), 2]
    assert nn.step(x, 0.4).tolist() == [0, 0, 1, 1]
    assert nn.prelu(x, mx.array([0.5])).tolist() == [-1, pytest.approx(-0.15), pytest.approx(0.4), 3]
    assert nn.log_softmax(x.reshape(2, 2), axis=0).shape == (2, 2)
    assert mx.allclose(nn.glu(x.reshape(2, 2), axis=0), x[:2][None] * mx.sigmoid(x[2:]))
    with pytest.raises(ValueError):
        nn.glu(mx.ones(3))


LAYERS = {
    "CELU": "celu",
    "ELU": "elu",
    "GLU": "glu",
    "HardShrink": "hard_shrink",
    "HardTanh": "hard_tanh",
    "Hardswish": "hardswish",
    "LeakyReLU": "leaky_relu",
    "LogSigmoid": "log_sigmoid",
    "LogSoftmax": "log_softmax",
    "Mish": "mish",
    "ReLU": "relu",
    "ReLU2": "relu2",
    "ReLU6": "relu6",
    "SELU": "selu",
    "SiLU": "silu",
    "Sigmoid": "sigmoid",
    "Softmax": "softmax",
    "Softmin": "softmin",
    "Softplus": "softplus",
    "Softshrink": "softshrink",
    "Softsign": "softsign",
    "Step": "step",
    "Tanh": "tanh",
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name):
    layer, x = getattr(nn, name)(), mx.array(POINTS[:8])
    assert mx.array_equal(layer(x), getattr(nn, LAYERS[name])(x))
    assert repr(layer) == f"{name}()" and layer.parameters() == {}


def test_layers_with_arguments():
    x = mx.array([-2.0, 3.0])
    assert nn.LeakyReLU(0.5)(x).tolist() == [-1, 3]
    assert nn.ELU(2.0)(x)[0].item() == pytest.approx(2 * math.expm1(-2))
    assert nn.CELU(2.0)(x)[0].item() == pytest.approx(2 * math.expm1(-1))
    assert nn.Softshrink(1.0)(x).tolist() == [-1, 2]
    assert nn.HardShrink(2.5)(x).tolist() == [0, 3]
    assert nn.Step(4.0)(x).tolist() == [0, 0]
    assert nn.GLU(0)(x).shape == (1,)
    prelu = nn.PReLU(2, init=0.5)
    assert prelu(x).tolist() == [-1, 3] and prelu.weight.shape == (2,)
    for approx, function in [("none", nn.gelu), ("precise", nn.gelu_approx), ("tanh", nn.gelu_approx)]:
        assert mx.array_equal(nn.GELU(approx)(x), function(x))
    assert mx.array_equal(nn.GELU("fast")(x), nn.gelu_fast_approx(x))
    with pytest.raises(
        ValueError, match="approx must be one of 'none', 'precise', 'tanh', 'fast', not 'exact'"
    ):
        nn.GELU("exact")
