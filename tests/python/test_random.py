"""Random numbers: exact bits for given keys, keys and state, moments, errors."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

GOLDEN = Path(__file__).parents[1] / "golden"
ENTRIES = json.loads((GOLDEN / "random.json").read_text())
ARRAYS = np.load(GOLDEN / "random.npz")
EXACT = ("key", "split", "uniform", "randint", "bernoulli", "permutation", "categorical", "seed", "vmap")


def dtype_of(entry):
    return getattr(mx, entry["in"].get("dtype", "float32"))


def with_key(entry):
    return mx.random.key(entry["in"]["key"])


def shape_of(entry):
    return tuple(entry["in"]["shape"])


def logits_of(entry):
    return mx.array(ARRAYS[entry["in"]["logits"][1:]])


def three_draws(entry):
    mx.random.seed(123)
    return [mx.random.uniform(shape=(4,)) for _ in range(3)]


CALLS = {
    "random.key": lambda e: mx.random.key(e["in"]["seed"]),
    "random.split(key, num)": lambda e: mx.random.split(with_key(e), e["in"]["num"]),
    "random.uniform(low, high, shape, dtype, key)": lambda e: mx.random.uniform(
        e["in"]["low"], e["in"]["high"], shape_of(e), dtype_of(e), with_key(e)
    ),
    "random.normal(shape, dtype, loc, scale, key)": lambda e: mx.random.normal(
        shape_of(e), dtype_of(e), e["in"]["loc"], e["in"]["scale"], with_key(e)
    ),
    "random.randint(3, 100, shape, dtype, key)": lambda e: mx.random.randint(
        3, 100, shape_of(e), dtype_of(e), with_key(e)
    ),
    "random.bernoulli(0.3, shape, key)": lambda e: mx.random.bernoulli(0.3, shape_of(e), with_key(e)),
    "random.truncated_normal(-1, 2, shape, float32, key)": lambda e: mx.random.truncated_normal(
        -1, 2, shape_of(e), mx.float32, with_key(e)
    ),
    "random.gumbel(shape, float32, key)": lambda e: mx.random.gumbel(shape_of(e), mx.float32, with_key(e)),
    "random.laplace(shape, float32, 0.5, 2.0, key)": lambda e: mx.random.laplace(
        shape_of(e), mx.float32, 0.5, 2.0, with_key(e)
    ),
    "random.permutation(10, key)": lambda e: mx.random.permutation(10, key=with_key(e)),
    "random.permutation(arange(12).reshape(4,3), axis=0, key)": lambda e: mx.random.permutation(
        mx.arange(12).reshape(4, 3), axis=0, key=with_key(e)
    ),
    "random.categorical(logits, key=key)": lambda e: mx.random.categorical(logits_of(e), key=with_key(e)),
    "random.categorical(logits, num_samples=5, key=key)": lambda e: mx.random.categorical(
        logits_of(e), num_samples=5, key=with_key(e)
    ),
    "random.categorical(logits, axis=0, shape=(3,9), key=key)": lambda e: mx.random.categorical(
        logits_of(e), axis=0, shape=(3, 9), key=with_key(e)
    ),
    "random.categorical(logits[0], key=key)": lambda e: mx.random.categorical(
        logits_of(e)[0], key=with_key(e)
    ),
    "seed(123); three draws of uniform(shape=(4,)) from the global state": three_draws,
    "vmap(lambda k: random.uniform(shape=(3,), key=k))(split(key(7), 4))": lambda e: mx.vmap(
        lambda k: mx.random.uniform(shape=(3,), key=k)
    )(mx.random.split(mx.random.key(7), 4)),
}


def bits(x):
    return np.array(
        x.view(mx.uint16) if hasattr(x, "view") and x.dtype == mx.bfloat16 else x.astype(mx.float32)
    )


@pytest.mark.parametrize("number", range(len(ENTRIES)))
def test_golden(number):
    entry = ENTRIES[number]
    call = CALLS.get(entry["call"])
    if call is None:
        pytest.skip(f"{entry['call']} is not there yet")
    got = call(entry)
    outputs = got if isinstance(got, list) else [got]
    exact = any(entry["call"].split("random.")[-1].startswith(name) for name in EXACT)
    for x, record in zip(outputs, entry["out"], strict=True):
        expected = ARRAYS[record["array"]]
        assert str(x.dtype).endswith(record["dtype"]) and list(x.shape) == record["shape"]
        if record["dtype"] == "bfloat16":  # stored as bits
            expected = np.left_shift(expected, 16, dtype=np.uint32).view(np.float32)
            x = x.astype(mx.float32)
        values = np.array(x)
        if exact:
            np.testing.assert_array_equal(values, expected)
        else:
            ulps = {"float16": 2e-3, "bfloat16": 1.6e-2}.get(record["dtype"], 1e-6)
            np.testing.assert_allclose(
                values.astype(np.float64), expected.astype(np.float64), rtol=ulps, atol=ulps
            )


@pytest.mark.parametrize(
    ("draw", "mean", "deviation"),
    [
        (lambda n: mx.random.uniform(shape=(n,)), 0.5, 1 / 12**0.5),
        (lambda n: mx.random.uniform(-1, 3, (n,), mx.float64), 1.0, 4 / 12**0.5),
        (lambda n: mx.random.normal((n,)), 0.0, 1.0),
        (lambda n: mx.random.normal((n,), loc=2, scale=3), 2.0, 3.0),
        (lambda n: mx.random.bernoulli(0.3, (n,)), 0.3, 0.21**0.5),
        (lambda n: mx.random.gumbel((n,)), 0.5772156649, np.pi / 6**0.5),
        (lambda n: mx.random.laplace((n,)), 0.0, 2**0.5),
        (lambda n: mx.random.randint(0, 10, (n,)), 4.5, 99**0.5 / 12**0.5),
    ],
)
def test_moments(draw, mean, deviation):
    mx.random.seed(5)
    x = np.array(draw(200_000), dtype=np.float64)
    assert abs(x.mean() - mean) < 6 * deviation / len(x) ** 0.5
    assert abs(x.std() - deviation) < 0.02 * deviation


def test_state_moves_and_seeding_resets():
    mx.random.seed(1)
    first, second = mx.random.uniform(shape=(3,)), mx.random.uniform(shape=(3,))
    mx.random.seed(1)
    assert mx.array_equal(first, mx.random.uniform(shape=(3,)))
    assert not mx.array_equal(first, second)


def test_unseeded_threads_differ():
    drawn = []

    def draw():
        drawn.append(tuple(np.array(mx.random.uniform(shape=(4,)))))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(drawn)) == 4


def test_any_thread_count_gives_the_same_bits():
    key = mx.random.key(3)
    threads = mx.get_num_threads()
    try:
        results = []
        for n in (1, 2, 3, 7):
            mx.set_num_threads(n)
            results.append(np.array(mx.random.normal((300_001,), key=key)))
    finally:
        mx.set_num_threads(threads)
    for r in results[1:]:
        np.testing.assert_array_equal(r, results[0])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: mx.random.uniform(key=mx.array([1, 2, 3], mx.uint32)), "key must be a uint32 array"),
        (lambda: mx.random.uniform(dtype=mx.int32), "real floating-point"),
        (lambda: mx.random.randint(0, 3, (2,), mx.float32), "integer"),
        (lambda: mx.random.bernoulli(mx.array(1)), "real floating-point"),
        (lambda: mx.random.uniform(mx.zeros(3), 1, (2,)), "broadcast"),
        (lambda: mx.random.split(mx.random.key(0), -1), "negative"),
        (lambda: mx.random.normal((-1,)), "Negative dimensions"),
    ],
)
def test_errors(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_multivariate_normal():
    key = mx.random.key(42)
    draws = mx.random.multivariate_normal(mx.zeros(2), mx.eye(2), key=key)
    np.testing.assert_allclose(np.array(draws), [-2.1698244, 0.4648009], rtol=1e-6)
    root = np.random.default_rng(1).standard_normal((3, 3))
    cov, mean = root @ root.T, np.array([1.0, -2.0, 3.0])
    x = mx.random.multivariate_normal(mx.array(mean), mx.array(cov), shape=(200_000,), key=key)
    assert x.shape == (200_000, 3) and x.dtype == mx.float32
    np.testing.assert_allclose(np.array(x).mean(0), mean, atol=0.03)
    np.testing.assert_allclose(np.cov(np.array(x).T), cov, atol=0.1)
    batch = mx.random.multivariate_normal(mx.zeros((4, 1, 2), mx.int32), mx.stack([mx.eye(2)] * 3), key=key)
    assert batch.shape == (4, 3, 2)
    for arguments, message in [((mx.zeros(()), mx.eye(2)), "at least one dimension"),
                               ((mx.zeros(3), mx.eye(2)), "no square matrix for a mean"),
                               ((mx.zeros(2), mx.zeros((2, 3))), "no square matrix"),
                               ((mx.zeros(2), mx.eye(2), [], mx.float64), "must be float32")]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            mx.random.multivariate_normal(*arguments)
