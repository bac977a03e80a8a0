"""NumPy, buffers, DLPack, __mlx_array__: in, out, beside arrays in operators; lifetimes."""

import array
import copy
import gc
import pickle
import subprocess
import sys
import zlib

import numpy as np
import pytest

import mlx.core as mx

PAIRS = [
    ("bool", mx.bool_), ("uint8", mx.uint8), ("uint16", mx.uint16), ("uint32", mx.uint32),
    ("uint64", mx.uint64), ("int8", mx.int8), ("int16", mx.int16), ("int32", mx.int32),
    ("int64", mx.int64), ("float16", mx.float16), ("float32", mx.float32), ("complex64", mx.complex64),
]  # fmt: skip


class Hook:
    def __init__(self, value):
        self.value = value

    def __mlx_array__(self):
        return self.value


class HookAttribute:
    def __init__(self, value):
        self.__mlx_array__ = value


@pytest.mark.parametrize("name, dtype", PAIRS)
def test_numpy_dtypes(name, dtype):
    n = np.array([[0, 1], [1, 1]], dtype=name)
    a = mx.array(n)
    assert a.dtype == dtype and a.tolist() == n.tolist()
    back = np.asarray(a)
    assert back.dtype == name and np.array_equal(back, n)
    assert mx.array(n[()].flat[1]).dtype == dtype
    assert mx.array(n.astype(n.dtype.newbyteorder(">"))).tolist() == n.tolist()


def test_numpy_wide_dtypes():
    n = np.array([0.1, 1e300])
    assert mx.array(n).dtype == mx.float32 and mx.array(np.float64(0.5)).dtype == mx.float32
    assert mx.array(n, dtype=mx.float64).tolist() == n.tolist()
    assert mx.array(n, dtype=mx.float16).dtype == mx.float16
    assert mx.array(np.array([1 + 2j])).dtype == mx.complex64
    assert mx.array(np.array([1.5 + 2j], ">c16")).tolist() == [1.5 + 2j]
    assert mx.array(np.array([1.5], ">f8")).tolist() == [1.5]
    assert np.asarray(mx.array([0.1], dtype=mx.float64)).dtype == np.float64


@pytest.mark.parametrize(
    "make",
    [
        lambda n: n[::-1],
        lambda n: n.T,
        lambda n: n[:, ::2],
        lambda n: np.broadcast_to(n[0], (3, 4)),
        lambda n: n[:0],
    ],
)
def test_numpy_layouts(make):
    n = make(np.arange(12.0, dtype=np.float32).reshape(3, 4))
    a = mx.array(n)
    assert a.shape == n.shape and np.array_equal(np.array(a), n)
    assert np.array_equal(np.array(mx.array(n.astype(np.float64))), n)


@pytest.mark.parametrize(
    "bad", [np.array(["a"]), np.array([object()]), np.zeros(2, np.longdouble), np.array([0], "M8[s]")]
)
def test_numpy_refused(bad):
    with pytest.raises(RuntimeError, match="not supported"):
        mx.array(bad)


def test_copies_in():
    n = np.zeros(3, np.float32)
    a = mx.array(n)
    n[:] = 1
    assert a.tolist() == [0, 0, 0]


def test_aliases_in():
    n = np.zeros(3, np.float32)
    a = mx.asarray(n, copy=False)
    n[:] = 1
    assert a.tolist() == [1, 1, 1]
    b = mx.from_dlpack(n)
    n[:] = 2
    assert b.tolist() == [2, 2, 2]
    c = b + 0
    mx.eval(c)
    n[:] = 3
    assert c.tolist() == [2, 2, 2]
    del n
    gc.collect()
    assert (a + b).tolist() == [6, 6, 6]
    x = mx.array([1.0])
    assert mx.asarray(x, copy=False).tolist() == [1] and mx.asarray(x) is not x
    for bad in ([1, 2], 3, np.zeros(3, ">f4"), b"abc"):
        with pytest.raises(ValueError):
            mx.asarray(bad, copy=False)
    with pytest.raises(ValueError):
        mx.asarray(np.zeros(3, np.float32), mx.int32, copy=False)


def test_views_out():
    a = mx.array([[1.0, 2.0], [3.0, 4.0]])
    n = np.asarray(a)
    n[0, 0] = 9
    assert a.tolist() == [[9, 2], [3, 4]]
    assert not np.shares_memory(np.array(a), n)
    t = np.asarray(a.T)
    assert t.strides == (4, 8) and t.tolist() == [[9, 3], [2, 4]]
    assert np.asarray(mx.zeros((2, 3))).tolist() == [[0] * 3] * 2
    b = mx.broadcast_to(mx.array([1, 2]), (3, 2))
    assert np.asarray(b).tolist() == [[1, 2]] * 3
    assert memoryview(mx.array([1, 2])).format == "i"
    # A result must not reuse memory that somebody looks at.
    e = mx.array([1.0, 2.0])
    view = np.asarray(e)
    e = mx.exp(e)
    mx.eval(e)
    assert view.tolist() == [1, 2]
    owner = np.asarray(mx.arange(1000) * 1)
    gc.collect()
    assert owner.sum() == 499500
    assert np.asarray(mx.zeros((0, 3))).shape == (0, 3) and np.asarray(mx.array(1.5)).item() == 1.5


def test_copies_of_arrays():
    a = mx.array([1.0, 2.0])
    b, c = mx.array(a), mx.asarray(a)
    np.asarray(a)[0] = 9
    assert a.tolist() == [9, 2] and b.tolist() == [1, 2] and c.tolist() == [9, 2]


def test_buffer_requests():
    a = mx.arange(6).reshape(2, 3)
    assert bytes(memoryview(a)) == np.arange(6, dtype=np.int32).tobytes()
    assert not memoryview(a.T).c_contiguous and memoryview(a.T).f_contiguous
    with pytest.raises(BufferError):
        zlib.crc32(a.T)  # asks for one block of bytes
    assert zlib.crc32(a) == zlib.crc32(np.arange(6, dtype=np.int32))
    half = mx.array([[1.0, 2.0], [3.0, 4.0]]).astype(mx.bfloat16)
    assert bytes(half.T) == np.array([0x3F80, 0x4040, 0x4000, 0x4080], np.uint16).tobytes()
    assert zlib.crc32(half) == zlib.crc32(bytes(half))


def test_array_protocol():
    a = mx.array([1, 2])
    assert a.__array__().tolist() == [1, 2]
    assert np.asarray(a, dtype=np.float64).dtype == np.float64
    assert a.__array__(np.float32).dtype == np.float32
    assert not np.shares_memory(a.__array__(copy=True), np.asarray(a))
    with pytest.raises(ValueError):
        a.__array__(np.float32, copy=False)


def test_dlpack():
    a = mx.arange(6).reshape(2, 3)
    assert a.__dlpack_device__() == (1, 0)
    assert np.from_dlpack(a).tolist() == a.tolist()
    assert np.from_dlpack(a.T).tolist() == a.T.tolist()
    assert mx.from_dlpack(a).tolist() == a.tolist()
    b = mx.from_dlpack(np.from_dlpack(a))
    assert b.tolist() == a.tolist() and b.dtype == mx.int32
    assert mx.from_dlpack(np.arange(6.0).reshape(2, 3)[:, ::2]).tolist() == [[0, 2], [3, 5]]
    for layout in (
        lambda n: n[:, ::2],
        lambda n: n.T,
        lambda n: n[::-1, ::-2],
        lambda n: n[:0],
        lambda n: n[1:, 1],
    ):
        n = layout(np.arange(6, dtype=np.int16).reshape(2, 3))
        for b in (mx.from_dlpack(n), mx.from_dlpack(n, copy=False)):
            assert b.tolist() == n.tolist() and (b + 1).tolist() == (n + 1).tolist()
            n += 1
            assert b.tolist() == n.tolist()
        c = mx.from_dlpack(n, copy=True)
        n += 1
        assert c.tolist() == (n - 1).tolist()
    with pytest.raises(TypeError, match="__dlpack__"):
        mx.from_dlpack([1, 2])


def test_other_buffers():
    assert mx.array(array.array("d", [1.5, 2.5])).tolist() == [1.5, 2.5]
    assert mx.array(memoryview(b"ab")).tolist() == [97, 98]
    assert mx.array(bytearray(b"a")).dtype == mx.uint8


def test_numpy_beside_arrays():
    h = mx.ones((2,), mx.float16)
    assert (h + np.float32(1)).dtype == mx.float16 and (h + np.float64(1)).dtype == mx.float16
    assert (h + np.ones(2, np.float32)).dtype == mx.float16
    i = mx.ones((2,), mx.int8)
    assert (i + np.array([2.5, 2.5])).tolist() == [3.5, 3.5]
    assert (i + np.array([1, 2])).dtype == mx.int8
    assert mx.add(i, np.int64(3)).dtype == mx.int8
    assert isinstance(np.ones(2) + i, np.ndarray)
    assert mx.add(np.ones(2, np.float32), 1).dtype == mx.float32
    assert mx.exp(np.zeros(2)).tolist() == [1, 1]
    assert mx.where(np.array([True, False]), 1, 2).tolist() == [1, 2]


@pytest.mark.parametrize("hook", [Hook, HookAttribute])
def test_mlx_array_hook(hook):
    a = mx.array([1.0, 2.0])
    h = hook(mx.array([10.0, 20.0]))
    assert (a + h).tolist() == [11, 22] and (h + a).tolist() == [11, 22] if hook is Hook else True
    assert mx.add(h, a).tolist() == [11, 22] and mx.maximum(h, 15).tolist() == [15, 20]
    assert mx.exp(hook(mx.array(0.0))).item() == 1
    assert mx.array(h).tolist() == [10, 20] and mx.asarray(h).tolist() == [10, 20]
    assert mx.where(a > 1, h, 0).tolist() == [0, 20]
    a[0] = hook(mx.array(5.0))
    assert a.tolist() == [5, 2]
    with pytest.raises(TypeError, match="__mlx_array__ must give an array"):
        mx.array(Hook([1]))


@pytest.mark.parametrize("hook", [Hook, HookAttribute, mx.ArrayLike])
def test_mlx_array_hook_everywhere(hook):
    """Functions, methods, operators, lists and indices take it, wherever an array may stand."""
    a, m = mx.array([1.0, 2.0]), mx.array([[1.0, 2.0], [3.0, 4.0]])
    h, hm, hi = hook(a), hook(m), hook(mx.array([1, 0]))
    rows = [
        (mx.sum(h), 3), (mx.argmax(h), 1), (mx.reshape(hm, (4,)), [1, 2, 3, 4]), (mx.sort(hi), [0, 1]),
        (mx.matmul(hm, h), [5, 11]), (m @ h, [5, 11]), (h @ m, [7, 10]),
        (mx.addmm(h, hm, hm), [[8, 12], [16, 24]]),
        (mx.concatenate([h, a]), [1, 2, 1, 2]), (mx.stack([h, h]), [[1, 2], [1, 2]]),
        (mx.take(a, hi), [2, 1]),
        (mx.take_along_axis(h, hi, 0), [2, 1]), (a[hi], [2, 1]), (m[hook(m > 2)], [3, 4]),
        (mx.array([h, a]), [[1, 2]] * 2),
        (a.at[hi].add(h), [3, 3]), (mx.einsum("i,ij->j", h, hm), [7, 10]),
        (mx.broadcast_arrays(h, hm)[0], [[1, 2]] * 2),
        (mx.fast.rms_norm(h, hook(mx.zeros(2)), 1e-5), [0, 0]),
        (mx.linspace(0, hook(mx.array(1.0)), 2), [0, 1]),
        (a == h, [True, True]), (a * h, [1, 4]), (h - a, [0, 0]), (mx.full((2,), hook(mx.array(3))), [3, 3]),
        (mx.depends(h, hm), [1, 2]), (mx.random.permutation(hook(mx.array([5]))), [5]),
        (mx.fast.rope(hook(m[None]), 2, traditional=False, base=9.0, scale=1.0,
                      offset=hook(mx.array(-1)))[:, 1],
         [[3, 4]]),
        (mx.where(hook(a > 1), h, hm), [[1, 2], [3, 2]]), (mx.meshgrid(h, h)[0], [[1, 2]] * 2),
        (mx.atleast_2d(h), [[1, 2]]),
        (mx.clip(h, hook(mx.array(1.5)), None), [1.5, 2]),
        (mx.pad(h, 1, constant_values=hook(mx.array(9.0))), [9, 1, 2, 9]),
    ]  # fmt: skip
    for i, (got, expected) in enumerate(rows):
        assert got.tolist() == expected, i
    for wrong in (
        lambda: mx.sum(object()),
        lambda: mx.stack([a, object()]),
        lambda: m @ 2,
        lambda: mx.meshgrid(a, 1),
    ):
        with pytest.raises(TypeError, match="must be an array|a list of arrays"):
            wrong()


def test_array_like():
    for value, expected in ((mx.array([1]), [1]), (2, 2), (np.array([3.5]), [3.5]), (Hook(mx.array(4)), 4)):
        assert mx.array(mx.ArrayLike(value)).tolist() == expected
    for bad, error in (("a", ValueError), (None, TypeError), (object(), ValueError)):
        with pytest.raises(error, match="ArrayLike"):
            mx.ArrayLike(bad)


def test_objects_with_array_only():
    class OnlyArray:
        def __array__(self, dtype=None, copy=None):
            return np.zeros(2)

    with pytest.raises(ValueError):
        mx.array(OnlyArray())


ml_dtypes = pytest.importorskip("ml_dtypes")
LAYOUTS = [
    lambda a: a,
    lambda a: a.T,
    lambda a: a[::-1, ::2],
    lambda a: mx.broadcast_to(a[0], (2, 3)),
    lambda a: a[:0],
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_bfloat16_to_numpy(layout):
    a = layout(mx.arange(6).reshape(2, 3).astype(mx.bfloat16))
    wanted = np.array(a.astype(mx.float32))
    for n in (np.asarray(a), np.array(a), a.__array__(), np.asarray(a, dtype=ml_dtypes.bfloat16)):
        assert n.dtype == ml_dtypes.bfloat16 and np.array_equal(n.astype(np.float32), wanted)
    assert np.asarray(a, dtype=np.float64).dtype == np.float64
    assert np.array_equal(np.array(mx.array(np.asarray(a)).astype(mx.float32)), wanted)


def test_bfloat16_aliases():
    a = mx.array([1.0, 2.0]).astype(mx.bfloat16)
    np.asarray(a)[0] = 5
    assert a.tolist() == [5, 2]
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(a)
    assert isinstance(np.ones(2, np.float32) + a, np.ndarray)


def test_bfloat16_without_the_package():
    """Then the buffer shows its format, and NumPy says that it has none for it."""
    code = """if True:
        import sys
        sys.modules["ml_dtypes"] = None
        import numpy as np, mlx.core as mx
        a = mx.array([1.0]).astype(mx.bfloat16)
        assert memoryview(a).format == "bfloat16"
        try:
            np.asarray(a)
        except ValueError as e:
            assert "bfloat16" in str(e)
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ml_dtypes():
    n = np.array([1.5, 2.5], ml_dtypes.bfloat16)
    assert mx.array(n).dtype == mx.bfloat16 and mx.array(n).tolist() == [1.5, 2.5]
    for scalar in (ml_dtypes.bfloat16(1.5), n[0]):
        assert mx.array(scalar).dtype == mx.bfloat16 and mx.array(scalar).item() == 1.5
        assert mx.array([scalar, scalar]).dtype == mx.bfloat16 and mx.array([[scalar], [2]]).tolist() == [
            [1.5],
            [2],
        ]
        assert (mx.array([1.0]) + scalar).dtype == mx.float32 and (mx.array([1.0]) * scalar).tolist() == [1.5]
        assert mx.maximum(scalar, mx.array([1.0], mx.float16)).tolist() == [1.5]
        assert mx.add(scalar, scalar).dtype == mx.bfloat16
        a = mx.zeros(2, mx.bfloat16)
        a[0] = scalar
        assert a.tolist() == [1.5, 0]
    assert (mx.ones(2, mx.bfloat16) * n).dtype == mx.bfloat16
    assert mx.array(n[::-1]).tolist() == [2.5, 1.5] and mx.array([n, n]).shape == (2, 2)
    for name in ("float8_e4m3fn", "int4"):
        with pytest.raises(RuntimeError, match="not supported"):
            mx.array(np.zeros(2, getattr(ml_dtypes, name)))


def test_numpy_in_lists():
    n = np.arange(3, dtype=np.int16)
    assert mx.array([n, n + 1]).tolist() == [[0, 1, 2], [1, 2, 3]] and mx.array([n, n]).dtype == mx.int16
    assert (
        mx.array([np.float32(1), 2]).tolist() == [1, 2]
        and mx.array([np.int64(1), np.int64(2)]).dtype == mx.int64
    )
    assert (
        mx.array([[np.uint8(1)], [np.uint8(2)]]).shape == (2, 1)
        and mx.array([np.True_, False]).dtype == mx.bool_
    )
    assert mx.array([np.float64(1), np.float64(2)]).dtype == mx.float32
    assert mx.array([n, mx.array([4, 5, 6])]).tolist() == [[0, 1, 2], [4, 5, 6]]


def test_read_only_inputs():
    n = np.arange(4.0, dtype=np.float32)
    n.flags.writeable = False
    for a in (mx.array(n), mx.asarray(n), mx.array(n[::-2]), mx.array(memoryview(n)), mx.ones(4) * n):
        assert a.size
    assert mx.from_dlpack(n, copy=True).tolist() == n.tolist()
    with pytest.raises((ValueError, BufferError)):
        mx.asarray(n, copy=False)


@pytest.mark.parametrize("dtype", [d for _, d in PAIRS] + [mx.bfloat16, mx.float64])
def test_copies(dtype):
    for a in (
        mx.array([[0, 1, 2], [3, 4, 5]]).astype(dtype),
        mx.zeros((0, 2), dtype),
        mx.array(1).astype(dtype).T,
    ):
        for b in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a), copy.deepcopy([a])[0]):
            assert b is not a and b.dtype == dtype and b.shape == a.shape and b.tolist() == a.tolist()
            b[...] = 1
        assert a.tolist() != b.tolist() or a.size < 2
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(mx.array([0.1, 1e300], dtype=mx.float64), protocol)).tolist() == [
            0.1,
            1e300,
        ]


def test_array_namespace():
    a = mx.array([1.0])
    for version in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        assert a.__array_namespace__(api_version=version) is mx
    with pytest.raises(ValueError, match="1999"):
        a.__array_namespace__(api_version="1999.12")
    with pytest.raises(TypeError):
        a.__array_namespace__(api_version=3)
    info = mx.__array_namespace_info__()
    assert info.capabilities()["boolean indexing"] and info.capabilities()["data-dependent shapes"]
    assert info.default_device() == mx.default_device() and mx.Device(mx.cpu) in info.devices()
    assert info.default_dtypes(device=mx.cpu) == {
        "real floating": mx.float32, "complex floating": mx.complex64,
        "integral": mx.int32, "indexing": mx.uint32,
    }  # fmt: skip
    assert info.default_dtypes()["integral"] == mx.array([1]).dtype
    assert info.default_dtypes()["indexing"] == mx.argmax(a).dtype
    everything = info.dtypes()
    assert len(everything) == 12 and everything["bool"] == mx.bool_ and everything["float64"] == mx.float64
    for kind in (
        "bool",
        "signed integer",
        "unsigned integer",
        "integral",
        "real floating",
        "complex floating",
        "numeric",
    ):
        assert info.dtypes(kind=kind) == {n: t for n, t in everything.items() if mx.isdtype(t, kind)}
    assert (
        set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64"}
        and info.dtypes(kind=()) == {}
    )
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="float")
    with pytest.raises(TypeError, match="Device"):
        info.dtypes(device="cpu")


def test_devices_of_arrays():
    a = mx.array([1.0])
    assert a.device == mx.default_device() and a.to_device(a.device).tolist() == [1]
    assert a.to_device(mx.cpu).tolist() == [1] and a.to_device(
        mx.Device(mx.cpu, 0), stream=None
    ).tolist() == [1]
    for bad in ("cpu", None, mx.default_stream(mx.cpu)):
        with pytest.raises(TypeError, match="to_device"):
            a.to_device(bad)
    with pytest.raises(ValueError, match="There is no Device"):
        a.to_device(mx.Device(mx.cpu, 7))


def test_number_protocols():
    a = mx.array([1.26, -2.5])
    assert round(a).tolist() == [1, -2] and round(a, 1).tolist() == mx.round(a, 1).tolist()
    assert round(a, None).dtype == mx.float32 and round(mx.array([15, -25]), -1).tolist() == [20, -20]
    with pytest.raises(TypeError):
        round(a, 1.5)
    assert a.__div__(2).tolist() == (a / 2).tolist() and a.__rdiv__(2).tolist() == (2 / a).tolist()
    assert (2 ** mx.array([1, 3])).tolist() == [2, 8] and mx.array(3).__rpow__(2).item() == 8
    assert (
        (5 & mx.array([4, 1])).tolist() == [4, 1]
        and (1 << mx.array(3)).item() == 8
        and divmod(7, mx.array(2))[1].item() == 1
    )
    with pytest.raises(TypeError, match="modulus"):
        pow(a, 2, 3)
    with pytest.raises(TypeError, match="modulus"):
        pow(2, a, 3)


def test_torch():
    torch = pytest.importorskip("torch")
    t = torch.tensor([[1.5, 2.5]], requires_grad=True)
    assert mx.array(t).tolist() == [[1.5, 2.5]]
    assert mx.array(torch.tensor([1.5], dtype=torch.bfloat16)).dtype == mx.bfloat16
    assert mx.array(torch.tensor([1.5], dtype=torch.float64)).dtype == mx.float32
    assert torch.from_dlpack(mx.array([1, 2])).tolist() == [1, 2]
    half = torch.from_dlpack(mx.array([1.5, 2.5]).astype(mx.bfloat16))
    assert half.dtype == torch.bfloat16 and half.tolist() == [1.5, 2.5]
    t = torch.arange(6.0).reshape(2, 3)
    for source in (t, t.T, t[:, ::2], t[1:]):
        a = mx.from_dlpack(source)
        assert a.tolist() == source.tolist()
        source[0, 0] = -1
        assert a[0, 0].item() == -1
        shared = torch.from_dlpack(a.T)
        shared[0, 0] = -2
        assert source[0, 0].item() == -2


def test_bools_are_zero_or_one():
    odd = np.array([0, 1, 2, 255], np.uint8).view(bool)
    for x in (mx.array(odd), mx.array(np.array([0, 2, 255], np.uint8)).view(mx.bool_)):
        assert x.astype(mx.int32).tolist() == [int(v) for v in x.tolist()]
        assert x.view(mx.uint8).max().item() == 1 and x.sum().item() == sum(x.tolist())
    for layout in (odd, odd[::-1], np.stack([odd, odd]).T):
        x = mx.from_dlpack(layout)
        assert x.tolist() == layout.tolist() and x.sum().item() == sum(layout.ravel().tolist())
        for share in (mx.asarray, mx.from_dlpack):
            with pytest.raises(ValueError, match="without a copy"):
                share(layout, copy=False)
    assert mx.from_dlpack(np.array([False, True]), copy=False).tolist() == [False, True]


def test_pickle_of_halves_in_any_layout():
    x = mx.arange(12).reshape(3, 4).astype(mx.bfloat16)
    for y in (x.T, x[::-1], x[:, 1], mx.ones(4, mx.bfloat16), x[1:, ::2], x[:0]):
        z = pickle.loads(pickle.dumps(y))
        assert z.dtype == y.dtype and z.shape == y.shape and z.tolist() == y.tolist()


numpy_asks_for_copies = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.1.0",
    reason="NumPy before 2.1 reads DLPack only, and asks for no copy",
)


@numpy_asks_for_copies
@pytest.mark.parametrize("copy", [None, False, True])
def test_dlpack_copies_as_asked(copy):
    for a in (mx.array([[1, 2], [3, 4]]), mx.array([[1, 2], [3, 4]]).T):
        shared = np.from_dlpack(a, copy=copy)
        assert shared.tolist() == a.tolist() and shared.flags.writeable
        shared[0, 0] = 9
        assert a[0, 0].item() == (1 if copy else 9)


BROADCAST = {
    "zeros": lambda: mx.zeros((3,)),
    "full": lambda: mx.full((2, 3), 7, mx.int32),
    "rows": lambda: mx.broadcast_to(mx.array([1.0, 2.0]), (3, 2)),
    "columns": lambda: mx.broadcast_to(mx.array([[1.0], [2.0]]), (2, 3)).T,
    "windows": lambda: mx.as_strided(mx.arange(5), (3, 3), (1, 1)),
}


@pytest.mark.parametrize("make", BROADCAST.values(), ids=BROADCAST)
def test_elements_that_share_memory_are_not_written(make):
    a = make()
    mx.eval(a)
    for view in (np.asarray(a), a.__array__(), np.asarray(memoryview(a))):
        assert view.tolist() == a.tolist() and not view.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 0
    assert memoryview(a).readonly
    copy = np.array(a)
    copy.flat[0] = 5
    assert np.from_dlpack(a).tolist() == a.tolist()


@numpy_asks_for_copies
@pytest.mark.parametrize("make", BROADCAST.values(), ids=BROADCAST)
def test_elements_that_share_memory_are_copied_for_dlpack(make):
    a = make()
    mx.eval(a)
    for given in (np.from_dlpack(a), np.from_dlpack(a, copy=True)):
        assert given.tolist() == a.tolist()
        given.flat[0] += 1
        assert np.sum(given != np.array(a)) == 1
    with pytest.raises(BufferError, match="cannot be given without a copy"):
        np.from_dlpack(a, copy=False)


def test_views_without_shared_elements_are_written():
    a = mx.arange(12).reshape(3, 4)
    for view in (a.T, a[:, ::2], a[::-1], mx.broadcast_to(a[:1], (1, 4)), mx.as_strided(a, (2, 2), (5, 2))):
        mx.eval(view)
        assert np.asarray(view).flags.writeable


def test_numpy_dtype_argument():
    with pytest.raises(
        TypeError, match=r"\[__array__\] Argument 1 \(dtype\) must be a NumPy dtype, not array"
    ):
        mx.zeros((100, 100)).__array__(mx.zeros((100, 100)))


def test_sequences():
    sizes = mx.array([3, 1, 2])
    assert np.ones(sizes).shape == np.arange(6).reshape(sizes).shape == (3, 1, 2)
    # A list of arrays may be an array: its rows.
    x = mx.arange(12).reshape(2, 3, 2)
    assert mx.array_equal(mx.concatenate(x), x.reshape(6, 2)) and mx.array_equal(
        mx.stack(x, 1), x.swapaxes(0, 1)
    )
    assert mx.concatenate(x, axis=-1).shape == (3, 4) and mx.concatenate(x, None).shape == (12,)
    with pytest.raises(TypeError, match="list of arrays"):
        mx.stack(mx.array(1.0))
