"""The operation in all transformations, against the same thing made of operations of mlx."""

from mlx_axpby import axpby

import mlx.core as mx


def composed(x, y, alpha, beta):
    return alpha * x + beta * y


def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, a.shape, b.dtype, b.shape)
    assert mx.allclose(a, b, rtol=1e-6), (a, b)


X = mx.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
Y = mx.array([10.0, 20.0, 30.0])


def test_values():
    same(axpby(X, Y, 2, 3), composed(X, Y, 2, 3))
    same(axpby(X.T, Y[:2], 2, 3), composed(X.T, Y[:2], 2, 3))
    same(axpby(X[:, ::2], X[:, 1:], alpha=-1, beta=0.5), -X[:, ::2] + 0.5 * X[:, 1:])
    same(axpby(mx.zeros((0, 3)), Y, 1, 1), mx.zeros((0, 3)))
    assert axpby(X.astype(mx.bfloat16), Y.astype(mx.bfloat16), 1, 1).dtype == mx.bfloat16
    assert axpby(mx.array([1]), mx.array([2]), 1, 1).dtype == mx.float32
    with mx.stream(mx.cpu):
        same(axpby(X, Y, 1, 1, stream=mx.new_stream(mx.cpu)), X + Y)
    same(axpby(X, Y, 1, 1, stream=mx.cpu), X + Y)


def test_derivatives():
    for argnums in (0, 1, (0, 1)):
        own = mx.grad(lambda x, y: (axpby(x, y, 2, 3) ** 2).sum(), argnums)(X, Y)
        other = mx.grad(lambda x, y: (composed(x, y, 2, 3) ** 2).sum(), argnums)(X, Y)
        for a, b in zip(own, other) if isinstance(argnums, tuple) else [(own, other)]:
            same(a, b)
    tangents = [mx.ones_like(X), 2 * mx.ones_like(Y)]
    same(
        mx.jvp(lambda x, y: axpby(x, y, 2, 3), [X, Y], tangents)[1][0],
        mx.jvp(lambda x, y: composed(x, y, 2, 3), [X, Y], tangents)[1][0],
    )


def test_vmap():
    for axes in ((0, None), (1, None), (None, 0), (0, 1)):
        y = {(0, 1): mx.ones((3, 2)), (1, None): Y[:2]}.get(axes, Y)
        own = mx.vmap(lambda a, b: axpby(a, b, 2, 3), in_axes=axes)(X, y)
        same(own, mx.vmap(lambda a, b: composed(a, b, 2, 3), in_axes=axes)(X, y))


def test_compile():
    f = mx.compile(lambda x, y: mx.exp(axpby(x, y, 0.1, 0.1)) + axpby(x, y, 0.1, 0.1), shapeless=True)
    for x in (X, X[:1], mx.ones((4, 3))):
        same(f(x, Y), mx.exp(composed(x, Y, 0.1, 0.1)) + composed(x, Y, 0.1, 0.1))


def test_errors():
    for wrong in (lambda: axpby(X, mx.ones(4), 1, 1), lambda: axpby(X, "y", 1, 1)):
        try:
            wrong()
        except (ValueError, TypeError):
            continue
        raise AssertionError("an error was expected")


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print("axpby: done")
