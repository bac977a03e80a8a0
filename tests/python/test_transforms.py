"""grad, value_and_grad, vjp, jvp, vmap, checkpoint, custom_function: trees, errors, lifetimes."""

import gc
import weakref
from collections import namedtuple

import pytest

import mlx.core as mx


def square_sum(x):
    return (x * x).sum()


def test_grad():
    x = mx.array([1.0, 2.0])
    assert mx.grad(square_sum)(x).tolist() == [2, 4]
    assert mx.grad(mx.grad(lambda x: x**3))(mx.array(2.0)).item() == 12
    value, g = mx.value_and_grad(square_sum)(x)
    assert value.item() == 5 and g.tolist() == [2, 4]
    assert mx.grad(lambda x: x.sum())(mx.array([1, 2])).dtype == mx.int32


def test_argnums():
    def f(x, y, z):
        return (x * y + z).sum()

    x, y, z = mx.array(2.0), mx.array(3.0), mx.array(4.0)
    assert mx.grad(f, argnums=1)(x, y, z).item() == 2
    assert mx.grad(f, argnums=[1])(x, y, z).item() == 2
    gx, gz = mx.grad(f, argnums=(2, 0))(x, y, z)
    assert (gx.item(), gz.item()) == (3, 1)
    assert mx.grad(f)(x, y, z=z).item() == 3
    positional, named = mx.grad(f, argnames="z")(x, y, z=z)
    assert positional is None and named["z"].item() == 1
    positional, named = mx.grad(f, argnums=0, argnames=["y", "z", "y"])(x, y=y, z=z)
    assert positional.item() == 3 and {k: v.item() for k, v in named.items()} == {"y": 2, "z": 1}


@pytest.mark.parametrize("argnums", [-1, [], (0, 0), [0, -2]])
def test_bad_argnums(argnums):
    with pytest.raises(ValueError, match="argnums"):
        mx.grad(square_sum, argnums=argnums)


def test_bad_calls():
    x = mx.array([1.0, 2.0])
    with pytest.raises(ValueError, match="no positional argument 1"):
        mx.grad(square_sum, argnums=1)(x)
    with pytest.raises(ValueError, match="'y' to differentiate was not passed"):
        mx.grad(square_sum, argnames="y")(x)
    for bad in (
        lambda x: x,
        lambda x: (x.sum(),),
        lambda x: None,
        lambda x: 1.0,
        lambda x: x.sum(keepdims=True),
    ):
        with pytest.raises(ValueError, match="must return a scalar array"):
            mx.grad(bad)(x)
    for bad in (lambda x: [x.sum()], lambda x: ()):
        with pytest.raises(ValueError, match="must return a scalar array"):
            mx.value_and_grad(bad)(x)
    for bad in (1.0, {"a": None}, [x, 1.0]):
        with pytest.raises(ValueError, match="it holds"):
            mx.grad(lambda t: mx.array(1.0))(bad)
    with pytest.raises(TypeError, match="must be a function, not int"):
        mx.grad(3)
    with pytest.raises(ZeroDivisionError):
        mx.grad(lambda x: 1 / 0)(x)


def test_trees():
    Pair = namedtuple("Pair", "a b")
    tree = {"w": [mx.array(1.0), (mx.array(2.0),)], "p": Pair(mx.array(3.0), mx.array(4.0))}

    def f(t, scale):
        return scale * (t["w"][0] * t["w"][1][0] + t["p"].a * t["p"].b)

    g = mx.grad(f)(tree, 2)
    assert g["w"][0].item() == 4 and g["w"][1][0].item() == 2 and isinstance(g["w"][1], tuple)
    assert type(g["p"]) is Pair and g["p"].a.item() == 8


def test_auxiliary_values():
    def f(x):
        y = x * 2
        return y.sum(), {"y": y, "n": 3}, "text"

    (loss, aux, text), g = mx.value_and_grad(f)(mx.array([1.0, 2.0]))
    assert loss.item() == 6 and aux["y"].tolist() == [2, 4] and aux["n"] == 3 and text == "text"
    assert g.tolist() == [2, 2]


def test_vjp_and_jvp():
    x, y = mx.array([1.0, 2.0]), mx.array([3.0, 4.0])
    outputs, vjps = mx.vjp(lambda x, y: (x * y, x + y), [x, y], [mx.array([1.0, 1.0]), mx.array([1.0, 0.0])])
    assert [o.tolist() for o in outputs] == [[3, 8], [4, 6]] and [v.tolist() for v in vjps] == [
        [4, 4],
        [2, 2],
    ]
    outputs, jvps = mx.jvp(lambda x, y: x * y, (x, y), [mx.ones(2), mx.zeros(2)])
    assert outputs[0].tolist() == [3, 8] and jvps[0].tolist() == [3, 4]
    with pytest.raises(ValueError, match="cotangent"):
        mx.vjp(lambda x: (x, x * 2), [x], [mx.ones(2)])
    with pytest.raises(ValueError, match="shape"):
        mx.vjp(lambda x: x, [x], [mx.ones(3)])
    with pytest.raises(ValueError, match="tangents"):
        mx.jvp(lambda x: x, [x], [])
    with pytest.raises(RuntimeError, match="array"):
        mx.vjp(lambda x: {"x": x}, [x], [x])
    with pytest.raises(TypeError, match="list of arrays"):
        mx.vjp(lambda x: x, x, [x])


def test_vmap():
    x, v = mx.arange(6).reshape(3, 2), mx.array([10, 20])
    assert mx.vmap(lambda r: r.sum())(x).tolist() == [1, 5, 9]
    assert mx.vmap(lambda r, v: r + v, in_axes=(0, None))(x, v).tolist() == (x + v).tolist()
    assert mx.vmap(lambda r: r + v, in_axes=1, out_axes=-1)(x.T).T.tolist() == (x + v).tolist()
    assert (
        mx.vmap(lambda c: c["a"] + c["b"], in_axes={"a": 0, "b": None})({"a": x, "b": v}).tolist()
        == (x + v).tolist()
    )
    assert mx.vmap(lambda c: c[0] + c[1], in_axes=((0, None),))((x, v)).tolist() == (x + v).tolist()
    a, b = mx.vmap(lambda r: (r, [r.sum()]), out_axes=(1, 0))(x)
    assert a.shape == (2, 3) and b[0].shape == (3,)
    assert mx.vmap(mx.vmap(lambda s: s * 2))(x).tolist() == (x * 2).tolist()
    assert mx.vmap(lambda r: mx.array(1.0))(x).tolist() == [1, 1, 1]
    assert mx.vmap(lambda r: r + 1)(mx.zeros((0, 2))).shape == (0, 2)
    calls = []
    mx.vmap(lambda r: calls.append(1) or r)(x)
    assert len(calls) == 1


def test_vmap_errors():
    x = mx.arange(6).reshape(3, 2)
    with pytest.raises(TypeError):
        mx.vmap(lambda x: x, in_axes=None)
    with pytest.raises(TypeError):
        mx.vmap(lambda x: x, out_axes=None)
    with pytest.raises(ValueError, match="batch axis"):
        mx.vmap(lambda x, y: x, in_axes=(None, None))(x, x)
    with pytest.raises(mx.AxisError, match="out of bounds"):
        mx.vmap(lambda x: x, in_axes=2)(x)
    with pytest.raises(ValueError, match="Inconsistent"):
        mx.vmap(lambda x, y: x)(x, x.T)
    with pytest.raises(ValueError, match="3 input axes for 2 values"):
        mx.vmap(lambda x, y: x, in_axes=(0, 0, 0))(x, x)
    with pytest.raises(ValueError, match="not int"):
        mx.vmap(lambda x, y: x, in_axes=(0, None))(x, 3)
    ring = []
    ring.append(ring)
    with pytest.raises(RecursionError):
        mx.vmap(lambda x: x, in_axes=(ring,))(ring)
    with pytest.raises(ValueError, match="not float"):
        mx.vmap(lambda x: 1.0)(x)
    with pytest.raises(TypeError, match="keyword"):
        mx.vmap(lambda x: x)(x=x)


def test_values_of_traced_arrays():
    x = mx.arange(6).reshape(3, 2)
    for use in (
        lambda r: r.sum().item(),
        lambda r: r if r.sum() > 1 else -r,
        lambda r: r.tolist(),
        lambda r: memoryview(r),
        lambda r: mx.eval(r),
    ):
        with pytest.raises(ValueError, match=r"\[vmap\]"):
            mx.vmap(use)(x)


def test_checkpoint():
    calls = []

    def f(x, factor, *, shift):
        calls.append(1)
        return {"y": mx.sin(x) * factor + shift, "n": 1}

    g = mx.checkpoint(f)
    x, s = mx.array([0.5, 1.0]), mx.array(2.0)
    out = g(x, 3, shift=s)
    assert out["n"] == 1 and out["y"].tolist() == f(x, 3, shift=s)["y"].tolist()
    calls.clear()
    got = mx.grad(lambda x: g(x, 3, shift=s)["y"].sum())(x)
    assert len(calls) == 2  # forward, and again backward
    expected = mx.grad(lambda x: f(x, 3, shift=s)["y"].sum())(x)
    assert got.tolist() == expected.tolist()


def test_custom_function():
    @mx.custom_function
    def f(x, y):
        return mx.sin(x) * y

    @f.vjp
    def f_vjp(primals, cotangent, output):
        x, y = primals
        assert output.shape == x.shape
        return cotangent * 10, cotangent * 100

    @f.jvp
    def f_jvp(primals, tangents):
        t, u = tangents
        return (t if t is not None else 0) * 1000 + mx.zeros_like(primals[0]) + (0 if u is None else u)

    @f.vmap
    def f_vmap(inputs, axes):
        x, y = inputs
        return mx.sin(x) * y, axes[0]

    x, y = mx.array([1.0, 2.0]), mx.array([3.0, 4.0])
    assert callable(f_vjp) and mx.allclose(f(x, y), mx.sin(x) * y).item() if hasattr(mx, "allclose") else True
    gx, gy = mx.grad(lambda x, y: f(x, y).sum(), argnums=(0, 1))(x, y)
    assert gx.tolist() == [10, 10] and gy.tolist() == [100, 100]
    _, tangents = mx.jvp(lambda x: f(x, y), [x], [mx.ones(2)])
    assert tangents[0].tolist() == [1000, 1000]
    assert mx.vmap(f)(x, y).shape == (2,)


def test_custom_function_single_and_trees():
    @mx.custom_function
    def f(d):
        return {"out": d["a"] * 2}

    @f.vjp
    def rule(primal, cotangent, output):
        return {"a": cotangent["out"] * 7 + 0 * output["out"], "b": primal["b"] * 0}

    g = mx.grad(lambda d: f(d)["out"].sum())({"a": mx.ones(2), "b": mx.ones(3)})
    assert g["a"].tolist() == [7, 7] and g["b"].tolist() == [0, 0, 0]
    plain = mx.custom_function(lambda x: x * 3)
    assert mx.grad(lambda x: plain(x).sum())(mx.ones(2)).tolist() == [3, 3]
    with pytest.raises(TypeError, match="must be a function"):
        mx.custom_function(3)
    with pytest.raises(ValueError, match="rule returned 3 arrays"):
        bad = mx.custom_function(lambda x: x * 3)
        bad.vjp(lambda p, c, o: [c, c, c])
        mx.grad(lambda x: bad(x).sum())(mx.ones(2))


def test_names_are_kept():
    def named(x):
        """Some text."""
        return x

    for f in (
        mx.grad(named),
        mx.vmap(named),
        mx.compile(named),
        mx.checkpoint(named),
        mx.value_and_grad(named),
    ):
        assert f.__name__ == "named" and f.__doc__ == "Some text." and f.__wrapped__ is named


@pytest.mark.parametrize("transform", [mx.grad, mx.vmap, mx.compile, mx.checkpoint, mx.custom_function])
def test_cycles_are_collected(transform):
    class Holder:
        pass

    def build():
        h = Holder()
        h.array = mx.ones((100,))
        h.f = transform(lambda x: (x * h.array).sum())
        h.f(mx.ones((100,)))
        return weakref.ref(h)

    r = build()
    gc.collect()
    assert r() is None


def test_rules_of_dropped_functions():
    released = []

    class Witness:
        def __del__(self):
            released.append(1)

    def build():
        w = Witness()
        f = mx.custom_function(lambda x: x * 2)
        f.vjp(lambda p, c, o: c * 2 if w else c)
        return f(mx.ones(2)) + 1

    y = build()
    gc.collect()
    assert y.tolist() == [3, 3]
    del y
    gc.collect()
    mx.eval(mx.ones(1) + 1)
    assert released


def test_second_derivatives_of_products_at_zeros():
    for values in ([2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [2.0, 5.0, 3.0]):
        x = mx.array(values, mx.float64)
        a, b, c = values
        hessian = mx.stack([mx.jvp(mx.grad(mx.prod), [x], [e])[1][0] for e in mx.eye(3, dtype=mx.float64)])
        assert hessian.tolist() == [[0, c, b], [c, 0, a], [b, a, 0]]
    x = mx.array([[1.0, 0.0], [2.0, 3.0]], mx.float64)
    assert mx.grad(lambda v: mx.prod(v))(x).tolist() == [[0, 6], [0, 0]]
    assert mx.grad(lambda v: mx.prod(v, axis=(0, 1)).sum())(x).tolist() == [[0, 6], [0, 0]]


def test_derivatives_of_complex_sign_and_abs():
    """Neither is holomorphic: they are derived as functions of real and imaginary part."""
    w = mx.array([0.3 - 0.7j, 1.1 + 0.2j])

    def f(p, function):
        z = p[0] + 1j * p[1]
        return (mx.real(function(z) * mx.conj(w)) ** 2).sum()

    p, d = mx.array([[0.6, -1.2], [0.8, 0.5]]), mx.array([[0.4, -0.3], [0.2, 0.9]])
    for function in (mx.sign, lambda z: mx.abs(z) * (1 + 1j)):
        first = mx.grad(lambda q, g=function: f(q, g))
        h = 2e-2
        slope = (f(p + h * d, function) - f(p - h * d, function)) / (2 * h)
        assert abs((first(p) * d).sum().item() - slope.item()) < 5e-3
        assert abs(mx.jvp(lambda q, g=function: f(q, g), [p], [d])[1][0].item() - slope.item()) < 5e-3
        curve = (first(p + h * d) - first(p - h * d)) / (2 * h)
        assert mx.abs(mx.jvp(first, [p], [d])[1][0] - curve).max().item() < 2e-2
        assert mx.abs(curve).max().item() > 0.1
    assert mx.grad(lambda z: mx.real(mx.sign(z)))(mx.array(0j)).item() == 0


def test_vmap_of_the_gradient_of_a_checkpoint():
    w = mx.array([[1.0, 2.0], [3.0, 4.0]])
    x = mx.stack([w, w * 2])
    for f in (lambda a, b: mx.sin(a + b[0]).sum(), lambda a, b: (a @ b).sum(), lambda a, b: (a * b[1]).sum()):
        want = mx.vmap(mx.grad(f), in_axes=(0, None))(x, w)
        got = mx.vmap(mx.grad(mx.checkpoint(f)), in_axes=(0, None))(x, w)
        assert got.shape == want.shape and mx.allclose(got, want).item()
    first, second = mx.vmap(lambda a, b: tuple(mx.depends([a, b], [a])), in_axes=(0, None))(x, w)
    assert mx.array_equal(first, x).item() and mx.array_equal(second, mx.stack([w, w])).item()


def test_checkpoint_with_indices_and_packed_weights():
    f = mx.checkpoint(lambda w, i: w[i].sum())
    w, i = mx.ones((3, 2)), mx.array([0, 1])
    assert mx.grad(f)(w, i).tolist() == [[1, 1], [1, 1], [0, 0]]
    assert mx.jvp(lambda v: f(v, i), [w], [w])[1][0].item() == 4
    packed = mx.quantize(mx.ones((4, 64)))
    g = mx.checkpoint(lambda x, *q: mx.quantized_matmul(x, *q).sum())
    assert mx.allclose(mx.grad(g)(mx.ones((2, 64)), *packed), mx.full((2, 64), 4.0)).item()


def test_counts_have_no_derivative():
    assert mx.grad(lambda x: mx.count_nonzero(x))(mx.array([1.0, 2.0, 0.0])).tolist() == [0, 0, 0]


@pytest.mark.parametrize("step", [mx.subtract, mx.remainder, mx.multiply, mx.maximum])
def test_bool_results_pass_no_derivative(step):
    def f(x):
        return mx.exp(step(x > 0, x > 1)) + x

    x = mx.array([-1.0, 0.5, 2.0])
    assert mx.grad(lambda x: f(x).sum())(x).tolist() == [1, 1, 1]
    assert mx.jvp(f, [x], [x])[1][0].tolist() == x.tolist()
