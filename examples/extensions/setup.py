"""Builds the package mlx_axpby: pip install --no-build-isolation . (for the mlx that is installed)."""

from setuptools import setup

from mlx import extension

setup(
    name="mlx_axpby",
    version="0.1.0",
    description="An operation for mlx, written in C++",
    packages=["mlx_axpby"],
    ext_modules=[extension.CMakeExtension("mlx_axpby._ext")],
    cmdclass={"build_ext": extension.CMakeBuild},
    zip_safe=False,
)
