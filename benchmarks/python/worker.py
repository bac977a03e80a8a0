"""One peer: a process that has one framework and times one case at a time, on request.

Requests and replies are lines of JSON. `{"prepare": KEY}` draws the inputs, runs the call twice, and replies
how long it took and what came out; `{"time": REPEATS}` runs it that often; `{"drop": 1}` frees it. Whatever
goes wrong is replied as one sentence: peers are black boxes, and where in them a call failed stays in them.
"""

import argparse
import json
import os
import sys
import time


def settings(threads):
    """For all the libraries that read how many threads to use; before any of them is imported."""
    for name in ("OMP", "OPENBLAS", "MKL", "MLX"):
        os.environ[f"{name}_NUM_THREADS"] = str(threads)
    os.environ["JAX_PLATFORMS"] = "cpu"
    # Some machines pin OpenBLAS to an old kernel; NumPy is to run at its best.
    os.environ.pop("OPENBLAS_CORETYPE", None)
    os.environ.pop("OPENBLAS_L2_SIZE", None)
    # jax has no such switch: its pool is as large as the set of processors that it may use.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def sentence(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


class Worker:
    def __init__(self, framework, torch_compile, most):
        import frameworks
        from cases import CASES

        self.cases, self.most = CASES, most
        self.framework = frameworks.open_framework(framework, torch_compile)
        self.run = None

    def prepare(self, key):
        case = self.cases[key]
        specs, drawn = case.draw(self.most)
        f = self.framework
        inputs = [f.array(x, spec) for x, spec in zip(drawn, specs, strict=True)]
        inputs = case.prepare.get(f.name, lambda *x: x)(*inputs)
        f.wait(inputs)
        call, wait = f.compiled(case), f.wait

        def run():
            return wait(call(*inputs))

        result = run()
        start = time.perf_counter()
        run()
        self.run = run
        return {"seconds": time.perf_counter() - start, "digest": f.digest(result) if case.same else None}

    def time(self, repeats):
        run = self.run
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        return {"seconds": (time.perf_counter() - start) / repeats}

    def drop(self, _):
        self.run = None
        return {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("framework")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--most", type=int)
    parser.add_argument("--torch-compile", action="store_true")
    options = parser.parse_args()
    settings(options.threads)
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no reply

    def reply(message):
        print(json.dumps(message), file=replies, flush=True)

    try:
        worker = Worker(options.framework, options.torch_compile, options.most)
    except Exception as error:
        reply({"error": sentence(error)})
        return
    reply({"version": worker.framework.version})
    for line in sys.stdin:
        ((request, value),) = json.loads(line).items()
        try:
            reply(getattr(worker, request)(value))
        except Exception as error:
            reply({"error": sentence(error)})


if __name__ == "__main__":
    main()
