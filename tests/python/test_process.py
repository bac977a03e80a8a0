"""Interrupts, ends of the process, fork, warnings, and threads beside a long evaluation."""

import os
import subprocess
import sys
import textwrap
import threading
import time
import warnings

import pytest

import mlx.core as mx


def run(code, *options, timeout=20, **environment):
    return subprocess.run(
        [sys.executable, *options, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=os.environ | environment,
    )


LONG = """
import mlx.core as mx, os, signal, sys, threading, time
def daemon(work):
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
def long(n=400, size=1_000_000):
    x = mx.arange(size).astype(mx.float32)
    for _ in range(n):
        x = mx.sort(x[::-1] * 1.0001)
    return x
"""


def test_interrupt_leaves_arrays_pending():
    result = run(
        LONG
        + """
x = long()
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.time()
try:
    mx.eval(x)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", time.time() - start < 3)
short = mx.ones(3) + 1
print(short.tolist())
y = long(5)
print(bool((y[1:] >= y[:-1]).all()))
"""
    )
    assert result.stdout.split("\n")[:3] == ["interrupted True", "[2.0, 2.0, 2.0]", "True"], result.stderr


@pytest.mark.parametrize(
    "ending, code",
    [
        ("sys.exit(7)", 7),
        ("raise ValueError('x')", 1),
        ("mx.async_eval(long()); sys.exit(3)", 3),
        ("daemon(lambda: mx.eval(long())); time.sleep(0.2); sys.exit(4)", 4),
        ("[daemon(lambda: [mx.eval(mx.ones(9) + i) for i in range(10**9)]) for _ in '1234']; sys.exit(5)", 5),
        ("import atexit; atexit.register(lambda: print((mx.ones(2) + 1).tolist())); sys.exit(6)", 6),
    ],
)  # fmt: skip
def test_process_ends(ending, code):
    for _ in range(3):
        start = time.time()
        result = run(LONG + ending)
        assert result.returncode == code, result.stderr
        assert time.time() - start < 10
        if code != 1:
            assert result.stderr == ""


def test_evaluation_in_a_forked_child():
    result = run(
        LONG
        + """
x = mx.ones(1000) + 1
mx.eval(x)
thread = threading.Thread(target=lambda: mx.eval(long(60)))
thread.start()
time.sleep(0.1)
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        ok = (x * 2).sum().item() == 4000 and mx.compile(lambda v: mx.exp(v) * 0 + 1)(x).sum().item() == 1000
        os._exit(0 if ok else 1)
    assert os.waitpid(pid, 0)[1] == 0
thread.join()
print("fine")
"""
    )
    assert result.stdout == "fine\n", result.stderr


def test_python_runs_beside_an_evaluation():
    x = mx.arange(2_000_000).astype(mx.float32)
    for _ in range(30):
        x = mx.sort(x[::-1] * 1.0001)
    done, longest = threading.Event(), 0.0
    thread = threading.Thread(target=lambda: (mx.eval(x), done.set()))
    thread.start()
    last = time.perf_counter()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last, ticks = max(longest, now - last), now, ticks + 1
    thread.join()
    assert longest < 1.0


def test_warnings_reach_the_caller():
    assert issubclass(mx.MLXWarning, Warning)
    code = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mlx.core as mx
    x = mx.ones(100000) + 1
    mx.eval(x)
print([(w.category.__name__, "MLX_NUM_THREADS" in str(w.message)) for w in caught], x[0].item())
"""
    result = run(code, MLX_NUM_THREADS="nonsense")
    assert result.stdout == "[('MLXWarning', True)] 2.0\n", result.stderr
    code = """
import mlx.core as mx
x = mx.ones(100000) + 1
try:
    mx.eval(x)
except mx.MLXWarning:
    print(x.sum().item())
"""
    result = run(code, "-W", "error", MLX_NUM_THREADS="nonsense")
    assert result.stdout == "200000.0\n", result.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mx.eval(mx.ones(3) + 1)


def test_imported_again():
    """importlib.reload, and an import after a purge of sys.modules (as test runners and web servers do)."""
    program = """
import importlib, reprlib, sys
import mlx.core as mx
import mlx.nn
assert importlib.reload(mx) is mx and (mx.ones(1) + mx.random.key(0)).tolist() == [1, 1]
for name in [name for name in sys.modules if name.startswith("mlx")]:
    del sys.modules[name]
import mlx.core as again
import mlx.nn as nn
from mlx.core.random import key
assert again.array is mx.array and again.linalg is mx.linalg and key is mx.random.key
assert nn.Linear(1, 1)(mx.ones(1)).shape == (1,) and reprlib.repr([mx.array(1)]) == "[array(1, dtype=int32)]"
print(sys.modules["mlx.core"].__name__)
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "mlx.core\n", "")


def test_errors_of_evaluation_name_the_operation():
    x = mx.arange(3)[mx.array([7])]
    for _ in range(2):
        with pytest.raises(mx.AxisError, match="Gather of"):
            mx.eval(x + 1)
    assert (mx.arange(3) + 1).tolist() == [1, 2, 3]


def test_integer_division_by_zero():
    a = mx.array([-(2**31), 7, 0], dtype=mx.int32)
    assert (a // 0).tolist() == [0, 0, 0] and (a % 0).tolist() == a.tolist()
    assert (a // -1).tolist() == [-(2**31), -7, 0]


@pytest.mark.parametrize("level", ["avx9", "v4fp16 "])
def test_an_unknown_instruction_set_warns_once(level):
    code = """
import warnings, mlx.core as mx
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print((mx.arange(3) + 1).tolist())
    print((mx.arange(3) + 2).tolist())
print([(w.category.__name__, "MLX_CPU_ISA" in str(w.message)) for w in caught])
"""
    result = run(code, MLX_CPU_ISA=level)
    assert result.stdout.splitlines() == ["[1, 2, 3]", "[2, 3, 4]", "[('MLXWarning', True)]"], result.stderr
    assert result.returncode == 0
