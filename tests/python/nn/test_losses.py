"""Losses: NumPy oracle in float64, reductions, dtypes, error texts. Fixed values are in test_golden.py."""

import math

import numpy as np
import pytest

import mlx.core as mx
from mlx.nn import losses

rng = np.random.default_rng(0)
P = rng.normal(size=(4, 3)).astype(np.float32)
T = rng.normal(size=(4, 3)).astype(np.float32)
IDS = np.array([0, 2, 1, 2], np.int32)


def check(got, want, tolerance=1e-5):
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


def log_softmax(x, axis=-1):
    return x - np.log(np.sum(np.exp(x), axis, keepdims=True))


def test_cross_entropy_of_ids():
    want = -log_softmax(P.astype(np.float64))[np.arange(4), IDS]
    check(losses.cross_entropy(mx.array(P), mx.array(IDS)), want)
    check(losses.cross_entropy(mx.array(P), mx.array(IDS - 3)), want)
    check(losses.cross_entropy(mx.array(P.T), mx.array(IDS), axis=0), want)
    check(losses.cross_entropy(mx.array(P), mx.array(IDS), reduction="mean"), want.mean())
    check(losses.cross_entropy(mx.array(P), mx.array(IDS), reduction="sum"), want.sum())
    weights = np.array([1, 2, 0, 4], np.float32)
    check(losses.cross_entropy(mx.array(P), mx.array(IDS), mx.array(weights)), want * weights)
    check(
        losses.cross_entropy(mx.array(P), mx.array(IDS), mx.array(weights), reduction="mean"),
        (want * weights).mean(),
    )


def test_cross_entropy_of_probabilities():
    probabilities = np.exp(log_softmax(T.astype(np.float64)))
    want = -np.sum(log_softmax(P.astype(np.float64)) * probabilities, -1)
    check(losses.cross_entropy(mx.array(P), mx.array(probabilities.astype(np.float32))), want)


def test_label_smoothing():
    smooth = 0.9 * np.eye(3)[IDS] + 0.1 / 3
    want = -np.sum(log_softmax(P.astype(np.float64)) * smooth, -1)
    check(losses.cross_entropy(mx.array(P), mx.array(IDS), label_smoothing=0.1), want)


def test_cross_entropy_gradient():
    got = mx.grad(lambda x: losses.cross_entropy(x, mx.array(IDS), reduction="sum"))(mx.array(P))
    check(got, np.exp(log_softmax(P.astype(np.float64))) - np.eye(3)[IDS])


def test_cross_entropy_keeps_digits():
    big = mx.array([[1000.0, 1001.0]])
    assert losses.cross_entropy(big, mx.array([0])).item() == pytest.approx(math.log(1 + math.e), rel=1e-5)
    half = losses.cross_entropy(mx.array([[100.0, 101.0]], mx.bfloat16), mx.array([0]))
    assert half.dtype == mx.bfloat16 and half.item() == pytest.approx(1.3133, rel=0.01)
    assert losses.cross_entropy(mx.array([[1, 2]]), mx.array([0])).dtype == mx.float32


def test_minus_infinity_counts_only_where_it_is_weighted():
    logits = mx.array([[0.0, -math.inf], [0.0, -math.inf]])
    assert losses.cross_entropy(logits, mx.array([0, 1])).tolist() == [0, math.inf]
    assert losses.cross_entropy(logits, mx.array([[1.0, 0.0], [0.5, 0.5]])).tolist() == [0, math.inf]


def test_cross_entropy_refuses():
    p, ids = mx.array(P), mx.array(IDS)
    bad = [
        (dict(targets=ids[:2]), r"ids of shape \(2,\) do not fit .* \(4, 3\): expected \(4,\)"),
        (dict(targets=ids.astype(mx.float32)), "ids must be integers, not array of shape"),
        (dict(targets=mx.ones((4, 2))), r"targets of shape \(4, 2\) must have the same shape"),
        (
            dict(targets=ids, weights=mx.ones(3)),
            r"weights of shape \(3,\) must have the shape of the loss, \(4,\)",
        ),
        (dict(targets=ids, label_smoothing=1.0), r"label_smoothing must be in \[0, 1\) but is 1.0"),
        (dict(targets=ids, reduction="max"), "reduction must be 'none', 'mean' or 'sum', not 'max'"),
    ]
    for arguments, message in bad:
        with pytest.raises(ValueError, match=message):
            losses.cross_entropy(p, **arguments)


def test_binary_cross_entropy():
    t = (T > 0).astype(np.float32)
    q = 1 / (1 + np.exp(-P.astype(np.float64)))
    want = -(t * np.log(q) + (1 - t) * np.log(1 - q))
    check(losses.binary_cross_entropy(mx.array(P), mx.array(t), reduction="none"), want)
    check(losses.binary_cross_entropy(mx.array(P), mx.array(t)), want.mean())
    given = losses.binary_cross_entropy(
        mx.array(q.astype(np.float32)), mx.array(t), with_logits=False, reduction="none"
    )
    check(given, want)
    certain = losses.binary_cross_entropy(
        mx.array([0.0, 1.0, 1.0]), mx.array([1.0, 0.0, 1.0]), with_logits=False, reduction="none"
    )
    assert certain.tolist() == [100, 100, 0]
    with pytest.raises(ValueError, match="weights of shape"):
        losses.binary_cross_entropy(mx.array(P), mx.array(t), weights=mx.ones(2))
    assert losses.binary_cross_entropy(mx.array([1000.0, -1000.0]), mx.array([1.0, 0.0])).item() == 0


def test_regression_losses():
    d = np.abs(P.astype(np.float64) - T)
    p, t = mx.array(P), mx.array(T)
    check(losses.l1_loss(p, t, "none"), d)
    check(losses.mse_loss(p, t), (d**2).mean())
    check(losses.smooth_l1_loss(p, t, 0.5, "none"), np.where(d < 0.5, d**2, d - 0.25))
    check(losses.huber_loss(p, t, 0.5), np.where(d <= 0.5, d**2 / 2, 0.5 * (d - 0.25)))
    check(losses.log_cosh_loss(p, t), np.log(np.cosh(d)))
    assert losses.log_cosh_loss(mx.array(1000.0), mx.array(0.0)).item() == pytest.approx(1000 - math.log(2))


def test_likelihood_losses():
    p, t, v = mx.array(P), mx.array(T), np.exp(T).astype(np.float32)
    want = 0.5 * (np.log(v.astype(np.float64)) + (T - P) ** 2 / v)
    check(losses.gaussian_nll_loss(p, t, mx.array(v), reduction="none"), want)
    check(losses.gaussian_nll_loss(p, t, mx.array(v), full=True), want.mean() + 0.5 * math.log(2 * math.pi))
    check(losses.gaussian_nll_loss(p, t, mx.zeros_like(p), eps=1.0, reduction="none"), 0.5 * (T - P) ** 2)
    check(losses.nll_loss(p, mx.array(IDS)), -P[np.arange(4), IDS])
    check(losses.nll_loss(mx.array(P.T), mx.array(IDS), axis=0), -P[np.arange(4), IDS])
    check(losses.kl_div_loss(p, t), np.sum(np.exp(T) * (T - P), -1))
    with pytest.raises(ValueError, match="do not fit"):
        losses.nll_loss(p, mx.array(IDS[:2]))


def test_ranking_losses():
    p, t, sign = mx.array(P), mx.array(T), np.sign(T)
    check(losses.hinge_loss(p, mx.array(sign)), np.maximum(1 - P * sign, 0))
    check(losses.margin_ranking_loss(p, t, mx.array(sign), 0.3), np.maximum(-sign * (P - T) + 0.3, 0))
    cosine = np.sum(P * T, 1) / (np.linalg.norm(P, axis=1) * np.linalg.norm(T, axis=1))
    check(losses.cosine_similarity_loss(p, t), cosine)
    n = P[::-1].copy()

    def distance(a, b, power):
        return (np.sum(np.abs(a - b) ** power, -1) + 1e-6) ** (1 / power)

    for power in (1, 2, 3):
        want = np.maximum(distance(P, T, power) - distance(P, n, power) + 1, 0)
        check(losses.triplet_loss(p, t, mx.array(n), p=power), want)


@pytest.mark.parametrize("name", ["l1_loss", "mse_loss", "smooth_l1_loss", "binary_cross_entropy"])
def test_different_shapes_are_refused(name):
    with pytest.raises(ValueError, match=rf"\[{name}\] targets of shape \(4,\)"):
        getattr(losses, name)(mx.ones(3), mx.ones(4))


@pytest.mark.parametrize("name", ["l1_loss", "huber_loss", "hinge_loss", "log_cosh_loss", "kl_div_loss"])
def test_unknown_reduction(name):
    with pytest.raises(ValueError, match=rf"\[{name}\] reduction must be"):
        getattr(losses, name)(mx.ones(3), mx.ones(3), reduction="median")
