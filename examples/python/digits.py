"""Train a small convolutional net on handwritten digits, from scikit-learn's wheel, in a few seconds.

Shows a compiled training step with dropout, a checkpoint that resumes to the same bits, and a picture of the
result. Progress goes to stderr; the last line of stdout is the test accuracy.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import Interrupt, Progress

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
from mlx.utils import tree_flatten, tree_unflatten

TEST_IMAGES = 360
Batch = tuple[mx.array, mx.array]  # images and labels


class Net(nn.Module):
    """Three normalized convolutions, two pools and a linear layer: (N, 8, 8, 1) to 10 logits."""

    def __init__(self) -> None:
        super().__init__()
        sizes = [1, 16, 32, 64]
        self.convs = [nn.Conv2d(i, o, 3, padding=1, bias=False) for i, o in zip(sizes, sizes[1:])]
        self.norms = [nn.BatchNorm(o) for o in sizes[1:]]
        self.pool = nn.MaxPool2d(2)
        self.dropout = nn.Dropout(0.3)
        self.head = nn.Linear(2 * 2 * 64, 10)

    def __call__(self, x: mx.array) -> mx.array:
        for layer, (conv, norm) in enumerate(zip(self.convs, self.norms)):
            x = nn.relu(norm(conv(x)))
            if layer > 0:
                x = self.pool(x)
        return self.head(self.dropout(x.reshape(x.shape[0], -1)))


def distorted(images: mx.array) -> mx.array:
    """Each image moved, stretched and slanted a little, which makes more of few images.

    A row or column of the result is read at a fractional place of the source: a product with a matrix of the
    weights of linear interpolation.
    """
    count, grid = images.shape[0], mx.arange(8, dtype=mx.float32)
    shift = mx.random.uniform(-0.5, 0.5, (2, count, 1, 1))
    stretch = mx.random.uniform(0.9, 1.1, (2, count, 1, 1))
    slant = mx.random.uniform(-0.15, 0.15, (count, 1, 1, 1))
    places = 3.5 + (grid.reshape(8, 1) - 3.5) * stretch + shift
    rows = mx.maximum(0, 1 - mx.abs(places[0] - grid))
    moved = rows @ mx.squeeze(images, -1)
    # The place of a column depends on the row: one matrix for each row of each image.
    places = mx.expand_dims(places[1], 1) + slant * (grid.reshape(8, 1, 1) - 3.5)
    columns = mx.maximum(0, 1 - mx.abs(places - grid))
    return columns @ mx.expand_dims(moved, -1)


def load_data() -> tuple[Batch, Batch]:
    """Images (1797, 8, 8, 1) scaled to [0, 1] and labels, in one fixed random order, as (training, test)."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        sys.exit("digits.py needs the images that ship with scikit-learn: pip install scikit-learn")
    digits: Any = load_digits()
    order = mx.random.permutation(len(digits.target), key=mx.random.key(0))
    images = mx.array(digits.images.astype("float32") / 16.0)[order].reshape(-1, 8, 8, 1)
    labels = mx.array(digits.target.astype("int32"))[order]
    mx.eval(images, labels)
    return (images[TEST_IMAGES:], labels[TEST_IMAGES:]), (images[:TEST_IMAGES], labels[:TEST_IMAGES])


class Trainer:
    """The net, its optimizer and the losses so far; everything that a checkpoint holds."""

    def __init__(self, settings: dict[str, Any], images: mx.array, labels: mx.array):
        self.settings, self.images, self.labels = settings, images, labels
        self.steps_per_epoch = math.ceil(len(labels) / settings["batch_size"])
        self.total = settings["epochs"] * self.steps_per_epoch
        mx.random.seed(settings["seed"])
        self.model = Net()
        self.optimizer = optim.Adam(
            optim.cosine_decay(settings["lr"], max(self.total, 1)), bias_correction=True
        )
        self.optimizer.init(self.model.trainable_parameters())
        self.losses: list[float] = []

    def compiled_step(self) -> tuple[Callable[[mx.array, mx.array], mx.array], list[Any]]:
        """One update as a single compiled graph; what it changes is named as its state."""
        model, optimizer = self.model, self.optimizer
        state = [model.state, optimizer.state, mx.random.state]

        def loss_of(x: mx.array, y: mx.array) -> mx.array:
            return nn.losses.cross_entropy(model(distorted(x)), y, reduction="mean")

        loss_and_gradients = nn.value_and_grad(model, loss_of)

        def step(x: mx.array, y: mx.array) -> mx.array:
            loss: mx.array
            loss, gradients = loss_and_gradients(x, y)
            optimizer.update(model, gradients)
            return loss

        return mx.compile(step, inputs=state, outputs=state), state

    def batch(self, step: int) -> mx.array:
        """The indices of a step's images: epochs are permutations that depend on seed and epoch alone."""
        epoch, place = divmod(step, self.steps_per_epoch)
        key = mx.random.key(self.settings["seed"] * 100_003 + epoch)
        size = self.settings["batch_size"]
        return mx.random.permutation(len(self.labels), key=key)[place * size : (place + 1) * size]

    def train(self, progress: Progress, interrupt: Interrupt) -> None:
        step, state = self.compiled_step()
        self.model.train()
        while len(self.losses) < self.total and not interrupt.asked:
            done = len(self.losses)
            # Dropout's draw depends on the step alone, so that a resumed run repeats what it would have been.
            mx.random.seed(self.settings["seed"] * 1_000_003 + done)
            chosen = self.batch(done)
            loss = step(self.images[chosen], self.labels[chosen])
            mx.eval(loss, state)
            self.losses.append(loss.item())
            progress.show(done + 1, self.losses[-1])

    def save(self, path: Path) -> None:
        """Arrays under "model." and "optimizer.", numbers as JSON in the metadata; replaced in one go."""
        trees = {"model": self.model.parameters(), "optimizer": self.optimizer.state}
        arrays = dict(tree_flatten(trees))
        arrays["losses"] = mx.array(self.losses)
        draft = path.with_name("draft." + path.name)
        mx.save_safetensors(str(draft), arrays, metadata={"settings": json.dumps(self.settings)})
        os.replace(draft, path)

    def restore(self, arrays: dict[str, mx.array]) -> None:
        self.losses = arrays.pop("losses").tolist()
        trees = tree_unflatten(arrays)
        self.model.update(trees["model"])
        self.optimizer.state = trees["optimizer"]


def predict(model: Net, images: mx.array) -> mx.array:
    model.eval()
    return mx.argmax(model(images), axis=-1)


def draw(path: Path, losses: list[float], images: mx.array, labels: mx.array, predictions: mx.array) -> str:
    """Save the loss curve and 15 test images with their predictions, wrong ones first; tells the path."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return "no picture: matplotlib is not installed (pip install matplotlib)"
    figure = plt.figure(figsize=(11, 4))
    panes: Any = figure.subfigures(1, 2)
    left, right = panes
    axes = left.subplots()
    axes.semilogy(losses, linewidth=0.8)
    axes.set(xlabel="step", ylabel="training loss")
    wrong_first = mx.argsort(predictions == labels).tolist()[:15]
    for cell, i in zip(right.subplots(3, 5).flat, wrong_first):
        guess, truth = predictions[i].item(), labels[i].item()
        cell.imshow(images[i].reshape(8, 8).tolist(), cmap="gray_r")
        cell.set_title(
            f"{guess}" if guess == truth else f"{guess}, is {truth}", color="k" if guess == truth else "r"
        )
        cell.set_axis_off()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return f"picture: {path}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=3e-3, help="first learning rate of a cosine decay")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=Path, default=Path("out"), help="folder of the checkpoint and the picture"
    )
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the folder")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    arguments = parser.parse_args()
    if arguments.epochs < 0 or arguments.batch_size < 1 or arguments.seed < 0 or not arguments.lr > 0:
        parser.error("--batch-size and --lr must be positive, --epochs and --seed not negative")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    settings = {name: getattr(arguments, name) for name in ("epochs", "batch_size", "lr", "seed")}
    arguments.out.mkdir(parents=True, exist_ok=True)
    checkpoint = arguments.out / "digits.safetensors"
    saved: dict[str, mx.array] = {}
    if arguments.resume:
        if not checkpoint.exists():
            sys.exit(f"nothing to resume: {checkpoint} does not exist")
        saved, metadata = mx.load(str(checkpoint), return_metadata=True)
        # Data order and schedule follow the run that made the checkpoint.
        settings = json.loads(metadata["settings"]) | {"epochs": arguments.epochs}

    (images, labels), (test_images, test_labels) = load_data()
    trainer = Trainer(settings, images, labels)
    if saved:
        trainer.restore(saved)
    progress = Progress(len(trainer.losses), trainer.total, arguments.quiet)
    with Interrupt() as interrupt:
        trainer.train(progress, interrupt)
        progress.close()
        trainer.save(checkpoint)
    print(f"checkpoint: {checkpoint}")
    if interrupt.asked and len(trainer.losses) < trainer.total:
        print(f"stopped after step {len(trainer.losses)} of {trainer.total}; go on with --resume")
        return 130

    predictions = predict(trainer.model, test_images)
    print(draw(arguments.out / "digits.png", trainer.losses, test_images, test_labels, predictions))
    accuracy = mx.mean((predictions == test_labels).astype(mx.float32)).item()
    print(f"test accuracy: {100 * accuracy:.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
