"""Linear, convolution, pooling, normalization, dropout and embedding layers, and initialisers."""

import math

import numpy as np
import pytest
from layer_oracles import pool

import mlx.core as mx
import mlx.nn as nn
from mlx.nn import init

rng = np.random.default_rng(1)


@pytest.fixture(autouse=True)
def seeded():
    """Bounds of few random weights hold for most seeds only."""
    mx.random.seed(1)


def normal(*shape):
    return rng.normal(size=shape).astype(np.float32)


def check(got, want, tolerance=1e-4):
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


def within(array, bound):
    """Values fill [-bound, bound] and nothing beyond."""
    largest = mx.max(mx.abs(array)).item()
    return 0.5 * bound < largest <= bound * (1 + 1e-6)


# Linear -----------------------------------------------------------------------------------------------------


def test_linear():
    layer, x = nn.Linear(4, 3), normal(2, 5, 4)
    w, b = np.array(layer.weight), np.array(layer.bias)
    check(layer(mx.array(x)), x @ w.T + b)
    assert within(layer.weight, 0.5) and within(layer.bias, 0.5)
    bare = nn.Linear(4, 3, bias=False)
    assert list(bare.parameters()) == ["weight"] and bare(mx.array(x[0, 0])).shape == (3,)
    for sizes in ((0, 2), (2, -1)):
        with pytest.raises(ValueError, match="must be positive but is"):
            nn.Linear(*sizes)
    with pytest.raises(TypeError, match=r"\[Linear\] input_dims must be an integer, not float 3.0"):
        nn.Linear(3.0, 2)
    with pytest.raises(ValueError):
        layer(mx.ones((2, 3)))
    with pytest.raises(ValueError):
        layer(mx.array(1.0))


def test_bilinear():
    layer, x1, x2 = nn.Bilinear(4, 5, 3), normal(2, 6, 4), normal(2, 6, 5)
    w, b = np.array(layer.weight), np.array(layer.bias)
    assert w.shape == (3, 5, 4) and within(layer.weight, 0.5)
    check(layer(mx.array(x1), mx.array(x2)), np.einsum("...i,oij,...j->...o", x2, w, x1) + b)
    check(nn.Bilinear(4, 5, 3, bias=False)(mx.zeros(4), mx.zeros(5)), np.zeros(3))


def test_identity_and_sequential():
    x = mx.ones(3)
    assert nn.Identity(1, a=2)(x) is x
    model = nn.Sequential(nn.Linear(3, 2), mx.tanh, nn.ReLU())
    check(model(x), np.maximum(np.tanh(np.array(model.layers[0](x))), 0))


def test_embedding():
    layer = nn.Embedding(10, 4)
    ids = np.array([[1, 9], [0, 1]])
    check(layer(mx.array(ids)), np.array(layer.weight)[ids])
    x = normal(2, 4)
    check(layer.as_linear(mx.array(x)), x @ np.array(layer.weight).T)
    spread = mx.std(nn.Embedding(1000, 16).weight).item()
    assert spread == pytest.approx(0.25, rel=0.05)
    gradient = nn.value_and_grad(layer, lambda: mx.sum(layer(mx.array(ids))))()[1]["weight"]
    check(gradient, np.bincount(ids.ravel(), minlength=10)[:, None] * np.ones((1, 4)))
    for bad in (mx.array([1.0]), mx.array([True])):
        with pytest.raises(ValueError, match="Indices must be integers, not array of shape"):
            layer(bad)


# Convolution ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axes, make", [(1, nn.Conv1d), (2, nn.Conv2d), (3, nn.Conv3d)])
def test_convolution_weights(axes, make):
    groups = 2 if axes < 3 else 1
    layer = make(4, 6, 3, **({"groups": groups} if groups > 1 else {}))
    assert within(layer.weight, math.sqrt(groups / (4 * 3**axes))) and mx.all(layer.bias == 0).item()
    transposed = getattr(nn, make.__name__.replace("Conv", "ConvTranspose"))(4, 6, 3)
    assert within(transposed.weight, math.sqrt(1 / (4 * 3**axes))) and mx.all(transposed.bias == 0).item()


def test_convolution_arguments():
    assert repr(nn.Conv1d(2, 3, 4)) == (
        "Conv1d(2, 3, kernel_size=4, stride=1, padding=0, dilation=1, groups=1, bias=True)"
    )
    assert repr(nn.Conv2d(4, 6, 3, 2, 1, 2, 2, False)) == (
        "Conv2d(4, 6, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=2, groups=2, bias=False)"
    )
    assert repr(nn.Conv3d(2, 3, (1, 2, 3))) == (
        "Conv3d(2, 3, kernel_size=(1, 2, 3), stride=(1, 1, 1), padding=(0, 0, 0), dilation=1, bias=True)"
    )
    assert list(nn.Conv2d(1, 1, 1).parameters()) == ["weight", "bias"]
    with pytest.raises(
        ValueError, match=r"input channels \(3\) must be divisible by the number of groups \(2\)"
    ):
        nn.Conv2d(3, 2, 3, groups=2)
    with pytest.raises(
        ValueError, match=r"\[Conv2d\] kernel_size must be an integer or a tuple of 2 integers"
    ):
        nn.Conv2d(3, 2, (3, 3, 3))


@pytest.mark.parametrize("name", ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose3d"])
def test_convolution_sizes(name):
    make = getattr(nn, name)
    for argument, lowest in (("kernel_size", 1), ("stride", 1), ("padding", 0), ("dilation", 1)):
        sizes = {"kernel_size": 2, argument: lowest - 1}
        with pytest.raises(ValueError, match=rf"\[{name}\] {argument} must be at least {lowest}"):
            make(2, 2, **sizes)
        for bad in ("3", (1, 2, 3, 4), 1.5):
            with pytest.raises(ValueError, match=rf"\[{name}\] {argument} must be an integer or a tuple"):
                make(2, 2, **{**sizes, argument: bad})


# Pooling ----------------------------------------------------------------------------------------------------


POOLS = [
    (1, nn.MaxPool1d, np.max, -np.inf),
    (2, nn.MaxPool2d, np.max, -np.inf),
    (3, nn.MaxPool3d, np.max, -np.inf),
    (1, nn.AvgPool1d, np.mean, 0),
    (2, nn.AvgPool2d, np.mean, 0),
    (3, nn.AvgPool3d, np.mean, 0),
]


@pytest.mark.parametrize(
    "kernel, stride, padding", [(2, None, 0), (3, None, 1), (3, 2, 1), (2, 3, 0), (3, 1, 0)]
)
@pytest.mark.parametrize("axes, make, reduce, fill", POOLS)
def test_pooling(axes, make, reduce, fill, kernel, stride, padding):
    x = normal(2, *range(7, 7 + axes), 3)
    layer = make(kernel, stride, padding)
    want = pool(x, [kernel] * axes, [stride or kernel] * axes, [padding] * axes, reduce, fill)
    check(layer(mx.array(x)), want)
    # A transposed input has the same windows.
    assert mx.allclose(layer(mx.array(np.swapaxes(x, 0, -1)).swapaxes(0, -1)), layer(mx.array(x)))


@pytest.mark.parametrize("kernel, stride, padding", [((2, 2), (2, 2), (0, 0)), ((3, 2), (2, 1), (1, 0))])
@pytest.mark.parametrize("make, reduce, fill", [(nn.MaxPool2d, np.max, -np.inf), (nn.AvgPool2d, np.mean, 0)])
def test_pooling_gradient(make, reduce, fill, kernel, stride, padding):
    x = normal(1, 5, 4, 2)
    layer = make(kernel, stride, padding)
    weights = normal(*layer(mx.array(x)).shape)

    def scalar(x):
        return np.sum(pool(x, kernel, stride, padding, reduce, fill) * weights)

    h = 1e-6
    want = np.zeros(x.shape)
    for at in np.ndindex(*x.shape):
        step = np.zeros(x.shape)
        step[at] = h
        want[at] = (scalar(x.astype(np.float64) + step) - scalar(x.astype(np.float64) - step)) / (2 * h)
    got = mx.grad(lambda x: mx.sum(layer(x) * mx.array(weights)))(mx.array(x))
    check(got, want, 1e-3)


def test_equal_maxima_share_the_gradient():
    for stride in (2, 1):  # tiles, then the strided view
        pool = nn.MaxPool1d(2, stride)
        slopes = mx.grad(lambda x, pool=pool: mx.sum(pool(x)))(mx.ones((1, 2, 1)))
        assert slopes.tolist() == [[[0.5], [0.5]]]


def test_pooling_dtypes_and_empty_results():
    ints = mx.array([[[-5], [-7], [-9], [-1]]])
    assert nn.MaxPool1d(2, padding=1)(ints).tolist() == [[[-5], [-7], [-1]]]
    assert nn.MaxPool1d(2)(ints).dtype == mx.int32 and nn.AvgPool1d(2)(ints).dtype == mx.float32
    assert nn.MaxPool1d(2, padding=1)(ints > -6).tolist() == [[[True], [False], [True]]]
    for dtype in (mx.float16, mx.bfloat16):
        assert nn.MaxPool1d(2)(ints.astype(dtype)).dtype == dtype == nn.AvgPool1d(2)(ints.astype(dtype)).dtype
    assert nn.MaxPool2d(3)(mx.ones((1, 2, 9, 1))).shape == (1, 0, 3, 1)
    assert nn.AvgPool2d(4)(mx.ones((1, 2, 2, 1), mx.int32)).dtype == mx.float32
    assert nn.MaxPool2d(2, 1)(mx.ones((0, 4, 4, 1))).shape == (0, 3, 3, 1)


def test_pooling_arguments():
    assert repr(nn.AvgPool2d((2, 3), padding=1)) == (
        "AvgPool2d(kernel_size=(2, 3), stride=(2, 3), padding=(1, 1))"
    )
    assert repr(nn.MaxPool1d(2)) == "MaxPool1d(kernel_size=(2,), stride=(2,), padding=(0,))"
    bad = [
        (lambda: nn.MaxPool2d(2, padding=None), r"\[MaxPool2d\] padding must be an integer or a tuple of 2"),
        (lambda: nn.MaxPool2d((2,)), "kernel_size must be"),
        (lambda: nn.MaxPool2d(2.0), "not float 2.0"),
        (lambda: nn.AvgPool1d(0), "kernel_size must be at least 1"),
        (lambda: nn.AvgPool1d(2, padding=-1), "padding must be at least 0"),
        (lambda: nn.MaxPool2d(2)(mx.ones((4, 4))), r"input with 4 axes .* not one of shape \(4, 4\)"),
    ]
    for make, message in bad:
        with pytest.raises(ValueError, match=message):
            make()


# Normalization ----------------------------------------------------------------------------------------------


def normalized(x, axis, eps=1e-5):
    x = x.astype(np.float64)
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


def test_layer_and_rms_norm():
    x, w, b = normal(2, 5, 8) * 3 + 1, normal(8), normal(8)
    layer = nn.LayerNorm(8).update({"weight": mx.array(w), "bias": mx.array(b)})
    check(layer(mx.array(x)), normalized(x, -1) * w + b)
    check(nn.LayerNorm(8, affine=False)(mx.array(x)), normalized(x, -1))
    assert list(nn.LayerNorm(8, bias=False).parameters()) == ["weight"]
    rms = nn.RMSNorm(8, eps=1e-3).update({"weight": mx.array(w)})
    check(rms(mx.array(x)), x / np.sqrt(np.mean(x.astype(np.float64) ** 2, -1, keepdims=True) + 1e-3) * w)
    with pytest.raises(ValueError):
        layer(mx.ones((2, 7)))


def test_group_norm():
    x = normal(2, 4, 5, 6)
    # Channel c belongs to group c mod 2.
    mixed = normalized(x.reshape(2, -1, 2), 1).reshape(x.shape)
    check(nn.GroupNorm(2, 6)(mx.array(x)), mixed)
    runs = normalized(x.reshape(2, 20, 2, 3), (1, 3)).reshape(x.shape)
    w, b = normal(6), normal(6)
    layer = nn.GroupNorm(2, 6, pytorch_compatible=True).update({"weight": mx.array(w), "bias": mx.array(b)})
    check(layer(mx.array(x)), runs * w + b)
    assert list(layer.parameters()) == ["bias", "weight"]
    flat = normal(3, 6)
    check(
        nn.GroupNorm(3, 6, affine=False)(mx.array(flat)), normalized(flat.reshape(3, 2, 3), 1).reshape(3, 6)
    )
    for groups, message in (
        (4, r"dims \(6\) must be divisible by num_groups \(4\)"),
        (0, "must be positive"),
    ):
        with pytest.raises(ValueError, match=message):
            nn.GroupNorm(groups, 6)


def test_instance_norm():
    x = normal(2, 4, 5, 3)
    check(nn.InstanceNorm(3)(mx.array(x)), normalized(x, (1, 2)))
    assert list(nn.InstanceNorm(3, affine=True).parameters()) == ["weight", "bias"]
    with pytest.raises(ValueError, match=r"at least 3 axes \(N, ..., C\), not shape \(2, 3\)"):
        nn.InstanceNorm(3)(mx.ones((2, 3)))


@pytest.mark.parametrize("shape", [(6, 3), (2, 4, 3), (2, 3, 2, 3)])
def test_batch_norm(shape):
    layer, x = nn.BatchNorm(3), normal(*shape) * 2 + 1
    axes = tuple(range(len(shape) - 1))
    check(layer(mx.array(x)), normalized(x, axes))
    mean = 0.1 * x.mean(axes)
    var = 0.9 + 0.1 * x.var(axes, ddof=1)
    check(layer.running_mean, mean)
    check(layer.running_var, var)
    layer.eval()
    check(layer(mx.array(x)), (x - mean) / np.sqrt(var + 1e-5))
    check(layer.running_mean, mean)


def test_batch_norm_variants():
    x = normal(5, 3)
    bare = nn.BatchNorm(3, affine=False, track_running_stats=False).eval()
    assert bare.parameters() == {}
    check(bare(mx.array(x)), normalized(x, 0))
    assert list(nn.BatchNorm(3).trainable_parameters()) == ["weight", "bias"]
    for tracked in (True, False):
        with pytest.raises(ValueError, match="more than one value per channel"):
            nn.BatchNorm(3, track_running_stats=tracked)(mx.ones((1, 3)))
    with pytest.raises(ValueError, match="2, 3 or 4 axes"):
        nn.BatchNorm(3)(mx.ones(3))
    half = nn.BatchNorm(3)
    half.set_dtype(mx.float16)
    assert half(mx.array(x).astype(mx.float16)).dtype == mx.float16
    assert nn.BatchNorm(3)(mx.array(x).astype(mx.float16)).dtype == mx.float32


@pytest.mark.parametrize(
    "make", [nn.LayerNorm, nn.RMSNorm, lambda d, **k: nn.GroupNorm(1, d, **k), nn.InstanceNorm, nn.BatchNorm]
)
def test_eps_must_be_positive(make):
    for eps in (0, -1.0, math.nan):
        with pytest.raises(ValueError, match="must be positive"):
            make(4, eps=eps)


def test_reprs_of_normalization():
    assert repr(nn.LayerNorm(8)) == "LayerNorm(8, eps=1e-05, affine=True)"
    assert repr(nn.RMSNorm(8)) == "RMSNorm(8, eps=1e-05)"
    assert repr(nn.GroupNorm(2, 8)) == "GroupNorm(2, 8, eps=1e-05, affine=True, pytorch_compatible=False)"
    assert repr(nn.InstanceNorm(8)) == "InstanceNorm(8, eps=1e-05, affine=False)"
    assert (
        repr(nn.BatchNorm(8))
        == "BatchNorm(8, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)"
    )


# Dropout ----------------------------------------------------------------------------------------------------


def test_dropout():
    mx.random.seed(0)
    layer, x = nn.Dropout(0.25), mx.ones((100, 100))
    y = np.array(layer(x))
    assert set(np.unique(y)) == {0, np.float32(1 / 0.75)} and abs((y == 0).mean() - 0.25) < 0.02
    mx.random.seed(5)
    dropped = layer(x)
    mx.random.seed(5)
    assert mx.array_equal(dropped, x * (1 / 0.75) * mx.random.bernoulli(0.75, x.shape))
    assert nn.Dropout(0.0)(x) is x
    assert layer.eval()(x) is x
    assert repr(nn.Dropout(0.3)) == "Dropout(p=0.3)"
    assert nn.Dropout(0.5)(x.astype(mx.float16)).dtype == mx.float16
    assert nn.Dropout(0.5)(x.astype(mx.int32)).dtype == mx.float32
    for p in (1.0, -0.1, 2):
        with pytest.raises(ValueError, match=r"probability must be in \[0, 1\) but is"):
            nn.Dropout(p)


@pytest.mark.parametrize("make, shape", [(nn.Dropout2d, (5, 4, 3, 50)), (nn.Dropout3d, (5, 2, 4, 3, 50))])
def test_channel_dropout(make, shape):
    y = np.array(make(0.5)(mx.ones(shape)))
    axes = tuple(range(1, len(shape) - 1))
    assert np.array_equal(y.min(axes), y.max(axes)) and set(np.unique(y)) == {0, 2}
    single, positions = np.array(make(0.5)(mx.ones(shape[1:]))), tuple(range(len(axes)))
    assert np.array_equal(single.min(positions), single.max(positions)) and set(np.unique(single)) == {0, 2}
    for mode in (True, False):
        with pytest.raises(ValueError, match="Expected an input of shape"):
            make(0.5).train(mode)(mx.ones((2, 2)))


def test_dropout_in_a_compiled_step():
    layer, x = nn.Dropout(0.5), mx.ones(64)
    step = mx.compile(lambda x: layer(x), inputs=mx.random.state, outputs=mx.random.state)
    assert not mx.array_equal(step(x), step(x))


# Initialisers -----------------------------------------------------------------------------------------------


def test_plain_initialisers():
    a = mx.zeros((200, 100), mx.int32)
    assert init.constant(3.0)(a).dtype == mx.float32 and mx.all(init.constant(3.0)(a) == 3).item()
    x = init.normal(1.0, 2.0)(a)
    assert mx.mean(x).item() == pytest.approx(1, abs=0.1) and mx.std(x).item() == pytest.approx(2, rel=0.05)
    u = init.uniform(-1.0, 3.0, mx.float16)(a)
    assert u.dtype == mx.float16 and mx.min(u).item() >= -1 and mx.max(u).item() <= 3
    check(init.identity()(mx.zeros((3, 3))), np.eye(3))


@pytest.mark.parametrize("shape, fan_in, fan_out", [((50, 80), 80, 50), ((20, 3, 3, 40), 360, 180)])
def test_scaled_initialisers(shape, fan_in, fan_out):
    a = mx.zeros(shape)
    assert mx.std(init.glorot_normal()(a, gain=2.0)).item() == pytest.approx(
        2 * math.sqrt(2 / (fan_in + fan_out)), rel=0.1
    )
    assert within(init.glorot_uniform()(a), math.sqrt(6 / (fan_in + fan_out)))
    assert mx.std(init.he_normal()(a)).item() == pytest.approx(1 / math.sqrt(fan_in), rel=0.1)
    assert mx.std(init.he_normal()(a, "fan_out", 3.0)).item() == pytest.approx(
        3 / math.sqrt(fan_out), rel=0.1
    )
    assert within(init.he_uniform()(a), math.sqrt(3 / fan_in))
    assert within(init.he_uniform()(a, mode="fan_out"), math.sqrt(3 / fan_out))


def test_structured_initialisers():
    s = init.sparse(0.3)(mx.zeros((6, 10)))
    assert [int(n) for n in (np.array(s) == 0).sum(1)] == [3] * 6


def test_initialisers_refuse():
    bad = [
        (lambda: init.identity()(mx.zeros((2, 3))), r"square matrix, not shape \(2, 3\)"),
        (
            lambda: init.he_normal()(mx.zeros((2, 2)), mode="fan"),
            "mode must be 'fan_in' or 'fan_out', not 'fan'",
        ),
        (lambda: init.glorot_normal()(mx.zeros(2)), "at least 2 axes"),
        (lambda: init.he_uniform()(mx.zeros(2)), r"\[init.he_uniform\]"),
        (lambda: init.sparse(0.5)(mx.zeros(2)), r"\[init.sparse\] Expected a matrix"),
        (lambda: init.orthogonal()(mx.zeros(2)), r"\[init.orthogonal\] Expected a matrix"),
    ]
    for make, message in bad:
        with pytest.raises(ValueError, match=message):
            make()


@pytest.mark.parametrize("shape", [(4, 4), (3, 7), (7, 3), (1, 5)])
def test_orthogonal_initialisation(shape):
    w = np.array(init.orthogonal(gain=2.0)(mx.zeros(shape)), np.float64)
    small = w @ w.T if shape[0] <= shape[1] else w.T @ w
    np.testing.assert_allclose(small, 4 * np.eye(min(shape)), atol=1e-5)
    assert init.orthogonal(dtype=mx.float16)(mx.zeros(shape)).dtype == mx.float16
