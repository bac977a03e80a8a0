"""mlx-lm's commands that look for good quantized weights: nearer to the model than rounding each."""

import json
from functools import cache

import pytest
from mlx_lm import load

import mlx.core as mx
import mlx.nn as nn

LAYERS = {"group_size": 64, "bits": 2}
SAMPLES = ["--num-samples", 16, "--sequence-length", 128]
ROWS = ["--data-path", "data", "--num-samples", 128, "--max-seq-length", 128, "--batch-size", 4]


@pytest.fixture(scope="module")
def calibrated(command, small):
    """Commands that find text of ours where they keep the text that they would fetch otherwise."""
    lines = (small / "data/train.jsonl").read_text().splitlines()
    cached = small / "home/.cache/mlx-lm/calibration_v5.txt"
    cached.parent.mkdir(parents=True)
    cached.write_text("".join(json.loads(line)["text"] for line in lines))
    return lambda *arguments: command(*arguments, home=small / "home")


@pytest.fixture(scope="module")
def divergence(small):
    """From the model's next tokens on text held back to those of a quantized one."""
    model, tokenizer = load(str(small / "tuned"))
    lines = (small / "data/valid.jsonl").read_text().splitlines()
    ids = tokenizer.encode("".join(json.loads(line)["text"] for line in lines))
    ids = mx.array(ids[: len(ids) // 64 * 64]).reshape(-1, 64)

    def chances(model):
        return nn.log_softmax(model(ids).astype(mx.float32))

    want = chances(model)
    return lambda model: mx.mean(mx.sum(mx.exp(want) * (want - chances(model)), axis=-1)).item()


@pytest.fixture(scope="module")
def rounded(small, divergence):
    """The divergence of the model whose layers are rounded to so many bits."""

    @cache
    def result(embedding_bits):
        model, _ = load(str(small / "tuned"))

        def how(_, module):
            if not hasattr(module, "to_quantized"):
                return False
            return LAYERS | {"bits": embedding_bits} if isinstance(module, nn.Embedding) else LAYERS

        nn.quantize(model, class_predicate=how)
        return divergence(model)

    return result


@pytest.fixture
def saved(small, divergence):
    def result(folder):
        model, _ = load(str(small / folder))
        return divergence(model)

    return result


def test_awq(calibrated, rounded, saved):
    layers, embedding = ["--bits", 2, "--group-size", 64], ["--embed-bits", 8, "--embed-group-size", 64]
    calibrated("awq", "--model", "tuned", "--mlx-path", "awq", *layers, *embedding, *SAMPLES, "--n-grid", 10)
    assert saved("awq") < rounded(8)


def test_gptq(calibrated, rounded, saved):
    layers, others = ["--bits", 2, "--group-size", 64], ["--fallback-bits", 8, "--fallback-group-size", 64]
    calibrated("gptq", "--model", "tuned", "--mlx-path", "gptq", *layers, *others, *SAMPLES)
    assert saved("gptq") < 0.7 * rounded(8)


@pytest.mark.parametrize("options", [[], ["--grad-checkpoint"]])
def test_dwq(command, rounded, saved, options):
    """Scales and biases of all layers are trained towards the model's tokens."""
    out = "-".join(["dwq", *(option.strip("-") for option in options)])
    bits = ["--bits", 2, "--group-size", 64, "--learning-rate", 1e-3]
    command("dwq", "--model", "tuned", "--mlx-path", out, *bits, *ROWS, *options)
    assert saved(out) < 0.5 * rounded(2)


def test_dwq_of_quantized(command, saved):
    """Goes on from quantized weights."""
    options = ["--quantized-model", "4bit", "--learning-rate", 1e-4]
    command("dwq", "--model", "tuned", "--mlx-path", "dwq-4bit", *options, *ROWS)
    assert saved("dwq-4bit") < saved("4bit")


@pytest.mark.parametrize("options", [[], ["--grad-checkpoint", "--accumulation-dtype", "bfloat16"]])
def test_dynamic_quant(calibrated, small, rounded, saved, options):
    """Sensitive layers get more bits; the file of sensitivities serves a second time."""
    bits = ["--low-bits", 2, "--low-group-size", 64, "--high-bits", 5, "--high-group-size", 64]
    arguments = ["--model", "tuned", *bits, "--target-bpw", 4.5]
    calibrated("dynamic_quant", *arguments, "--mlx-path", f"dynamic-{len(options)}", *options)
    assert saved(f"dynamic-{len(options)}") < 0.5 * rounded(2)
    quantization = json.loads((small / f"dynamic-{len(options)}/config.json").read_text())["quantization"]
    assert {layer["bits"] for layer in quantization.values() if isinstance(layer, dict)} >= {5}
    again = ["--sensitivities", "tuned_sensitivities.json", "--mlx-path", f"again-{len(options)}"]
    calibrated("dynamic_quant", *arguments, *again)
    assert saved(f"again-{len(options)}") == saved(f"dynamic-{len(options)}")
