"""Train a decoder-only transformer on characters of text found on this machine; it then writes some itself.

Shows a compiled training step, checkpoints that survive a kill and resume to the same bits, sampling with a
cache of keys and values, and a loss curve as an SVG picture. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import Interrupt, Progress, found_text, write_curve

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
from mlx.utils import tree_flatten, tree_unflatten

Past = tuple[mx.array, mx.array]  # keys and values of the text so far


class Block(nn.Module):
    """Causal attention with rotary positions, then a gated layer, each on a normalized input and added."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.norm = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.rope = nn.RoPE(width // heads)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(2 * width, width, bias=False)

    def __call__(self, x: mx.array, past: Past | None = None) -> tuple[mx.array, Past]:
        """The result, and keys and values of the text so far: (N, heads, length, width / heads) each."""
        n, length, width = x.shape
        qkv = self.qkv(self.attention_norm(x)).reshape(n, length, 3 * self.heads, -1).swapaxes(1, 2)
        q, k, v = mx.split(qkv, 3, axis=1)
        offset = 0 if past is None else past[0].shape[2]
        q, k = self.rope(q, offset=offset), self.rope(k, offset=offset)
        if past is not None:
            k, v = mx.concatenate([past[0], k], axis=2), mx.concatenate([past[1], v], axis=2)
        y = mx.fast.scaled_dot_product_attention(q, k, v, scale=q.shape[-1] ** -0.5, mask="causal")
        x = x + self.out(y.swapaxes(1, 2).reshape(n, length, width))
        gate, value = mx.split(self.up(self.norm(x)), 2, axis=-1)
        return x + self.down(nn.silu(gate) * value), (k, v)


class CharModel(nn.Module):
    """Character ids (N, L) to logits (N, L, characters)."""

    def __init__(self, characters: int, width: int, heads: int, layers: int):
        super().__init__()
        self.embedding = nn.Embedding(characters, width)
        self.blocks = [Block(width, heads) for _ in range(layers)]
        self.norm = nn.RMSNorm(width)
        self.head = nn.Linear(width, characters, bias=False)

    def __call__(self, ids: mx.array, past: list[Past] | None = None) -> tuple[mx.array, list[Past]]:
        x, present = self.embedding(ids), []
        for i, block in enumerate(self.blocks):
            x, state = block(x, None if past is None else past[i])
            present.append(state)
        return self.head(self.norm(x)), present


class Trainer:
    """The model, its optimizer and the losses so far; everything that a checkpoint holds."""

    def __init__(self, settings: dict[str, Any], text: str):
        self.settings = settings
        self.characters = settings["characters"]
        place = {character: i for i, character in enumerate(self.characters)}
        self.data = mx.array([place[c] for c in text if c in place], dtype=mx.uint32)
        mx.random.seed(settings["seed"])
        self.model = CharModel(len(self.characters), settings["width"], settings["heads"], settings["layers"])
        warmup = max(1, settings["steps"] // 20)
        schedule = optim.join_schedules(
            [
                optim.linear_schedule(0.0, settings["lr"], warmup),
                optim.cosine_decay(settings["lr"], max(1, settings["steps"] - warmup), settings["lr"] / 10),
            ],
            [warmup],
        )
        self.optimizer = optim.AdamW(schedule, betas=[0.9, 0.99], bias_correction=True)
        self.optimizer.init(self.model.trainable_parameters())
        mx.eval(self.model.parameters(), self.optimizer.state)
        self.losses: list[float] = []

    def compiled_step(self) -> tuple[Callable[[mx.array, mx.array], mx.array], list[Any]]:
        """One update as a single compiled graph; what it changes is named as its state."""
        model, optimizer = self.model, self.optimizer
        state = [model.state, optimizer.state]

        def loss_of(x: mx.array, y: mx.array) -> mx.array:
            return nn.losses.cross_entropy(model(x)[0], y, reduction="mean")

        loss_and_gradients = nn.value_and_grad(model, loss_of)

        def step(x: mx.array, y: mx.array) -> mx.array:
            loss: mx.array
            loss, gradients = loss_and_gradients(x, y)
            gradients, _ = optim.clip_grad_norm(gradients, 1.0)
            optimizer.update(model, gradients)
            return loss

        return mx.compile(step, inputs=state, outputs=state), state

    def batch(self, step: int) -> tuple[mx.array, mx.array]:
        """Windows of the text at places that depend on seed and step alone, and what follows each."""
        length = self.settings["length"]
        key = mx.random.key(self.settings["seed"] * 1_000_003 + step)
        starts = mx.random.randint(0, len(self.data) - length, (self.settings["batch_size"], 1), key=key)
        windows = self.data[starts + mx.arange(length + 1)]
        return windows[:, :-1], windows[:, 1:]

    def train(self, progress: Progress, interrupt: Interrupt, checkpoint: Path, every: float) -> None:
        """Until all steps are done or a stop is asked for; a checkpoint every so many seconds."""
        step, state = self.compiled_step()
        saved = time.monotonic()
        while len(self.losses) < self.settings["steps"] and not interrupt.asked:
            loss = step(*self.batch(len(self.losses)))
            mx.eval(loss, state)
            self.losses.append(loss.item())
            if not math.isfinite(self.losses[-1]):
                sys.exit(f"the loss is {self.losses[-1]} at step {len(self.losses)}: try a smaller --lr")
            progress.show(len(self.losses), self.losses[-1])
            if time.monotonic() - saved >= every:
                self.save(checkpoint)
                saved = time.monotonic()

    def save(self, path: Path) -> None:
        """Arrays under "model." and "optimizer.", settings in the metadata.

        A kill while this is written leaves the file of before: it is replaced once all is there.
        """
        arrays = dict(tree_flatten({"model": self.model.parameters(), "optimizer": self.optimizer.state}))
        arrays["losses"] = mx.array(self.losses)
        mx.save_safetensors(str(path), arrays, metadata={"settings": json.dumps(self.settings)})

    def restore(self, arrays: dict[str, mx.array]) -> None:
        self.losses = arrays.pop("losses").tolist()
        trees = tree_unflatten(arrays)
        self.model.update(trees["model"])
        self.optimizer.state = trees["optimizer"]


def sample(trainer: Trainer, prompt: str, count: int, temperature: float, seed: int) -> tuple[str, float]:
    """The prompt and what the model writes after it, and characters per second."""
    model, characters, key = trainer.model, trainer.characters, mx.random.key(seed)
    known = [characters.index(c) for c in prompt if c in characters] or [0]
    ids, past, began = mx.array([known]), None, time.perf_counter()
    written = []
    for _ in range(count):
        logits, past = model(ids, past)
        key, draw = mx.random.split(key)
        ids = mx.random.categorical(logits[:, -1] / temperature, key=draw)[:, None]
        # Written one step late: while one character is computed, the graph of the next is built.
        mx.async_eval(ids)
        written.append(ids)
    numbers = mx.concatenate(written, axis=1).tolist()[0] if written else []
    return prompt + "".join(characters[i] for i in numbers), count / max(time.perf_counter() - began, 1e-9)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--length", type=int, default=128, help="characters in a window")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--lr", type=float, default=3e-3, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--text", type=Path, help="a file to learn from, instead of what the machine has")
    parser.add_argument("--limit", type=int, default=1_000_000, help="characters of text")
    parser.add_argument("--prompt", default="The ")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--sample-length", type=int, default=300)
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--save-every", type=float, default=10.0, help="seconds between two checkpoints")
    parser.add_argument(
        "--out", type=Path, default=Path("out"), help="folder of the checkpoint and the picture"
    )
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the folder")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    arguments = parser.parse_args()
    positive = ("batch_size", "length", "width", "heads", "layers", "lr", "temperature", "limit")
    if any(not getattr(arguments, name) > 0 for name in positive) or arguments.steps < 0:
        parser.error("sizes, --lr and --temperature must be positive, --steps not negative")
    if arguments.width % (2 * arguments.heads):
        parser.error("--width must be a multiple of twice --heads")
    return arguments


def read_text(arguments: argparse.Namespace) -> str:
    """ASCII text; what cannot be typed is left out."""
    if arguments.text:
        text = arguments.text.read_text(encoding="utf-8", errors="ignore")[: arguments.limit]
    else:
        text = "\n".join(found_text(arguments.limit))
    text = "".join(c for c in text if c == "\n" or " " <= c <= "~")
    if len(text) < 2 * arguments.length + 2:
        sys.exit(f"too little text: {len(text)} characters; name a file with --text")
    return text


def main() -> int:
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    checkpoint = arguments.out / "char_lm.safetensors"
    text = read_text(arguments)
    names = ("steps", "batch_size", "length", "width", "heads", "layers", "lr", "seed")
    settings = {name: getattr(arguments, name) for name in names}
    settings |= {"characters": "".join(sorted(set(text))), "checksum": zlib.crc32(text.encode())}
    saved: dict[str, mx.array] = {}
    if arguments.resume:
        if not checkpoint.exists():
            sys.exit(f"nothing to resume: {checkpoint} does not exist")
        saved, metadata = mx.load(str(checkpoint), return_metadata=True)
        before = json.loads(metadata["settings"])
        if before["checksum"] != settings["checksum"]:
            print("the text is not the one that the checkpoint was trained on", file=sys.stderr)
        settings = before

    trainer = Trainer(settings, text)
    if saved:
        trainer.restore(saved)
    parameters = sum(array.size for _, array in tree_flatten(trainer.model.parameters()))
    print(f"text: {len(text)} characters, {len(settings['characters'])} different")
    print(f"model: {parameters} parameters")
    first = len(trainer.losses)
    tokens = settings["batch_size"] * settings["length"]
    progress = Progress(first, settings["steps"], arguments.quiet, "tokens", tokens)
    with Interrupt() as interrupt:
        trainer.train(progress, interrupt, checkpoint, arguments.save_every)
        rate = progress.rate(len(trainer.losses))
        progress.close()
        trainer.save(checkpoint)
    print(f"checkpoint: {checkpoint}")
    if interrupt.asked and len(trainer.losses) < settings["steps"]:
        print(f"stopped after step {len(trainer.losses)} of {settings['steps']}; go on with --resume")
        return 130

    picture = arguments.out / "char_lm.svg"
    write_curve(picture, trainer.losses, "training loss")
    print(f"picture: {picture}")
    for seed in range(arguments.samples):
        written, speed = sample(
            trainer, arguments.prompt, arguments.sample_length, arguments.temperature, seed
        )
        print(f"--- sample {seed + 1}, {speed:.0f} characters/s\n{written}")
    last = trainer.losses[-50:]
    loss = f"loss: {sum(last) / len(last):.3f}" if last else "loss: none"
    print(f"---\n{loss}, trained on {rate:.0f} tokens/s" if len(trainer.losses) > first else f"---\n{loss}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
