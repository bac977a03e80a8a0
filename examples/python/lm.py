"""A small Llama-style language model with mlx-lm's own classes, from nothing to text, without the network.

A tokenizer is made from text found on this machine. All weights of a model are trained on Python's help;
then LoRA teaches it texts of another kind, the licences. It is fused, quantized to 4 bits, saved, loaded
again, and goes on with a prompt from a saved cache: in about a minute from random numbers to words.
The folders that it leaves (base, adapters, tuned, 4bit, data) are what mlx-lm's commands take:

    python -m mlx_lm generate --model out/lm/4bit --prompt "The license" --ignore-chat-template
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import found_text, python_help, text_files

import mlx.core as mx
import mlx.optimizers as optim
from mlx.utils import tree_flatten, tree_unflatten

try:
    from mlx_lm import load, stream_generate
    from mlx_lm.models.cache import load_prompt_cache, make_prompt_cache, save_prompt_cache
    from mlx_lm.models.llama import Model, ModelArgs
    from mlx_lm.tokenizer_utils import TokenizerWrapper
    from mlx_lm.tuner.trainer import TrainingArgs, evaluate, train
    from mlx_lm.tuner.utils import linear_to_lora_layers
    from mlx_lm.utils import quantize_model, save
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast
except ImportError as error:
    sys.exit(f"lm.py needs mlx-lm ({error}): pip install mlx-lm")

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
END = "<|endoftext|>"
LORA = {"rank": 32, "scale": 2.0, "dropout": 0.0}
BATCH, LENGTH = 4, 128  # windows in a training step, tokens in a window
RATE = 1e-2


def pieces(documents: list[str], size: int) -> list[str]:
    """The documents cut at line ends into pieces of about `size` characters; the last one of each says so."""
    result = []
    for document in documents:
        piece = ""
        for line in document.splitlines(keepends=True):
            piece += line[:size]
            if len(piece) >= size:
                result.append(piece)
                piece = ""
        result.append(piece + END)
    return result


def make_tokenizer(texts: list[str], vocabulary: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of these texts, with markers for the turns of a chat."""
    markers = [END, "<|im_start|>", "<|im_end|>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=vocabulary, special_tokens=markers, initial_alphabet=alphabet, show_progress=False
        ),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END,
        pad_token=END,
        chat_template=CHAT_TEMPLATE,
    )


def make_model(tokenizer: PreTrainedTokenizerFast, width: int, layers: int) -> tuple[Model, dict[str, Any]]:
    """mlx-lm's Llama with random weights, and its configuration."""
    config = {
        "model_type": "llama",
        "hidden_size": width,
        "num_hidden_layers": layers,
        "intermediate_size": 3 * width,
        "num_attention_heads": width // 32,
        "num_key_value_heads": width // 64,
        "rms_norm_eps": 1e-5,
        "vocab_size": len(tokenizer),
        "tie_word_embeddings": True,
        "max_position_embeddings": 2048,
        "eos_token_id": [tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("<|im_end|>")],
    }
    return Model(ModelArgs.from_dict(config)), config


def split(texts: list[str]) -> dict[str, list[str]]:
    """A tenth each is held back for validation and test."""
    return {
        "train": [text for i, text in enumerate(texts) if i % 10 < 8],
        "valid": texts[8::10],
        "test": texts[9::10],
    }


def save_data(folder: Path, parts: dict[str, list[str]]) -> None:
    """The parts as mlx-lm's commands read them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, texts in parts.items():
        lines = (json.dumps({"text": text}) + "\n" for text in texts)
        (folder / f"{name}.jsonl").write_text("".join(lines))


def make_optimizer(steps: int) -> optim.Optimizer:
    """Muon for the matrices in the layers, where it learns in fewer steps than AdamW, which has all else.

    The rate rises over the first steps and then falls along a cosine.
    """
    rising = max(1, steps // 20)
    rise = optim.linear_schedule(RATE / 10, RATE, rising)
    fall = optim.cosine_decay(RATE, max(1, steps - rising), RATE / 20)
    schedule = optim.join_schedules([rise, fall], [rising])

    def is_inner(name: str, weight: mx.array) -> bool:
        return "layers" in name and weight.ndim == 2

    # Muon adds its weight decay to the gradients, which are much smaller than the weights here.
    return optim.MultiOptimizer([optim.Muon(schedule, weight_decay=0.0), optim.AdamW(schedule)], [is_inner])


def windows(tokenizer: Any, texts: list[str]) -> list[tuple[list[int], int]]:
    """The tokens of all texts in a row, cut into what mlx-lm's trainer takes: tokens, 0 of them a prompt.

    mlx-lm's own data sets end each text with an end of text. Here a piece is just a part of a document, and
    a model that learned from few steps that texts end anywhere would end its own at once.
    """
    ids = tokenizer.encode("".join(texts))
    return [(ids[i : i + LENGTH + 1], 0) for i in range(0, len(ids) - LENGTH, LENGTH)]


def fit(model: Model, tokenizer: Any, parts: dict[str, list[str]], steps: int, file: Path) -> None:
    """mlx-lm's trainer on what is not frozen; it leaves that in the file. The loss on other text falls."""
    training, valid = (windows(tokenizer, parts[name]) for name in ("train", "valid"))
    file.parent.mkdir(parents=True, exist_ok=True)
    arguments = TrainingArgs(
        batch_size=BATCH,
        iters=steps,
        steps_per_report=max(1, steps // 5),
        steps_per_save=steps + 1,
        max_seq_length=LENGTH + 1,
        adapter_file=str(file),
    )
    count = sum(a.size for _, a in tree_flatten(model.trainable_parameters()))
    print(f"{count} numbers are trained")
    before = evaluate(model, valid, BATCH, 10, max_seq_length=LENGTH + 1)
    began = time.perf_counter()
    train(model, make_optimizer(steps), training, args=arguments)
    seconds = time.perf_counter() - began
    after = evaluate(model, valid, BATCH, 10, max_seq_length=LENGTH + 1)
    print(f"loss on text held back: {before:.3f} before, {after:.3f} after {steps} steps ({seconds:.0f} s)")
    if not after < before:
        sys.exit("the training did not lower the loss")


def add_adapters(model: Model, folder: Path) -> None:
    """Low-rank updates of every layer and of the embedding, and nothing else, are to be trained."""
    model.freeze()
    # Keys name layers inside of a block; others, such as the embedding, are found from the root.
    keys = {
        name
        for name, module in model.layers[0].named_modules()
        if "weight" in module and name.endswith("proj")
    }
    parameters = LORA | {"keys": sorted(keys | {"model.embed_tokens"})}
    linear_to_lora_layers(model, len(model.layers), parameters)
    folder.mkdir(parents=True, exist_ok=True)
    adapters = {"fine_tune_type": "lora", "num_layers": len(model.layers), "lora_parameters": parameters}
    (folder / "adapter_config.json").write_text(json.dumps(adapters, indent=4))


def fuse(model: Model) -> None:
    """Each pair of low-rank factors becomes part of its weight."""
    fused = [(name, module.fuse()) for name, module in model.named_modules() if hasattr(module, "fuse")]
    model.update_modules(tree_unflatten(fused))


def go_on(model: Model, tokenizer: Any, ids: list[int], tokens: int, cache: Any = None) -> tuple[str, Any]:
    """The text of the likeliest tokens behind these, and mlx-lm's counts."""
    parts = [*stream_generate(model, tokenizer, ids, max_tokens=tokens, prompt_cache=cache)]
    return "".join(part.text for part in parts), parts[-1]


def continue_cached(folder: Path, cache_file: Path, prompt: str, tokens: int) -> None:
    """Reads the prompt into a cache and saves that; then goes on from the file and, to compare, without."""
    model, tokenizer = load(str(folder))
    ids = tokenizer.encode(prompt)
    cache = make_prompt_cache(model)
    mx.eval(model(mx.array(ids[:-1])[None], cache=cache))
    save_prompt_cache(str(cache_file), cache)

    continued, counts = go_on(model, tokenizer, ids[-1:], tokens, load_prompt_cache(str(cache_file)))
    whole, others = go_on(model, tokenizer, ids, tokens)
    for source, last in (("from the cache", counts), ("without cache", others)):
        print(
            f"{source}: {last.prompt_tokens} prompt tokens read,"
            f" {last.generation_tokens} generated, {last.generation_tps:.0f} tokens/s"
        )
    print(f"--- {prompt!r} goes on\n{continued}\n---")
    if continued != whole:
        sys.exit(f"without the cache the text is another one:\n{whole}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pretraining", type=int, default=600, help="steps that train all weights")
    parser.add_argument("--iterations", type=int, default=400, help="steps of LoRA")
    parser.add_argument("--characters", type=int, default=740_000, help="how much text to use")
    parser.add_argument("--vocabulary", type=int, default=4096, help="tokens")
    parser.add_argument("--width", type=int, default=128, help="a multiple of 64")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=64, help="tokens to generate")
    parser.add_argument("--prompt", default="This program is free software; you can")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("out/lm"), help="folder for all that is made")
    arguments = parser.parse_args()
    steps = min(arguments.pretraining, arguments.iterations)
    if arguments.width < 64 or arguments.width % 64 or min(steps, arguments.layers) < 1:
        parser.error("--width must be a multiple of 64, --layers and both numbers of steps at least 1")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    out = arguments.out
    mx.random.seed(arguments.seed)
    np.random.seed(arguments.seed)  # mlx-lm's trainer shuffles with it
    documents = found_text(arguments.characters * 5 // 8, python_help())
    licences = found_text(arguments.characters * 3 // 8, text_files())
    general, special = pieces(documents, size=256), pieces(licences, size=256)
    counts = f"{len(general)} and {len(special)} pieces of 256 characters"
    if min(len(general), len(special)) < 100:
        sys.exit(f"too little text on this machine: {counts}")
    tokenizer = make_tokenizer(general + special, arguments.vocabulary)
    parts = split(special)
    save_data(out / "data", parts)
    print(f"text: {counts}; tokenizer: {len(tokenizer)} tokens")

    model, config = make_model(tokenizer, arguments.width, arguments.layers)
    wrapped = TokenizerWrapper(tokenizer)
    print(f"all weights of {arguments.layers} layers of width {arguments.width}, on Python's help: ", end="")
    fit(model, wrapped, split(general), arguments.pretraining, out / "base" / "model.safetensors")
    save(out / "base", out, model, wrapped, dict(config), donate_model=False)
    text, _ = go_on(model, wrapped, wrapped.encode(arguments.prompt), 24)
    print(f"--- {arguments.prompt!r} goes on\n{text}\n---")

    add_adapters(model, out / "adapters")
    print(f"LoRA of rank {LORA['rank']}, on licences: ", end="")
    fit(model, wrapped, parts, arguments.iterations, out / "adapters" / "adapters.safetensors")
    fuse(model)
    save(out / "tuned", out, model, wrapped, dict(config), donate_model=False)
    model, config = quantize_model(model, config, group_size=64, bits=4)
    save(out / "4bit", out, model, wrapped, config)
    sizes = [(out / name / "model.safetensors").stat().st_size / 1e6 for name in ("tuned", "4bit")]
    print(f"saved: {sizes[0]:.1f} MB, and {sizes[1]:.1f} MB with 4 bits")

    continue_cached(out / "4bit", out / "prompt.safetensors", arguments.prompt, arguments.tokens)
    return 0


if __name__ == "__main__":
    sys.exit(main())
