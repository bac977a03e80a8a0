"""Small valid files for the fuzzers to begin with. Usage: make_seeds.py FOLDER"""

import sys
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn

DTYPES = (
    "bool_",
    "uint8",
    "int16",
    "uint32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
)
GOLDEN = Path(__file__).parent.parent / "golden" / "files"


def main():
    root = Path(sys.argv[1])
    for format in ("npy", "safetensors", "gguf", "mlxfn"):
        (root / format).mkdir(parents=True, exist_ok=True)
    arrays = {name: mx.arange(6).reshape(2, 3).astype(getattr(mx, name)) for name in DTYPES}
    for name, x in arrays.items():
        mx.save(str(root / "npy" / name), x)
        mx.save(str(root / "npy" / f"{name}-columns"), x.T)
    mx.save_safetensors(str(root / "safetensors" / "all"), arrays, {"key": "value"})
    mx.save_safetensors(str(root / "safetensors" / "none"), {})
    numbers = {k: v for k, v in arrays.items() if k in ("int16", "int64", "float16", "float32")}
    mx.save_gguf(str(root / "gguf" / "some"), numbers, {"a": mx.arange(3), "b": "text", "c": ["d", "e"]})
    for file in GOLDEN.iterdir():
        folder = root / file.suffix[1:]
        if folder.exists():
            (folder / file.name).write_bytes(file.read_bytes())
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.LayerNorm(3), nn.Softmax())
    mx.export_function(root / "mlxfn" / "net", net, mx.zeros((2, 2)), metadata="text")
    mx.export_function(root / "mlxfn" / "ops", lambda x, y: mx.sort(x[1:] @ y, axis=0), mx.zeros((3, 2)),
                       y=mx.zeros((2, 2)), shapeless=True)  # fmt: skip


if __name__ == "__main__":
    main()
