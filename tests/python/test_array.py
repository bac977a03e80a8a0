"""The type array: construction, dtypes, weak scalars, operators, attributes, streams, memory, lifetime."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import mlx.core as mx

FLOATS = [mx.float16, mx.bfloat16, mx.float32, mx.float64]
INTS = [mx.uint8, mx.uint16, mx.uint32, mx.uint64, mx.int8, mx.int16, mx.int32, mx.int64]
ALL = [mx.bool_, *INTS, *FLOATS, mx.complex64]


@pytest.mark.parametrize(
    "value, dtype, shape",
    [
        (1, mx.int32, ()),
        (2**40, mx.int64, ()),
        (-(2**63), mx.int64, ()),
        (1.5, mx.float32, ()),
        (True, mx.bool_, ()),
        (1j, mx.complex64, ()),
        ([], mx.float32, (0,)),
        ((), mx.float32, (0,)),
        ([[], []], mx.float32, (2, 0)),
        ([1, 2], mx.int32, (2,)),
        ([1, 2**40], mx.int64, (2,)),
        ([1, 2.0], mx.float32, (2,)),
        ([True, False], mx.bool_, (2,)),
        ([True, 2], mx.int32, (2,)),
        ([1, 1j], mx.complex64, (2,)),
        (((1, 2), (3, 4)), mx.int32, (2, 2)),
        ([[1], (2,)], mx.int32, (2, 1)),
        (b"ab", mx.uint8, (2,)),
    ],
)
def test_construction(value, dtype, shape):
    a = mx.array(value)
    assert a.dtype == dtype
    assert a.shape == shape


def test_construction_with_dtype():
    assert mx.array(300, mx.uint8).item() == 44
    assert mx.array([300], dtype=mx.uint8).tolist() == [44]
    assert mx.array(2**63, dtype=mx.uint64).item() == 2**63
    assert mx.array([2**63, 1], dtype=mx.uint64).tolist() == [2**63, 1]
    assert mx.array([2**40], dtype=mx.int32).tolist() == [0]
    assert mx.array(0.1, dtype=mx.float64).item() == 0.1
    assert mx.array([0.1, 0.2], dtype=mx.float64).tolist() == [0.1, 0.2]
    assert mx.array(1j, dtype=mx.float32).item() == 0
    assert mx.array([1, 0, 2], dtype=mx.bool_).tolist() == [True, False, True]


def test_lists_of_arrays():
    a = mx.array([mx.array([1, 2]), mx.array([3.0, 4.0])])
    assert a.dtype == mx.float32 and a.tolist() == [[1, 2], [3, 4]]
    assert mx.array([mx.array(1), 2, 3]).tolist() == [1, 2, 3]
    assert mx.array([np.float32(1.5), np.array(2.0)]).tolist() == [1.5, 2.0]
    assert mx.array([[mx.array([1, 2])], [[3, 4]]]).shape == (2, 1, 2)


@pytest.mark.parametrize(
    "value", [{1}, {"a": 1}, range(3), object(), "text", [None], [1, "a"], (i for i in [1])]
)
def test_construction_refuses(value):
    with pytest.raises(ValueError, match="array"):
        mx.array(value)


def test_construction_shapes():
    with pytest.raises(ValueError, match="Initialization encountered non-uniform length."):
        mx.array([[1, 2], [3]])
    with pytest.raises(ValueError, match="Initialization encountered extra dimension."):
        mx.array([1, [2]])
    with pytest.raises(ValueError, match="Initialization encountered non-uniform length."):
        mx.array([[1], 2])
    nested = []
    nested.append(nested)
    with pytest.raises(RecursionError):
        mx.array(nested)
    with pytest.raises(TypeError):
        mx.array(None)
    with pytest.raises(RuntimeError):
        mx.array(2**63)
    for value in (2**64, -(2**63) - 1):
        for dtype in (mx.int8, mx.int64, mx.uint64):
            with pytest.raises(RuntimeError, match=f"The int {value} does not fit in 64 bits"):
                mx.array([1, value], dtype=dtype)


@pytest.mark.parametrize(
    "scalar, kept, others",
    [
        (True, ALL, None),
        (2, [*INTS, *FLOATS, mx.complex64], mx.int32),
        (2.0, [*FLOATS, mx.complex64], mx.float32),
        (2j, [mx.complex64], mx.complex64),
    ],
)
def test_weak_scalars(scalar, kept, others):
    for dtype in ALL:
        expected = dtype if dtype in kept else others
        a = mx.ones((2,), dtype)
        assert (a + scalar).dtype == expected
        assert (scalar + a).dtype == expected
        assert mx.add(a, scalar).dtype == expected
        assert mx.maximum(scalar, a).dtype == expected


def test_two_scalars():
    assert mx.add(1, 2).dtype == mx.int32
    assert mx.add(2**40, 1).dtype == mx.int64
    assert mx.add(1, 2.0).dtype == mx.float32
    assert mx.add(2**40, 1.0).dtype == mx.float32
    assert mx.add(np.int64(1), 1).dtype == mx.int64
    assert (mx.array(1.0) + mx.ones((2,), mx.float16)).dtype == mx.float32


def test_ints_that_do_not_fit():
    a = mx.array([1, 2], dtype=mx.uint8)
    for call in (
        lambda: a + 300,
        lambda: 300 - a,
        lambda: a == 300,
        lambda: a > -1,
        lambda: a / 300,
        lambda: a << 300,
    ):
        with pytest.raises(ValueError, match="Converting .* to uint8 would result in overflow."):
            call()
    with pytest.raises(ValueError, match="Converting 128 to int8"):
        mx.maximum(mx.array([1], dtype=mx.int8), 128)
    assert (mx.array([1], dtype=mx.int8) + -128).item() == -127
    with pytest.raises(ValueError, match="Converting 300 to uint8"):
        mx.full((2,), 300, mx.uint8)
    assert (mx.ones((1,), mx.float16) * 10**6).item() == float("inf")
    assert (mx.ones((1,), mx.float32) * 10**25).item() == np.float32(1e25)
    assert (mx.array([2**63], dtype=mx.uint64) - 2**63).item() == 0


def test_operators():
    a, b = mx.array([7, -7, 5]), mx.array([2, 2, -3])
    x, y = np.array([7, -7, 5]), np.array([2, 2, -3])
    for op in ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="):
        got = eval(f"a {op} b", {"a": a, "b": b})
        assert got.tolist() == pytest.approx(eval(f"x {op} y", {"x": x, "y": y}).tolist()), op
    assert (a**2).tolist() == [49, 49, 25]
    assert (2 ** b.astype(mx.float32)).tolist() == [4, 4, 0.125]
    assert (a << 1).tolist() == [14, -14, 10] and (a >> 1).tolist() == [3, -4, 2]
    assert (1 & a).tolist() == [1, 1, 1] and (1 | b).tolist() == [3, 3, -3]
    assert (-a).tolist() == [-7, 7, -5] and (+a).tolist() == a.tolist() and abs(a).tolist() == [7, 7, 5]
    assert (~a).tolist() == [-8, 6, -6]
    q, r = divmod(a, b)
    assert q.tolist() == [3, -4, -2] and r.tolist() == [1, 1, -1]
    assert (mx.array([[1.0, 2.0]]) @ mx.array([[3.0], [4.0]])).tolist() == [[11]]


def test_comparison_with_other_types():
    a = mx.array([1, 2])
    for other in (None, "a", [1, 2], (1, 2), {}, object()):
        assert (a == other) is False
        assert (a != other) is True
    with pytest.raises(ValueError):
        assert a < "a"
    with pytest.raises(TypeError):
        assert a < None
    assert (a == np.array([1, 3])).tolist() == [True, False]


def test_inplace_binds_the_object():
    a = mx.array([1, 2])
    alias, copied = a, mx.array(a)
    a += 1.5
    assert alias is a and alias.dtype == mx.float32 and alias.tolist() == [2.5, 3.5]
    assert copied.tolist() == [1, 2]
    a *= mx.ones((2, 1))
    assert alias.shape == (2, 2)
    i = mx.array([1, 2])
    with pytest.raises(ValueError):
        i /= 2
    for text in ("-=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>="):
        space = {"i": mx.array([5, 6]), "n": np.array([5, 6])}
        exec(f"i {text} 2; n {text} 2", space)
        assert space["i"].tolist() == space["n"].tolist(), text


def test_attributes():
    a = mx.zeros((2, 3), mx.float16)
    assert (a.shape, a.ndim, a.size, a.itemsize, a.nbytes, a.dtype) == ((2, 3), 2, 6, 2, 12, mx.float16)
    assert a.T.shape == (3, 2) and a.mT.shape == (3, 2)
    z = mx.array([1 + 2j])
    assert z.real.tolist() == [1] and z.imag.tolist() == [2]
    assert a.imag.dtype == mx.float16 and a.real.dtype == mx.float16
    assert not hasattr(a, "strides")
    with pytest.raises(AttributeError):
        a.shape = (6,)
    with pytest.raises(ValueError):
        mx.array([1]).mT
    assert a.__array_namespace__() is mx
    assert hash(a) == hash(a) and len({a: 1, z: 2}) == 2


def test_python_conversions():
    assert int(mx.array(3.7)) == 3 and float(mx.array([[2]])) == 2.0 and complex(mx.array(1j)) == 1j
    assert bool(mx.array(float("nan"))) is True and bool(mx.array([0])) is False
    assert list(range(5))[mx.array(2)] == 2
    for bad in (mx.array(1.0), mx.array([1]), mx.array(True)):
        with pytest.raises(TypeError, match="Only 0-dimensional integer arrays"):
            [0, 1, 2][bad]
    for call in (bool, int, float, lambda a: a.item()):
        with pytest.raises(ValueError, match="size 1"):
            call(mx.array([1, 2]))
    with pytest.raises(TypeError):
        int(mx.array(1j))
    with pytest.raises(TypeError):
        len(mx.array(1))
    with pytest.raises(TypeError):
        iter(mx.array(1))
    assert [r.tolist() for r in mx.array([[1, 2], [3, 4]])] == [[1, 2], [3, 4]]
    assert 2 in mx.array([1, 2]) and 3 not in mx.array([1, 2])
    first, second = mx.array([5, 6])
    assert second.item() == 6


@pytest.mark.parametrize("dtype", ALL, ids=repr)
def test_values(dtype):
    a = mx.array([[1, 0], [1, 1]]).astype(dtype)
    assert a.tolist() == [[1, 0], [1, 1]]
    assert a[0, 0].item() == 1
    kind = (
        bool if dtype == mx.bool_ else int if dtype in INTS else complex if dtype == mx.complex64 else float
    )
    assert type(a[0, 0].item()) is kind
    assert bytes(a) == bytes(mx.contiguous(a)) and len(bytes(a)) == 4 * dtype.size
    assert mx.array(a.T).tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize("dtype", ALL, ids=repr)
def test_pickle_and_copy(dtype):
    a = mx.array([[1.0, 2.0], [3.0, 0.1]]).astype(dtype)
    for b in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a)):
        assert b is not a and b.dtype == dtype and b.tolist() == a.tolist()
    assert pickle.loads(pickle.dumps(dtype)) == dtype
    assert copy.deepcopy({"d": dtype})["d"] == dtype


def test_dtypes():
    assert [hash(d) for d in (mx.bool_, mx.uint8, mx.float64, mx.bfloat16, mx.complex64)] == [
        0,
        1,
        11,
        12,
        13,
    ]
    assert mx.float32 == mx.float32 and mx.float32 != mx.float16
    assert mx.float32 != None and not (mx.float32 == "float32")  # noqa: E711
    assert mx.float32.size == 4
    assert mx.issubdtype(mx.float32, mx.floating) and mx.issubdtype(mx.floating, mx.inexact)
    assert not mx.issubdtype(mx.bool_, mx.number) and not mx.issubdtype(mx.floating, mx.float32)
    with pytest.raises(ValueError):
        mx.issubdtype(np.float32, mx.floating)
    assert mx.isdtype(mx.int8, ("bool", "signed integer")) and not mx.isdtype(mx.int8, ())
    with pytest.raises(ValueError):
        mx.isdtype(mx.int8, "int")
    assert mx.result_type(mx.array(1), mx.float16) == mx.float16
    with pytest.raises(ValueError):
        mx.result_type()
    assert mx.can_cast(mx.int8, mx.int32) and not mx.can_cast(mx.float32, mx.int32)
    assert mx.finfo(mx.bfloat16).eps == 2**-7 and mx.finfo(mx.complex64).dtype == mx.float32
    assert mx.iinfo(mx.int64).min == -(2**63) and mx.iinfo(mx.uint64).max == 2**64 - 1
    with pytest.raises(ValueError):
        mx.iinfo(mx.float32)


def test_subclass():
    class Tagged(mx.array):
        def __init__(self, value, tag):
            super().__init__(value)
            self.tag = tag

    t = Tagged([1, 2], tag="x")
    assert t.tag == "x" and (t + 1).tolist() == [2, 3] and isinstance(t, mx.array)
    assert mx.array.__new__(mx.array).shape == ()


def test_creation():
    assert mx.full((2,), 3).dtype == mx.int32 and mx.full(2, 3.0).dtype == mx.float32
    assert mx.full((2,), 3.7, mx.int32).tolist() == [3, 3]
    assert mx.full((2, 2), mx.array([1, 2])).tolist() == [[1, 2], [1, 2]]
    assert mx.full((2,), mx.array(1.5), mx.int32).dtype == mx.int32
    assert mx.zeros(3, None).dtype == mx.float32 and mx.ones((), mx.int8).shape == ()
    assert mx.full_like(mx.array([1]), 3.5).tolist() == [3]
    assert mx.zeros_like(mx.array([1], dtype=mx.int8)).dtype == mx.int8
    for bad in (
        lambda: mx.zeros((-1,)),
        lambda: mx.full((2,), mx.array([1, 2, 3])),
        lambda: mx.full((2,), [1, 2]),
    ):
        with pytest.raises(ValueError):
            bad()
    for bad in (lambda: mx.zeros(1.5), lambda: mx.zeros("a")):
        with pytest.raises(TypeError):
            bad()
    assert mx.arange(3).tolist() == [0, 1, 2] and mx.arange(1, 4).tolist() == [1, 2, 3]
    assert mx.arange(4, None, 2).tolist() == [0, 2] and mx.arange(0, 1, 0.25).dtype == mx.float32
    assert mx.arange(stop=2).tolist() == [0, 1] and mx.arange(2**33, 2**33 + 2).dtype == mx.int64
    assert mx.arange(0, 4, dtype=mx.float16).dtype == mx.float16
    assert mx.linspace(0, 1, 5).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert mx.eye(2, 3, k=1).tolist() == [[0, 1, 0], [0, 0, 1]]
    for bad in (lambda: mx.arange(True), lambda: mx.arange(0, 1, 0), lambda: mx.arange(float("nan"))):
        with pytest.raises(ValueError):
            bad()


def test_streams_and_devices():
    s = mx.new_stream(mx.cpu)
    a = mx.ones((2,))
    for stream in (None, s, mx.cpu, mx.Device(mx.cpu), mx.new_thread_local_stream(mx.cpu), 0):
        assert mx.add(a, a, stream=stream).tolist() == [2, 2]
    before = mx.default_stream(mx.cpu)
    with mx.stream(s) as nothing:
        assert nothing is None and mx.default_stream(mx.cpu) == s
        with pytest.raises(ZeroDivisionError), mx.stream(mx.new_stream(mx.cpu)):
            1 / 0
        assert mx.default_stream(mx.cpu) == s
    assert mx.default_stream(mx.cpu) == before
    assert mx.default_device() == mx.cpu and mx.Device(mx.cpu) == mx.cpu and mx.Device(mx.cpu) != mx.gpu
    assert mx.is_available(mx.cpu) and mx.device_count(mx.cpu) == 1
    assert set(mx.device_info()) >= {"architecture", "device_name"}
    if not mx.is_available(mx.gpu):
        assert mx.device_info(mx.gpu) == {}
        for call in (
            lambda: mx.set_default_device(mx.gpu),
            lambda: mx.new_stream(mx.gpu),
            lambda: mx.ones(2, stream=mx.gpu),
        ):
            with pytest.raises(ValueError):
                call()
    mx.synchronize()
    mx.synchronize(s)
    assert mx.eval(a) is None and mx.async_eval([a, {"x": a}]) is None
    assert mx.eval({"a": [a, (a + 1, None, "text")]}, 3) is None


def test_memory():
    a = mx.zeros((1000, 250)) + 1
    with pytest.raises(ValueError):
        mx.get_array_buffer_size(a)
    mx.eval(a)
    assert mx.get_array_buffer_size(a) >= 10**6
    view = a.T
    mx.eval(view)
    assert mx.get_array_buffer_size(a, [view, {"b": a}], 3) == mx.get_array_buffer_size(a)
    assert mx.get_active_memory() >= 10**6 and mx.get_peak_memory() >= 10**6
    previous = mx.set_memory_limit(mx.get_active_memory() + 10**6)
    try:
        with pytest.raises(mx.OutOfMemoryError) as info:
            mx.eval(mx.zeros((1000, 1000)) + 1)
        assert isinstance(info.value, MemoryError) and isinstance(info.value, RuntimeError)
    finally:
        mx.set_memory_limit(previous)
    mx.eval(mx.zeros((1000, 1000)) + 1)
    for bad in (-1, 1.5, "a"):
        with pytest.raises(TypeError):
            mx.set_cache_limit(bad)
    mx.clear_cache()
    assert mx.get_cache_memory() == 0


def test_weak_references():
    a = mx.array([1])
    r = weakref.ref(a)
    assert r() is a
    del a
    gc.collect()
    assert r() is None


def test_threads_share_arrays():
    x = mx.arange(1000).astype(mx.float32)
    lazy = [mx.exp(x * 1e-3 + i).sum() for i in range(50)]
    expected = [float(mx.exp(x * 1e-3 + i).sum()) for i in range(50)]
    failures = []

    def work(k):
        try:
            for i in range(50):
                assert lazy[(i + k) % 50].item() == expected[(i + k) % 50]
        except BaseException as e:  # noqa: BLE001
            failures.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


SIX = mx.arange(6)
INT_ARRAYS = {
    "zeros": (lambda ints: mx.zeros(ints([2, 3])), (2, 3)),
    "full": (lambda ints: mx.full(ints([2, 3]), 1.0), (2, 3)),
    "reshape": (lambda ints: mx.reshape(SIX, ints([2, -1])), (2, 3)),
    "method reshape": (lambda ints: SIX.reshape(ints([2, -1])), (2, 3)),
    "empty shape": (lambda ints: mx.reshape(SIX[:1], ints([])), ()),
    "broadcast_to": (lambda ints: mx.broadcast_to(SIX, ints([2, 6])), (2, 6)),
    "broadcast_shapes": (lambda ints: mx.zeros(mx.broadcast_shapes(ints([2, 1]), (3,))), (2, 3)),
    "transpose": (lambda ints: mx.transpose(mx.zeros((2, 3)), ints([1, 0])), (3, 2)),
    "method transpose": (lambda ints: mx.zeros((2, 3)).transpose(ints([1, 0])), (3, 2)),
    "sum": (lambda ints: mx.zeros((2, 3, 4)).sum(axis=ints([0, -1])), (3,)),
    "expand_dims": (lambda ints: mx.expand_dims(SIX, ints([0, 1])), (1, 1, 6)),
    "tile": (lambda ints: mx.tile(SIX, ints([2, 1])), (2, 6)),
    "normal": (lambda ints: mx.random.normal(ints([2, 3])), (2, 3)),
    "fft": (lambda ints: mx.fft.fft2(mx.zeros((4, 4)), s=ints([2, 3])), (2, 3)),
}


@pytest.mark.parametrize("name", INT_ARRAYS)
@pytest.mark.parametrize("dtype", [mx.int8, mx.int32, mx.int64], ids=str)
def test_an_int_array_is_a_sequence_of_ints(name, dtype):
    call, shape = INT_ARRAYS[name]
    assert call(lambda values: mx.array(values).astype(dtype)).shape == shape
    assert call(lambda values: np.array(values, dtype=np.int32)).shape == shape


@pytest.mark.parametrize("value", [mx.array([2.0, 3.0]), mx.array([[2, 3]]), mx.array(6), mx.array([True])])
def test_other_arrays_are_no_sequence_of_ints(value):
    with pytest.raises(TypeError, match=r"^\[reshape\] Argument 2 \(shape\) must be a sequence of ints"):
        mx.reshape(SIX, value)
    with pytest.raises(ValueError, match=r"^\[compile\]"):
        mx.compile(lambda shape: mx.zeros(shape))(mx.array([2, 3]))


def test_roll_and_split_in_all_their_forms():
    x = mx.arange(5)
    assert mx.roll(x, (1, 1), 0).tolist() == [3, 4, 0, 1, 2]
    assert mx.roll(x, (2**62, 2**62), 0).tolist() == mx.roll(x, (2**62, 2**62)).tolist() == [2, 3, 4, 0, 1]
    assert mx.roll(x, (1, 1), (0,)).tolist() == [3, 4, 0, 1, 2]
    assert mx.roll(mx.array([[1, 2], [3, 4]]), 1, (0, 1)).tolist() == [[4, 3], [2, 1]]
    assert [part.tolist() for part in mx.split(x, mx.array([1, 3]))] == [[0], [1, 2], [3, 4]]
    with pytest.raises(ValueError, match="vector of integers"):
        mx.split(x, mx.array([0.5]))
    assert mx.cumsum(mx.array([2, 0, 3]), dtype=mx.bool_).tolist() == [1, 1, 2]
    assert [v.item() for v in reversed(mx.array([1, 2]))] == [2, 1]


@pytest.mark.parametrize(
    "call, text",
    [
        (
            lambda: mx.einsum("i\0j->i", mx.ones((2, 2))),
            "[einsum] Argument 1 (subscripts) must not hold a NUL",
        ),
        (
            lambda: mx.pad(mx.ones((2,)), 1, mode="a\0b"),
            "[pad] Argument 3 (mode) must not hold a NUL character.",
        ),
        (lambda: mx.add(1, 2, **{"a\0b": 1}), "[add] There is no keyword 'a\\0b'. Its keywords: stream."),
        (
            lambda: mx.savez("/nowhere/a", **{"a\0b": 1}),
            "[savez] The value of 'a\\0b' must be an array, not int.",
        ),
        (
            lambda: mx.isdtype(mx.int32, mx.zeros((99, 99))),
            "[isdtype] The kind must be a Dtype, a tuple of kinds, or",
        ),
    ],
)
def test_texts_are_whole_and_short(call, text):
    with pytest.raises((ValueError, TypeError)) as info:
        call()
    assert str(info.value).startswith(text) and len(str(info.value)) < 250
