"""mlx-lm's server under 8 clients: streamed chats, some given up half-way, some with an invalid body.

MLX_SERVER_SECONDS is how long they go on, 20 by default.
"""

import contextlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import environment
from mlx_lm.models import llama
from mlx_lm.utils import save_config, save_model

import mlx.core as mx
from mlx.utils import tree_map

SECONDS = float(os.environ.get("MLX_SERVER_SECONDS", "20"))
CLIENTS = 8
PROMPTS = [
    "Hello",
    "What is a license?",
    "Tell me about strings in Python.",
    "free software",
    "a" * 60,
    "import",
]
INVALID = [
    b"{",
    b"[1]",
    b"{}",
    b'{"messages": 3}',
    b'{"messages": [{"role": "user", "content": "x"}], "max_tokens": -1}',
    b'{"messages": [{"role": "user", "content": "x"}], "temperature": "hot"}',
]


class Server:
    """The process, and requests to it."""

    def __init__(self, folder: Path, model: str):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        options = [
            "--model",
            model,
            "--port",
            str(self.port),
            "--log-level",
            "ERROR",
            "--prompt-cache-size",
            "4",
        ]
        self.log = (folder / "server.log").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mlx_lm", "server", *options],
            cwd=folder,
            env=environment(folder),
            stdout=self.log,
            stderr=self.log,
        )

    @contextlib.contextmanager
    def post(self, body: bytes, path: str = "/v1/chat/completions"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        with contextlib.closing(connection):
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            yield connection.getresponse()

    def wait(self) -> None:
        for _ in range(1200):
            if self.process.poll() is not None:
                break
            with contextlib.suppress(OSError, AssertionError):
                assert self.chat("Hello", 1) is not None
                return
            time.sleep(0.1)
        raise AssertionError(f"the server does not answer: {self.text()}")

    def body(self, prompt: str, tokens: int, stream: bool, **more) -> bytes:
        messages = [{"role": "user", "content": prompt}]
        fields = {"messages": messages, "max_tokens": tokens, "temperature": 0.0, "stream": stream}
        return json.dumps(fields | more).encode()

    def chat(self, prompt: str, tokens: int) -> str:
        with self.post(self.body(prompt, tokens, stream=False)) as response:
            assert response.status == 200, response.read()
            return json.loads(response.read())["choices"][0]["message"]["content"]

    def streamed(self, prompt: str, tokens: int, parts: int | None = None) -> str:
        """The text of a streamed chat, given up after so many parts."""
        text = ""
        with self.post(self.body(prompt, tokens, stream=True)) as response:
            assert response.status == 200, response.read()
            for line in response:
                if not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                    continue
                text += json.loads(line[6:])["choices"][0]["delta"].get("content") or ""
                parts = None if parts is None else parts - 1
                if parts == 0:
                    break
        return text

    def memory(self) -> float:
        """Resident MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def processor_time(self) -> float:
        """Seconds so far; 0 when the process is gone."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def text(self) -> str:
        self.log.seek(0)
        return self.log.read()


def save_chatty(base: Path, folder: Path) -> None:
    """A model of random weights whose greedy text wanders, differs with the prompt and does not end early."""
    shutil.copytree(base, folder)
    config = json.loads((base / "config.json").read_text()) | {
        "tie_word_embeddings": False,
        "eos_token_id": [0],
    }
    mx.random.seed(5)
    model = llama.Model(llama.ModelArgs.from_dict(config))
    model.update(tree_map(lambda weight: 2 * weight, model.parameters()))
    save_model(folder, model)
    save_config(config, folder / "config.json")


@pytest.fixture(scope="module")
def server(small):
    save_chatty(small / "base", small / "chatty")
    running = Server(small, "chatty")
    try:
        running.wait()
        yield running
    finally:
        running.process.kill()
        running.process.wait()


class Clients:
    """Threads that talk to the server until time is over, and what they saw."""

    def __init__(self, server: Server, expected: dict[str, str]):
        self.server, self.expected = server, expected
        self.counts = dict.fromkeys(("whole", "cancelled", "refused"), 0)
        self.wrong: list[str] = []
        self.lock = threading.Lock()

    def one(self, choose: random.Random) -> str:
        prompt = choose.choice(PROMPTS)
        kind = choose.choices(["whole", "cancelled", "refused"], [6, 2, 2])[0]
        if kind == "refused":
            body = choose.choice(INVALID)
            with self.server.post(body) as response:
                if not 400 <= response.status < 600:
                    self.wrong.append(f"{body!r} gave {response.status}")
        elif kind == "cancelled":
            text = self.server.streamed(prompt, 24, parts=choose.randint(1, 12))
            if not self.expected[prompt].startswith(text):
                self.wrong.append(f"{prompt!r} began with {text!r} instead of {self.expected[prompt]!r}")
        else:
            text = self.server.streamed(prompt, 24)
            if text != self.expected[prompt]:
                self.wrong.append(f"{prompt!r} gave {text!r} instead of {self.expected[prompt]!r}")
        return kind

    def run(self, seed: int, end: float) -> None:
        choose = random.Random(seed)
        while time.monotonic() < end and len(self.wrong) < 10:
            try:
                kind = self.one(choose)
            except Exception as error:
                self.wrong.append(repr(error))
                continue
            with self.lock:
                self.counts[kind] += 1


def test_concurrent_chats(server):
    expected = {prompt: server.chat(prompt, 24) for prompt in PROMPTS}
    assert len(set(expected.values())) == len(PROMPTS), expected
    assert all(server.streamed(prompt, 24) == text for prompt, text in expected.items())
    clients, end = Clients(server, expected), time.monotonic() + SECONDS
    threads = [threading.Thread(target=clients.run, args=(seed, end)) for seed in range(CLIENTS)]
    for thread in threads:
        thread.start()
    memory = []
    while any(thread.is_alive() for thread in threads):
        memory.append(server.memory())
        time.sleep(0.2)
    rate = clients.counts["whole"] * 24 / SECONDS
    third = len(memory) // 3
    early, late = max(memory[third : 2 * third]), max(memory[2 * third :])
    print(
        f"{SECONDS:.0f} s: {clients.counts}, at least {rate:.0f} tokens/s,"
        f" resident {early:.0f} then {late:.0f} MiB"
    )
    assert not clients.wrong, clients.wrong
    assert all(clients.counts.values()), clients.counts
    assert late < early * 1.05 + 16, memory[:: max(1, len(memory) // 20)]
    assert server.chat(PROMPTS[0], 24) == expected[PROMPTS[0]]


@pytest.mark.parametrize("body", INVALID)
def test_invalid_body(server, body):
    """An error of HTTP with words, and the next request works."""
    with server.post(body) as response:
        assert 400 <= response.status < 600 and response.read(), response.status
    assert server.chat("Hello", 2) is not None


def test_unknown_path(server):
    with server.post(b"{}", "/v1/nothing") as response:
        assert response.status == 404


def test_ctrl_c(server):
    """While it answers chats without end. The last test: the server is gone then."""
    with contextlib.ExitStack() as chats:
        bodies = [
            server.body(prompt, 20000, stream=True, logit_bias={"0": -100.0})
            for prompt in (PROMPTS * 2)[:CLIENTS]
        ]
        # A response that nobody holds is closed, and its chat given up.
        responses = [chats.enter_context(server.post(body)) for body in bodies]
        assert all(response.readline() for response in responses)
        before, began, start = len(server.text()), time.monotonic(), server.processor_time()
        server.process.send_signal(signal.SIGINT)
        used = start
        while server.process.poll() is None and time.monotonic() - began < 60:
            used = max(used, server.processor_time())
            time.sleep(0.02)
    print(f"ended after {time.monotonic() - began:.2f} s, {used - start:.2f} s of them on a processor")
    # On a busy machine the clock on the wall says little.
    assert server.process.poll() is not None and used - start < 2
    assert "Traceback" not in server.text()[before:], server.text()[before:]
