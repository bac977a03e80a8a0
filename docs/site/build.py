"""Build the site: pages of docs/, and API pages from the docstrings of the installed library.

The functions of mlx.core are grouped as their texts are in python/src/doc. Usage: docs/site/build.py [OUTPUT]
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
import textwrap
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
import mlx.utils as utils

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "build/docs/source"
TITLES = {
    "arrays": "Arrays and files",
    "elementwise": "Element-wise operations",
    "linalg": "Products, linear algebra and Fourier transforms",
    "machine": "Dtypes, devices, streams, memory, printing, processes",
    "neural": "Convolution, attention and quantization",
    "random": "Random numbers",
    "reductions": "Reductions, scans, sorting and searching",
    "shapes": "Shapes and creation",
    "transforms": "Evaluation, transformations, compilation and export",
}
PYTHON = {
    "mlx.nn": nn,
    "mlx.nn.init": nn.init,
    "mlx.nn.losses": nn.losses,
    "mlx.optimizers": optim,
    "mlx.utils": utils,
}


CONSTANTS = (mx.Dtype, mx.DtypeCategory, mx.DeviceType, float, type(None), type(mx.random.state))
SIGNATURES = {
    text.partition("(")[0]: "(" + text.partition("(")[2] for text in mx._signatures() if "(" in text
}


def modules() -> list:
    return [mx, *(value for value in vars(mx).values() if inspect.ismodule(value))]


def core_names() -> dict[str, object]:
    """Public names, relative to mlx.core."""
    return {
        f"{module.__name__}.{name}".removeprefix("mlx.core."): value
        for module in modules()
        for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }


def grouped() -> dict[str, list[str]]:
    """Page -> names, from the texts of the docstrings."""
    pages = {}
    for path in sorted((ROOT / "python/src/doc").glob("*.txt")):
        heads = re.findall(r"^@ ([^*\n]+)$", path.read_text(), re.MULTILINE)
        pages[path.stem] = [name for line in heads for name in line.split()]
    return pages


def escaped(line: str) -> str:
    """Text outside of backticks without meaning to reStructuredText."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(
        p if p[:1] == "`" else re.sub(r"([*|\\])", r"\\\1", p).replace("_ ", "\\_ ") for p in parts
    )


def body(doc: str) -> list[str]:
    """A docstring of the compiled module: prose, "Shape: ..." and the like, and "Example:" at the end."""
    prose, _, example = inspect.cleandoc(doc).partition("\n\nExample:\n\n")
    lines = []
    for line in prose.splitlines():
        part = re.match(r"(Options|Shape|Dtype|Raises): ", line)
        lines.append(f":{part[1]}: {escaped(line[part.end() :])}" if part else escaped(line))
    return [*lines, "", *textwrap.dedent(example).splitlines(), ""]


def described(kind: str, name: str, signature: str, value: object) -> list[str]:
    return [f".. py:{kind}:: {name}{signature}", "", *("   " + line for line in body(value.__doc__)), ""]


def class_lines(name: str, cls: type) -> list[str]:
    kind = "exception" if issubclass(cls, Exception) else "class"
    init = SIGNATURES.get(f"{name}.__init__", "").replace("(self, ", "(").removesuffix(" -> None")
    lines = described(kind, name, init, cls)
    for key, value in vars(cls).items():
        if key.startswith("_") or isinstance(value, CONSTANTS) or issubclass(cls, tuple):
            continue
        signature = re.sub(
            r"^\((self|a: array|array: array)(, /)?(, )?", "(", SIGNATURES.get(f"{name}.{key}", "")
        )
        member = described("method" if signature else "attribute", key, signature.replace("(/, ", "("), value)
        lines += ["   " + line for line in member]
    return lines


def core_entry(name: str, value: object) -> list[str]:
    if isinstance(value, CONSTANTS):
        return [f".. py:data:: {name}", f"   :value: {value!r}", ""]
    if inspect.isclass(value):
        return class_lines(name, value)
    return described("function", name, SIGNATURES[name], value)


def core_pages() -> dict[str, str]:
    names, pages = core_names(), grouped()
    page_of = {id(names[name]): page for page, entries in pages.items() for name in entries if name in names}
    first, texts = {}, {page: [] for page in pages}
    for name in sorted(names, key=lambda name: f"mlx.core.{name}" not in SIGNATURES):  # aliases have none
        first.setdefault(id(names[name]), name)
    for name, value in names.items():
        page = "machine" if isinstance(value, CONSTANTS) else page_of.get(id(value))
        if page is None and name.startswith("linalg."):  # named tuples
            page = "linalg"
        if page is None:
            raise SystemExit(f"{name} has no text in python/src/doc.")
        if not isinstance(value, CONSTANTS) and first[id(value)] != name:
            same = f"   The same as :py:obj:`mlx.core.{first[id(value)]}`."
            lines = [f".. py:function:: mlx.core.{name}", "", same, ""]
        else:
            lines = core_entry(f"mlx.core.{name}", value)
        texts[page].append((name.lower(), "\n".join(lines)))
    return {page: "\n".join(text for _, text in sorted(entries)) for page, entries in texts.items()}


def python_page(module) -> str:
    out = []
    for name, value in sorted(vars(module).items()):
        home = getattr(value, "__module__", None) or ""
        elsewhere = module is nn and home.endswith((".init", ".losses"))
        if name.startswith("_") or not callable(value) or not home.startswith("mlx.") or elsewhere:
            continue
        kind, options = ("class", "   :members:\n") if inspect.isclass(value) else ("function", "")
        out.append(f".. auto{kind}:: {module.__name__}.{name}\n{options}\n")
    return "".join(out)


def write(path: Path, title: str, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{title}\n{'=' * len(title)}\n\n{text}")


def assemble() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE, ignore=shutil.ignore_patterns("site"))
    shutil.copy(ROOT / "docs/site/conf.py", SOURCE)
    index = (ROOT / "docs/site/index.md").read_text()
    new = [path.stem for path in (ROOT / "docs").glob("*.md") if path.stem not in index.split()]
    (SOURCE / "index.md").write_text(index.replace("\nexport\n", "\n".join(["", "export", *sorted(new), ""])))
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, SOURCE / name.lower())
    for page, text in core_pages().items():
        write(SOURCE / f"api/{page}.rst", TITLES[page], text)
    for name, module in PYTHON.items():
        write(SOURCE / f"api/{name}.rst", name, python_page(module))


if __name__ == "__main__":
    from sphinx.cmd.build import main as sphinx  # only here: a test reads this file without Sphinx

    assemble()
    output = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "out/docs")
    sys.exit(sphinx(["-q", "-W", "--keep-going", "-E", "-b", "html", str(SOURCE), output]))
