"""Many graphs on many processes: `python -m harness.fuzz --graphs 100000 --processes 16`, in tests/python.

A process that dies or hangs is a finding too: its seed is reported, and another process goes on behind it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path


def work(arguments) -> int:
    """The seeds first, first + step, ... below `end`, progress and findings as lines of JSON."""
    import faulthandler

    from .run import report, run_seed

    faulthandler.enable()
    nodes, end = Counter(), time.monotonic() + arguments.seconds
    for seed in range(arguments.first, arguments.end, arguments.step):
        if time.monotonic() > end:
            break
        print(json.dumps({"seed": seed}), flush=True)
        try:
            reports = [(f.check, report(seed, f)) for f in run_seed(seed, nodes)]
        except Exception as error:
            reports = [("generator", f"seed {seed}: {type(error).__name__}: {error}")]
        for check, text in reports:
            print(json.dumps({"failure": seed, "check": check, "text": text}), flush=True)
        # After each graph: a crash loses the counts of one.
        print(json.dumps({"nodes": nodes}), flush=True)
        nodes.clear()
    return 0


class Shard(threading.Thread):
    """One row of seeds and the process that runs them, started again behind a seed that kills it."""

    def __init__(self, index: int, arguments):
        super().__init__()
        self.index, self.arguments = index, arguments
        self.nodes, self.failures, self.graphs = Counter(), [], 0
        self.seed, self.since = None, time.monotonic()
        self.until = self.since + arguments.seconds

    def run(self):
        step, end = self.arguments.processes, self.arguments.seed + self.arguments.graphs
        first = self.arguments.seed + self.index
        while first < end and self.left() > 0:
            self.seed = None
            code, noise = self.process(first, end, step)
            if self.seed is None or code == 0:
                if code:
                    self.found(first, "start", noise)
                return
            self.found(self.seed, "crash", f"seed {self.seed}: ended with {code}\n{noise[-3000:]}")
            first = self.seed + step

    def left(self) -> float:
        return self.until - time.monotonic()

    def process(self, first, end, step):
        command = [sys.executable, "-m", "harness.fuzz", "--worker", "--first", str(first), "--end", str(end)]
        command += ["--seconds", str(self.left())]
        environment = {"MLX_NUM_THREADS": "2", **os.environ}
        with tempfile.TemporaryFile("w+") as noise:
            child = subprocess.Popen([*command, "--step", str(step)], stdout=subprocess.PIPE, stderr=noise,
                                     text=True, env=environment)  # fmt: skip
            watch = threading.Thread(target=self.watch, args=(child,), daemon=True)
            self.since = time.monotonic()
            watch.start()
            for line in child.stdout:
                self.take(json.loads(line))
            code = child.wait()
            noise.seek(0)
            return code, noise.read()

    def watch(self, child):
        while child.poll() is None:
            time.sleep(1)
            if time.monotonic() - self.since > self.arguments.patience:
                child.kill()

    def take(self, line):
        self.since = time.monotonic()
        if "seed" in line:
            self.seed = line["seed"]
            self.graphs += 1
        elif "nodes" in line:
            self.nodes.update(line["nodes"])
        else:
            self.found(line["failure"], line["check"], line["text"])

    def found(self, seed, check, text):
        self.failures.append((seed, check))
        with open(Path(self.arguments.out) / "failures.txt", "a") as file:
            file.write(text + "\n")
        if len(self.failures) <= 3:
            print(text, flush=True)

    def summary(self) -> str:
        seeds = " ".join(f"{seed}({check})" for seed, check in self.failures) or "none"
        return f"process {self.index}: {self.graphs} graphs, {self.nodes.total()} calls, failures: {seeds}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=int(os.environ.get("MLX_FUZZ_GRAPHS", 600)))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("MLX_FUZZ_SEED", 0)), help="the first")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no graph after that")
    parser.add_argument("--patience", type=float, default=120, help="seconds that one graph may take")
    parser.add_argument("--out", default=tempfile.gettempdir(), help="folder of failures.txt")
    parser.add_argument(
        "--show", action="store_true", help="print the program of the first seed, run nothing"
    )
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    for name in ("--first", "--end", "--step"):
        parser.add_argument(name, type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return work(arguments)
    if arguments.show:
        from .run import draw_graph

        print(draw_graph(arguments.seed).text())
        return 0
    Path(arguments.out).mkdir(parents=True, exist_ok=True)
    (Path(arguments.out) / "failures.txt").unlink(missing_ok=True)
    start = time.monotonic()
    shards = [Shard(i, arguments) for i in range(arguments.processes)]
    for shard in shards:
        shard.start()
    total = Counter()
    for shard in shards:
        shard.join()
        print(shard.summary(), flush=True)
        total.update(shard.nodes)
    print("calls by operation:", " ".join(f"{name}={n}" for name, n in sorted(total.items())))
    failures = Counter(check for shard in shards for _, check in shard.failures)
    print(f"{sum(s.graphs for s in shards)} graphs, {total.total()} calls of {len(total)} rows in "
          f"{time.monotonic() - start:.0f} s; failures: {dict(failures) or 'none'}")  # fmt: skip
    return 1 if failures else 0


sys.exit(main())
