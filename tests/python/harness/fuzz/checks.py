"""What must hold for every graph. Each check raises an exception when it does not."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import replace

import numpy as np

import mlx.core as mx

from ..compare import EPS, as_tuple, assert_close, dtype_name, to_numpy, widen
from .graph import Call, Graph, Input

DOCUMENTED = (ValueError, TypeError, IndexError, OverflowError, RuntimeError, MemoryError)


class Unrelated(Exception):
    """The graph cannot take part in this check."""


def same_bits(got: mx.array, expected: mx.array, what: str):
    """Equal to the bit; any NaN equals any other."""
    assert got.dtype == expected.dtype, f"{what}: {got.dtype}, expected {expected.dtype}"
    assert got.shape == expected.shape, f"{what}: shape {got.shape}, expected {expected.shape}"
    a, b = to_numpy(got), to_numpy(expected)
    same = (a == b) | ((a != a) & (b != b))
    if a.dtype.kind == "f":
        same &= (np.signbit(a) == np.signbit(b)) | (a != a)
    assert np.all(same), f"{what}: {a[~same][:3]}, expected {b[~same][:3]}"


def all_same(got, expected, what):
    for k, (a, b) in enumerate(zip(got, expected, strict=True)):
        same_bits(a, b, f"{what}, output {k}")


# One call against NumPy.


def promoted(row, operands) -> list[mx.array]:
    if row.promote:
        first = 1 if row.promote == "where" else 0
        common = mx.result_type(*operands[first:])
        if row.promote == "float" and not mx.issubdtype(common, mx.inexact):
            common = mx.float32
        operands = [*operands[:first], *[x.astype(common) for x in operands[first:]]]
    return list(operands)


def oracle_arguments(row, operands) -> list[np.ndarray]:
    return [widen(to_numpy(x)) for x in promoted(row, operands)]


def magnitude(row, arguments, kwargs):
    """What errors are relative to; None: the largest expected value."""
    if row.scale is None:
        return None
    finite = [np.where(np.isfinite(a), a, 0) if a.dtype.kind in "fc" else a for a in arguments]
    if row.scale == "abs":
        sums = as_tuple(row.oracle(*[np.abs(a) if a.dtype.kind in "fc" else a for a in finite], **kwargs))
        return max((float(np.max(np.abs(s))) for s in sums if np.size(s)), default=1.0) or 1.0
    return float(row.scale(*finite, **kwargs)) or 1.0


def call_holds(call: Call, operands, results):
    row = call.row
    if row.result:
        first = mx.bool_ if row.result == "bool" else promoted(row, operands)[0].dtype
        assert results[0].dtype == first, f"{row.name} gives {results[0].dtype}, expected {first}"
    if row.oracle is None and row.verify is None:
        return
    with np.errstate(all="ignore"):
        arguments = oracle_arguments(row, operands)
        if row.verify:
            if all(np.isfinite(a).all() for a in arguments):
                verified(row, arguments, results, call.kwargs)
            return
        unsure = row.finite or any(r.dtype == mx.complex64 for r in results)
        if unsure and not all(np.isfinite(a).all() for a in arguments):
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = as_tuple(row.oracle(*arguments, **call.kwargs))
        scale = magnitude(row, arguments, call.kwargs)
        for got, want in zip(results, expected, strict=True):
            ulps = row.ulps * (6 if dtype_name(got) == "complex64" else 1)
            assert_close(got, want, ulps, "against NumPy", scale)


def verified(row, arguments, results, kwargs):
    eps = max((EPS.get(dtype_name(r), 0) for r in results), default=0)
    eps = eps or 2.0**-52
    for got, want in row.verify(*arguments, *[widen(to_numpy(r)) for r in results], **kwargs):
        assert got.shape == want.shape, f"shape {got.shape}, expected {want.shape}"
        if got.dtype == bool:
            assert (got == want).all(), row.name
        elif got.size:
            error = np.abs(got - want).max() / max(np.abs(want).max(), 1e-30)
            # Products of the factors are formed here.
            assert error <= row.ulps * eps, f"{row.name}: off by {error:.3g} relative to the largest value"


# Whole graphs. Each takes the graph, its values one by one, and a generator.


def outputs_of(graph: Graph, values) -> list[mx.array]:
    return [values[i][k] for i, k in graph.outputs]


def lazy(graph, values, rng):
    """Evaluated at once, so that neighbours fuse: the bits of one by one."""
    got = outputs_of(graph, graph.run(*graph.arguments()))
    mx.eval(got)
    all_same(got, outputs_of(graph, values), "lazily")


def threads(graph, values, rng):
    """The same bits with one thread and with two."""
    before = mx.get_num_threads()
    try:
        for n in (1, 2):
            mx.set_num_threads(n)
            got = outputs_of(graph, graph.run(*graph.arguments()))
            mx.eval(got)
            all_same(got, outputs_of(graph, values), f"{n} threads")
    finally:
        mx.set_num_threads(before)


def static(graph):
    if any(call.row.dynamic for _, call in graph.calls) or not graph.inputs:
        raise Unrelated


def compiled(graph, values, rng):
    static(graph)
    program = mx.compile(graph.function())
    for _ in range(2):
        all_same(program(*graph.arguments()), outputs_of(graph, values), "compiled")


SQUARE = ("square", "definite", "lower", "upper")


def resized(graph: Graph, rng, apart: bool = False) -> Graph:
    """The graph with inputs of other sizes; axes that were equal stay equal, unless they go apart."""
    grow = int(rng.integers(-1, 3)) or 4

    def size(n):
        if apart:
            return max(n + int(rng.integers(-1, 2)), 0) if rng.random() < 0.4 else n
        return n if n < 2 else max(n + grow, 1)

    entries = []
    for e in graph.entries:
        if isinstance(e, Input) and e.kind != "key" and not (apart and e.kind in SQUARE):
            e = replace(e, shape=tuple(map(size, e.shape)))
        elif not isinstance(e, (Call, Input)):
            raise Unrelated
        entries.append(e)
    return Graph(tuple(entries), graph.outputs)


def evaluated(fn, arguments):
    """Results, or the exception of a documented type."""
    try:
        results = fn(*arguments)
        mx.eval(results)
    except DOCUMENTED as error:
        return error
    return results


def shapeless(graph, values, rng):
    """Traced at one size, called at others: what eager evaluation gives, also its refusal."""
    static(graph)
    program = mx.compile(graph.function(), shapeless=True)
    all_same(program(*graph.arguments()), outputs_of(graph, values), "shapeless")
    for apart in (False, True):
        arguments = resized(graph, rng, apart).arguments()
        expected, got = evaluated(graph.function(), arguments), evaluated(program, arguments)
        if isinstance(expected, Exception):
            assert isinstance(got, Exception), f"shapeless gives a result where eager raises {expected}"
        elif isinstance(got, Exception):
            # What was not broadcast in the trace may be refused when it would have to be.
            assert apart, f"shapeless at another size: {type(got).__name__}: {got}"
        else:
            all_same(got, expected, "shapeless at another size")


def exported(graph, values, rng):
    static(graph)
    with tempfile.TemporaryDirectory() as folder:
        for free in (False, True):
            path = f"{folder}/{free}.mlxfn"
            mx.export_function(path, graph.function(), *graph.arguments(), shapeless=free)
            program = mx.import_function(path)
            all_same(program(*graph.arguments()), outputs_of(graph, values), f"exported, shapeless={free}")
    other = resized(graph, rng)
    arguments = other.arguments()
    got = evaluated(program, arguments)
    if not isinstance(got, Exception):
        expected = evaluated(graph.function(), arguments)
        assert not isinstance(expected, Exception), (
            f"an exported function serves what eager refuses: {expected}"
        )
        all_same(got, expected, "exported at another size")


def vmapped(graph, values, rng):
    """Each call over a stacked axis equals a loop."""
    others = evaluated(lambda *x: graph.run(*x), graph.arguments(1))
    if isinstance(others, Exception):
        # Shapes that depend on values fit those of the first inputs only.
        assert any(call.row.dynamic for _, call in graph.calls), f"with other values: {others}"
        raise Unrelated
    for _, call in graph.calls:
        row, kwargs = call.row, call.kwargs
        if row.dynamic or not call.operands or "vmap" in row.skip:
            continue
        pairs = [(values[i][k], others[i][k]) for i, k in call.operands]
        if any(a.shape != b.shape for a, b in pairs):
            continue
        batched = [bool(rng.random() < 0.7) for _ in pairs]
        batched[int(rng.integers(len(pairs)))] = True
        axes = [
            int(rng.integers(-a.ndim - 1, a.ndim + 1)) if use else None for use, (a, _) in zip(batched, pairs)
        ]
        stacked = [a if axis is None else mx.stack([a, b], axis=axis) for axis, (a, b) in zip(axes, pairs)]
        loop = [[a for a, _ in pairs], [a if axis is None else b for axis, (a, b) in zip(axes, pairs)]]
        what = f"vmap of {row.name} over axes {axes}"
        try:
            expected = [row.results(*operands, **kwargs) for operands in loop]
            mx.eval(expected)
        except DOCUMENTED:
            continue
        try:
            got = mx.vmap(lambda *a, r=row, kw=kwargs: list(r.results(*a, **kw)), in_axes=tuple(axes))(
                *stacked
            )
            mx.eval(got)
        except DOCUMENTED as error:
            raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error
        for n in range(2):
            with np.errstate(all="ignore"):
                scale = magnitude(row, oracle_arguments(row, loop[n]), kwargs) if row.scale else None
            for k, want in enumerate(expected[n]):
                assert got[k].dtype == want.dtype, f"{what}: {got[k].dtype}, expected {want.dtype}"
                assert_close(got[k][n], to_numpy(want), 2 * row.ulps, what, scale)


# Derivatives.


def loss_of(graph: Graph, rng):
    """A function of the floating inputs, the weighted sum of all floating outputs; and those inputs."""
    arguments = graph.arguments()
    moving = [i for i, x in enumerate(arguments) if mx.issubdtype(x.dtype, mx.floating)]
    floats = [
        k for k, (i, j) in enumerate(graph.outputs)
        if mx.issubdtype(graph.run(*arguments)[i][j].dtype, mx.floating)
    ]  # fmt: skip
    if not moving or not floats:
        raise Unrelated
    fn = graph.function()
    seed = int(rng.integers(2**31))

    def loss(*primals):
        full = list(arguments)
        for i, p in zip(moving, primals):
            full[i] = p
        results = fn(*full)
        weights = np.random.default_rng(seed)
        total = mx.array(0.0, mx.float64)
        for k in floats:
            y = results[k].astype(mx.float64)
            total = total + (y * mx.array(weights.uniform(0.5, 1, y.shape), dtype=mx.float64)).sum()
        return total

    return loss, [arguments[i] for i in moving]


def rounds_to_float32(graph, values):
    """Whether float64 passes through float32 somewhere, as in fast.cross_entropy."""
    return any(
        any(values[i][k].dtype == mx.float64 for i, k in call.operands)
        and any(result.dtype == mx.float32 for result in values[place])
        for place, call in graph.calls
    )


def derivative(graph, values, rng):
    """grad = grad of compiled = compiled grad; in float64 also what jvp and central differences say."""
    static(graph)
    if any("derivative" in call.row.skip for _, call in graph.calls):
        raise Unrelated
    loss, point = loss_of(graph, rng)
    everything = tuple(range(len(point)))
    gradients = as_tuple(mx.grad(loss, argnums=everything)(*point))
    for p, d in zip(point, gradients, strict=True):
        assert p.shape == d.shape and p.dtype == d.dtype, f"gradient is {d.dtype} {d.shape}"
    # Equal steps are one step in a compiled function, so cotangents are added in another order.
    narrow = rounds_to_float32(graph, values)
    for got, want in zip(
        as_tuple(mx.grad(mx.compile(loss), argnums=everything)(*point)), gradients, strict=True
    ):
        got = got.astype(mx.float32) if narrow and got.dtype == mx.float64 else got
        assert_close(got, to_numpy(want), 64, "grad of compiled")
    all_same(as_tuple(mx.compile(mx.grad(loss, argnums=everything))(*point)), gradients, "compiled grad")
    if not all(call.row.smooth for _, call in graph.calls) or any(p.dtype != mx.float64 for p in point):
        return
    if not all(np.isfinite(to_numpy(g)).all() for g in gradients):
        return
    direction = [mx.array(rng.standard_normal(p.shape), dtype=mx.float64) for p in point]
    pulled = sum(float((to_numpy(g) * to_numpy(d)).sum()) for g, d in zip(gradients, direction))
    pushed = mx.jvp(loss, point, direction)[1][0].item()

    if abs(loss(*point).item()) > 1e5:
        return  # the differences would drown in its rounding

    def difference(h):
        step = mx.array(h, dtype=mx.float64)
        ahead = loss(*[p + step * d for p, d in zip(point, direction)]).item()
        behind = loss(*[p - step * d for p, d in zip(point, direction)]).item()
        return (ahead - behind) / (2 * h)

    size = max(1.0, *[float(np.abs(to_numpy(g)).sum()) if g.size else 0.0 for g in gradients])
    assert abs(pulled - pushed) <= 1e-9 * size, f"vjp gives {pulled}, jvp {pushed}"
    coarse, fine = difference(2e-6), difference(1e-6)
    if not np.isfinite(fine) or abs(coarse - fine) > 1e-4 * size:
        return  # too steep for differences
    assert abs(pulled - fine) <= 1e-5 * size + 10 * abs(coarse - fine), (
        f"vjp gives {pulled}, differences {fine}"
    )


def all_close(got, expected, what):
    for k, (a, b) in enumerate(zip(got, expected, strict=True)):
        a, b = to_numpy(a), to_numpy(b)
        size = max(float(np.abs(b[np.isfinite(b)]).max(initial=0)), 1.0)
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7 * size, err_msg=f"{what}, output {k}")


def nested(graph, values, rng):
    """vmap and compile in either order have the same bits; in smooth graphs vmap, also of grad, is a loop."""
    static(graph)
    points = [graph.arguments(0), graph.arguments(1)]
    fn, stacked = graph.function(), [mx.stack(pair) for pair in zip(*points, strict=True)]
    loop = [evaluated(fn, point) for point in points]
    if any(isinstance(results, Exception) for results in loop):
        raise Unrelated
    batched = mx.vmap(fn)(*stacked)
    all_same(mx.compile(mx.vmap(fn))(*stacked), batched, "compiled vmap")
    all_same(mx.vmap(mx.compile(fn))(*stacked), batched, "vmap of compiled")
    if not all(call.row.smooth for _, call in graph.calls):
        return
    moving = tuple(i for i, x in enumerate(stacked) if x.dtype == mx.float64)
    if not moving or any(y.dtype != mx.float64 for y in loop[0]):
        return

    def loss(*arguments):
        return sum((y * y).sum() for y in fn(*arguments))

    gradient = mx.grad(loss, argnums=moving)
    slopes = [as_tuple(gradient(*point)) for point in points]
    together = as_tuple(mx.vmap(gradient)(*stacked))
    for n in range(2):
        all_close([y[n] for y in batched], loop[n], "vmap of the graph")
        if all(np.isfinite(to_numpy(d)).all() for d in slopes[n]):
            all_close([d[n] for d in together], slopes[n], "vmap of grad")


# Bad arguments.

NONSENSE = (-1, 97, -98, 2**31, 2**62, -(2**63), 2**70, 1.5, float("nan"), "x", None, [], (), (1, 2, 3, 4,
        5), (0,), [-1],
            (2**40, 2**40), object(), mx.bool_, b"")  # fmt: skip


def spoilt(call: Call, operands: list, rng) -> tuple[list, dict]:
    """The arguments of a call with one replaced, left out or added."""
    kwargs = dict(call.kwargs)
    choice = int(rng.integers(4))
    if choice == 0 and kwargs:
        kwargs[str(rng.choice(list(kwargs)))] = NONSENSE[int(rng.integers(len(NONSENSE)))]
    elif choice == 1 and operands:
        shape = tuple(int(n) for n in rng.integers(0, 4, int(rng.integers(0, 6))))
        dtypes = [mx.bool_, mx.uint8, mx.int64, mx.float16, mx.float32, mx.float64, mx.complex64]
        operands[int(rng.integers(len(operands)))] = mx.full(shape, 7).astype(dtypes[int(rng.integers(7))])
    elif choice == 2 and operands:
        operands[int(rng.integers(len(operands)))] = NONSENSE[int(rng.integers(len(NONSENSE)))]
    elif operands:
        operands = operands[:-1] if rng.random() < 0.5 else [*operands, operands[0]]
    return operands, kwargs


def invalid(graph, values, rng):
    """A spoilt argument gives a result or an exception of a documented type; then all goes on."""
    for _, call in graph.calls:
        for _ in range(3):
            operands, kwargs = spoilt(call, [values[i][k] for i, k in call.operands], rng)
            try:
                results = [r for r in call.row.results(*operands, **kwargs) if isinstance(r, mx.array)]
                if all(r.nbytes < 1 << 20 for r in results):
                    mx.eval(results)
            except (*DOCUMENTED, AttributeError):
                # AttributeError comes from Python: the operand is no array.
                pass
            except Exception as error:
                raise AssertionError(f"{call.row.name} raises {type(error).__name__}: {error}") from error
            total = mx.arange(5).sum().item()
            assert total == 10, f"after a refused {call.row.name}: {total}"


CHECKS = {
    f.__name__: f
    for f in (lazy, threads, compiled, shapeless, exported, vmapped, derivative, nested, invalid)
}
