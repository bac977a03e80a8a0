"""Arrays of more than 2^31 elements, along one axis and in all: indices, offsets and counts are 64-bit.

Elements are bytes, and mostly zero: a mark near the end is what an operation has to find, move or keep.
"""

import math

import numpy as np
import pytest

import mlx.core as mx

pytestmark = pytest.mark.full

GIB = 2**30
N = 2**31 + 24
AT = N - 3  # of the mark
ROWS, COLUMNS = 2**16 + 8, 2**15 + 8  # together more than 2^31


def available_memory():
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


@pytest.fixture(autouse=True)
def enough_memory():
    mx.clear_cache()
    if available_memory() < 14 * GIB:
        pytest.skip("needs 14 GiB of memory")
    yield
    mx.clear_cache()


def marked(dtype=mx.int8):
    x = mx.zeros((N,), dtype)
    x[AT] = 5
    return x


def matrix():
    x = mx.zeros((ROWS, COLUMNS), mx.int8)
    x[-2, -3] = 5
    return x


def only_mark(y, at=AT, mark=5):
    """That y is zero but for the mark."""
    return y.size > at and y[at].item() == mark and mx.sum(y != 0).item() == 1


def update(x, write):
    write(x)
    return x


def threefry(key, count):
    """Two words of the generator's block function, by its definition."""
    rotations = ((13, 15, 26, 6), (17, 29, 16, 24))
    ks = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    word = 2**32 - 1
    a, b = (count[0] + ks[0]) & word, (count[1] + ks[1]) & word
    for i in range(5):
        for r in rotations[i % 2]:
            a = (a + b) & word
            b = ((b << r | b >> (32 - r)) & word) ^ a
        a, b = (a + ks[(i + 1) % 3]) & word, (b + ks[(i + 2) % 3] + i + 1) & word
    return a, b


def bernoulli_is_right():
    draws = mx.random.bernoulli(0.5, (N,), key=mx.random.key(42))
    for i in (0, 7, N // 2 - 1):
        first, second = threefry((0, 42), (i, i + N // 2))
        for place, bits in ((i, first), (i + N // 2, second)):
            assert draws[place].item() == (np.float32(bits) < np.float32(0.5) * np.float32(4294967808))
    return True


ELEMENTWISE = {
    "add": lambda: only_mark(marked() + marked(), mark=10),
    "chain": lambda: only_mark(mx.abs(-marked()) * 3, mark=15),
    "compiled": lambda: only_mark(mx.compile(lambda x: mx.maximum(x, 2) - 2)(marked()), mark=3),
    "where": lambda: only_mark(mx.where(marked() == 5, mx.array(7, mx.int8), mx.array(0, mx.int8)), mark=7),
    "cast": lambda: only_mark(marked().astype(mx.bool_), mark=True),
    "equal": lambda: (
        mx.array_equal(marked(), marked()).item() and not mx.array_equal(marked(), marked() * 2).item()
    ),
    "matrix and row": lambda: mx.max(matrix() + mx.arange(COLUMNS, dtype=mx.uint8)).item() > 0,
}
REDUCTIONS = {
    "sum": lambda: mx.sum(marked()).item() == 5,
    "max": lambda: mx.max(marked()).item() == 5,
    "minmax": lambda: [v.item() for v in mx.minmax(marked())] == [0, 5],
    "any": lambda: mx.any(marked()).item(),
    "argmax": lambda: mx.argmax(marked()).item() == AT,
    "argmin": lambda: mx.argmin(-marked()).item() == AT,
    "columns": lambda: mx.argmax(mx.sum(matrix(), axis=0)).item() == COLUMNS - 3,
    "rows": lambda: mx.argmax(mx.sum(matrix(), axis=1)).item() == ROWS - 2,
    "argmax of columns": lambda: mx.argmax(matrix(), axis=0)[-3].item() == ROWS - 2,
    "transposed": lambda: mx.argmax(mx.max(matrix().T, axis=1)).item() == COLUMNS - 3,
    "broadcast": lambda: mx.sum(mx.broadcast_to(mx.array(1, mx.int64), (2**32 + 3,))).item() == 2**32 + 3,
    "median": lambda: mx.median(marked()).item() == 0,
    "logsumexp": lambda: abs(mx.logsumexp(mx.zeros((N,), mx.bfloat16)).item() - math.log(N)) < 0.1,
    "mean": lambda: mx.mean(mx.broadcast_to(mx.array(3.0), (N,))).item() == 3,
}
INDEXING = {
    "int": lambda: marked()[AT].item() == 5 and marked()[-3].item() == 5,
    "take int": lambda: mx.take(marked(), AT).item() == 5,
    "take": lambda: mx.take(marked(), mx.array([AT, -3, 0], mx.int64)).tolist() == [5, 5, 0],
    "take uint32": lambda: mx.take(marked(), mx.array([AT, 0], mx.uint32)).tolist() == [5, 0],
    "rows": lambda: matrix()[mx.array([ROWS - 2, 0])][:, -3].tolist() == [5, 0],
    "two arrays": lambda: matrix()[mx.array([ROWS - 2]), mx.array([-3])].item() == 5,
    "take_along_axis": lambda: mx.take_along_axis(marked(), mx.array([AT, 3], mx.int64)).tolist() == [5, 0],
    "mask": lambda: marked()[marked() == 5].tolist() == [5],
    "nonzero": lambda: mx.nonzero(marked())[0].tolist() == [AT],
    "searchsorted": lambda: mx.searchsorted(mx.sort(marked()), mx.array([5], mx.int8)).item() == N - 1,
    "slice": lambda: marked()[AT - 1 : AT + 2].tolist() == [0, 5, 0],
    "steps": lambda: only_mark(marked()[1::2], AT // 2),
    "reversed": lambda: only_mark(mx.contiguous(marked()[::-1]), N - 1 - AT),
    "dynamic slice": lambda: mx.slice(marked(), mx.array([AT - 1]), (0,), (3,)).tolist() == [0, 5, 0],
    "split": lambda: mx.split(marked(), [AT])[1].tolist() == [5, 0, 0],
    "out of range": lambda: bool(pytest.raises(mx.AxisError, lambda: marked()[N])),
    "buffer": lambda: np.asarray(marked())[AT] == 5 and memoryview(marked()).nbytes == N,
}
UPDATES = {
    "slice": lambda: only_mark(
        update(mx.zeros((N,), mx.int8), lambda x: x.__setitem__(slice(AT, AT + 1), 5))
    ),
    "ids": lambda: only_mark(
        update(mx.zeros((N,), mx.int8), lambda x: x.__setitem__(mx.array([AT], mx.int64), 5))
    ),
    "at add": lambda: only_mark(marked().at[mx.array([AT, AT], mx.int64)].add(1), mark=7),
    "at rows": lambda: matrix().at[mx.array([ROWS - 2])].add(1)[-2, -3:].tolist() == [6, 1, 1],
    "mask": lambda: only_mark(update(marked(), lambda x: x.__setitem__(x == 5, 9)), mark=9),
    "put_along_axis": lambda: only_mark(
        mx.put_along_axis(mx.zeros((N,), mx.int8), mx.array([AT], mx.int64), mx.array([5], mx.int8))
    ),
    "dynamic": lambda: only_mark(
        mx.slice_update(mx.zeros((N,), mx.int8), mx.array([5], mx.int8), mx.array([AT]), (0,))
    ),
}
SHAPES = {
    "concatenate": lambda: only_mark(mx.concatenate([mx.zeros((9,), mx.int8), marked()]), AT + 9),
    "transposed": lambda: only_mark(
        mx.contiguous(marked().reshape(8, N // 8).T).reshape(-1), AT % (N // 8) * 8 + 7
    ),
    "transposed matrix": lambda: mx.contiguous(matrix().T)[-3, -2].item() == 5,
    "repeat": lambda: (
        mx.repeat(mx.array([1, 2], mx.int8), N // 2)[N // 2 - 1 : N // 2 + 1].tolist() == [1, 2]
    ),
    "tile": lambda: mx.tile(mx.array([1, 2, 3, 4], mx.int8), N // 4)[-5:].tolist() == [4, 1, 2, 3, 4],
    "roll": lambda: only_mark(mx.roll(marked(), 4), 1),
    "roll far": lambda: only_mark(mx.roll(marked(), 2**31), AT - 24),
    "pad": lambda: only_mark(mx.pad(marked(), (7, 2)), AT + 7),
    "pad reflect": lambda: mx.pad(marked(), (0, 4), mode="reflect")[AT:].tolist() == [5, 0, 0, 0, 5, 0, 0],
    "pad wide": lambda: (
        mx.pad(mx.array([1, 2], mx.int8), (2**31, 1), mode="symmetric")[-5:].tolist() == [2, 1, 1, 2, 2]
    ),
    "flip": lambda: only_mark(mx.flip(marked()), N - 1 - AT),
    "stack": lambda: mx.stack([marked(), marked()])[1, AT].item() == 5,
    "view": lambda: marked().view(mx.int32)[AT // 4].item() == 5 << 8 * (AT % 4),
    "arange": lambda: mx.arange(N, dtype=mx.uint8)[-2:].tolist() == [(N - 2) % 256, (N - 1) % 256],
    "full": lambda: mx.contiguous(mx.full((N,), 7, mx.int8))[-1].item() == 7,
    "eye": lambda: mx.sum(mx.eye(47000, dtype=mx.int8)).item() == 47000,
    "tril": lambda: mx.tril(matrix() + 1)[-1, -1].item() == 1 and mx.tril(matrix() + 1)[0, 1].item() == 0,
    "hanning": lambda: mx.hanning(2**27)[2**26].item() == 1,
}
SORTS = {
    "sort": lambda: mx.sort(marked())[-2:].tolist() == [0, 5],
    "topk": lambda: sorted(mx.topk(marked(), 2).tolist()) == [0, 5],
    "sort columns": lambda: mx.sort(matrix(), axis=0)[-1, -3].item() == 5,
    "cumsum": lambda: mx.cumsum(marked())[AT - 1 :].tolist() == [0, 5, 5, 5],
    "cummax": lambda: mx.cummax(marked())[AT - 1 :].tolist() == [0, 5, 5, 5],
    "cumsum of columns": lambda: mx.cumsum(matrix(), axis=0)[-1, -3].item() == 5,
    "diff": lambda: mx.diff(marked())[AT - 1 : AT + 1].tolist() == [5, -5],
    "bernoulli": bernoulli_is_right,
}
PRODUCTS = {
    "inner": lambda: (marked(mx.bfloat16)[None] @ mx.ones((N, 1), mx.bfloat16)).item() == 5,
    "column": lambda: (marked(mx.bfloat16)[:, None] @ mx.ones((1, 1), mx.bfloat16))[AT].item() == 5,
    "outer": lambda: (
        mx.outer(mx.arange(ROWS, dtype=mx.int8), mx.ones((COLUMNS,), mx.int8))[5, -1].item() == 5
    ),
}


@pytest.mark.parametrize(
    "holds",
    [
        pytest.param(case, id=f"{family} {name}")
        for family, table in (
            ("elementwise", ELEMENTWISE),
            ("reduction", REDUCTIONS),
            ("indexing", INDEXING),
            ("update", UPDATES),
            ("shape", SHAPES),
            ("sort", SORTS),
            ("product", PRODUCTS),
        )
        for name, case in table.items()
    ],
)
def test_operation(holds):
    assert holds()


@pytest.mark.parametrize("extension", ["npy", "npz", "safetensors"])
def test_files(tmp_path, extension):
    path = tmp_path / f"a.{extension}"
    save = {
        "npy": mx.save,
        "npz": lambda p, x: mx.savez(p, a=x),
        "safetensors": lambda p, x: mx.save_safetensors(p, {"a": x}),
    }
    save[extension](path, marked())
    loaded = mx.load(path)
    loaded = loaded if extension == "npy" else loaded["a"]
    assert loaded.shape == (N,) and only_mark(loaded)
    if extension == "npy":
        assert np.load(path, mmap_mode="r")[AT] == 5
    path.unlink()
