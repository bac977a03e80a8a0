"""load, save, savez, save_safetensors: NumPy and safetensors as peers, paths, file objects, damage, disks."""

import gc
import io
import os
import pathlib
import signal
import subprocess
import sys
import threading
import weakref
import zipfile

import numpy as np
import pytest

import mlx.core as mx

DTYPES = {
    "bool_": np.bool_,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
    "complex64": np.complex64,
}
SHAPES = [(), (5,), (0,), (3, 0, 2), (1, 4), (4, 1), (2, 3, 4)]
SAVERS = {
    "npy": lambda file: mx.save(file, mx.arange(4)),
    "npz": lambda file: mx.savez(file, a=mx.arange(4)),
    "safetensors": lambda file: mx.save_safetensors(file, {"a": mx.arange(4)}),
}


def numbers(shape, dtype):
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    if dtype == np.bool_:
        x = x % 2
    elif np.issubdtype(dtype, np.inexact):
        x = x * (0.5 - 0.25j) if dtype == np.complex64 else x * 0.5
    return np.asarray(x, dtype=dtype)


def array_of(x):
    return mx.array(x, dtype=getattr(mx, "bool_" if x.dtype == bool else x.dtype.name))


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    assert a.dtype == b.dtype and a.shape == b.shape
    assert np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_npy_against_numpy(tmp_path, name, shape):
    x = numbers(shape, DTYPES[name])
    assert mx.save(tmp_path / "a.npy", array_of(x)) is None
    same(np.load(tmp_path / "a.npy"), x)
    for stored in (x, np.asarray(x, order="F"), x.astype(x.dtype.newbyteorder(">"))):
        np.save(tmp_path / "b.npy", stored)
        loaded = mx.load(tmp_path / "b.npy")
        assert loaded.dtype == getattr(mx, name)
        same(loaded, x)


def test_npy_bytes_are_those_of_numpy():
    x = numbers((2, 3), np.float32)
    for ours, theirs in ((array_of(x), x), (array_of(x).T, np.asfortranarray(x.T))):
        our_file, their_file = io.BytesIO(), io.BytesIO()
        mx.save(our_file, ours)
        np.save(their_file, theirs)
        assert our_file.getvalue() == their_file.getvalue()


def test_bfloat16(tmp_path):
    a = mx.array([1.0, -2.5, 3e38], mx.bfloat16)
    mx.save(tmp_path / "a.npy", a)
    assert np.load(tmp_path / "a.npy").dtype == np.dtype("V2")
    assert mx.load(tmp_path / "a.npy").dtype == mx.bfloat16
    assert mx.load(tmp_path / "a.npy").tolist() == a.tolist()


@pytest.mark.parametrize("path_type", [str, pathlib.Path, os.fsencode])
def test_kinds_of_paths_and_suffixes(tmp_path, path_type):
    for extension, save in SAVERS.items():
        save(path_type(tmp_path / "plain"))
        save(path_type(tmp_path / f"given.{extension}"))
        for stem in ("plain", "given"):
            loaded = mx.load(path_type(tmp_path / f"{stem}.{extension}"))
            assert (loaded if extension == "npy" else loaded["a"]).tolist() == [0, 1, 2, 3]
    assert len(os.listdir(tmp_path)) == 6


def test_strange_paths(tmp_path):
    for name in ("ünï.npy", "sp ace.npy", "\udcff.npy"):
        mx.save(str(tmp_path / name), mx.array(1))
        assert mx.load(tmp_path / name).item() == 1
    with pytest.raises(ValueError):
        mx.load("a\0.npy")


def test_npz_against_numpy(tmp_path):
    arrays = {name: numbers((2, 3), dtype) for name, dtype in DTYPES.items()}
    for save in (mx.savez, mx.savez_compressed):
        file = tmp_path / f"{save.__name__}.npz"
        save(file, mx.array(7), mx.array([1.5]), **{name: array_of(x) for name, x in arrays.items()})
        with np.load(file) as loaded:
            assert sorted(loaded) == sorted(["arr_0", "arr_1", *arrays])
            assert loaded["arr_0"] == 7 and loaded["arr_1"].tolist() == [1.5]
            for name, x in arrays.items():
                same(loaded[name], x)
        methods = {info.compress_type for info in zipfile.ZipFile(file).infolist()}
        assert methods == {zipfile.ZIP_DEFLATED if save is mx.savez_compressed else zipfile.ZIP_STORED}
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "theirs.npz", **arrays)
        loaded = mx.load(tmp_path / "theirs.npz")
        assert list(loaded) == list(arrays)
        for name, x in arrays.items():
            same(loaded[name], x)
    mx.savez(tmp_path / "empty.npz")
    assert mx.load(tmp_path / "empty.npz") == {}


def test_npz_names(tmp_path):
    mx.savez(tmp_path / "a", **{"layers.0/weight": mx.array(1), "a.npy": mx.array(2)})
    assert {k: v.item() for k, v in mx.load(tmp_path / "a.npz").items()} == {"layers.0/weight": 1, "a.npy": 2}
    with pytest.raises(ValueError, match="arr_0"):
        mx.savez(tmp_path / "b", mx.array(1), arr_0=mx.array(2))
    with pytest.raises(TypeError, match="'x' must be an array, not int"):
        mx.savez(tmp_path / "b", x=1)
    assert not (tmp_path / "b.npz").exists()


def test_safetensors_against_the_package(tmp_path):
    numpy_files = pytest.importorskip("safetensors.numpy", reason="the package safetensors is not installed")
    from safetensors import safe_open

    arrays = {
        f"{name}.{len(shape)}.{i}": numbers(shape, dtype)
        for name, dtype in DTYPES.items()
        for i, shape in enumerate(SHAPES)
    }
    numpy_files.save_file(arrays, tmp_path / "theirs.safetensors", metadata={"k": "v"})
    loaded, metadata = mx.load(tmp_path / "theirs.safetensors", return_metadata=True)
    assert metadata == {"k": "v"} and sorted(loaded) == sorted(arrays)
    for name, x in arrays.items():
        same(loaded[name], x)
    mx.save_safetensors(tmp_path / "ours", {k: array_of(x) for k, x in arrays.items()}, {"k": "v", "é": '"'})
    with safe_open(tmp_path / "ours.safetensors", framework="np") as file:
        assert file.metadata() == {"k": "v", "é": '"'}
        for name, x in arrays.items():
            same(file.get_tensor(name), x)
    mx.save_safetensors(tmp_path / "none", {"a": mx.array([1.0], mx.bfloat16)})
    with safe_open(tmp_path / "none.safetensors", framework="np") as file:
        assert not file.metadata()
        assert list(file.keys()) == ["a"]


def test_safetensors_arguments(tmp_path):
    file = tmp_path / "a.safetensors"
    with pytest.raises(TypeError, match="dict of arrays, not list"):
        mx.save_safetensors(file, [mx.array(1)])
    with pytest.raises(TypeError, match="'a' is of type int"):
        mx.save_safetensors(file, {"a": 1})
    with pytest.raises(TypeError, match="str keys"):
        mx.save_safetensors(file, {1: mx.array(1)})
    with pytest.raises(ValueError, match="str to int"):
        mx.save_safetensors(file, {}, {"epoch": 3})
    with pytest.raises(ValueError, match="__metadata__"):
        mx.save_safetensors(file, {"__metadata__": mx.array(1)})
    assert os.listdir(tmp_path) == []
    mx.save_safetensors(file, {"z": mx.array(1), "a": mx.array(1.0, mx.float64)})
    arrays, metadata = mx.load(file, return_metadata=True)
    assert list(arrays) == ["a", "z"] and arrays["a"].dtype == mx.float64
    assert metadata == {}


def test_load_arguments(tmp_path):
    mx.save(tmp_path / "a", mx.array(1))
    os.rename(tmp_path / "a.npy", tmp_path / "a")
    assert mx.load(tmp_path / "a", format="npy").item() == 1
    assert mx.load(str(tmp_path / "a"), "npy", stream=mx.cpu).item() == 1
    for wrong in ({}, {"format": "txt"}):
        with pytest.raises(ValueError):
            mx.load(tmp_path / "a", **wrong)
    for format in ("npy", "npz"):
        with pytest.raises(ValueError, match="metadata"):
            mx.load(tmp_path / "a", format=format, return_metadata=True)
    for wrong in (1, None, object()):
        with pytest.raises(TypeError, match="a path or a binary file object"):
            mx.load(wrong, format="npy")
        with pytest.raises(TypeError, match="a path or a binary file object"):
            mx.save(wrong, mx.array(1))
    with pytest.raises(TypeError, match="must be an array, not list"):
        mx.save(tmp_path / "b", [1, 2])
    with pytest.raises(AttributeError):
        mx.load(io.BytesIO())


@pytest.mark.parametrize("extension", SAVERS)
def test_missing_files_and_folders(tmp_path, extension):
    with pytest.raises(ValueError if extension in ("npz", "gguf") else RuntimeError, match="none"):
        mx.load(tmp_path / f"none.{extension}")
    with pytest.raises(RuntimeError, match="No such file"):
        SAVERS[extension](tmp_path / "none" / "a")


@pytest.mark.parametrize("extension", SAVERS)
def test_file_objects(tmp_path, extension):
    memory = io.BytesIO()
    memory.write(b"in front")
    SAVERS[extension](memory)
    memory.seek(8)
    is_right = lambda x: (x if extension == "npy" else x["a"]).tolist() == [0, 1, 2, 3]
    assert is_right(mx.load(memory, format=extension))
    for buffering in (0, -1):
        with open(tmp_path / f"a.{extension}", "wb", buffering=buffering) as file:
            SAVERS[extension](file)
        with open(tmp_path / f"a.{extension}", "rb", buffering=buffering) as file:
            assert is_right(mx.load(file))
    with open(tmp_path / "text.npy", "w") as file, pytest.raises(TypeError):
        SAVERS[extension](file)


def test_file_objects_are_read_lazily_and_keep_their_position():
    file = io.BytesIO()
    for i in range(3):
        mx.save(file, mx.full((100,), i))
    file.seek(0)
    arrays = [mx.load(file, format="npy") for _ in range(3)]
    assert file.tell() == len(file.getvalue())
    file.seek(5)
    assert [a[0].item() for a in reversed(arrays)] == [2, 1, 0]
    assert file.tell() == 5
    pending = mx.load(io.BytesIO(file.getvalue()), format="npy")
    gc.collect()
    assert pending.sum().item() == 0


def test_a_closed_file_is_an_error_of_evaluation():
    file = io.BytesIO()
    mx.save(file, mx.arange(10))
    file.seek(0)
    a = mx.load(file, format="npy")
    file.close()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="BytesIO object.*closed file"):
            mx.eval(a)


class Slow(io.BytesIO):
    """Reads a few bytes at a time; other threads run in between."""

    def readinto(self, view):
        data = self.read(min(len(view), 100))
        threading.Event().wait(0.0001)
        view[: len(data)] = data
        return len(data)


def test_many_threads_evaluate_arrays_of_one_file():
    file = Slow()
    for i in range(16):
        mx.save(file, mx.full((200,), i))
    file.seek(0)
    arrays = [mx.load(file, format="npy") for _ in range(16)]
    sums = [None] * 16

    def evaluate(i):
        sums[i] = arrays[i].sum().item()

    threads = [threading.Thread(target=evaluate, args=(i,)) for i in range(16)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sums == [200 * i for i in range(16)]


class Broken(io.BytesIO):
    """Fails in a given method, or gives nonsense."""

    def __init__(self, data=b"", **results):
        super().__init__(data)
        for name, result in results.items():
            setattr(self, name, lambda *_, result=result: self.give(result))

    def give(self, result):
        if isinstance(result, BaseException):
            raise result
        return result


def test_file_objects_that_fail():
    file = io.BytesIO()
    mx.save(file, mx.arange(10))
    data = file.getvalue()
    for results in (
        {"readinto": OSError("gone")},
        {"readinto": 0},
        {"readinto": None},
        {"readinto": "x"},
        {"readinto": 10**6},
        {"readinto": -1},
        {"tell": "x"},
        {"tell": ValueError("gone")},
        {"seek": OSError("gone")},
    ):
        with pytest.raises(RuntimeError, match="Broken object"):
            mx.load(Broken(data, **results), format="npy")
    for result, error in (
        (OSError("full"), OSError),
        (0, RuntimeError),
        (10**6, RuntimeError),
        ("x", TypeError),
    ):
        with pytest.raises(error):
            mx.save(Broken(write=result), mx.arange(10))
    with pytest.raises(KeyboardInterrupt):
        mx.load(Broken(data, readinto=KeyboardInterrupt()), format="npy")


def test_an_interrupt_while_an_array_is_read():
    file = io.BytesIO()
    mx.save(file, mx.arange(10))
    broken = Broken(file.getvalue())
    a = mx.load(broken, format="npy")
    broken.readinto = lambda view: broken.give(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        try:
            mx.eval(a)
        except RuntimeError as error:
            assert "interrupted" in str(error)
        for _ in range(1000):
            pass
    with pytest.raises(RuntimeError, match="interrupted"):
        a.tolist()


def test_a_file_object_is_released_once_it_is_read():
    file = Broken()
    mx.save(file, mx.arange(10))
    file.seek(0)
    a = mx.load(file, format="npy")
    alive = weakref.ref(file)
    del file
    gc.collect()
    assert alive() is not None
    thread = threading.Thread(target=mx.eval, args=(a,))
    thread.start()
    thread.join()
    assert a.tolist() == list(range(10))
    mx.eval(a + 1)
    gc.collect()
    assert alive() is None


def test_a_file_object_cannot_keep_the_memory():
    kept = []

    class Keeps(io.BytesIO):
        def write(self, view):
            kept.append(view)
            return len(view)

    mx.save(Keeps(), mx.arange(10))
    for view in kept:
        with pytest.raises(ValueError):
            view[0]


@pytest.mark.parametrize("extension", SAVERS)
def test_damage(tmp_path, extension):
    file = tmp_path / f"a.{extension}"
    SAVERS[extension](file)
    data = file.read_bytes()

    def load():
        loaded = mx.load(file)
        mx.eval(loaded)

    for n in range(len(data)):
        file.write_bytes(data[:n])
        with pytest.raises(RuntimeError, match=f"a.{extension}"):
            load()
    random = np.random.default_rng(0)
    for _ in range(500):
        damaged = bytearray(data)
        damaged[random.integers(len(data))] = random.integers(256)
        file.write_bytes(damaged)
        try:
            load()
        except (RuntimeError, ValueError):
            pass


def test_npz_members_that_are_damaged(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("x.npy", b"no array")
    with pytest.raises(RuntimeError, match="a.npz:x.npy"):
        mx.load(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", text=np.array(["abc"]))
    with pytest.raises(ValueError, match="b.npz:text.npy.*<U3"):
        mx.load(tmp_path / "b.npz")


def test_unknown_dtypes(tmp_path):
    for x in (np.array(["a"]), np.array([1j]), np.array([0], "M8[s]"), np.zeros(2, np.longdouble)):
        np.save(tmp_path / "a.npy", x)
        with pytest.raises(ValueError, match="dtype"):
            mx.load(tmp_path / "a.npy")


@pytest.mark.parametrize("extension", SAVERS)
def test_saving_over_what_was_loaded(tmp_path, extension):
    file = tmp_path / f"a.{extension}"
    SAVERS[extension](file)
    loaded = mx.load(file)
    if extension == "npy":
        mx.save(file, loaded + 1)
        again = mx.load(file)
    else:
        save = mx.save_safetensors if extension == "safetensors" else lambda f, arrays: mx.savez(f, **arrays)
        save(file, {"a": loaded["a"] + 1})
        loaded, again = loaded["a"], mx.load(file)["a"]
    assert loaded.tolist() == [0, 1, 2, 3]
    assert again.tolist() == [1, 2, 3, 4]
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("extension", SAVERS)
def test_a_full_disk_leaves_the_old_file(tmp_path, extension):
    """A limit on the size of files stands for the disk, in a process of its own."""
    file = tmp_path / f"a.{extension}"
    SAVERS[extension](file)
    before = file.read_bytes()
    code = f"""
import resource, mlx.core as mx
x = mx.random.uniform(shape=(100000,))
mx.eval(x)
resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
save = {{
    "npy": lambda file: mx.save(file, x),
    "npz": lambda file: mx.savez(file, x),
    "safetensors": lambda file: mx.save_safetensors(file, {{"x": x}}),
}}["{extension}"]
try:
    save({str(file)!r})
except RuntimeError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "File too large" in result.stdout and file.name in result.stdout, result
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into read-only folders")
def test_a_read_only_folder(tmp_path):
    mx.save(tmp_path / "a.npy", mx.array(1))
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(RuntimeError, match="Permission denied"):
            mx.save(tmp_path / "a.npy", mx.array(2))
    finally:
        tmp_path.chmod(0o700)
    assert mx.load(tmp_path / "a.npy").item() == 1


def test_failed_evaluation_leaves_the_old_file(tmp_path):
    mx.save_safetensors(tmp_path / "a", {"x": mx.array(1)})
    broken = io.BytesIO()
    mx.save(broken, mx.arange(3))
    broken.seek(0)
    bad = mx.load(broken, format="npy")
    broken.close()
    with pytest.raises(RuntimeError):
        mx.save_safetensors(tmp_path / "a", {"x": mx.array(2), "y": bad})
    assert mx.load(tmp_path / "a.safetensors")["x"].item() == 1
    assert os.listdir(tmp_path) == ["a.safetensors"]


def test_a_forked_child_reads(tmp_path):
    """Also while a thread of the parent is inside a file object."""
    inside, leave = threading.Event(), threading.Event()

    class Blocking(io.BytesIO):
        def readinto(self, view):
            if threading.current_thread() is not threading.main_thread():
                inside.set()
                leave.wait(30)
            return super().readinto(view)

    file = Blocking()
    mx.save(file, mx.arange(4))
    file.seek(0)
    a = mx.load(file, format="npy")
    thread = threading.Thread(target=lambda: mx.eval(a))
    thread.start()
    assert inside.wait(30)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        ok = mx.load(io.BytesIO(file.getvalue()), format="npy").tolist() == [0, 1, 2, 3]
        os._exit(0 if ok else 1)
    leave.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert a.tolist() == [0, 1, 2, 3]


def test_memory_of_an_unread_checkpoint(tmp_path):
    """Loading reads headers only."""
    mx.save_safetensors(tmp_path / "a", {str(i): mx.zeros((1 << 20,)) for i in range(16)})
    gc.collect()
    before = mx.get_active_memory()
    arrays = mx.load(tmp_path / "a.safetensors")
    assert mx.get_active_memory() - before < 1 << 16
    mx.eval(arrays["3"])
    assert mx.get_active_memory() - before >= 4 << 20


ENDINGS = {
    "async": "mx.async_eval(a + 1)",
    "daemon": "threading.Thread(target=lambda: mx.eval(a), daemon=True).start(); time.sleep(0.05)",
    "late": "import atexit; atexit.register(lambda: print(a.tolist()))",
    "pending": "pass",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_process_ends_while_a_file_object_is_read(ending):
    code = f"""
import io, threading, time, mlx.core as mx
class Slow(io.BytesIO):
    def readinto(self, view):
        time.sleep(0.1)
        return super().readinto(view)
file = Slow()
mx.save(file, mx.arange(3))
file.seek(0)
a = mx.load(file, format="npy")
{ENDINGS[ending]}
"""
    for _ in range(3):
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == ("[0, 1, 2]\n" if ending == "late" else "")


GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "files"


@pytest.mark.parametrize("name", sorted(f.name for f in GOLDEN.iterdir()))
def test_golden_files(tmp_path, name):
    """They load, and what is saved from them loads as the same arrays, whatever the format."""
    loaded = mx.load(str(GOLDEN / name))
    arrays = loaded if isinstance(loaded, dict) else {pathlib.Path(name).stem: loaded}
    extension = name.split(".")[-1]
    path = str(tmp_path / f"again.{extension}")
    {
        "npy": lambda: mx.save(path, loaded),
        "npz": lambda: mx.savez(path, **arrays),
        "safetensors": lambda: mx.save_safetensors(path, arrays),
        "gguf": lambda: mx.save_gguf(path, arrays),
    }[extension]()
    again = mx.load(path)
    again = again if isinstance(again, dict) else {pathlib.Path(name).stem: again}
    reference = np.load(GOLDEN / "all.npz")
    assert set(again) == set(arrays)
    for key, x in arrays.items():
        assert again[key].dtype == x.dtype and again[key].shape == x.shape
        assert mx.array_equal(again[key], x).item()
        if key in reference and extension != "gguf":
            np.testing.assert_array_equal(np.array(x), reference[key])
