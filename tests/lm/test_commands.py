"""mlx-lm's own commands on the small model that examples/python/lm.py makes. Run by `make test-lm`."""

import json
import re

import pytest

import mlx.core as mx


def generated(printed):
    return printed.split("==========")[1]


@pytest.fixture
def greedy(command):
    """The text that a model gives for one prompt."""

    def text(model, *arguments):
        prompt = ["--prompt", "The license", "--max-tokens", "24", "--ignore-chat-template"]
        return generated(command("generate", "--model", model, *prompt, *arguments))

    return text


@pytest.mark.parametrize(
    "mode, bits, group",
    [("affine", 4, 64), ("affine", 8, 32), ("mxfp4", 4, 32), ("nvfp4", 4, 16), ("mxfp8", 8, 32)],
)
def test_convert(command, greedy, small, mode, bits, group):
    out = f"converted-{mode}-{bits}"
    options = ["--q-mode", mode, "--q-bits", bits, "--q-group-size", group]
    command("convert", "--hf-path", "tuned", "--mlx-path", out, "-q", *options)
    config = json.loads((small / out / "config.json").read_text())
    assert config["quantization"] == {"group_size": group, "bits": bits, "mode": mode}
    assert greedy(out)


def test_convert_back(command, greedy, small):
    """Weights that were dequantized give the quantized model's text."""
    command("convert", "--hf-path", "4bit", "--mlx-path", "dequantized", "-d", "--dtype", "float32")
    weights = mx.load(str(small / "dequantized/model.safetensors"))
    assert all(weight.dtype == mx.float32 for weight in weights.values())
    assert greedy("dequantized") == greedy("4bit")


def test_convert_dtype(command, small):
    command("convert", "--hf-path", "tuned", "--mlx-path", "half", "--dtype", "bfloat16")
    weights = mx.load(str(small / "half/model.safetensors"))
    assert {weight.dtype for weight in weights.values()} == {mx.bfloat16}


def plain(printed):
    """Without the codes of colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", printed)


@pytest.mark.parametrize(
    "kind, base", [("lora", "base"), ("dora", "base"), ("full", "base"), ("lora", "4bit")]
)
def test_lora_and_fuse(command, greedy, small, kind, base):
    """Training lowers the loss, and the fused model is the one with adapters."""
    out, rate = f"{kind}-{base}", "1e-3" if kind == "full" else "1e-4"
    options = ["--model", base, "--data", "data", "--adapter-path", out, "--num-layers", 2, "--batch-size", 4]
    # All of what is held back: a few pieces of it differ by more than 20 steps teach.
    train = ["--train", "--fine-tune-type", kind, "--learning-rate", rate, "--val-batches", -1]
    printed = command("lora", *options, *train, "--iters", 20, "--steps-per-eval", 10, "--save-every", 10)
    losses = [float(value) for value in re.findall(r"\bval +([\d.]+)", plain(printed))]
    assert len(losses) == 3 and losses[2] < losses[0], plain(printed)
    assert (small / out / "0000010_adapters.safetensors").exists()
    tested = re.search(
        r"Test loss\D*([\d.]+)", plain(command("lora", *options, "--test", "--test-batches", 5))
    )
    assert float(tested[1]) < losses[0] + 0.5
    # Training goes on from a checkpoint.
    command("lora", *options, *train, "--resume-adapter-file", f"{out}/adapters.safetensors", "--iters", 1)
    fused = f"fused-{out}"
    command("fuse", "--model", base, "--adapter-path", out, "--save-path", fused)
    if kind != "full" and base != "4bit":
        assert greedy(fused) == greedy(base, "--adapter-path", out)


def test_lora_options(command, small):
    (small / "lora.yaml").write_text(
        "model: base\ntrain: true\ndata: data\nadapter_path: options\niters: 4\nbatch_size: 2\n"
        "num_layers: 2\ngrad_checkpoint: true\ngrad_accumulation_steps: 2\noptimizer: muon\nval_batches: 1\n"
        "lr_schedule: {name: cosine_decay, warmup: 2, arguments: [1e-3, 4, 1e-5]}\n"
        "lora_parameters: {rank: 4, scale: 2.0, dropout: 0.1}\n"
    )
    command("lora", "--config", "lora.yaml")
    assert (small / "options/adapters.safetensors").exists()


def test_generate(command, greedy):
    text = greedy("tuned")
    assert text == greedy("tuned"), "greedy text repeats"
    assert text == greedy("tuned", "--draft-model", "4bit", "--num-draft-tokens", 3), (
        "a draft changes nothing"
    )
    assert greedy("tuned", "--kv-bits", 8, "--kv-group-size", 32, "--quantized-kv-start", 0)
    assert greedy("tuned", "--max-kv-size", 16)
    sampled = ["--temp", 0.8, "--top-p", 0.9, "--top-k", 40, "--min-p", 0.01, "--seed", 3]
    assert greedy("tuned", *sampled) == greedy("tuned", *sampled), "a seed repeats"
    assert greedy("tuned", *sampled, "--xtc-probability", 0.5)
    printed = command("generate", "--model", "4bit", "--prompt", "-", "--max-tokens", 8, stdin="Who are you?")
    assert printed.count("==========") == 2


def test_cache_prompt(command, small):
    """A prompt that comes from a file goes on like one that is given."""
    command(
        "cache_prompt",
        "--model",
        "tuned",
        "--prompt",
        "The license of this",
        "--prompt-cache-file",
        "p.safetensors",
    )
    printed = command(
        "generate", "--prompt-cache-file", "p.safetensors", "--prompt", "Hello", "--max-tokens", 12
    )
    again = command(
        "generate", "--prompt-cache-file", "p.safetensors", "--prompt", "Hello", "--max-tokens", 12
    )
    assert generated(printed) and generated(printed) == generated(again)


def test_chat(command):
    printed = plain(command("chat", "--model", "base", "--max-tokens", 8, stdin="hello\nand you?\nq\n"))
    assert printed.count(" tokens · ") == 2, printed


def test_perplexity(command):
    pytest.importorskip("datasets", reason="the command reads its text with this package")
    options = ["--data-path", "./data", "--sequence-length", 64, "--num-samples", 16, "--batch-size", 4]
    values = [
        float(re.search(r"Perplexity: ([\d.]+)", command("perplexity", "--model", model, *options))[1])
        for model in ("base", "tuned")
    ]
    assert 1 < values[1] < values[0]


def test_benchmark(command):
    printed = command("benchmark", "--model", "4bit", "-p", 32, "-g", 8, "-n", 1, "-b", 2)
    assert "generation_tps" in printed


def test_manage(command):
    assert "Scanning" in command("manage", "--scan", "--pattern", "x")
