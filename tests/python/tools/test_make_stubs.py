"""The type stubs are those of the module as it was built, and name what it has: no more, no less."""

import ast
import importlib.util
import inspect
from pathlib import Path

import pytest

import mlx.core as mx

ROOT = Path(__file__).parents[3]
spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "tools/make_stubs.py")
make_stubs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_stubs)
STUBS = make_stubs.stubs()
FILES = sorted(STUBS)


def module_of(file):
    return mx if file == "__init__.pyi" else getattr(mx, file.removesuffix(".pyi"))


def names_of(body):
    names = {node.name for node in body if hasattr(node, "name")}
    names |= {target.id for node in body if isinstance(node, ast.Assign) for target in node.targets}
    names |= {node.target.id for node in body if isinstance(node, ast.AnnAssign)}
    for node in body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname}
    return names


def public(names):
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("file", FILES)
def test_stubs_are_up_to_date(file):
    assert (ROOT / "python/mlx/core" / file).read_text() == STUBS[file], "run tools/make_stubs.py"


@pytest.mark.parametrize("file", FILES)
def test_names_are_those_of_the_module(file):
    assert public(names_of(ast.parse(STUBS[file]).body)) == public(dir(module_of(file)))


@pytest.mark.parametrize("file", FILES)
def test_members_are_those_of_the_classes(file):
    for node in ast.parse(STUBS[file]).body:
        if isinstance(node, ast.ClassDef):
            cls = getattr(module_of(file), node.name)
            inherited = {name for base in cls.__bases__ for name in dir(base)}
            assert public(names_of(node.body)) == public(set(dir(cls)) - inherited), node.name


def test_operators_of_the_stubs_exist():
    named = {line.split("(")[0].removeprefix("    def ") for line in make_stubs.slot_lines()}
    missing = {name for name in named if name not in vars(mx.array)}
    assert not missing


@pytest.mark.parametrize("file", FILES)
def test_functions_are_documented(file):
    module = module_of(file)
    for node in ast.parse(STUBS[file]).body:
        if isinstance(node, ast.FunctionDef):
            assert ast.get_docstring(node) == inspect.getdoc(getattr(module, node.name)), node.name


@pytest.mark.parametrize("name", sorted(make_stubs.OVERLOADS))
def test_overloads_fit_the_signature(name):
    function = mx
    for part in name.removeprefix("mlx.core.").split("."):
        function = getattr(function, part)
    real = inspect.signature(function).parameters
    takes_any = any(p.kind is p.VAR_POSITIONAL for p in real.values())
    for text in make_stubs.OVERLOADS[name]:
        arguments = ast.parse(f"def f{text}: ...").body[0].args
        for a in [*arguments.args, *arguments.kwonlyargs]:
            assert real[a.arg].kind is not inspect.Parameter.POSITIONAL_ONLY, a.arg
        assert len(arguments.posonlyargs + arguments.args) <= len(real) or takes_any
