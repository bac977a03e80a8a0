"""Docstrings: each public name has one, with shapes, dtypes, errors and examples that print what they say."""

import doctest
import inspect
import io
import os
import re

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
import mlx.utils as utils

MODULES = [mx, *(value for value in vars(mx).values() if inspect.ismodule(value))]
PYTHON_MODULES = [nn, nn.init, nn.losses, optim, utils]
RESULTS = (mx.linalg.QRResult, mx.linalg.EigenResult, mx.linalg.SVDResult, mx.linalg.SlogdetResult)


def public(module):
    """(name, value) of the functions and classes of a module, aliases of one object once."""
    seen = {}
    for name, value in vars(module).items():
        is_constant = isinstance(value, (mx.Dtype, mx.DtypeCategory)) or not callable(value)
        if name.startswith("_") or is_constant or not value.__module__.startswith("mlx."):
            continue
        seen.setdefault(id(value), (f"{module.__name__}.{name}", value))
    return list(seen.values())


def members(name, cls):
    return [
        (f"{name}.{key}", value)
        for key, value in vars(cls).items()
        if not key.startswith("_") and (callable(value) or inspect.isdatadescriptor(value))
    ]


CORE = [entry for module in MODULES for entry in public(module) if entry[1] not in RESULTS]
MEMBERS = [m for name, value in CORE if inspect.isclass(value) for m in members(name, value)]
DOCUMENTED = dict(CORE + MEMBERS)
SIGNATURES = {s.partition("(")[0]: s for s in mx._signatures()}


def missing_parts(name, value):
    """Errors and an example always; shapes and dtypes where arrays go in or come out."""
    if isinstance(value, property) or inspect.isclass(value) and issubclass(value, Exception):
        return []
    wanted = ["Example:"] if inspect.isdatadescriptor(value) else ["Raises:", "Example:"]
    parameters = SIGNATURES.get(name, "").partition("(")[2].replace("array: ", "")
    if re.search(r"\barray\b", parameters):
        wanted += ["Shape:", "Dtype:"]
    return [part for part in wanted if not re.search(rf"^{part}", value.__doc__, re.MULTILINE)]


def run_examples(doc, name, folder):
    names = {"mx": mx, "np": np, "nn": nn, "optim": optim, "utils": utils, "os": os, "io": io}
    names |= {"folder": str(folder), "__name__": "__main__"}
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(doc), names, name, None, None)
    out = []
    doctest.DocTestRunner(verbose=False).run(test, out=out.append)
    assert not out, "".join(out)


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_core(name, tmp_path):
    doc = DOCUMENTED[name].__doc__
    assert doc and not doc.startswith("(self)")
    assert not missing_parts(name, DOCUMENTED[name])
    run_examples(doc, name, tmp_path)


PYTHON = {name: value for module in PYTHON_MODULES for name, value in public(module)}
PYTHON |= {n: v for name, c in PYTHON.items() if inspect.isclass(c) for n, v in members(name, c)}


@pytest.mark.parametrize("name", sorted(PYTHON))
def test_python(name, tmp_path):
    doc = inspect.getdoc(PYTHON[name])
    assert doc
    if name.startswith(("mlx.optimizers.", "mlx.utils.")) and name.count(".") == 2:
        assert ">>>" in doc
    run_examples(doc, name, tmp_path)
