"""tools/check_layers.py: what it allows and what it finds."""

import runpy
from pathlib import Path

import pytest

CHECK = runpy.run_path(str(Path(__file__).parents[3] / "tools" / "check_layers.py"))


@pytest.mark.parametrize(
    "source, target",
    [
        ("mlx/ops/softmax.cpp", "mlx/core/backend.h"),
        ("mlx/ops/softmax.cpp", "mlx/array.h"),
        ("mlx/graph/grad.cpp", "mlx/ops.h"),
        ("mlx/backend/cpu/softmax.cpp", "mlx/backend/common/layout.h"),
        ("mlx/backend/cpu/softmax.cpp", "mlx/backend/cpu/isa/kernels.h"),
        ("mlx/backend/cpu/isa/softmax.cpp", "mlx/ops/elementwise.def"),
        ("python/src/ops.cpp", "mlx/mlx.h"),
        ("python/src/ops.cpp", "python/src/convert.h"),
        ("python/src/ops.cpp", "mlx/ops/elementwise.def"),
        ("mlx/mlx.h", "mlx/transforms.h"),
    ],
)
def test_allowed(source, target):
    assert CHECK["verdict"](source, target) is None


@pytest.mark.parametrize(
    "source, target, reason",
    [
        ("mlx/core/array.cpp", "mlx/ops.h", "core may not include ops"),
        ("mlx/ops/softmax.cpp", "mlx/transforms.h", "ops may not include graph"),
        ("mlx/backend/cpu/softmax.cpp", "mlx/graph/trace.h", "cpu may not include graph"),
        ("mlx/backend/cpu/softmax.cpp", "mlx/backend/cuda/stream.h", "cpu may not include cuda"),
        ("mlx/backend/common/layout.cpp", "mlx/backend/cpu/encoder.h", "common may not include cpu"),
        ("mlx/backend/cpu/isa/softmax.cpp", "mlx/array.h", "isa may not include core"),
        ("python/src/ops.cpp", "mlx/core/backend.h", "public headers only"),
        ("mlx/mlx.h", "mlx/core/backend.h", "public headers only"),
        ("mlx/ops/softmax.cpp", "mlx/nowhere.h", "belongs to no layer"),
    ],
)
def test_refused(source, target, reason):
    assert reason in CHECK["verdict"](source, target)


def test_this_tree():
    assert CHECK["violations"]() == []
