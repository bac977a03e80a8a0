"""gguf files: golden files, round trips, the format's own package as the oracle, damage."""

from pathlib import Path

import gguf
import numpy as np
import pytest

import mlx.core as mx

GOLDEN = Path(__file__).parent.parent / "golden" / "files"
DTYPES = ("float32", "float16", "bfloat16", "int8", "int16", "int32", "int64", "float64")
# Types that become float16, and those that become packed words.
DECODED = ("Q5_0", "Q5_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K")
PACKED = {"Q4_0": 4, "Q4_1": 4, "Q8_0": 8}


def write(path, tensors, **metadata):
    """With the format's own package: name -> (raw data, type or None)."""
    writer = gguf.GGUFWriter(path, "test")
    for key, value in metadata.items():
        getattr(writer, f"add_{type(value).__name__.replace('str', 'string').replace('list', 'array')}")(
            key, value
        )
    for name, (data, kind) in tensors.items():
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def random_blocks(kind, rows, blocks, rng):
    """Blocks of random bytes whose scales are ordinary numbers."""
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (rows, blocks, size), dtype=np.uint8)
    scale_places = {"Q5_0": [0], "Q5_1": [0, 2], "Q4_0": [0], "Q4_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82],
                    "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}[kind.name]  # fmt: skip
    for place in scale_places:
        scales = rng.uniform(0.01, 1, (rows, blocks)).astype(np.float16)
        data[..., place : place + 2] = scales[..., None].view(np.uint8)
    return data.reshape(rows, blocks * size), elements * blocks


def test_the_golden_file():
    arrays, metadata = mx.load(str(GOLDEN / "small.gguf"), return_metadata=True)
    assert {k: (v.dtype, v.shape) for k, v in arrays.items()} == {
        "c": (mx.int8, (3,)), "b": (mx.float16, (5,)), "a": (mx.float32, (3, 4))}  # fmt: skip
    assert arrays["c"].tolist() == [-1, 2, 3]
    ramp = -1 + 2 * ((np.arange(12) * 0.618033988749895 + 0.5) % 1)
    np.testing.assert_array_equal(np.array(arrays["a"]).ravel(), ramp.astype(np.float32))
    assert metadata["name"] == "x" and metadata["list"] == ["p", "q"]
    assert metadata["count"].item() == 3 and metadata["v"].tolist() == [1, 2]


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trip(tmp_path, dtype):
    x = mx.arange(24).reshape(2, 3, 4).astype(getattr(mx, dtype))
    path = str(tmp_path / "x.gguf")
    mx.save_gguf(path, {"x": x.T, "empty": x[:0], "scalar": x[0, 1, 2]}, {"n": mx.array(3.5), "s": "text"})
    arrays, metadata = mx.load(path, return_metadata=True)
    assert arrays["x"].dtype == x.dtype and mx.array_equal(arrays["x"], x.T).item()
    assert arrays["empty"].shape == (0, 3, 4) and arrays["scalar"].item() == 6
    assert metadata["n"].item() == 3.5 and metadata["s"] == "text"
    if dtype != "bfloat16":
        tensor = next(t for t in gguf.GGUFReader(path).tensors if t.name == "x")
        np.testing.assert_array_equal(tensor.data.reshape(4, 3, 2), np.array(x.T))


@pytest.mark.parametrize("name", DECODED)
def test_decoded_types(tmp_path, name):
    kind = gguf.GGMLQuantizationType[name]
    raw, columns = random_blocks(kind, 3, 2, np.random.default_rng(5))
    path = str(tmp_path / "x.gguf")
    write(path, {"x": (raw, kind)})
    x = mx.load(path)["x"]
    assert x.dtype == mx.float16 and x.shape == (3, columns)
    expected = gguf.quants.dequantize(raw, kind).reshape(3, columns)
    np.testing.assert_allclose(np.array(x.astype(mx.float32)), expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", PACKED)
def test_packed_types(tmp_path, name):
    kind, bits = gguf.GGMLQuantizationType[name], PACKED[name]
    raw, columns = random_blocks(kind, 3, 2, np.random.default_rng(7))
    path = str(tmp_path / "x.gguf")
    write(path, {"layer.weight": (raw, kind), "other": (raw, kind)})
    arrays = mx.load(path)
    assert set(arrays) == {
        "layer.weight",
        "layer.scales",
        "layer.biases",
        "other",
        "other.scales",
        "other.biases",
    }
    words, scales, biases = (np.array(arrays[f"layer.{part}"]) for part in ("weight", "scales", "biases"))
    assert (
        words.dtype == np.uint32
        and words.shape == (3, columns * bits // 32)
        and scales.shape == (3, columns // 32)
    )
    per_word = 32 // bits
    codes = (words[..., None] >> (bits * np.arange(per_word, dtype=np.uint32)) & (2**bits - 1)).reshape(
        3, -1, 32
    )
    values = codes * scales.astype(np.float32)[..., None] + biases.astype(np.float32)[..., None]
    expected = gguf.quants.dequantize(raw, kind).reshape(values.shape)
    np.testing.assert_allclose(values, expected, rtol=1e-6, atol=0.1 if bits == 8 else 1e-2)


def test_metadata(tmp_path):
    path = str(tmp_path / "x.gguf")
    write(path, {"x": (np.zeros(3, np.float32), None)}, a="text", b=True, c=[1, 2, 3], d=["x", "y"])
    metadata = mx.load(path, return_metadata=True)[1]
    assert metadata["a"] == "text" and metadata["b"].item() is True
    assert metadata["c"].tolist() == [1, 2, 3] and metadata["d"] == ["x", "y"]
    mx.save_gguf(path, {}, {"f": mx.array(0.1, mx.float64), "v": mx.arange(3), "l": ["a", "b"], "e": []})
    metadata = mx.load(path, return_metadata=True)[1]
    assert metadata["f"].dtype == mx.float64 and metadata["f"].item() == 0.1
    assert metadata["v"].tolist() == [0, 1, 2] and metadata["l"] == ["a", "b"]


@pytest.mark.parametrize(("arrays", "metadata", "error", "message"), [
    ({"x": mx.array(1j)}, None, RuntimeError, "complex64"),
    ({"x": mx.array(True)}, None, RuntimeError, "bool"),
    ({}, {"x": 3}, RuntimeError, "of type int"),
    ({}, {"x": mx.zeros((2, 2))}, RuntimeError, r"shape \(2,2\)"),
    ({}, {"x": ["a", 1]}, RuntimeError, "of type list"),
    ({}, {"general.alignment": mx.array(64)}, RuntimeError, "set by the writer"),
    ([], None, TypeError, "a dict of arrays"),
])  # fmt: skip
def test_what_cannot_be_saved(tmp_path, arrays, metadata, error, message):
    with pytest.raises(error, match=message):
        mx.save_gguf(str(tmp_path / "x"), arrays, metadata)
    assert not list(tmp_path.iterdir())


def test_a_file_object_is_refused(tmp_path):
    mx.save_gguf(str(tmp_path / "x"), {"x": mx.ones(3)})
    with open(tmp_path / "x.gguf", "rb") as file, pytest.raises(ValueError, match="by its path"):
        mx.load(file)


def test_damaged_files(tmp_path):
    path = str(tmp_path / "x.gguf")
    mx.save_gguf(path, {"x": mx.arange(6.0).reshape(2, 3), "y": mx.ones(2)}, {"k": "v", "list": ["a", "b"]})
    whole = Path(path).read_bytes()

    def load(data):
        Path(path).write_bytes(data)
        mx.eval(mx.load(path))

    for n in range(len(whole) - 24):  # the last bytes are padding
        with pytest.raises(RuntimeError, match="x.gguf"):
            load(whole[:n])
    rng = np.random.default_rng(3)
    for _ in range(2000):
        data = bytearray(whole)
        for place in rng.integers(0, len(whole), rng.integers(1, 4)):
            data[place] = rng.integers(0, 256)
        try:
            load(bytes(data))
        except RuntimeError as error:
            assert "x.gguf" in str(error)
