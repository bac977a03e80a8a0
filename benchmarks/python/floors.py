"""The library beside NumPy and torch, interleaved in one process.

Prints the ratio peer time / our time: at 1 or more we win.

    python benchmarks/python/floors.py [--only NAME] [--rounds 7] [--threads 2] [--compiled]

Needs torch and NumPy beside mlx; `benchmarks/README.md` says how to make such an environment.
"""

import argparse
import importlib.util
import os
import re
import time

parser = argparse.ArgumentParser()
parser.add_argument("--only", default="", help="run the cases whose name this regular expression finds")
parser.add_argument("--rounds", type=int, default=7)
parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
parser.add_argument(
    "--compiled", action="store_true", help="also torch.compile (needs a compiler, takes minutes) and jax.jit"
)
options = parser.parse_args()
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "MLX_NUM_THREADS"):
    os.environ[name] = str(options.threads)
os.environ["JAX_PLATFORMS"] = "cpu"
# Some machines pin OpenBLAS to an old kernel; NumPy is to run at its best.
os.environ.pop("OPENBLAS_CORETYPE", None)
os.environ.pop("OPENBLAS_L2_SIZE", None)

import numpy as np  # noqa: E402
import torch  # noqa: E402

import mlx.core as mx  # noqa: E402

torch.set_num_threads(options.threads)
torch.set_grad_enabled(False)
N = 4 * 1024 * 1024
rng = np.random.default_rng(0)


def run_mlx(fn):
    return lambda: mx.eval(fn())


def arrays(*shape, dtype="float32"):
    """The same random values for NumPy (None for dtypes it lacks), torch and mlx."""
    x = rng.standard_normal(shape).astype(np.float32)
    numpy_array = x.astype(dtype) if dtype != "bfloat16" else None
    m = mx.array(x).astype(getattr(mx, dtype))
    mx.eval(m)
    return numpy_array, torch.from_numpy(x).to(getattr(torch, dtype)), m


def softmax_numpy(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    e /= e.sum(-1, keepdims=True)
    return e


def layer_norm_numpy(x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def chain(x, y, exp, tanh):
    z = x * y + 1.5
    z = tanh(z) * x - y * 0.25
    z = exp(-z * z) + z
    return z * 0.5 + x


def elementwise_cases():
    a, ta, ma = arrays(N)
    b, tb, mb = arrays(N)
    yield "add", lambda: a + b, lambda: ta + tb, lambda: ma + mb
    yield "exp", lambda: np.exp(a), lambda: torch.exp(ta), lambda: mx.exp(ma)
    yield "tanh", lambda: np.tanh(a), lambda: torch.tanh(ta), lambda: mx.tanh(ma)
    yield "erf", None, lambda: torch.erf(ta), lambda: mx.erf(ma)
    yield "sin", lambda: np.sin(a), lambda: torch.sin(ta), lambda: mx.sin(ma)
    for to in ("float16", "bfloat16", "int32", "float64"):
        kind = getattr(torch, to)
        numpy_cast = (lambda to=to: a.astype(to)) if to != "bfloat16" else None
        yield f"cast f32->{to}", numpy_cast, lambda k=kind: ta.to(k), lambda to=to: ma.astype(getattr(mx, to))
    yield (
        "chain eager",
        lambda: chain(a, b, np.exp, np.tanh),
        lambda: chain(ta, tb, torch.exp, torch.tanh),
        lambda: chain(ma, mb, mx.exp, mx.tanh),
    )
    program = mx.compile(lambda x, y: chain(x, y, mx.exp, mx.tanh))
    peer = None
    if options.compiled:
        compiled = torch.compile(lambda x, y: chain(x, y, torch.exp, torch.tanh))
        peer = lambda: compiled(ta, tb)  # noqa: E731
    yield "chain compiled", None, peer, lambda: program(ma, mb)
    if options.compiled and importlib.util.find_spec("jax"):
        import jax

        jitted = jax.jit(lambda x, y: chain(x, y, jax.numpy.exp, jax.numpy.tanh))
        ja, jb = jax.numpy.asarray(a), jax.numpy.asarray(b)
        peer = lambda: jitted(ja, jb).block_until_ready()  # noqa: E731
        yield "chain compiled (jax for torch)", None, peer, lambda: program(ma, mb)


def row_cases():
    a, ta, ma = arrays(4096, 1024)
    yield "sum all", lambda: a.sum(), lambda: ta.sum(), lambda: ma.sum()
    yield "sum axis 0", lambda: a.sum(0), lambda: ta.sum(0), lambda: ma.sum(0)
    yield "sum axis 1", lambda: a.sum(1), lambda: ta.sum(1), lambda: ma.sum(1)
    yield "max all", lambda: a.max(), lambda: ta.max(), lambda: ma.max()
    yield "mean axis 1", lambda: a.mean(1), lambda: ta.mean(1), lambda: ma.mean(1)
    yield "softmax", lambda: softmax_numpy(a), lambda: torch.softmax(ta, -1), lambda: mx.softmax(ma, -1)
    yield (
        "layer norm",
        lambda: layer_norm_numpy(a),
        lambda: torch.nn.functional.layer_norm(ta, (1024,)),
        lambda: mx.fast.layer_norm(ma, None, None, 1e-5),
    )


def product_cases():
    for n in (256, 1024):
        a, ta, ma = arrays(n, n)
        b, tb, mb = arrays(n, n)
        yield f"matmul {n}", lambda a=a, b=b: a @ b, lambda a=ta, b=tb: a @ b, lambda a=ma, b=mb: a @ b
    a, ta, ma = arrays(32, 128, 128)
    b, tb, mb = arrays(32, 128, 128)
    yield "matmul 32x128", lambda: a @ b, lambda: ta @ tb, lambda: ma @ mb
    for rows, k, n in ((1, 1024, 1024), (1, 4096, 4096), (4, 1024, 4096)):
        x, tx, mx_ = arrays(rows, k)
        w, tw, mw = arrays(n, k)
        yield (
            f"x @ w.T {rows}x{k}x{n}",
            lambda x=x, w=w: x @ w.T,
            lambda x=tx, w=tw: x @ w.T,
            lambda x=mx_, w=mw: x @ w.T,
        )
    for dtype in ("bfloat16", "float16"):
        _, tc, mc = arrays(1024, 1024, dtype=dtype)
        _, td, md = arrays(1024, 1024, dtype=dtype)
        yield f"matmul 1024 {dtype}", None, lambda a=tc, b=td: a @ b, lambda a=mc, b=md: a @ b
    for size, channels, kernel in ((32, 32, 5), (64, 64, 3), (32, 128, 5)):
        _, tx, mx_ = arrays(4, size, size, channels)
        _, tw, mw = arrays(channels, kernel, kernel, channels)
        tx = tx.permute(0, 3, 1, 2)  # channels last in memory, as ours
        tw = tw.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
        yield (
            f"conv2d {size}x{size}x{channels} k{kernel}",
            None,
            (lambda x=tx, w=tw, p=kernel // 2: torch.nn.functional.conv2d(x, w, padding=p)),
            lambda x=mx_, w=mw, p=kernel // 2: mx.conv2d(x, w, padding=p),
        )


def order_cases():
    for dtype in ("float32", "int32", "int64"):
        for shape in ((1_000_000,), (1000, 1000)):
            a, ta, ma = arrays(*shape)
            if dtype != "float32":
                a = (a * 1e8).astype(dtype)
                ta, ma = torch.from_numpy(a), mx.array(a)
            k = shape[-1] // 2
            tag = f"{dtype} {len(shape)}d"
            yield f"sort {tag}", lambda a=a: np.sort(a), lambda a=ta: a.sort(), lambda a=ma: mx.sort(a)
            yield (
                f"argsort {tag}",
                lambda a=a: np.argsort(a),
                lambda a=ta: a.argsort(),
                lambda a=ma: mx.argsort(a),
            )
            yield (
                f"partition {tag}",
                lambda a=a, k=k: np.partition(a, k),
                lambda a=ta, k=k: a.kthvalue(k + 1),
                lambda a=ma, k=k: mx.partition(a, k),
            )
            yield (
                f"cumsum {tag}",
                lambda a=a: a.cumsum(-1),
                lambda a=ta: a.cumsum(-1),
                lambda a=ma: mx.cumsum(a, -1),
            )
    a, ta, ma = arrays(1000, 1000)
    yield "cumsum axis 0", lambda: a.cumsum(0), lambda: ta.cumsum(0), lambda: mx.cumsum(ma, 0)
    yield "cumprod", lambda: a.cumprod(-1), lambda: ta.cumprod(-1), lambda: mx.cumprod(ma, -1)
    yield "cummax", lambda: np.maximum.accumulate(a, 1), lambda: ta.cummax(1), lambda: mx.cummax(ma, 1)
    yield (
        "logcumsumexp",
        lambda: np.logaddexp.accumulate(a, 1),
        lambda: ta.logcumsumexp(1),
        lambda: mx.logcumsumexp(ma, 1),
    )
    yield "topk 10", None, lambda: ta.topk(10), lambda: mx.topk(ma, 10)
    yield "median", lambda: np.median(a, 1), lambda: ta.median(1), lambda: mx.median(ma, 1)
    s, ts, ms = np.sort(a.ravel()), ta.flatten().sort().values, mx.sort(ma.flatten())
    yield (
        "searchsorted",
        lambda: s.searchsorted(a),
        lambda: torch.searchsorted(ts, ta),
        lambda: mx.searchsorted(ms, ma),
    )
    yield "nonzero", lambda: np.flatnonzero(a > 0), lambda: (ta > 0).nonzero(), lambda: mx.flatnonzero(ma > 0)
    i, ti, mi = (a * 100).astype(np.int32), (ta * 100).int(), (ma * 100).astype(mx.int32)
    yield "unique", lambda: np.unique(i), lambda: ti.unique(), lambda: mx.unique(mi)
    j, tj, mj = abs(i).ravel(), ti.abs().flatten(), mx.abs(mi).flatten()
    yield "bincount", lambda: np.bincount(j), lambda: tj.bincount(), lambda: mx.bincount(mj)


def attention_numpy(q, k, v, scale, mask=None):
    scores = q @ k.swapaxes(-1, -2) * scale
    return softmax_numpy(scores if mask is None else scores + mask) @ v


def attention_cases():
    sdpa, peer = mx.fast.scaled_dot_product_attention, torch.nn.functional.scaled_dot_product_attention
    sizes = {"512": (1, 8, 512, 512, 64), "1024": (1, 8, 1024, 1024, 64), "512 d128": (1, 4, 512, 512, 128)}
    sizes |= {"32": (4, 8, 32, 32, 64), "decode": (1, 16, 1, 2048, 64), "decode d128": (1, 8, 1, 4096, 128)}
    for name, (batch, heads, rows, keys, size) in sizes.items():
        scale = size**-0.5
        (q, tq, mq), (k, tk, mk), (v, tv, mv) = (arrays(batch, heads, n, size) for n in (rows, keys, keys))
        yield (
            f"attention {name}",
            lambda q=q, k=k, v=v, s=scale: attention_numpy(q, k, v, s),
            lambda q=tq, k=tk, v=tv: peer(q, k, v),
            lambda q=mq, k=mk, v=mv, s=scale: sdpa(q, k, v, scale=s),
        )
        if rows > 32:
            yield (
                f"attention {name} causal",
                None,
                lambda q=tq, k=tk, v=tv: peer(q, k, v, is_causal=True),
                lambda q=mq, k=mk, v=mv, s=scale: sdpa(q, k, v, scale=s, mask="causal"),
            )


def quantized_cases():
    """The peers multiply by the float32 matrix."""
    w, tw, mw = arrays(4096, 4096)
    modes = (("affine", 4), ("affine", 8), ("affine", 3), ("mxfp4", 4), ("mxfp8", 8), ("nvfp4", 4))
    for mode, bits in modes:
        yield (
            f"quantize {mode} {bits} bits",
            None,
            None,
            lambda m=mode, b=bits: mx.quantize(mw, mode=m, bits=b)[0],
        )
    for rows in (1, 4, 64):
        x, tx, mx_ = arrays(rows, 4096)
        for mode, bits in modes:
            packed = mx.quantize(mw, mode=mode, bits=bits)
            mx.eval(packed)
            yield (
                f"{mode} {bits} bits, {rows} rows",
                lambda x=x: x @ w.T,
                lambda x=tx: x @ tw.T,
                lambda x=mx_, p=packed, m=mode, b=bits: mx.quantized_matmul(x, *p, mode=m, bits=b),
            )


def movement_cases():
    """Gather and scatter."""
    a, ta, ma = arrays(4096, 1024)
    rows = rng.integers(0, 4096, 8192)
    tr, mr = torch.from_numpy(rows), mx.array(rows.astype(np.int32))
    yield "take rows", lambda: a[rows], lambda: ta[tr], lambda: ma[mr]
    flat, tflat, mflat = a.ravel(), ta.flatten(), ma.flatten()
    places = rng.integers(0, flat.size, 1_000_000)
    tp, mp = torch.from_numpy(places), mx.array(places.astype(np.int32))
    yield "take elements", lambda: flat.take(places), lambda: tflat[tp], lambda: mflat[mp]
    along = rng.integers(0, 1024, (4096, 1024))
    tl, ml = torch.from_numpy(along), mx.array(along.astype(np.int32))
    yield (
        "take_along_axis",
        lambda: np.take_along_axis(a, along, 1),
        lambda: ta.gather(1, tl),
        lambda: mx.take_along_axis(ma, ml, 1),
    )
    b, tb, mb = arrays(8192, 1024)

    def numpy_scatter(x, i, values, add):
        x = x.copy()
        if add:
            np.add.at(x, i, values)
        else:
            x[i] = values
        return x

    def torch_scatter(x, i, values, add):
        return x.clone().index_put_((i,), values, accumulate=add)

    v, tv, mv = arrays(1_000_000)
    for name, x, i, u in (("rows", a, rows, b), ("elements", flat, places, v)):
        tx, ti, tu = (ta, tr, tb) if name == "rows" else (tflat, tp, tv)
        mx_, mi, mu = (ma, mr, mb) if name == "rows" else (mflat, mp, mv)
        yield (
            f"at[].add {name}",
            lambda x=x, i=i, u=u: numpy_scatter(x, i, u, True),
            lambda x=tx, i=ti, u=tu: torch_scatter(x, i, u, True),
            lambda x=mx_, i=mi, u=mu: x.at[i].add(u),
        )

        def put(x, i, u):
            x = mx.array(x)
            x[i] = u
            return x

        yield (
            f"x[i] = v {name}",
            lambda x=x, i=i, u=u: numpy_scatter(x, i, u, False),
            lambda x=tx, i=ti, u=tu: torch_scatter(x, i, u, False),
            lambda x=mx_, i=mi, u=mu: put(x, i, u),
        )


def transpose_cases():
    a, ta, ma = arrays(4096, 1024)
    yield (
        "transpose 2d",
        lambda: np.ascontiguousarray(a.T),
        lambda: ta.T.contiguous(),
        lambda: mx.contiguous(ma.T),
    )
    for name, shape, axes in (
        ("nchw to nhwc", (8, 64, 56, 56), (0, 2, 3, 1)),
        ("nhwc to nchw", (8, 56, 56, 64), (0, 3, 1, 2)),
    ):
        c, tc, mc = arrays(*shape)
        yield (
            f"{name}",
            lambda c=c, axes=axes: np.ascontiguousarray(c.transpose(axes)),
            lambda c=tc, axes=axes: c.permute(axes).contiguous(),
            lambda c=mc, axes=axes: mx.contiguous(c.transpose(axes)),
        )


def random_cases():
    generator, shape = np.random.Generator(np.random.SFC64(0)), (1_000_000,)
    r = mx.random
    yield (
        "uniform",
        lambda: generator.random(shape, np.float32),
        lambda: torch.rand(shape),
        lambda: r.uniform(shape=shape),
    )
    yield (
        "normal",
        lambda: generator.standard_normal(shape, np.float32),
        lambda: torch.randn(shape),
        lambda: r.normal(shape=shape),
    )
    yield (
        "randint",
        lambda: generator.integers(0, 1000, shape, np.int32),
        lambda: torch.randint(0, 1000, shape, dtype=torch.int32),
        lambda: r.randint(0, 1000, shape),
    )
    yield (
        "bernoulli",
        lambda: generator.random(shape, np.float32) < 0.3,
        lambda: torch.rand(shape) < 0.3,
        lambda: r.bernoulli(0.3, shape),
    )
    logits, tlogits, mlogits = arrays(64, 32000)
    yield (
        "categorical",
        lambda: (logits + generator.gumbel(size=logits.shape)).argmax(-1),
        lambda: torch.softmax(tlogits, -1).multinomial(1),
        lambda: r.categorical(mlogits),
    )


def fft_cases():
    import scipy.fft

    for shape in ((1000, 1024), (1000, 1009), (1000, 1000), (1_048_576,)):
        x, tx, mx_ = arrays(*shape)
        yield (
            f"rfft {shape}",
            lambda x=x: scipy.fft.rfft(x, workers=options.threads),
            lambda x=tx: torch.fft.rfft(x),
            lambda x=mx_: mx.fft.rfft(x),
        )
        z, tz, mz = x.astype(np.complex64), tx.to(torch.complex64), mx_.astype(mx.complex64)
        yield (
            f"fft {shape}",
            lambda z=z: scipy.fft.fft(z, workers=options.threads),
            lambda z=tz: torch.fft.fft(z),
            lambda z=mz: mx.fft.fft(z),
        )


def linalg_cases():
    a, ta, ma = arrays(512, 512)
    s = a @ a.T + 512 * np.eye(512, dtype=np.float32)
    ts, ms = torch.from_numpy(s), mx.array(s)
    L = mx.linalg
    yield "inv", lambda: np.linalg.inv(s), lambda: torch.linalg.inv(ts), lambda: L.inv(ms)
    yield "solve", lambda: np.linalg.solve(s, a), lambda: torch.linalg.solve(ts, ta), lambda: L.solve(ms, ma)
    yield "cholesky", lambda: np.linalg.cholesky(s), lambda: torch.linalg.cholesky(ts), lambda: L.cholesky(ms)
    yield "qr", lambda: np.linalg.qr(a), lambda: torch.linalg.qr(ta), lambda: L.qr(ma)
    yield "svd", lambda: np.linalg.svd(a), lambda: torch.linalg.svd(ta), lambda: L.svd(ma)
    yield "eigh", lambda: np.linalg.eigh(s), lambda: torch.linalg.eigh(ts), lambda: L.eigh(ms)


def overhead_cases():
    a, ta, ma = arrays(16)

    def adds(x):
        for _ in range(1000):
            x = x + x
        return x

    yield "1000 small adds", lambda: adds(a * 0), lambda: adds(ta * 0), lambda: adds(ma * 0)
    yield "x + x on 16", lambda: a + a, lambda: ta + ta, lambda: ma + ma


def best(fn):
    start = time.perf_counter()
    fn()
    first = time.perf_counter() - start
    repeats = max(1, min(2000, int(0.03 / max(first, 1e-7))))
    start = time.perf_counter()
    for _ in range(repeats):
        fn()
    return (time.perf_counter() - start) / repeats


def measure(name, *fns):
    """Milliseconds of each function: the least of rounds taken in turn, as others may use the machine."""
    times = [[] for _ in fns]
    for _ in range(options.rounds + 1):
        for i, fn in enumerate(fns):
            if fn is not None:
                time.sleep(0.1)  # the threads of the peer before spin on for a while
                times[i].append(best(fn))
    return [min(t[1:]) * 1e3 if t else None for t in times]


def show(value, form):
    return format("-", ">9") if value is None else format(value, form)


print(f"{options.threads} threads; ms, and peer time / our time")
print(f"{'case':26s}{'numpy':>9s}{'torch':>9s}{'mlx':>9s}{'/numpy':>9s}{'/torch':>9s}")
FAMILIES = (
    elementwise_cases,
    row_cases,
    product_cases,
    order_cases,
    attention_cases,
    quantized_cases,
    movement_cases,
    transpose_cases,
    random_cases,
    fft_cases,
    linalg_cases,
    overhead_cases,
)
for cases in FAMILIES:
    for name, numpy_fn, torch_fn, mlx_fn in cases():
        if not re.search(options.only, name):
            continue
        n, t, m = measure(name, numpy_fn, torch_fn, run_mlx(mlx_fn))
        ratios = [None if peer is None else peer / m for peer in (n, t)]
        print(
            f"{name:26s}{show(n, '9.3f')}{show(t, '9.3f')}{m:9.4f}"
            + "".join(show(r, "9.2f") for r in ratios),
            flush=True,
        )
