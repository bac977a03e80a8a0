"""safetensors.mlx and gguf: files written by one side are read by the other."""

import gguf
import numpy as np
import pytest
import safetensors
import safetensors.mlx as st

import mlx.core as mx

DTYPES = [mx.float32, mx.float16, mx.bfloat16, mx.int8, mx.uint8, mx.int32, mx.int64, mx.uint32, mx.bool_]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_safetensors_round_trip(dtype, tmp_path):
    tensors = {"a": mx.arange(12).reshape(3, 4).astype(dtype), "empty": mx.zeros((0, 3), dtype)}
    path = str(tmp_path / "ours.safetensors")
    st.save_file(tensors, path, metadata={"format": "mlx"})
    # safetensors.mlx.load reads bytes through NumPy, which has no bfloat16.
    in_memory = [] if dtype == mx.bfloat16 else [st.load(st.save(tensors))]
    for loaded in [st.load_file(path), mx.load(path), *in_memory]:
        for name, tensor in tensors.items():
            assert loaded[name].dtype == dtype and loaded[name].shape == tensor.shape
            assert mx.array_equal(loaded[name], tensor).item()


def test_safe_open(tmp_path):
    path = str(tmp_path / "ours.safetensors")
    mx.save_safetensors(path, {"w": mx.arange(6.0).reshape(2, 3)}, metadata={"who": "us"})
    with safetensors.safe_open(path, framework="mlx") as file:
        assert file.metadata()["who"] == "us"
        assert mx.array_equal(file.get_tensor("w"), mx.arange(6.0).reshape(2, 3)).item()
        assert mx.array_equal(file.get_slice("w")[:, 1:], mx.array([[1.0, 2.0], [4.0, 5.0]])).item()


def test_gguf(tmp_path):
    path = str(tmp_path / "ours.gguf")
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("answer", 42)
    values = np.random.default_rng(0).normal(size=(4, 64)).astype(np.float32)
    writer.add_tensor("plain", values)
    kind = gguf.GGMLQuantizationType.Q8_0
    quantized = gguf.quants.quantize(values, kind)
    writer.add_tensor("eight", quantized, raw_dtype=kind)
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file):
        step()
    writer.close()
    arrays, metadata = mx.load(path, return_metadata=True)
    assert metadata["answer"].item() == 42
    np.testing.assert_array_equal(np.array(arrays["plain"]), values)
    parts = [arrays[name] for name in ("eight", "eight.scales", "eight.biases")]
    whole = mx.dequantize(*parts, group_size=32, bits=8)
    np.testing.assert_allclose(np.array(whole), gguf.quants.dequantize(quantized, kind), atol=2e-3)
