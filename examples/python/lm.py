"""A small Llama-style language model with mlx-lm's own classes, from nothing to text, without the network.

A tokenizer is made from text found on this machine; a model with random weights is saved with it, trained
with LoRA, fused, quantized to 4 bits, saved, loaded again, and goes on with a prompt from a saved cache.
The folders that it leaves (base, adapters, tuned, 4bit, data) are what mlx-lm's commands take:

    python -m mlx_lm generate --model out/lm/4bit --prompt "The license"
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
from common import found_text

import mlx.core as mx
import mlx.optimizers as optim
from mlx.utils import tree_flatten, tree_unflatten

try:
    from mlx_lm import load, stream_generate
    from mlx_lm.models.cache import load_prompt_cache, make_prompt_cache, save_prompt_cache
    from mlx_lm.models.llama import Model, ModelArgs
    from mlx_lm.tokenizer_utils import TokenizerWrapper
    from mlx_lm.tuner.datasets import CacheDataset, TextDataset
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
LORA = {"rank": 32, "scale": 2.0, "dropout": 0.0}


def pieces(documents: list[str], size: int) -> list[str]:
    """The documents cut at line ends into pieces of about `size` characters."""
    result = []
    for document in documents:
        piece = ""
        for line in document.splitlines(keepends=True):
            piece += line[:size]
            if len(piece) >= size:
                result.append(piece)
                piece = ""
    return result


def make_tokenizer(texts: list[str], vocabulary: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of these texts, with markers for the turns of a chat."""
    markers = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
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
        eos_token="<|endoftext|>",
        pad_token="<|endoftext|>",
        chat_template=CHAT_TEMPLATE,
    )


def make_model(tokenizer: PreTrainedTokenizerFast, width: int, layers: int) -> tuple[Model, dict]:
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


def save_data(folder: Path, texts: list[str]) -> dict[str, list[dict]]:
    """The texts as mlx-lm's commands read them: a tenth each for validation and test."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"text": text} for text in texts]
    parts = {
        "train": [row for i, row in enumerate(rows) if i % 10 < 8],
        "valid": rows[8::10],
        "test": rows[9::10],
    }
    for name, part in parts.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part))
    return parts


def fine_tune(model: Model, tokenizer, parts: dict[str, list[dict]], folder: Path, iterations: int) -> None:
    """Low-rank updates of every layer and of the embedding; the loss on text that was held back falls."""
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

    valid, training = (CacheDataset(TextDataset(parts[name], tokenizer)) for name in ("valid", "train"))
    arguments = TrainingArgs(
        batch_size=4,
        iters=iterations,
        steps_per_report=max(1, iterations // 5),
        steps_per_save=iterations + 1,
        max_seq_length=256,
        adapter_file=str(folder / "adapters.safetensors"),
    )
    trainable = sum(a.size for _, a in tree_flatten(model.trainable_parameters()))
    print(f"LoRA of rank {LORA['rank']}: {trainable} numbers are trained")
    before = evaluate(model, valid, 4, 10, max_seq_length=256)
    began = time.perf_counter()
    train(model, optim.AdamW(learning_rate=1e-3), training, args=arguments)
    seconds = time.perf_counter() - began
    after = evaluate(model, valid, 4, 10, max_seq_length=256)
    print(
        f"loss on text held back: {before:.3f} before, {after:.3f} after {iterations} steps ({seconds:.0f} s)"
    )
    if not after < before:
        sys.exit("the training did not lower the loss")


def fuse(model: Model) -> None:
    """Each pair of low-rank factors becomes part of its weight."""
    fused = [(name, module.fuse()) for name, module in model.named_modules() if hasattr(module, "fuse")]
    model.update_modules(tree_unflatten(fused))


def continue_cached(folder: Path, cache_file: Path, prompt: str, tokens: int) -> None:
    """Reads the prompt into a cache and saves that; then goes on from the file and, to compare, without."""
    model, tokenizer = load(str(folder))
    ids = tokenizer.encode(prompt)
    cache = make_prompt_cache(model)
    mx.eval(model(mx.array(ids[:-1])[None], cache=cache))
    save_prompt_cache(str(cache_file), cache)

    def text(ids: list[int], cache=None) -> str:
        parts = [*stream_generate(model, tokenizer, ids, max_tokens=tokens, prompt_cache=cache)]
        last = parts[-1]
        source = "without cache" if cache is None else "from the cache"
        print(
            f"{source}: {last.prompt_tokens} prompt tokens read,"
            f" {last.generation_tokens} generated, {last.generation_tps:.0f} tokens/s"
        )
        return "".join(part.text for part in parts)

    continued = text(ids[-1:], load_prompt_cache(str(cache_file)))
    whole = text(ids)
    print(f"--- {prompt!r} goes on\n{continued}\n---")
    if continued != whole:
        sys.exit(f"without the cache the text is another one:\n{whole}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=100, help="training steps")
    parser.add_argument("--characters", type=int, default=400_000, help="how much text to use")
    parser.add_argument("--vocabulary", type=int, default=2048, help="tokens")
    parser.add_argument("--width", type=int, default=192, help="a multiple of 64")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=64, help="tokens to generate")
    parser.add_argument("--prompt", default="This program is free software; you can")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("out/lm"), help="folder for all that is made")
    arguments = parser.parse_args()
    if arguments.width < 64 or arguments.width % 64 or min(arguments.iterations, arguments.layers) < 1:
        parser.error("--width must be a multiple of 64, --iterations and --layers at least 1")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    out = arguments.out
    mx.random.seed(arguments.seed)
    np.random.seed(arguments.seed)  # mlx-lm's trainer shuffles with it
    texts = pieces(found_text(arguments.characters), size=256)
    if len(texts) < 200:
        sys.exit(f"too little text on this machine: {len(texts)} pieces of 256 characters")
    tokenizer = make_tokenizer(texts, arguments.vocabulary)
    parts = save_data(out / "data", texts)
    print(f"text: {len(texts)} pieces; tokenizer: {len(tokenizer)} tokens")

    model, config = make_model(tokenizer, arguments.width, arguments.layers)
    wrapped = TokenizerWrapper(tokenizer)
    count = sum(a.size for _, a in tree_flatten(model.parameters()))
    print(f"model: {arguments.layers} layers of width {arguments.width}, {count} random numbers")
    save(out / "base", out, model, wrapped, dict(config), donate_model=False)

    fine_tune(model, wrapped, parts, out / "adapters", arguments.iterations)
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
