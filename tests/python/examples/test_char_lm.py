"""examples/python/char_lm.py as a user runs it: text, picture, a kill in the middle, error lines."""

import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import pytest

import mlx.core as mx

SCRIPT = Path(__file__).parents[3] / "examples" / "python" / "char_lm.py"
TINY = "--batch-size 4 --length 16 --width 16 --heads 2 --layers 1 --sample-length 20 --samples 1".split()

pytestmark = pytest.mark.slow


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text"
    path.write_text("the quick brown fox jumps over the lazy dog.\n" * 200)
    return path


def command(out, *arguments):
    return [sys.executable, str(SCRIPT), *TINY, "--out", str(out), *map(str, arguments)]


def run(out, *arguments):
    return subprocess.run(command(out, *arguments), capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_trains_on_the_texts_of_the_machine(tmp_path):
    result = run(tmp_path, "--steps", 30, "--limit", 50_000, "--quiet")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    last = result.stdout.splitlines()[-1]
    assert last.startswith("loss: ") and last.endswith("tokens/s")
    xml.etree.ElementTree.parse(tmp_path / "char_lm.svg")
    assert "--- sample 1" in result.stdout


def test_learns(tmp_path, text):
    result = run(tmp_path / "out", "--steps", 400, "--text", text, "--quiet", "--lr", 1e-2, "--width", 32)
    assert result.returncode == 0, result.stderr
    assert float(result.stdout.splitlines()[-1].split()[1].rstrip(",")) < 1.0, result.stdout


def checkpoint(out):
    arrays, metadata = mx.load(str(out / "char_lm.safetensors"), return_metadata=True)
    return arrays, json.loads(metadata["settings"])


def test_a_killed_run_resumes_to_the_same_bits(tmp_path, text):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    steps = ["--steps", 600, "--text", text, "--quiet"]
    assert run(whole, *steps).returncode == 0
    process = subprocess.Popen(command(killed, *steps, "--save-every", 0))
    while not (killed / "char_lm.safetensors").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = len(checkpoint(killed)[0]["losses"])
    assert 0 < done < 600
    result = run(killed, "--resume", *steps[2:])
    assert result.returncode == 0, result.stderr
    (a, settings), (b, same) = checkpoint(whole), checkpoint(killed)
    assert settings == same and len(a["losses"]) == 600
    assert a.keys() == b.keys() and all(mx.array_equal(a[name], b[name]) for name in a)


def test_ctrl_c_saves(tmp_path, text):
    process = subprocess.Popen(
        command(tmp_path, "--steps", 1_000_000, "--text", text),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "tokens/s" in process.stderr.readline()  # training has begun
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in stderr, stderr
    assert "go on with --resume" in stdout.splitlines()[-1]
    assert (tmp_path / "char_lm.safetensors").exists()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--resume"], "nothing to resume"),
        (["--text", __file__, "--limit", "10"], "too little text"),
        (["--batch-size", "0"], "must be positive"),
        (["--width", "18"], "multiple"),
    ],
)
def test_refused(tmp_path, arguments, words):
    result = run(tmp_path, *arguments)
    assert result.returncode != 0 and words in result.stderr and "Traceback" not in result.stderr
