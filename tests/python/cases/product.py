"""Matrix products and convolutions."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

ALL = (*FLOATS, "complex64")
ORDER = {"same bits": "complex products are OpenBLAS's, which sums in an order of its own"}


def conv2d(x, w, stride=1, padding=0, dilation=1, groups=1):
    """By the definition, one output position at a time."""
    x = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    n, height, width, channels = x.shape
    outputs, kh, kw, _ = w.shape
    oh = (height - dilation * (kh - 1) - 1) // stride + 1
    ow = (width - dilation * (kw - 1) - 1) // stride + 1
    y = np.zeros((n, oh, ow, outputs), x.dtype)
    for g in range(groups):
        ins = slice(g * channels // groups, (g + 1) * channels // groups)
        outs = slice(g * outputs // groups, (g + 1) * outputs // groups)
        for i in range(oh):
            for j in range(ow):
                rows = slice(i * stride, i * stride + dilation * (kh - 1) + 1, dilation)
                columns = slice(j * stride, j * stride + dilation * (kw - 1) + 1, dilation)
                y[:, i, j, outs] = np.einsum("nhwc,ohwc->no", x[:, rows, columns, ins], w[outs])
    return y


def conv_case(name, x, w, **options):
    shapes = {"base": [x, w], "larger": [(x[0] + 1, x[1] + 3, x[2] + 1, x[3]), w]}
    return Case(f"conv2d-{name}", lambda a, b: mx.conv2d(a, b, **options), shapes,
                lambda a, b: conv2d(a, b, **options), FLOATS, ulps=16)  # fmt: skip


MATMUL = {
    "matrix": [(5, 7), (7, 3)],
    "vector-left": [(7,), (7, 3)],
    "vector-right": [(5, 7), (7,)],
    "vectors": [(7,), (7,)],
    "batch": [(2, 5, 7), (2, 7, 3)],
    "broadcast": [(4, 1, 5, 7), (3, 7, 2)],
    "shared": [(4, 5, 7), (7, 3)],
    "one": [(1, 1), (1, 1)],
}
CASES = [
    *[Case(f"matmul-{name}", mx.matmul, shapes, np.matmul, ALL, ulps=16, skip=ORDER)
      for name, shapes in MATMUL.items()],
    Case("matmul-sizes", mx.matmul, {"base": [(5, 7), (7, 3)], "larger": [(9, 33), (33, 17)],
         "smaller": [(1, 2), (2, 1)]}, np.matmul, FLOATS, ulps=16),
    Case("addmm", lambda c, a, b: mx.addmm(c, a, b, alpha=0.5, beta=2.0), [(3,), (5, 7), (7, 3)],
         lambda c, a, b: 0.5 * (a @ b) + 2 * c, ALL, ulps=16, skip=ORDER),
    Case("addmm-matrix", mx.addmm, [(5, 3), (5, 7), (7, 3)], lambda c, a, b: a @ b + c, ALL, ulps=16,
         skip=ORDER),
    Case("inner", mx.inner, [(4, 5), (3, 5)], np.inner, ALL, ulps=16, skip=ORDER),
    Case("outer", mx.outer, [(4,), (3,)], np.outer, ALL),
    Case("tensordot", lambda a, b: mx.tensordot(a, b, [[0, 2], [1, 0]]), [(3, 4, 5), (5, 3, 2)],
         lambda a, b: np.tensordot(a, b, [[0, 2], [1, 0]]), ALL, ulps=16, skip=ORDER),
    conv_case("plain", (2, 6, 5, 3), (4, 3, 2, 3)),
    conv_case("padded", (2, 6, 5, 3), (4, 3, 3, 3), padding=1),
    conv_case("strided", (2, 7, 8, 2), (3, 3, 3, 2), stride=2, padding=1),
    conv_case("dilated", (1, 9, 8, 2), (3, 3, 2, 2), dilation=2),
    conv_case("grouped", (2, 5, 5, 4), (6, 3, 3, 2), groups=2),
    conv_case("depthwise", (2, 5, 5, 4), (4, 3, 3, 1), groups=4, padding=1),
    conv_case("pointwise", (2, 4, 3, 5), (6, 1, 1, 5)),
]  # fmt: skip
