"""NumPy, buffers, DLPack, __mlx_array__: in, out, beside arrays in operators; lifetimes."""

import array
import gc
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
    with pytest.raises(ValueError, match="bfloat16"):
        np.asarray(mx.array([1.0]).astype(mx.bfloat16))


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
    with pytest.raises(ValueError):
        mx.from_dlpack(np.arange(6.0).reshape(2, 3)[:, ::2], copy=False)
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
    with pytest.raises(TypeError):
        mx.sum(h)
    with pytest.raises(TypeError, match="__mlx_array__ must give an array"):
        mx.array(Hook([1]))


def test_objects_with_array_only():
    class OnlyArray:
        def __array__(self, dtype=None, copy=None):
            return np.zeros(2)

    with pytest.raises(ValueError):
        mx.array(OnlyArray())


def test_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    n = np.array([1.5, 2.5], ml_dtypes.bfloat16)
    assert mx.array(n).dtype == mx.bfloat16 and mx.array(n).tolist() == [1.5, 2.5]


def test_torch():
    torch = pytest.importorskip("torch")
    t = torch.tensor([[1.5, 2.5]], requires_grad=True)
    assert mx.array(t).tolist() == [[1.5, 2.5]]
    assert mx.array(torch.tensor([1.5], dtype=torch.bfloat16)).dtype == mx.bfloat16
    assert mx.array(torch.tensor([1.5], dtype=torch.float64)).dtype == mx.float32
    assert torch.from_dlpack(mx.array([1, 2])).tolist() == [1, 2]
