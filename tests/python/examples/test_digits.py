"""examples/python/digits.py as a user runs it: output, resuming after Ctrl-C, error lines."""

import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mlx.core as mx
from mlx.utils import tree_flatten

SCRIPT = Path(__file__).parents[3] / "examples" / "python" / "digits.py"

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def needs_the_images():
    pytest.importorskip("sklearn", reason="the images ship with scikit-learn")


def command(out, *arguments):
    return [sys.executable, str(SCRIPT), "--out", str(out), *arguments]


def run(out, *arguments, environment=None):
    return subprocess.run(
        command(out, *arguments),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )


def test_trains(tmp_path):
    out = tmp_path / "a b"
    result = run(out, "--epochs", "2", "--quiet")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    lines = result.stdout.splitlines()
    assert lines[-1].startswith("test accuracy: ") and lines[-1].endswith(" %")
    assert float(lines[-1].split()[2]) > 80
    assert str(out / "digits.png") in result.stdout or "matplotlib is not installed" in result.stdout
    # A finished run that is resumed has nothing left to do.
    again = run(out, "--epochs", "2", "--resume")
    assert again.returncode == 0 and again.stdout == result.stdout


def test_ctrl_c_saves(tmp_path):
    process = subprocess.Popen(
        command(tmp_path, "--epochs", "100000"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    first = process.stderr.readline()  # a progress line: training has begun
    assert "steps/s" in first and "s left" in first
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "go on with --resume" in stdout.splitlines()[-1]
    assert (tmp_path / "digits.safetensors").exists()
    assert "Traceback" not in stderr


def test_resumes_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SCRIPT.parent)
    digits = runpy.run_path(str(SCRIPT))
    (images, labels), _ = digits["load_data"]()
    settings = {"epochs": 1, "batch_size": 64, "lr": 1e-3, "seed": 3}
    quiet = digits["Progress"](0, 1, quiet=True)

    def trained(trainer, steps):
        """Asks for a stop once `steps` losses are there."""

        class Stop:
            asked = property(lambda self: len(trainer.losses) >= steps)

        trainer.train(quiet, Stop())
        return trainer

    path = tmp_path / "x.safetensors"
    whole = trained(digits["Trainer"](settings, images, labels), 9)
    trained(digits["Trainer"](settings, images, labels), 4).save(path)
    resumed = digits["Trainer"](settings, images, labels)
    resumed.restore(mx.load(str(path)))
    assert len(resumed.losses) == 4
    trained(resumed, 9)
    assert whole.losses == resumed.losses
    a, b = (dict(tree_flatten([t.model.parameters(), t.optimizer.state])) for t in (whole, resumed))
    assert a.keys() == b.keys() and all(mx.array_equal(a[name], b[name]) for name in a)


def test_nothing_to_resume(tmp_path):
    result = run(tmp_path, "--resume")
    assert result.returncode == 1 and "nothing to resume" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_refused_arguments(tmp_path):
    result = run(tmp_path, "--batch-size", "0")
    assert result.returncode == 2 and "must be positive" in result.stderr


@pytest.mark.parametrize(
    "module, words", [("sklearn", "pip install scikit-learn"), ("matplotlib", "matplotlib is not installed")]
)
def test_missing_packages(tmp_path, module, words):
    (tmp_path / "hide").mkdir()
    (tmp_path / "hide" / f"{module}.py").write_text("raise ImportError('hidden')\n")
    path = os.pathsep.join([str(tmp_path / "hide"), os.environ.get("PYTHONPATH", "")])
    result = run(tmp_path / "out", "--epochs", "0", "--quiet", environment={"PYTHONPATH": path})
    if module == "sklearn":
        assert result.returncode == 1 and len(result.stderr.splitlines()) == 1 and words in result.stderr
    else:
        assert result.returncode == 0 and words in result.stdout
        assert result.stdout.splitlines()[-1].startswith("test accuracy")
