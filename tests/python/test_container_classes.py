"""Arguments and results of transformations in containers of the caller's own classes."""

import time
from collections import OrderedDict, namedtuple

import pytest

import mlx.core as mx
import mlx.nn as nn


class Attributes(dict):
    __getattr__ = dict.__getitem__


class Pair(list):
    def product(self):
        return self[0] * self[1]


class Point(tuple):
    def __new__(cls, x, y):
        return super().__new__(cls, (x, y))

    def product(self):
        return self[0] * self[1]


class Strict(namedtuple("Strict", "x y")):
    def __new__(cls, x, y, *, checked):
        return super().__new__(cls, x, y)

    def product(self):
        return self.x * self.y


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.b = mx.array(2.0), mx.array(3.0)
        self.bound = self.product  # the method of this very object
        self.calls = 0

    def product(self):
        self.calls += 1
        return self.w * self.b

    def __call__(self):
        return self.bound()


def two():
    return mx.array(2.0), mx.array(3.0)


# A container of 2 and 3, and their product.
CASES = {
    "attributes": (lambda: Attributes(w=two()[0], b=two()[1]), lambda p: p.w * p.b),
    "ordered": (lambda: OrderedDict(w=two()[0], b=two()[1]), lambda p: p["w"] * p[next(reversed(p))]),
    "list": (lambda: Pair(two()), Pair.product),
    "tuple": (lambda: Point(*two()), Point.product),
    "named tuple": (lambda: Strict(*two(), checked=True), Strict.product),
    "module": (Model, Model.__call__),
}
CALLS = {
    "compile": lambda f, p: mx.compile(f)(p),
    "compile by keyword": lambda f, p: mx.compile(lambda *, q: f(q))(q=p),
    "vmap": lambda f, p: mx.vmap(lambda x, q: x * f(q), in_axes=(0, None))(mx.ones(1), p)[0],
    "value": lambda f, p: mx.value_and_grad(f)(p)[0],
}
GRADIENTS = {
    "grad": lambda f, p: mx.grad(f)(p),
    "value_and_grad": lambda f, p: mx.value_and_grad(f)(p)[1],
    "by keyword": lambda f, p: mx.grad(lambda *, q: f(q), argnames="q")(q=p)[1]["q"],
    "of compile": lambda f, p: mx.grad(mx.compile(f))(p),
    "compiled": lambda f, p: mx.compile(mx.grad(f))(p),
}


def leaves(tree):
    return [a.item() for a in (tree.values() if isinstance(tree, dict) else tree) if isinstance(a, mx.array)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("call", CALLS)
def test_calls(case, call):
    make, f = CASES[case]
    p = make()
    assert CALLS[call](f, p).item() == 6
    assert leaves(p) == [2, 3]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("call", GRADIENTS)
def test_gradients(case, call):
    make, f = CASES[case]
    p = make()
    g = GRADIENTS[call](f, p)
    assert leaves(g) == [3, 2] and leaves(p) == [2, 3]
    plain = dict if isinstance(p, dict) else list if isinstance(p, list) else type(p)
    assert type(g) is plain


def test_nested_objects():
    p = {"a": [Attributes(w=mx.array(2.0))], "m": Model(), "t": Point(*two())}
    g = mx.grad(lambda p: p["a"][0].w * p["m"]() * p["t"].product())(p)
    assert g["a"][0]["w"].item() == 36 and leaves(g["m"]) == [36, 24] and leaves(g["t"]) == [36, 24]
    assert p["a"][0].w.item() == 2 and type(p["a"][0]) is Attributes
    twice = Attributes(x=p["m"], y=p["m"])  # one object in two places
    g = mx.grad(lambda q: q.x())(twice)
    assert sum(leaves(g["x"])) + sum(leaves(g["y"])) == 5 and leaves(twice.x) == [2, 3]


def test_gradient_of_gradient():
    m = Model()
    second = mx.grad(lambda x, m: mx.grad(lambda n: n() * x)(m)["w"])(mx.array(5.0), m)
    assert second.item() == 3 and leaves(m) == [2, 3]
    second = mx.grad(lambda m: mx.grad(lambda n: n() ** 2)(m)["w"])(m)
    assert leaves(second) == [18, 24] and leaves(m) == [2, 3]


def test_arguments_end_as_they_were():
    for transform in (mx.grad, mx.compile, mx.vmap):
        p = Attributes(w=mx.ones(2), inner=Pair([mx.ones(2), mx.zeros(2)]))
        with pytest.raises(ZeroDivisionError):
            transform(lambda p: 1 / 0)(p)
        assert p.w.tolist() == [1, 1] and p.inner.product().tolist() == [0, 0]


def test_what_the_function_stores():
    class Normed(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.BatchNorm(2)

        def __call__(self, x):
            self.last = x * 2
            return mx.square(self.norm(x)).sum()

    m = Normed()
    g = mx.grad(lambda m, x: m(x))(m, mx.array([[1.0, 2.0], [3.0, 6.0]]))
    assert mx.allclose(m.norm.running_mean, mx.array([0.2, 0.4])) and m.last.tolist() == [[2, 4], [6, 12]]
    assert "last" not in g and m.norm.weight.tolist() == [1, 1]

    p = Attributes(w=mx.array(1.0), v=mx.array(2.0))

    def shrinks(p):
        w = p.w
        del p["v"]
        p["w"] = w + 1
        return w * 3

    assert mx.grad(shrinks)(p)["w"].item() == 3 and list(p) == ["w"] and p.w.item() == 2
    traced = Attributes(w=mx.array(1.0))
    assert mx.compile(lambda p: p.update(w=p.w * 5) or p.w)(traced).item() == 5
    assert traced.w.item() == 1  # no stand-in of the trace is left behind
    items = Pair(two())
    assert leaves(mx.grad(lambda p: p.product() + 0 * p.pop())(items)) == [3, 2] and leaves(items) == [2]


def test_results():
    point = mx.compile(lambda x: Point(x, x + 1))(mx.array(1.0))
    assert type(point) is Point and leaves(point) == [1, 2]
    point = Point(*two())
    point.label = "p"
    (value, same), _ = mx.value_and_grad(lambda x: (x * 2, point))(mx.array(1.0))
    assert type(same) is Point and same.label == "p"
    # Tuples that cannot be made of items alone become plain ones.
    (value, now, y), _ = mx.value_and_grad(lambda x: (x * 2, time.gmtime(0), x))(mx.array(1.0))
    assert now[0] == 1970 and y.item() == 1
    # What stands for an array does not shift the arrays behind it.
    (value, _, y), _ = mx.value_and_grad(lambda x: (x * 2, mx.random.state, x * 3))(mx.array(1.0))
    assert y.item() == 3


def test_tuples_in_captured_state():
    Moments = namedtuple("Moments", "m v")
    state = {
        "moments": [Moments(*two())],
        "fixed": Strict(mx.array(1.0), 5, checked=True),
        "point": Point(*two()),
    }

    def step(x):
        old = state["moments"][0]
        state["moments"][0] = old._replace(m=old.m + x)
        state["point"] = Point(state["point"].product(), x)
        return state["fixed"].product()

    compiled = mx.compile(step, inputs=state, outputs=state)
    for _ in range(3):
        assert compiled(mx.array(1.0)).item() == 5
    assert type(state["moments"][0]) is Moments and leaves(state["moments"][0]) == [5, 3]
    assert (
        type(state["fixed"]) is Strict and type(state["point"]) is Point and leaves(state["point"]) == [6, 1]
    )
