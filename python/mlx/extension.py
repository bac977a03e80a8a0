"""Helpers for packages that extend mlx with C++: ``setup.py`` files use them with setuptools.

>>> from mlx import extension
>>> setup(
...     ext_modules=[extension.CMakeExtension("my_package._ext")],
...     cmdclass={"build_ext": extension.CMakeBuild},
... )  # doctest: +SKIP
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from setuptools import Extension
from setuptools.command.build_ext import build_ext

__all__ = ["CMakeBuild", "CMakeExtension"]


class CMakeExtension(Extension):
    """An extension module that CMake builds.

    Args:
        name: its full name, ``package._ext``; CMake makes a module with the last part of it.
        sourcedir: the folder of ``CMakeLists.txt``.
    """

    def __init__(self, name: str, sourcedir: str = "") -> None:
        super().__init__(name, sources=[])
        self.sourcedir = os.fspath(Path(sourcedir).resolve())


class CMakeBuild(build_ext):
    """The ``build_ext`` command for ``CMakeExtension``.

    ``find_package(MLX)`` finds the installed package. The environment has a say: ``CMAKE_ARGS`` holds
    further arguments, ``CMAKE_BUILD_PARALLEL_LEVEL`` the number of jobs, and ``DEBUG=1`` asks for a debug
    build.
    """

    def build_extension(self, ext: Extension) -> None:
        if not isinstance(ext, CMakeExtension):
            super().build_extension(ext)
            return
        target = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        folder = Path(self.build_temp).resolve() / ext.name
        folder.mkdir(parents=True, exist_ok=True)
        debug = self.debug or os.environ.get("DEBUG", "0") not in ("", "0")
        configuration = "Debug" if debug else "Release"
        arguments = [
            f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={target}",
            f"-DCMAKE_BUILD_TYPE={configuration}",
            f"-DPython_EXECUTABLE={sys.executable}",
            "-DBUILD_SHARED_LIBS=ON",
            f"-DMLX_DIR={os.environ.get('MLX_DIR') or self._mlx_dir()}",
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]
        build = ["cmake", "--build", ".", "--config", configuration]
        if "CMAKE_BUILD_PARALLEL_LEVEL" not in os.environ:
            build += ["-j", str(self.parallel or len(os.sched_getaffinity(0)))]
        subprocess.run(["cmake", ext.sourcedir, *arguments], cwd=folder, check=True)
        subprocess.run(build, cwd=folder, check=True)

    @staticmethod
    def _mlx_dir() -> Path:
        import mlx.core as mx

        return Path(mx.__file__).resolve().parent / "share" / "cmake" / "MLX"
