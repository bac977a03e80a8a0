"""Attention, rotary positions, cross entropy, the gated delta rule."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

SDPA = mx.fast.scaled_dot_product_attention
SCALE = 0.35


def softmax(scores):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(q, k, v, mask=None, sinks=None, causal=False):
    groups = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, groups, 1), np.repeat(v, groups, 1)
    scores = SCALE * q @ np.swapaxes(k, -1, -2)
    rows, columns = scores.shape[-2:]
    lowest = -1e30
    if causal:
        kept = np.arange(columns) <= np.arange(rows)[:, None] + columns - rows
        scores = np.where(kept, scores, lowest)
    if mask is not None:
        scores = np.where(mask, scores, lowest) if mask.dtype == bool else scores + mask
    if sinks is not None:
        extra = np.broadcast_to(sinks[:, None, None], (*scores.shape[:-1], 1))
        return softmax(np.concatenate([scores, extra], -1))[..., :-1] @ v
    return softmax(scores) @ v


def bool_mask(rng, shape, dtype, index):
    if index != 3:
        return None
    mask = rng.random(shape) < 0.6
    mask[..., 0, :] = False  # a row for which no key is kept
    return mask


def case(name, q, k, v, *rest, fn=None, oracle=None, sizes=(), **options):
    shapes = {"base": [q, k, v, *rest], **dict(sizes)}
    return Case(f"attention-{name}", fn or (lambda *a: SDPA(*a, scale=SCALE)), shapes, oracle or attention,
                FLOATS, ulps=8, **options)  # fmt: skip


def masked(q, k, v, mask):
    return SDPA(q, k, v, scale=SCALE, mask=mask)


def causal(q, k, v):
    return SDPA(q, k, v, scale=SCALE, mask="causal")


def with_sinks(q, k, v, sinks):
    return SDPA(q, k, v, scale=SCALE, sinks=sinks)


def causal_oracle(q, k, v):
    return attention(q, k, v, causal=True)


def sinks_oracle(q, k, v, sinks):
    return attention(q, k, v, sinks=sinks)


ATTENTION = [
    case("plain", (2, 2, 9, 8), (2, 2, 7, 8), (2, 2, 7, 8),
         sizes={"larger": [(2, 2, 40, 8), (2, 2, 300, 8), (2, 2, 300, 8)],
                "smaller": [(1, 2, 3, 8), (1, 2, 2, 8), (1, 2, 2, 8)]}.items()),
    case("grouped", (1, 6, 5, 4), (1, 2, 6, 4), (1, 2, 6, 3)),
    case("blocks", (1, 2, 37, 20), (1, 1, 530, 20), (1, 1, 530, 33), skip={"second": "a large case"}),
    case("wide", (1, 1, 10, 300), (1, 1, 5, 300), (1, 1, 5, 270), skip={"second": "a large case"}),
    case("one", (2, 4, 1, 16), (2, 2, 1100, 16), (2, 2, 1100, 8), skip={"second": "a large case"}),
    case("causal", (1, 2, 12, 4), (1, 2, 20, 4), (1, 2, 20, 4), fn=causal, oracle=causal_oracle),
    case("causal-more-rows", (1, 2, 13, 4), (1, 2, 5, 4), (1, 2, 5, 4), fn=causal, oracle=causal_oracle),
    case("causal-one", (1, 8, 2, 4), (1, 2, 9, 4), (1, 2, 9, 4), fn=causal, oracle=causal_oracle),
    case("bool-mask", (2, 4, 11, 4), (2, 2, 6, 4), (2, 2, 6, 4), (4, 11, 6), fn=masked, draw=bool_mask,
         wrt=(0, 1, 2)),
    case("bool-mask-one", (2, 4, 1, 4), (2, 2, 6, 4), (2, 2, 6, 4), (2, 1, 1, 6), fn=masked, wrt=(0, 1, 2),
         draw=lambda rng, shape, dtype, i: rng.random(shape) < 0.6 if i == 3 else None),
    case("added-mask", (2, 4, 11, 4), (2, 2, 6, 4), (2, 2, 6, 4), (2, 1, 11, 6), fn=masked),
    case("added-row", (1, 2, 3, 4), (1, 2, 6, 4), (1, 2, 6, 4), (6,), fn=masked),
    case("sinks", (2, 4, 9, 4), (2, 2, 6, 4), (2, 2, 6, 4), (4,), fn=with_sinks, oracle=sinks_oracle),
    case("sinks-one", (2, 4, 1, 4), (2, 2, 6, 4), (2, 2, 6, 4), (4,), fn=with_sinks, oracle=sinks_oracle),
]  # fmt: skip


def rope(x, dims, traditional, rate, offset=0):
    """Pairs turned one by one; `rate` gives radians per position."""
    y = x.copy()
    time, half = x.shape[-2], dims // 2
    offset = np.reshape(offset, (-1,) + (1,) * (x.ndim - 2))
    position = offset + np.arange(time).reshape((1,) * (x.ndim - 2) + (-1,))
    for i in range(half):
        a, b = (2 * i, 2 * i + 1) if traditional else (i, i + half)
        angle = position * rate[i]
        y[..., a] = x[..., a] * np.cos(angle) - x[..., b] * np.sin(angle)
        y[..., b] = x[..., a] * np.sin(angle) + x[..., b] * np.cos(angle)
    return y


def rates(dims, base=100.0, scale=0.5):
    # Python's powers: those of NumPy before 2 are off by a unit, which hundreds of positions multiply.
    return [scale * base ** (-2 * i / dims) for i in range(dims // 2)]


def rope_case(name, shape, dims, traditional, offset=0, sizes=()):
    def fn(x):
        return mx.fast.rope(x, dims, traditional=traditional, base=100.0, scale=0.5, offset=offset)

    return Case(f"rope-{name}", fn, {"base": [shape], **dict(sizes)},
                lambda x: rope(x, dims, traditional, rates(dims), offset), FLOATS)  # fmt: skip


def rope_offsets(x, offset):
    return mx.fast.rope(x, 4, traditional=False, base=100.0, scale=0.5, offset=offset)


def rope_freqs(traditional):
    def fn(x, freqs):
        freqs = freqs.astype(mx.float64 if x.dtype == mx.float64 else mx.float32)
        return mx.fast.rope(x, 4, traditional=traditional, base=None, scale=0.5, offset=3, freqs=freqs)

    return fn


def draw_offsets(rng, shape, dtype, index):
    return rng.integers(-5, 900, shape).astype(np.int32) if index == 1 else None


def draw_freqs(rng, shape, dtype, index):
    return np.array([1.5, 0.75], np.float32).astype(np.float64) if index == 1 else None


ROPE = [
    rope_case("halves", (2, 3, 5, 8), 8, False,
              sizes={"larger": [(3, 3, 9, 8)], "smaller": [(1, 3, 2, 8)]}.items()),
    rope_case("pairs", (2, 3, 5, 8), 8, True, 7),
    rope_case("part", (2, 5, 9), 4, False, -3),
    rope_case("part-pairs", (2, 5, 2, 9), 4, True, 3),
    Case("rope-offsets", rope_offsets, [(3, 2, 4, 6), (3,)],
         lambda x, o: rope(x, 4, False, rates(4), o), FLOATS, draw=draw_offsets, wrt=(0,)),
    *[Case(f"rope-freqs-{traditional}", rope_freqs(traditional), [(2, 3, 5, 6), (2,)],
           lambda x, f, t=traditional: rope(x, 4, t, 0.5 / f, 3), ("float32", "float64"), draw=draw_freqs)
      for traditional in (False, True)],
]  # fmt: skip


def cross_entropy(logits, targets):
    picked = np.take_along_axis(logits, targets[..., None].astype(int), -1)[..., 0]
    largest = logits.max(-1)
    return np.log(np.exp(logits - largest[..., None]).sum(-1)) + largest - picked


def draw_targets(rng, shape, dtype, index):
    return rng.integers(0, 7, shape).astype(np.int32) if index == 1 else None


def delta_rule(q, k, v, gamma, beta, state, mask=None):
    batch, time, heads, _ = v.shape
    out, state = np.zeros_like(v), state.copy()
    for b in range(batch):
        for t in range(time):
            for h in range(heads):
                if mask is not None and not mask[b, t]:
                    continue
                kh = h // (heads // k.shape[2])
                s = state[b, h] * gamma[b, t, h]
                s = s + np.outer(beta[b, t, h] * (v[b, t, h] - s @ k[b, t, kh]), k[b, t, kh])
                state[b, h] = s
                out[b, t, h] = s @ q[b, t, kh]
    return out, state


def draw_mask(rng, shape, dtype, index):
    return rng.random(shape) < 0.6 if index == 6 else None


DELTA = [(2, 3, 1, 3), (2, 3, 1, 3), (2, 3, 2, 5), (2, 3, 2), (2, 3, 2), (2, 2, 5, 3)]
DELTA_OPTIONS = {"dtypes": ("float32", "float64"), "ulps": 16}

CASES = [
    *ATTENTION,
    *ROPE,
    Case("cross_entropy", mx.fast.cross_entropy, {"base": [(4, 7), (4,)], "larger": [(9, 7), (9,)]},
         cross_entropy, FLOATS, ulps=8, draw=draw_targets, wrt=(),
         skip={"same bits": "floating sums may be taken in another order for another layout"}),
    Case("gated_delta_update", mx.fast.gated_delta_update, DELTA, delta_rule, **DELTA_OPTIONS),
    Case("gated_delta_update-per-key", mx.fast.gated_delta_update,
         [*DELTA[:3], (2, 3, 2, 3), *DELTA[4:]], delta_rule, **DELTA_OPTIONS),
    Case("gated_delta_update-mask", mx.fast.gated_delta_update, [*DELTA, (2, 3)], delta_rule, draw=draw_mask,
         wrt=range(6), **DELTA_OPTIONS),
]  # fmt: skip
