"""Keras with KERAS_BACKEND=mlx, the backend of keras-mlx: models trained, saved; functions against NumPy."""

import os
import tempfile

os.environ["KERAS_BACKEND"] = "mlx"
os.environ["KERAS_HOME"] = tempfile.mkdtemp()  # Keras writes its settings when it is imported

import keras
import numpy as np
import pytest
from keras import layers, ops

import mlx.core as mx

rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(1)


def numbers(*shape):
    return rng.normal(size=shape).astype(np.float32)


def same(got, want, tolerance=1e-5):
    assert isinstance(got, mx.array)
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


def test_backend():
    assert keras.backend.backend() == "mlx"
    assert isinstance(keras.Variable([1.0, 2.0]).value, mx.array)


def classifier():
    return keras.Sequential(
        [
            keras.Input((8,)),
            layers.Dense(32, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.1),
            layers.Dense(2),
        ]
    )


CROSS_ENTROPY = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@pytest.mark.parametrize(
    "options", [{}, {"jit_compile": True}, {"jit_compile": False}, {"run_eagerly": True}]
)
def test_fit_evaluate_predict(options):
    x = numbers(512, 8)
    y = (x.sum(1) > 0).astype(np.int32)
    model = classifier()
    model.compile(keras.optimizers.Adam(0.01), CROSS_ENTROPY, metrics=["accuracy"], **options)
    losses = model.fit(x, y, epochs=6, batch_size=32, verbose=0, validation_split=0.2).history
    assert losses["loss"][-1] < 0.5 * losses["loss"][0] and losses["val_accuracy"][-1] > 0.9
    loss, accuracy = model.evaluate(x, y, verbose=0)
    logits = model.predict(x, verbose=0)
    assert np.mean(logits.argmax(1) == y) == pytest.approx(accuracy) and accuracy > 0.9
    picked = np.take_along_axis(logits, y[:, None], 1)[:, 0]
    assert loss == pytest.approx(np.mean(np.log(np.exp(logits).sum(1)) - picked), rel=1e-4)


OPTIMIZERS = "sgd rmsprop adam adamw adagrad adamax nadam ftrl lion lamb adafactor".split()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name):
    x = numbers(256, 8)
    model = classifier()
    model.compile(name, CROSS_ENTROPY)
    losses = model.fit(x, (x[:, 0] > 0).astype(np.int32), epochs=3, verbose=0).history["loss"]
    assert np.isfinite(losses).all() and losses[-1] < losses[0]


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_mixed_precision(policy):
    x = numbers(256, 8)
    keras.mixed_precision.set_global_policy(policy)
    try:
        model = classifier()
    finally:
        keras.mixed_precision.set_global_policy("float32")
    model.compile("adam", CROSS_ENTROPY)
    losses = model.fit(x, (x[:, 0] > 0).astype(np.int32), epochs=3, verbose=0).history["loss"]
    assert losses[-1] < losses[0] and model.variables[0].dtype == "float32"
    assert str(model(x).dtype).endswith(policy.split("_")[1])


IMAGES = [
    keras.Input((12, 12, 3)),
    layers.Conv2D(8, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.SeparableConv2D(8, 3),
    layers.DepthwiseConv2D(3, padding="same"),
    layers.Conv2DTranspose(4, 3, strides=2),
    layers.AveragePooling2D(2),
    layers.GroupNormalization(2),
    layers.GlobalAveragePooling2D(),
    layers.Dense(4, activation="softmax"),
]


def words(kind):
    return [
        keras.Input((7,), dtype="int32"),
        layers.Embedding(20, 8),
        layers.Bidirectional(kind(8)),
        layers.Dense(4, activation="softmax"),
    ]


def attention():
    x = keras.Input((6, 16))
    y = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 8)(x, x, use_causal_mask=True))
    return keras.Model(x, layers.Dense(4, activation="softmax")(layers.Flatten()(y)))


ARCHITECTURES = {
    "images": lambda: keras.Sequential(IMAGES),
    "lstm": lambda: keras.Sequential(words(layers.LSTM)),
    "gru": lambda: keras.Sequential(words(layers.GRU)),
    "rnn": lambda: keras.Sequential(words(layers.SimpleRNN)),
    "attention": attention,
}


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_architectures(name, tmp_path):
    model = ARCHITECTURES[name]()
    shape = (64, *model.input_shape[1:])
    x = numbers(*shape) if len(shape) > 2 else rng.integers(0, 20, shape)
    y = rng.integers(0, 4, 64)
    model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
    losses = model.fit(x, y, epochs=6, verbose=0).history["loss"]
    assert losses[-1] < losses[0]
    model.save(tmp_path / "model.keras")
    again = keras.models.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(model.predict(x, verbose=0), again.predict(x, verbose=0))
    model.save_weights(tmp_path / "model.weights.h5")
    again.load_weights(tmp_path / "model.weights.h5")
    again.fit(x, y, verbose=0)


def test_quantized_to_int8():
    model = keras.Sequential([keras.Input((32,)), layers.Dense(64), layers.Dense(2)])
    x = numbers(16, 32)
    before = model.predict(x, verbose=0)
    model.quantize("int8")
    after = model.predict(x, verbose=0)
    assert 0 < np.abs(after - before).max() < 0.1 * np.abs(before).max()


ONE = "cos cumsum diff exp floor max mean median prod sign sort std sum tanh trace transpose tril var".split()
TWO = "add arctan2 logaddexp maximum".split()
FUNCTIONS = {
    **dict.fromkeys(ONE, lambda f, x: f(x)),
    **dict.fromkeys(TWO, lambda f, x: f(x, x[::-1])),
    "dot": lambda f, x: f(x, x.T),
    "quantile": lambda f, x: f(x, 0.3),
    "roll": lambda f, x: f(x, 2, axis=1),
    "where": lambda f, x: f(x > 0, x, -x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_numpys(name):
    x = numbers(3, 5)
    call = FUNCTIONS[name]
    same(call(getattr(ops, name), x), call(getattr(np, name), x))


def test_linear_algebra():
    x = numbers(4, 4)
    x = x @ x.T + 4 * np.eye(4, dtype=np.float32)
    same(ops.cholesky(x), np.linalg.cholesky(x), 1e-4)
    same(ops.inv(x), np.linalg.inv(x), 1e-4)
    same(ops.det(x), np.linalg.det(x), 1e-4)
    same(ops.solve(x, x[:, :2]), np.eye(4)[:, :2], 1e-4)
    same(ops.eigh(x)[0], np.linalg.eigvalsh(x), 1e-4)
    same(ops.svd(x, compute_uv=False), np.linalg.svd(x, compute_uv=False), 1e-4)


def test_control_flow():
    x = numbers(4, 3)
    carry, steps = ops.scan(lambda c, v: (c + v, c * 2), ops.zeros(3), ops.convert_to_tensor(x))
    same(carry, x.sum(0))
    same(steps, 2 * (np.cumsum(x, 0) - x))
    assert ops.while_loop(lambda i: i < 5, lambda i: (i + 1,), (0,))[0] == 5
    same(ops.vectorized_map(lambda v: v * 2, ops.convert_to_tensor(x)), 2 * x)
    same(ops.cond(ops.convert_to_tensor(True), lambda: ops.ones(2), lambda: ops.zeros(2)), np.ones(2))


def test_random_numbers_follow_the_seed():
    for draw in (keras.random.normal, keras.random.uniform, keras.random.truncated_normal):
        first, second, other = draw((50,), seed=3), draw((50,), seed=3), draw((50,), seed=4)
        assert mx.array_equal(first, second) and not mx.array_equal(first, other)
