"""Sizes, counts and ints far beyond what can be: answered by shape, or refused, before anything is made."""

import numpy as np
import pytest

import mlx.core as mx

HUGE = 2**30
V = mx.array([1.0, 2.0, 3.0])
INDICES = mx.array([1, 2, 3])
COLUMN = mx.zeros((1, 5, 1))

# Shapes of results that are not evaluated: what builds them must not depend on the size.
LAZY = [
    *(
        (lambda mode=mode: mx.pad(V, HUGE, mode=mode), (2 * HUGE + 3,))
        for mode in ("edge", "reflect", "symmetric")
    ),
    *(
        (lambda mode=mode: mx.pad(V[:1], (2**40, 1), mode=mode), (2**40 + 2,))
        for mode in ("reflect", "symmetric")
    ),
    (lambda: mx.pad(V, (0, 2**40)), (2**40 + 3,)),
    *((lambda w=w: w(HUGE), (HUGE,)) for w in (mx.hanning, mx.hamming, mx.blackman, mx.bartlett)),
]

# These have no elements, or few, and are evaluated.
SMALL = [
    (lambda: mx.tril(mx.zeros((0, HUGE))), (0, HUGE)),
    (lambda: mx.triu(mx.zeros((HUGE, 0))), (HUGE, 0)),
    (lambda: mx.tri(HUGE, 0), (HUGE, 0)),
    (lambda: mx.eye(0, HUGE), (0, HUGE)),
    (lambda: mx.linalg.qr(mx.zeros((0, HUGE)), stream=mx.cpu)[1], (0, HUGE)),
    (lambda: mx.linalg.qr(mx.zeros((HUGE, 0)), stream=mx.cpu)[0], (HUGE, 0)),
    (lambda: mx.linalg.lu(mx.zeros((0, HUGE)), stream=mx.cpu)[2], (0, HUGE)),
    (lambda: INDICES[: 2**70], (3,)),
    (lambda: INDICES[-(2**70) : 2**70 : 2**70], (1,)),
    (lambda: INDICES[2**70 :: -1], (3,)),
    (lambda: INDICES[2**70 :], (0,)),
]

TOO_MUCH = [
    (lambda: mx.split(mx.zeros((HUGE,)), HUGE), r"\[split\] 1073741824 arrays need about 512 bytes each"),
    (lambda: mx.unstack(mx.zeros((HUGE,))), r"\[unstack\] 1073741824 arrays"),
    (lambda: mx.zeros((2**40,)).tolist(), r"\[tolist\] .* more than 8796093022208 bytes"),
    (lambda: bytes(mx.zeros((2**40,))), r"\[bytes\] 4398046511104 bytes"),
    (lambda: mx.fft.stft(V, n_fft=2**31 - 1), r"\[stft\] 1 frames of 2147483647 values .* bytes"),
    (lambda: mx.eval(mx.zeros((2**40,)) + 1), "4398046511104 bytes requested.*Add of float32"),
]


@pytest.mark.parametrize("call, shape", LAZY)
def test_lazy(call, shape):
    assert call().shape == shape


@pytest.mark.parametrize("call, shape", SMALL)
def test_small(call, shape):
    result = call()
    mx.eval(result)
    assert result.shape == shape


def test_axes_of_empty_arrays_join_to_no_wrong_size():
    wide, narrow = mx.zeros((2**40, 2**40, 0)), mx.zeros((2**40, 0))
    calls = (
        lambda: mx.flatten(wide, 0, 1),
        lambda: mx.kron(narrow, narrow),
        lambda: mx.tensordot(wide, wide, [[2], [2]]),
    )
    for call in calls:
        with pytest.raises(mx.IntOverflowError, match="does not fit in 64 bits"):
            call()


@pytest.mark.parametrize("call, text", TOO_MUCH)
def test_too_much(call, text):
    limit = mx.set_memory_limit(4 << 30)
    try:
        with pytest.raises(mx.OutOfMemoryError, match=text):
            call()
    finally:
        mx.set_memory_limit(limit)


# Python ints beyond 64 bits: the argument is named; an axis or an index is out of bounds like any other.
INTS = [
    (mx.IntOverflowError, lambda n: mx.zeros(n), "[zeros] Argument 1 (shape)"),
    (mx.IntOverflowError, lambda n: mx.zeros((2, n)), "[zeros] Argument 1 (shape)"),
    (mx.IntOverflowError, lambda n: INDICES.reshape(n), "[reshape] The sizes hold"),
    (mx.IntOverflowError, lambda n: INDICES.reshape(1, n), "[reshape] The sizes hold"),
    (mx.IntOverflowError, lambda n: mx.reshape(INDICES, (1, n)), "[reshape] Argument 2 (shape)"),
    (mx.IntOverflowError, lambda n: INDICES.transpose(n), "[transpose] The axes hold"),
    (mx.IntOverflowError, lambda n: mx.split(INDICES, n), "[split] Argument 2 (indices_or_sections)"),
    (mx.IntOverflowError, lambda n: mx.split(INDICES, [n]), "[split] Argument 2 (indices_or_sections)"),
    (mx.IntOverflowError, lambda n: mx.repeat(INDICES, n), "[repeat] Argument 2 (repeats)"),
    (mx.IntOverflowError, lambda n: mx.tile(INDICES, n), "[tile] Argument 2 (reps)"),
    (mx.IntOverflowError, lambda n: mx.roll(INDICES, n), "[roll] Argument 2 (shift)"),
    (mx.IntOverflowError, lambda n: mx.pad(INDICES, n), "[pad] Argument 2 (pad_width)"),
    (mx.IntOverflowError, lambda n: mx.eye(n), "[eye] Argument 1 (n)"),
    (mx.IntOverflowError, lambda n: mx.hanning(n), "[hanning] Argument 1 (M)"),
    (mx.IntOverflowError, lambda n: mx.linspace(0, 1, n), "[linspace] Argument 3 (num)"),
    (mx.IntOverflowError, lambda n: mx.topk(INDICES, n), "[topk] Argument 2 (k)"),
    (mx.IntOverflowError, lambda n: mx.partition(INDICES, n), "[partition] Argument 2 (kth)"),
    (mx.IntOverflowError, lambda n: mx.round(V, n), "[round] Argument 2 (decimals)"),
    (mx.IntOverflowError, lambda n: mx.bincount(INDICES, size=n), "[bincount] Argument 'size'"),
    (mx.IntOverflowError, lambda n: mx.nonzero(INDICES, size=n), "[nonzero] Argument 'size'"),
    (mx.IntOverflowError, lambda n: mx.fft.fft(V, n=n), "[fft] Argument 2 (n)"),
    (mx.IntOverflowError, lambda n: mx.random.permutation(n), "[permutation] Argument 1 (x)"),
    (mx.IntOverflowError, lambda n: mx.conv1d(COLUMN, COLUMN, stride=n), "[conv1d] Argument 3 (stride)"),
    (
        mx.IntOverflowError,
        lambda n: mx.conv_general(COLUMN, COLUMN, padding=([n], [0])),
        "[conv_general] Argument 4",
    ),
    (mx.IntOverflowError, lambda n: mx.grad(mx.sum, argnums=n)(V), "[grad] Argument 2 (argnums)"),
    (mx.IntOverflowError, lambda n: mx.vmap(mx.sum, in_axes=n)(V), "[vmap] Argument 2 (in_axes)"),
    (mx.IntOverflowError, lambda n: mx.Device(mx.cpu, n), "[Device] Argument 2 (index)"),
    (
        mx.IntOverflowError,
        lambda n: mx.set_printoptions(precision=n),
        "[set_printoptions] Argument 1 (precision)",
    ),
    (mx.IntOverflowError, lambda n: mx.set_memory_limit(n), "[set_memory_limit] Argument 1 (limit)"),
    (mx.IntOverflowError, lambda n: mx.broadcast_shapes((n,)), "[broadcast_shapes] Argument 1"),
    (mx.AxisError, lambda n: mx.sum(INDICES, axis=n), "[sum] Argument 2 (axis)"),
    (mx.AxisError, lambda n: mx.sum(INDICES, axis=(0, n)), "[sum] Argument 2 (axis)"),
    (mx.AxisError, lambda n: mx.softmax(V, n), "[softmax] Argument 2 (axis)"),
    (mx.AxisError, lambda n: mx.transpose(INDICES, (n,)), "[transpose] Argument 2 (axes)"),
    (mx.AxisError, lambda n: mx.tensordot(V, V, [[n], [0]]), "[tensordot] Argument 3 (axes)"),
    (mx.AxisError, lambda n: mx.take(INDICES, n), "[take] Argument 2 (indices)"),
    (mx.AxisError, lambda n: INDICES[n], "[index] Index"),
    (mx.AxisError, lambda n: mx.ones((2, 2))[0, n], "[index] Index"),
    (mx.AxisError, lambda n: mx.ones((2,)).__setitem__(n, 1.0), "[index] Index"),
    (mx.AxisError, lambda n: INDICES.at[n].add(1), "[index] Index"),
]


@pytest.mark.parametrize("n", [2**70, -(2**70)])
@pytest.mark.parametrize("error, call, text", INTS, ids=[row[2] for row in INTS])
def test_ints_beyond_64_bits(error, call, text, n):
    assert issubclass(error, ValueError)
    with pytest.raises(error) as info:
        call(n)
    assert str(info.value).startswith(text) and (
        str(abs(n)) in str(info.value) or "64 bits" in str(info.value)
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: mx.sum(INDICES, axis=2**40),
        lambda: mx.transpose(INDICES, (2**40,)),
        lambda: INDICES.transpose(2**40),
        lambda: mx.tensordot(V, V, [[2**40], [0]]),
        lambda: mx.conv_general(COLUMN, COLUMN, padding=([2**40], [0])),
        lambda: mx.pad(INDICES, 2**62),
        lambda: mx.take(INDICES, 2**40),
        lambda: mx.arange(10**400),
        lambda: mx.linspace(0, 10**400, 3),
        lambda: mx.isclose(V, V, rtol=10**400),
    ],
)
def test_ints_beyond_32_bits_do_not_wrap(call):
    with pytest.raises(ValueError, match=r"^\["):
        call()


def test_an_overflow_is_an_overflow_error_too():
    with pytest.raises(OverflowError):
        mx.zeros(2**70)


def padded_from(n, low, high, mode):
    """The index that each element of a padded axis comes from; np.pad folds wrongly before NumPy 2."""
    index = np.arange(-low, n + high)
    if mode == "edge":
        return index.clip(0, n - 1)
    period = 2 * n if mode == "symmetric" else max(2 * n - 2, 1)
    index %= period
    return np.where(index < n, index, (period - 1 if mode == "symmetric" else period) - index)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric"])
@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("low, high", [(0, 1), (1, 0), (2, 2), (5, 3), (13, 29), (40, 1)])
def test_pad_many_times_the_size(mode, n, low, high):
    x = np.arange(1, 2 * n + 1, dtype=np.float32).reshape(n, 2)
    got = mx.pad(mx.array(x), [(low, high), (0, 3)], mode=mode)
    places = np.ix_(padded_from(n, low, high, mode), padded_from(2, 0, 3, mode))
    assert np.array_equal(np.array(got), x[places])
    # Each element counts as often as it is seen.
    gradient = mx.grad(lambda a: mx.pad(a, [(low, high), (0, 3)], mode=mode).sum())(mx.array(x))
    seen = np.arange(2 * n).reshape(n, 2)[places]
    assert np.array_equal(np.array(gradient).ravel(), np.bincount(seen.ravel(), minlength=2 * n))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric"])
def test_pad_of_an_empty_axis_raises_at_once(axis, mode):
    shape = [2, 2]
    shape[axis] = 0
    widths = [(HUGE, HUGE), (HUGE, HUGE)]
    with pytest.raises(ValueError, match=rf"Mode {mode} cannot extend axis {axis} with size 0"):
        mx.pad(mx.zeros(shape), widths, mode=mode)


@pytest.mark.parametrize("name", ["hanning", "hamming", "blackman", "bartlett"])
@pytest.mark.parametrize("M", [-3, 0, 1, 2, 3, 10, 51])
def test_windows(name, M):
    got = getattr(mx, name)(M)
    assert got.dtype == mx.float32
    np.testing.assert_allclose(np.array(got), getattr(np, name)(M), atol=1e-7, rtol=1e-7)
