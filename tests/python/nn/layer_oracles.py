"""Layers by definition, in NumPy and float64. Each takes the parameters by name, then the inputs."""

import math

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def below(p, prefix):
    """The parameters of a submodule."""
    return {name[len(prefix) + 1 :]: value for name, value in p.items() if name.startswith(prefix + ".")}


def linear(p, x):
    return x @ p["weight"].T + p.get("bias", 0)


def bilinear(p, x1, x2):
    return np.einsum("...i,oij,...j->...o", x2, p["weight"], x1) + p.get("bias", 0)


# Convolution and pooling, any number of spatial axes -------------------------------------------------------


def convolve(p, x, stride=1, padding=0, dilation=1, groups=1):
    w, axes = p["weight"], x.ndim - 2
    stride, padding, dilation = ([v] * axes if isinstance(v, int) else v for v in (stride, padding, dilation))
    x = np.pad(x, [(0, 0), *((n, n) for n in padding), (0, 0)])
    kernel = w.shape[1:-1]
    out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(x.shape[1:-1], kernel, stride, dilation)]
    y = np.zeros((x.shape[0], *out, w.shape[0]))
    inputs, outputs = w.shape[-1], w.shape[0] // groups
    for at in np.ndindex(*out):
        for tap in np.ndindex(*kernel):
            place = tuple(at[a] * stride[a] + tap[a] * dilation[a] for a in range(axes))
            for g in range(groups):
                part = x[(slice(None), *place, slice(g * inputs, (g + 1) * inputs))]
                rows = slice(g * outputs, (g + 1) * outputs)
                y[(slice(None), *at, rows)] += part @ w[(rows, *tap)].T
    return y + p.get("bias", 0)


def convolve_transpose(p, x, stride=1, padding=0, dilation=1, output_padding=0):
    """Every input adds its multiple of the kernel to the result, of which the padding is cut off."""
    w, axes = p["weight"], x.ndim - 2
    options = (stride, padding, dilation, output_padding)
    stride, padding, dilation, extra = ([v] * axes if isinstance(v, int) else v for v in options)
    kernel, sizes = w.shape[1:-1], x.shape[1:-1]
    full = [
        (n - 1) * s + d * (k - 1) + 1 + e for n, s, d, k, e in zip(sizes, stride, dilation, kernel, extra)
    ]
    y = np.zeros((x.shape[0], *full, w.shape[0]))
    for at in np.ndindex(*sizes):
        for tap in np.ndindex(*kernel):
            place = tuple(at[a] * stride[a] + tap[a] * dilation[a] for a in range(axes))
            y[(slice(None), *place)] += x[(slice(None), *at)] @ w[(slice(None), *tap)].T
    kept = tuple(slice(c, n - c) for c, n in zip(padding, full))
    return y[(slice(None), *kept)] + p.get("bias", 0)


def pool(x, kernel, stride, padding, reduce, fill):
    axes = x.ndim - 2
    x = np.pad(x, [(0, 0), *((p, p) for p in padding), (0, 0)], constant_values=fill)
    out = [(n - k) // s + 1 for n, k, s in zip(x.shape[1:-1], kernel, stride)]
    y = np.zeros((x.shape[0], *out, x.shape[-1]), x.dtype)
    for at in np.ndindex(*out):
        window = tuple(slice(at[a] * stride[a], at[a] * stride[a] + kernel[a]) for a in range(axes))
        y[(slice(None), *at)] = reduce(x[(slice(None), *window)], axis=tuple(range(1, axes + 1)))
    return y


# Normalization ---------------------------------------------------------------------------------------------


def normalize(x, axes, eps=1e-5):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def affine(p, x):
    return x * p.get("weight", 1) + p.get("bias", 0)


def group_norm(p, x, groups, consecutive=False):
    n, channels = x.shape[0], x.shape[-1]
    split = (n, -1, groups, channels // groups) if consecutive else (n, -1, channels // groups, groups)
    axes = (1, 3) if consecutive else (1, 2)
    return affine(p, normalize(x.reshape(split), axes).reshape(x.shape))


# Positions -------------------------------------------------------------------------------------------------


def rope(x, dims, traditional=False, base=10000.0, scale=1.0, offset=0):
    position = (np.arange(x.shape[-2]) + offset) * scale
    angle = position[:, None] * base ** (-np.arange(dims // 2) * 2 / dims)
    y = x.copy()
    half = dims // 2
    first, second = (
        (slice(0, dims, 2), slice(1, dims, 2)) if traditional else (slice(half), slice(half, dims))
    )
    a, b = x[..., first], x[..., second]
    y[..., first], y[..., second] = (
        a * np.cos(angle) - b * np.sin(angle),
        a * np.sin(angle) + b * np.cos(angle),
    )
    return y


def sinusoid(x, dims, low=1e-4, high=1.0, turn=1.0):
    frequencies = np.geomspace(high, low, dims // 2) if dims > 2 else np.array([high])
    angle = x[..., None] * frequencies * turn
    return np.concatenate([np.sin(angle), np.cos(angle)], -1) * math.sqrt(2 / dims)


def alibi(x, offset=0):
    heads, queries, keys = x.shape[-3:]
    power = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    slopes += [2 ** (-8 * h / (2 * power)) for h in range(1, 2 * power + 1, 2)][: heads - power]
    distance = np.abs(np.arange(queries)[:, None] + offset - np.arange(keys))
    return x - distance * np.array(slopes)[:, None, None]


# Upsample --------------------------------------------------------------------------------------------------


def triangle(t):
    return np.maximum(0, 1 - np.abs(t))


def keys_cubic(t, a=-0.75):
    t = np.abs(t)
    near, far = (a + 2) * t**3 - (a + 3) * t**2 + 1, a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
    return np.where(t < 1, near, np.where(t < 2, far, 0))


def upsample(x, scales, kernel, aligned=False, antialias=False):
    """One dense matrix for each axis, whose rows collect the weights of every (clamped) place."""
    for axis, scale in enumerate(scales, 1):
        n = x.shape[axis]
        m = int(scale * n)
        wide = max(1, 1 / scale) if antialias else 1
        matrix = np.zeros((m, n))
        for i in range(m):
            centre = i * (n - 1) / (m - 1) if aligned else (i - (m - 1) / 2) / scale + (n - 1) / 2
            for j in range(-4 * n, 5 * n):
                if 0 <= j < n or not antialias:
                    matrix[i, min(max(j, 0), n - 1)] += kernel((j - centre) / wide)
        if antialias:
            matrix /= matrix.sum(1, keepdims=True)
        x = np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)
    return x


def nearest(x, scales):
    for axis, scale in enumerate(scales, 1):
        n = x.shape[axis]
        m = int(scale * n)
        i = np.arange(m)
        places = np.round((i + 0.5) * n / m - 0.5) if m > n else np.floor(i * n / m)
        x = np.take(x, places.clip(0, n - 1).astype(int), axis)
    return x


# Recurrent layers ------------------------------------------------------------------------------------------


def rnn(p, x, h=None, function=np.tanh):
    h, states = np.zeros((*x.shape[:-2], len(p["Whh"]))) if h is None else h, []
    for t in range(x.shape[-2]):
        h = function(x[..., t, :] @ p["Wxh"].T + p.get("bias", 0) + h @ p["Whh"].T)
        states.append(h)
    return np.stack(states, -2)


def gru(p, x, h=None):
    n = p["Wh"].shape[1]
    h, states = np.zeros((*x.shape[:-2], n)) if h is None else h, []
    for t in range(x.shape[-2]):
        u, s = x[..., t, :] @ p["Wx"].T + p.get("b", 0), h @ p["Wh"].T
        r, z = sigmoid(u[..., :n] + s[..., :n]), sigmoid(u[..., n : 2 * n] + s[..., n : 2 * n])
        h = (1 - z) * np.tanh(u[..., 2 * n :] + r * (s[..., 2 * n :] + p.get("bhn", 0))) + z * h
        states.append(h)
    return np.stack(states, -2)


def lstm(p, x, h=None, c=None):
    n = p["Wh"].shape[1]
    h = np.zeros((*x.shape[:-2], n)) if h is None else h
    c, states, cells = np.zeros(h.shape) if c is None else c, [], []
    for t in range(x.shape[-2]):
        u = x[..., t, :] @ p["Wx"].T + p.get("bias", 0) + h @ p["Wh"].T
        i, f, g, o = np.split(u, 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append(h)
        cells.append(c)
    return np.stack(states, -2), np.stack(cells, -2)


# Transformer -----------------------------------------------------------------------------------------------


def attention(p, queries, keys, values, heads, mask=None):
    def split(x):
        return np.moveaxis(x.reshape(*x.shape[:-1], heads, -1), -2, -3)

    q, k, v = (
        split(linear(below(p, name), x))
        for name, x in (("query_proj", queries), ("key_proj", keys), ("value_proj", values))
    )
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    y = np.moveaxis(softmax(scores if mask is None else scores + mask) @ v, -3, -2)
    return linear(below(p, "out_proj"), y.reshape(*y.shape[:-2], -1))


def layer_norm(p, x):
    return affine(p, normalize(x, -1))


def feed_forward(p, x, activation):
    return linear(below(p, "linear2"), activation(linear(below(p, "linear1"), x)))


def relu(x):
    return np.maximum(x, 0)


def transformer_layer(p, x, heads, memory=None, mask=None, first=True, activation=relu):
    def norm(name, y):
        return layer_norm(below(p, name), y)

    own = "attention" if memory is None else "self_attention"
    parts = [lambda y: attention(below(p, own), y, y, y, heads, mask)]
    if memory is not None:
        parts.append(lambda y: attention(below(p, "cross_attention"), y, memory, memory, heads))
    parts.append(lambda y: feed_forward(p, y, activation))
    for i, part in enumerate(parts, 1):
        x = x + part(norm(f"ln{i}", x)) if first else norm(f"ln{i}", x + part(x))
    return x


def stack(p, x, heads, count, **options):
    for i in range(count):
        x = transformer_layer(below(p, f"layers.{i}"), x, heads, **options)
    return layer_norm(below(p, "ln"), x)


def transformer(p, source, target, heads, counts, mask=None, first=True):
    memory = stack(below(p, "encoder"), source, heads, counts[0], first=first)
    return stack(below(p, "decoder"), target, heads, counts[1], memory=memory, mask=mask, first=first)
