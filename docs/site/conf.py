"""Sphinx's configuration; the pages come from build.py."""

from __future__ import annotations

import inspect
import re

import mlx.core as mx

project = "mlx"
author = "the authors of mlx"
copyright = "MIT licence"
release = mx.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"mlx {release}"
default_role = "code"
myst_heading_anchors = 3
autodoc_member_order = "bysource"


def every_name(app, env):
    """Each public name of mlx.core and its submodules is there; Sphinx warns of what is there twice."""
    there = env.domaindata["py"]["objects"]
    modules = [mx, *(value for value in vars(mx).values() if inspect.ismodule(value))]
    missing = []
    for module in modules:
        for name, value in vars(module).items():
            full = f"{module.__name__}.{name}"
            if not name.startswith("_") and not inspect.ismodule(value) and full not in there:
                missing.append(full)
    if missing:
        raise RuntimeError(f"Not in the site: {', '.join(missing)}")


def escape_bars(app, what, name, obj, options, lines):
    """Before napoleon reads a docstring: |x| and a * b outside of backticks are plain text."""
    for i, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            parts = re.split(r"(`+[^`]*`+)", line)
            lines[i] = "".join(p if p.startswith("`") else re.sub(r"([*|])", r"\\\1", p) for p in parts)


def setup(app):
    app.connect("autodoc-process-docstring", escape_bars, priority=400)
    app.connect("env-updated", every_name)
