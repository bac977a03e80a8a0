"""Puts the extension module, which lies beside this folder, in its place; says why where that fails."""

import importlib.machinery
import importlib.util
import os
import sys
from types import ModuleType


def _extension(folder: str) -> str:
    """The file of the extension module for this Python."""
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = os.path.join(folder, "core" + suffix)
        if os.path.exists(path):
            return path
    others = sorted(name for name in os.listdir(folder) if name.startswith("core.") and name.endswith(".so"))
    raise ImportError(
        f"mlx.core has no extension module for this Python: {folder} holds {', '.join(others) or 'none'}, "
        f"not core{importlib.machinery.EXTENSION_SUFFIXES[0]}. Reinstall mlx with {sys.executable}. "
        "More: python -m mlx.doctor",
        name=__name__,
    )


def _new_module() -> ModuleType:
    path = _extension(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    spec = importlib.util.spec_from_file_location(__name__, path)
    assert spec and spec.loader
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:
        raise ImportError(
            f"mlx.core does not load: {error}. More: python -m mlx.doctor", name=__name__, path=path
        ) from error
    return module


def _load() -> None:
    # An extension module cannot run twice in a process: importlib.reload, and an import after sys.modules was
    # purged, get the same one again.
    module = getattr(sys, "_mlx_core", None) or _new_module()
    sys._mlx_core = module  # type: ignore
    for part in list(vars(module).values()):
        if isinstance(part, ModuleType) and part.__name__.startswith(f"{__name__}."):
            sys.modules.setdefault(part.__name__, part)
    # Another thread that imports at this moment may hold this module instead of that one.
    globals().update({name: value for name, value in vars(module).items() if not name.startswith("__")})
    sys.modules[__name__] = module


_load()
