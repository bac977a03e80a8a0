"""The page docs/gaussian_process.md: its code runs, and its derivatives are those of NumPy's likelihood."""

from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

PAGE = Path(__file__).parents[3] / "docs/gaussian_process.md"


@pytest.fixture(scope="module")
def page():
    code = PAGE.read_text().split("```python")[1].split("```")[0]
    names = {}
    exec(compile(code, str(PAGE), "exec"), names)
    return names


def likelihood(x, y, theta):
    length, amplitude, noise = np.exp(theta)
    k = amplitude**2 * np.exp(-0.5 * ((x[:, None] - x) / length) ** 2) + noise**2 * np.eye(len(x))
    return -0.5 * (y @ np.linalg.solve(k, y) + np.linalg.slogdet(k)[1] + len(x) * np.log(2 * np.pi))


def test_derivatives(page):
    x, y = np.array(page["x"]), np.array(page["y"])
    point, v = np.array([0.1, -0.2, -1.2]), np.array([0.3, -0.5, 0.8])
    theta = mx.array(point, dtype=mx.float64)
    np.testing.assert_allclose(float(page["log_likelihood"](theta)), likelihood(x, y, point), rtol=1e-10)
    h = 1e-5
    steps = np.eye(3) * h
    want = [(likelihood(x, y, point + e) - likelihood(x, y, point - e)) / (2 * h) for e in steps]
    np.testing.assert_allclose(np.array(page["gradient"](theta)), want, rtol=1e-6)

    def gradient(p):
        return np.array(page["gradient"](mx.array(p, dtype=mx.float64)))

    product = np.array(page["hessian_product"](theta, mx.array(v, dtype=mx.float64)))
    difference = (gradient(point + h * v) - gradient(point - h * v)) / (2 * h)
    np.testing.assert_allclose(product, difference, rtol=1e-6)


def test_newton_finds_a_maximum(page):
    theta = page["theta"]
    assert np.abs(np.array(page["gradient"](theta))).max() < 1e-6
    assert 0.05 < np.exp(float(theta[2])) < 0.2  # the noise that was put in is 0.1


def test_many_at_once_with_failures(page):
    rows = mx.array([[0.0, 0.0, -1.0], [np.inf, 0.0, -1.0]], dtype=mx.float64)
    with mx.linalg.errors("nan"):
        values = np.array(mx.vmap(page["log_likelihood"])(rows))
    assert np.isfinite(values[0])
    alone = float(page["log_likelihood"](rows[0]))
    assert values[0] == pytest.approx(alone, rel=1e-12)


def test_not_positive_definite(page):
    with pytest.raises(mx.linalg.LinAlgError, match="not positive definite"):
        mx.eval(mx.linalg.cholesky(-mx.eye(3)))
