"""Convolutions beyond two plain dimensions: transposed, one and three dimensions, vectors."""

import itertools

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

SHORT = {"shapeless": "the padding follows from the kernel's size"}


def convolution(x, w, stride, padding, dilation, groups, input_dilation=1, flip=False):
    """By the definition, for any number of dimensions: position by position of the kernel."""
    dims = x.ndim - 2
    spread = np.zeros(
        (x.shape[0], *[(n - 1) * input_dilation + 1 for n in x.shape[1:-1]], x.shape[-1]), x.dtype
    )
    spread[(slice(None), *[slice(None, None, input_dilation)] * dims)] = x
    x = np.pad(spread, ((0, 0), *[(padding, padding)] * dims, (0, 0)))
    if flip:
        w = np.flip(w, tuple(range(1, dims + 1)))
    outputs, kernel = w.shape[0], w.shape[1:-1]
    sizes = [(n - dilation * (k - 1) - 1) // stride + 1 for n, k in zip(x.shape[1:-1], kernel, strict=True)]
    y = np.zeros((x.shape[0], *sizes, outputs), x.dtype)
    cin, cout = x.shape[-1] // groups, outputs // groups
    for place in itertools.product(*map(range, kernel)):
        at = [slice(p * dilation, p * dilation + (n - 1) * stride + 1, stride)
              for p, n in zip(place, sizes, strict=True)]  # fmt: skip
        for g in range(groups):
            part = x[(slice(None), *at, slice(g * cin, (g + 1) * cin))]
            taps = w[(slice(g * cout, (g + 1) * cout), *place)]
            y[..., g * cout : (g + 1) * cout] += part @ taps.T
    return y


def transposed(x, w, stride=1, padding=0, dilation=1, output_padding=0, groups=1):
    """Every input value puts its multiple of the kernel into the result."""
    dims = x.ndim - 2
    cin, cout = x.shape[-1] // groups, w.shape[0] // groups
    full = [(n - 1) * stride + dilation * (k - 1) + 1 + output_padding + 2 * padding
            for n, k in zip(x.shape[1:-1], w.shape[1:-1], strict=True)]  # fmt: skip
    y = np.zeros((x.shape[0], *full, w.shape[0]), x.dtype)
    for place in itertools.product(*map(range, w.shape[1:-1])):
        at = tuple(slice(p * dilation, p * dilation + (n - 1) * stride + 1, stride)
                   for p, n in zip(place, x.shape[1:-1], strict=True))  # fmt: skip
        for g in range(groups):
            taps = w[(slice(g * cout, (g + 1) * cout), *place)]
            y[(slice(None), *at, slice(g * cout, (g + 1) * cout))] += x[..., g * cin : (g + 1) * cin] @ taps.T
    kept = [slice(padding, (n - 1) * stride + dilation * (k - 1) + 1 + output_padding - padding)
            for n, k in zip(x.shape[1:-1], w.shape[1:-1], strict=True)]  # fmt: skip
    return y[(slice(None), *kept)] if dims else y


CONV = (mx.conv1d, mx.conv2d, mx.conv3d)
TRANSPOSED = (mx.conv_transpose1d, mx.conv_transpose2d, mx.conv_transpose3d)


def plain(dims, name, x, w, stride=1, padding=0, dilation=1, groups=1):
    function = CONV[dims - 1]
    return Case(f"conv{dims}d-{name}", lambda a, b: function(a, b, stride, padding, dilation, groups),
                [x, w],
                lambda a, b: convolution(a, b, stride, padding, dilation, groups),
                FLOATS, ulps=32)  # fmt: skip


def transpose(dims, name, x, w, **options):
    function = TRANSPOSED[dims - 1]
    return Case(f"conv_transpose{dims}d-{name}", lambda a, b: function(a, b, **options), [x, w],
                lambda a, b: transposed(a, b, **options), FLOATS, ulps=32, skip=SHORT)  # fmt: skip


CASES = [
    plain(1, "plain", (2, 9, 3), (4, 3, 3)),
    plain(1, "all", (2, 13, 4), (6, 3, 2), stride=2, padding=2, dilation=2, groups=2),
    plain(3, "plain", (1, 4, 5, 4, 2), (3, 2, 3, 2, 2)),
    plain(3, "all", (2, 5, 6, 5, 4), (4, 2, 2, 3, 2), stride=2, padding=1, dilation=2, groups=2),
    Case("conv_general-flip",
         lambda a, b: mx.conv_general(a, b, stride=2, padding=1, input_dilation=3, flip=True),
         [(2, 4, 5, 2), (3, 3, 2, 2)],
         lambda a, b: convolution(a, b, 2, 1, 1, 1, 3, True), FLOATS, ulps=32),
    transpose(1, "plain", (2, 5, 3), (4, 3, 3)),
    transpose(1, "all", (2, 5, 4), (6, 3, 2), stride=3, padding=1, dilation=2, output_padding=2, groups=2),
    transpose(2, "plain", (2, 4, 3, 3), (4, 3, 2, 3)),
    transpose(2, "strided", (1, 4, 3, 2), (3, 3, 3, 2), stride=2, padding=1, output_padding=1),
    transpose(2, "dilated-groups", (1, 4, 3, 4), (6, 2, 3, 2), dilation=2, groups=2),
    transpose(3, "plain", (1, 3, 2, 3, 2), (3, 2, 2, 2, 2), stride=2),
    *[Case(f"convolve-{mode}-{n}-{k}", lambda a, b, mode=mode: mx.convolve(a, b, mode), [(n,), (k,)],
           lambda a, b, mode=mode: np.convolve(a, b, mode), (*FLOATS, "complex64"), ulps=32)
      for mode in ("full", "same", "valid") for n, k in ((9, 4), (3, 6), (5, 5), (7, 1))],
    Case("convolve-integers", mx.convolve, [(7,), (3,)],
         lambda a, b: np.convolve(a.astype(float), b.astype(float)), ("int32", "uint8"), ulps=4, wrt=()),
]  # fmt: skip
