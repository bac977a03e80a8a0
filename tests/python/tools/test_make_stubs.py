"""The type stubs are those of the module as it was built, and name every function."""

import ast
import importlib.util
from pathlib import Path

import mlx.core as mx

ROOT = Path(__file__).parents[3]
spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "tools/make_stubs.py")
make_stubs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_stubs)


def test_stubs_are_up_to_date():
    for name, text in make_stubs.stubs().items():
        assert (ROOT / "python/mlx/core" / name).read_text() == text, f"run tools/make_stubs.py for {name}"


def test_stubs_name_everything():
    tree = ast.parse(make_stubs.stubs()["__init__.pyi"])
    named = {node.name for node in tree.body if hasattr(node, "name")}
    named |= {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}
    named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    modules = {"cuda", "fast", "metal", "random"}
    missing = {n for n in dir(mx) if not n.startswith("_")} - named - modules
    assert missing <= {"distributed", "fft", "linalg"}, missing


def test_operators_of_the_stubs_exist():
    for line in make_stubs.slot_lines():
        name = line.split("(")[0].removeprefix("    def ")
        assert hasattr(mx.array, name), name
