"""Training behind another interface: sklx, which is scikit-learn's, and mlx-tune, which is Unsloth's."""

import json
import os
import subprocess
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"  # read when mlx-tune is imported

import datasets
import mlx_tune
import numpy as np
import pytest
import sklearn.datasets
import sklx.classifier
import sklx.regressor
from sklearn.model_selection import GridSearchCV

import mlx.core as mx
import mlx.nn as nn

EXAMPLE = Path(__file__).parents[2] / "examples/python/lm.py"


class Net(nn.Module):
    def __init__(self, outputs=2):
        super().__init__()
        self.hidden = nn.Linear(6, 32)
        self.last = nn.Linear(32, outputs)

    def __call__(self, x):
        return self.last(nn.relu(self.hidden(x)))


@pytest.fixture(autouse=True)
def seed():
    mx.random.seed(0)
    np.random.seed(0)


def blobs():
    x, y = sklearn.datasets.make_blobs(400, 6, centers=2, cluster_std=3.0, random_state=0)
    return (x / 5).astype(np.float32), y.astype(np.int32)


def classifier(**options):
    options = {"max_epochs": 8, "lr": 0.1, "criterion": nn.losses.cross_entropy, "classes": [0, 1]} | options
    return sklx.classifier.NeuralNetworkClassifier(module=Net, **options)


def test_sklx_classifier():
    x, y = blobs()
    model = classifier()
    model.fit(x, y)
    assert model.score(x, y) > 0.9


def test_sklx_in_a_grid_search():
    x, y = blobs()
    search = GridSearchCV(
        classifier(), {"lr": [1e-6, 0.1], "max_epochs": [5]}, cv=2, refit=False, scoring="accuracy"
    )
    search.fit(x, y)
    assert search.best_params_["lr"] == 0.1


def test_sklx_regressor():
    x, y = sklearn.datasets.make_regression(400, 6, random_state=0)
    y = (y / np.std(y)).astype(np.float32)[:, None]
    model = sklx.regressor.NueralNetworkRegressor(lambda: Net(1), max_epochs=20, lr=0.1)
    model.fit(x.astype(np.float32), y)
    assert np.mean((np.array(model.module(mx.array(x, mx.float32))) - y) ** 2) < 0.2


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The folder of a language model of two layers, which the example leaves."""
    folder = tmp_path_factory.mktemp("lm")
    sizes = "--width 64 --layers 2 --vocabulary 512 --characters 100000 --tokens 8".split()
    steps = "--pretraining 10 --iterations 10".split()
    subprocess.run(
        [sys.executable, EXAMPLE, *sizes, *steps, "--out", folder], check=True, capture_output=True
    )
    return folder


def adapted(folder):
    model, tokenizer = mlx_tune.FastLanguageModel.from_pretrained(str(folder / "base"), max_seq_length=64)
    targets = ["q_proj", "v_proj"]
    return mlx_tune.FastLanguageModel.get_peft_model(
        model, r=4, target_modules=targets, lora_alpha=8
    ), tokenizer


def test_tune_supervised(small, tmp_path, capfd):
    model, tokenizer = adapted(small)
    rows = [json.loads(line)["text"][:100] for line in (small / "data/train.jsonl").read_text().splitlines()]
    sizes = {"max_steps": 40, "per_device_train_batch_size": 4, "max_seq_length": 64}
    rates = {
        "gradient_accumulation_steps": 1,
        "learning_rate": 5e-3,
        "warmup_steps": 1,
        "lr_scheduler_type": "constant",
    }
    settings = mlx_tune.SFTConfig(output_dir=str(tmp_path), dataset_text_field="text", **sizes, **rates)
    data = datasets.Dataset.from_list([{"text": row} for row in rows[:4]])
    trainer = mlx_tune.SFTTrainer(model=model, train_dataset=data, tokenizer=tokenizer, args=settings)
    assert trainer.train()["status"] == "success"
    adapters = mx.load(str(tmp_path / "adapters/adapters.safetensors"))
    changed = [name for name in adapters if name.endswith("lora_b") and mx.any(adapters[name] != 0)]
    assert len(changed) == 4  # queries and values of two layers
    mlx_tune.FastLanguageModel.for_inference(model)
    assert isinstance(model.generate(prompt="The licence", max_tokens=8), str)


def test_tune_preferences(small, tmp_path, capfd):
    model, tokenizer = adapted(small)
    rows = [{"prompt": "The ", "chosen": "licence is free", "rejected": "no no no"}] * 16
    steps = {"max_steps": 6, "per_device_train_batch_size": 4, "learning_rate": 1e-3, "beta": 0.1}
    settings = mlx_tune.DPOConfig(output_dir=str(tmp_path), logging_steps=2, **steps)
    data = datasets.Dataset.from_list(rows)
    trainer = mlx_tune.DPOTrainer(model=model, train_dataset=data, tokenizer=tokenizer, args=settings)
    assert trainer.train()["status"] == "success"
    lines = [line for line in capfd.readouterr().out.splitlines() if "| Loss: " in line]
    losses = [float(line.split("Loss: ")[1].split(" ")[0]) for line in lines]
    assert len(losses) == 3 and losses[-1] < losses[0] < 0.7  # the first is near log 2
