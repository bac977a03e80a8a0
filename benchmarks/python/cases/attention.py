"""Attention: whole sequences, and one new row against a long cache."""

from case import case, jax, mx, normal, torch

from .rows import softmax_numpy


def attention_numpy(q, k, v):
    return softmax_numpy(q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5) @ v


def attention_jax(q, k, v, causal=False):
    q, k, v = (x.swapaxes(1, 2) for x in (q, k, v))
    return jax.nn.dot_product_attention(q, k, v, is_causal=causal).swapaxes(1, 2)


def attention(name, batch, heads, rows, keys, size, kv_heads=None, causal=False):
    grouped = kv_heads not in (None, heads)
    cache = normal(batch, kv_heads or heads, keys, size)
    mask = "causal" if causal else None
    return case(
        name + " causal" * causal,
        normal(batch, heads, rows, size),
        cache,
        cache,
        numpy=None if causal or grouped else attention_numpy,
        torch=lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=causal, enable_gqa=grouped
        ),
        jax=lambda q, k, v: attention_jax(q, k, v, causal),
        mlx=lambda q, k, v: mx.fast.scaled_dot_product_attention(
            q, k, v, scale=q.shape[-1] ** -0.5, mask=mask
        ),
    )


WHOLE = {"512": (1, 8, 512, 512, 64), "1024": (1, 8, 1024, 1024, 64), "512 d128": (1, 4, 512, 512, 128)}
FAMILIES = {
    "attention": [
        *(
            attention(name, *sizes, causal=causal)
            for name, sizes in WHOLE.items()
            for causal in (False, True)
        ),
        attention("32", 4, 8, 32, 32, 64),
    ],
    "attention decode": [
        attention("decode", 1, 16, 1, 2048, 64),
        attention("decode d128", 1, 8, 1, 4096, 128),
        attention("decode 32/8 d128", 1, 32, 1, 4096, 128, kv_heads=8),
    ],
}
