"""Every model module of mlx-lm, small and random: forward, with cache, quantized, compiled. Prints a table.

forward: logits of the right shape, no NaN. cache: a prompt and then single tokens give those of the whole.
quantized: 4 bits give the logits of the dequantized weights. compiled: `mx.compile` gives eager's logits.

Usage: sweep_models.py [MODULE ...]; exits with 1 where KNOWN does not say what fails.
"""

from __future__ import annotations

import importlib
import multiprocessing
import pkgutil
import queue
import sys
import traceback

import mlx_lm.models
import numpy as np
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import dequantize_model
from small_configs import VOCABULARY, small_config

import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_map

COLUMNS = ("forward", "cache", "quantized", "compiled")
SECONDS = 120
# Modules that fail somewhere, for reasons outside of this library.
KNOWN = {
    "afm7": "mlx-lm: FusedLinear.to_quantized takes no mode, which nn.quantize passes",
    "bitnet": "mlx-lm: has a Metal kernel and no other way",
    "dbrx": "mlx-lm: reads the chosen experts with NumPy, which compile cannot trace",
    "muse_spark": "mlx-lm: has Metal kernels and no other way",
    "phi3small": "mlx-lm: adds its causal mask of bools to the scores, so later tokens are seen",
}
# Modules whose layers share keys through the cache only: without one the logits are others.
NEEDS_CACHE = ("gemma3n",)


def build(name: str):
    """The module's model with random weights, none of them all zero, and its logits for ids."""
    module = importlib.import_module(f"mlx_lm.models.{name}")
    mx.random.seed(1)
    model = module.Model(module.ModelArgs.from_dict(small_config(module)))

    def filled(weight):
        if mx.issubdtype(weight.dtype, mx.floating) and not mx.any(weight).item():
            return 0.1 * mx.random.normal(weight.shape).astype(weight.dtype)
        return weight

    model.update(tree_map(filled, model.parameters()))
    model.eval()
    return model


def logits_of(result) -> mx.array:
    return getattr(result, "logits", result)


def compare(got: mx.array, want: mx.array, tolerance: float) -> None:
    """Raises where the largest difference exceeds the tolerance times the largest value."""
    got, want = (np.array(logits_of(x).astype(mx.float32)) for x in (got, want))
    if got.shape != want.shape:
        raise AssertionError(f"shapes {got.shape} and {want.shape}")
    # -inf stands for tokens that a model never gives.
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite]):
        raise AssertionError("differs in what is not finite")
    difference, scale = np.abs(got[finite] - want[finite]).max(), np.abs(want[finite]).max()
    if not difference <= tolerance * scale:
        raise AssertionError(f"differs by {difference:.2g} of {scale:.2g}")


def with_cache(model, ids: mx.array, prompt: int = 7) -> mx.array:
    """The logits of a prompt of so many tokens followed by single ones."""
    cache = make_prompt_cache(model)
    parts = [logits_of(model(ids[:, :prompt], cache=cache))]
    for i in range(prompt, ids.shape[1]):
        parts.append(logits_of(model(ids[:, i : i + 1], cache=cache)))
    return mx.concatenate(parts, axis=1)


def quantizable(path: str, module) -> bool:
    return hasattr(module, "to_quantized") and module.weight.shape[-1] % 32 == 0


def check(name: str) -> dict[str, str]:
    """For each column "" or why it fails."""
    result = {}
    ids = mx.array(np.random.default_rng(0).integers(3, VOCABULARY - 28, (2, 12)))
    state = {}

    def forward():
        state["model"] = build(name)
        state["whole"] = logits_of(state["model"](ids))
        if state["whole"].shape[:2] != (2, 12) or mx.any(mx.isnan(state["whole"])).item():
            raise AssertionError(f"logits {state['whole'].shape}, or NaN")

    def cache():
        whole = with_cache(state["model"], ids, ids.shape[1])
        compare(with_cache(state["model"], ids), whole, 1e-3)
        if name not in NEEDS_CACHE:
            compare(whole, state["whole"], 1e-3)

    def compiled():
        model = state["model"]
        step = mx.compile(lambda x: logits_of(model(x)))
        for _ in range(2):
            compare(step(ids), state["whole"], 1e-4)

    def quantized():
        model = state["model"]
        nn.quantize(model, group_size=32, bits=4, class_predicate=quantizable)
        got = logits_of(model(ids))
        compare(with_cache(model, ids), with_cache(model, ids, ids.shape[1]), 1e-3)
        compare(got, dequantize_model(model)(ids), 1e-3)

    for step in (forward, cache, compiled, quantized):
        try:
            step()
            result[step.__name__] = ""
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            line = f"{type(error).__name__}: {error}".splitlines()[0]
            result[step.__name__] = f"{line} ({where.filename.rsplit('/', 1)[-1]}:{where.lineno})"
            if step is forward:
                break
    return result


def in_process(name: str) -> dict[str, str]:
    """The same in a process of its own, so that a crash or a hang is a line of the table."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    process = context.Process(target=lambda: answers.put(check(name)))
    process.start()
    try:
        return answers.get(timeout=SECONDS)
    except queue.Empty:
        return {"forward": f"no answer in {SECONDS} s, exit code {process.exitcode}"}
    finally:
        process.kill()
        process.join()


def modules() -> list[str]:
    """Names of the modules that hold a model."""
    names = []
    for info in sorted(pkgutil.iter_modules(mlx_lm.models.__path__), key=lambda info: info.name.lower()):
        try:
            module = importlib.import_module(f"mlx_lm.models.{info.name}")
        except SystemExit:
            continue  # of a package that is not installed
        if hasattr(module, "Model") and hasattr(module, "ModelArgs"):
            names.append(info.name)
    return names


def main() -> int:
    wrong, totals = [], dict.fromkeys(COLUMNS, 0)
    names = sys.argv[1:] or modules()
    print("| module | " + " | ".join(COLUMNS) + " | why it fails |\n|---|---|---|---|---|---|")
    for name in names:
        result = in_process(name)
        passed = {column: result.get(column) == "" for column in COLUMNS}
        why = next((result[column] for column in COLUMNS if result.get(column)), "")
        known = KNOWN.get(name, "")
        marks = " | ".join("yes" if passed[column] else "no" for column in COLUMNS)
        print(f"| {name} | {marks} | {known or why} |", flush=True)
        for column in COLUMNS:
            totals[column] += passed[column]
        if all(passed.values()) == bool(known):
            wrong.append(name)
    print(f"{len(names)} modules: " + ", ".join(f"{column} {totals[column]}" for column in COLUMNS))
    if wrong:
        print("not as expected: " + " ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
