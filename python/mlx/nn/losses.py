"""Loss functions. Each takes ``reduction``: "none" (one loss per item), "mean" or "sum"; else ValueError."""

from __future__ import annotations

import math
from typing import Literal

import mlx.core as mx
from mlx.nn._checks import describe

Reduction = Literal["none", "mean", "sum"]

_REDUCTIONS = {"none": lambda loss: loss, "mean": mx.mean, "sum": mx.sum}


def _reduce(name: str, loss: mx.array, reduction: Reduction) -> mx.array:
    if reduction not in _REDUCTIONS:
        raise ValueError(f"[{name}] reduction must be 'none', 'mean' or 'sum', not {reduction!r}.")
    return _REDUCTIONS[reduction](loss)


def _require_same_shape(name: str, first: mx.array, **others: mx.array) -> None:
    for label, other in others.items():
        if other.shape != first.shape:
            raise ValueError(
                f"[{name}] {label} of shape {tuple(other.shape)} must have the same shape as the first "
                f"argument, {tuple(first.shape)}."
            )


def _weighted(name: str, loss: mx.array, weights: mx.array | None) -> mx.array:
    if weights is None:
        return loss
    if weights.shape != loss.shape:
        raise ValueError(
            f"[{name}] weights of shape {tuple(weights.shape)} must have the shape of the loss, "
            f"{tuple(loss.shape)}."
        )
    return loss * weights


def _pick(name: str, scores: mx.array, ids: mx.array, axis: int) -> mx.array:
    """The score of class `ids` along `axis`; negative ids count from the end."""
    shape = tuple(scores.shape)
    position = axis % len(shape) if shape else 0
    without_axis = shape[:position] + shape[position + 1 :]
    if not mx.issubdtype(ids.dtype, mx.integer):
        raise ValueError(f"[{name}] Class ids must be integers, not {describe(ids)}.")
    if tuple(ids.shape) != without_axis:
        raise ValueError(
            f"[{name}] Class ids of shape {tuple(ids.shape)} do not fit the first argument of shape "
            f"{shape}: expected {without_axis}."
        )
    return mx.squeeze(mx.take_along_axis(scores, mx.expand_dims(ids, axis), axis), axis)


def cross_entropy(
    logits: mx.array,
    targets: mx.array,
    weights: mx.array | None = None,
    axis: int = -1,
    label_smoothing: float = 0.0,
    reduction: Reduction = "none",
) -> mx.array:
    """``logsumexp(logits) - (1 - s) * score - s * mean(logits)``, with s = `label_smoothing`.

    The score is the logit of the target class, or ``sum(targets * logits)`` for probabilities.

    Args:
        logits: unnormalized; integers give float32.
        targets: integer class ids with the shape of `logits` without `axis` (negative ids count from the
            end), or probabilities with the shape of `logits`.
        weights: factors with the shape of the loss. The mean divides by the number of items all the same.
        axis: the axis of the classes.
        label_smoothing: in [0, 1).

    Raises:
        ValueError: `label_smoothing` out of range, class ids that are no integers, shapes that do not fit.

    Example::

        logits, ids = mx.array([[2.0, -1.0], [0.0, 1.0]]), mx.array([0, 1])
        loss = nn.losses.cross_entropy(logits, ids, reduction="mean")
    """
    if not 0 <= label_smoothing < 1:
        raise ValueError(f"[cross_entropy] label_smoothing must be in [0, 1) but is {label_smoothing}.")
    # The loss does not change with a shift, but half precision keeps more digits near zero.
    logits = logits - mx.stop_gradient(mx.max(logits, axis=axis, keepdims=True))
    if targets.ndim == logits.ndim:
        _require_same_shape("cross_entropy", logits, targets=targets)
        # A class of probability 0 may have a logit of -inf.
        score = mx.sum(mx.where(targets == 0, 0, logits) * targets, axis=axis)
    else:
        score = _pick("cross_entropy", logits, targets, axis)
    loss = mx.logsumexp(logits, axis=axis)
    if label_smoothing == 0:
        loss = loss - score
    else:
        loss = loss - score * (1 - label_smoothing) - mx.mean(logits, axis=axis) * label_smoothing
    return _reduce("cross_entropy", _weighted("cross_entropy", loss, weights), reduction)


def binary_cross_entropy(
    inputs: mx.array,
    targets: mx.array,
    weights: mx.array | None = None,
    with_logits: bool = True,
    reduction: Reduction = "mean",
) -> mx.array:
    """``-t log(p) - (1 - t) log(1 - p)`` where p is ``sigmoid(inputs)``, or `inputs` if not `with_logits`.

    Without logits both logarithms are clipped at -100, so a certain and wrong prediction costs 100.

    Raises:
        ValueError: `targets` or `weights` of another shape than `inputs`.

    Example::

        loss = nn.losses.binary_cross_entropy(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]))
    """
    _require_same_shape("binary_cross_entropy", inputs, targets=targets)
    if with_logits:
        loss = mx.logaddexp(0.0, inputs) - inputs * targets
    else:
        log_yes = mx.maximum(mx.log(inputs), -100)
        log_no = mx.maximum(mx.log1p(-inputs), -100)
        loss = -(targets * log_yes + (1 - targets) * log_no)
    return _reduce("binary_cross_entropy", _weighted("binary_cross_entropy", loss, weights), reduction)


def l1_loss(predictions: mx.array, targets: mx.array, reduction: Reduction = "mean") -> mx.array:
    """``|predictions - targets|``. Raises ValueError for different shapes.

    Example::

        loss = nn.losses.l1_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]))
    """
    _require_same_shape("l1_loss", predictions, targets=targets)
    return _reduce("l1_loss", mx.abs(predictions - targets), reduction)


def mse_loss(predictions: mx.array, targets: mx.array, reduction: Reduction = "mean") -> mx.array:
    """``(predictions - targets) ** 2``. Raises ValueError for different shapes.

    Example::

        loss = nn.losses.mse_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]))
    """
    _require_same_shape("mse_loss", predictions, targets=targets)
    return _reduce("mse_loss", mx.square(predictions - targets), reduction)


def nll_loss(inputs: mx.array, targets: mx.array, axis: int = -1, reduction: Reduction = "none") -> mx.array:
    """Minus the log-probability of the target class.

    Args:
        inputs: log-probabilities.
        targets: integer class ids with the shape of `inputs` without `axis`.

    Raises:
        ValueError: class ids that are no integers or have another shape.

    Example::

        scores = nn.log_softmax(mx.array([[2.0, -1.0], [0.0, 1.0]]))
        loss = nn.losses.nll_loss(scores, mx.array([0, 1]), reduction="mean")
    """
    return _reduce("nll_loss", -_pick("nll_loss", inputs, targets, axis), reduction)


def gaussian_nll_loss(
    inputs: mx.array,
    targets: mx.array,
    vars: mx.array,
    full: bool = False,
    eps: float = 1e-6,
    reduction: Reduction = "mean",
) -> mx.array:
    """``(log(v) + (targets - inputs) ** 2 / v) / 2`` with v = max(vars, eps); `full` adds ``log(2 pi) / 2``.

    Raises:
        ValueError: different shapes.

    Example::

        loss = nn.losses.gaussian_nll_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]), mx.array([0.1, 0.2]))
    """
    _require_same_shape("gaussian_nll_loss", inputs, targets=targets, vars=vars)
    vars = mx.maximum(vars, eps)
    loss = 0.5 * (mx.log(vars) + mx.square(targets - inputs) / vars)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduce("gaussian_nll_loss", loss, reduction)


def kl_div_loss(
    inputs: mx.array, targets: mx.array, axis: int = -1, reduction: Reduction = "none"
) -> mx.array:
    """``sum(exp(targets) * (targets - inputs))`` along `axis`; both arguments are log-probabilities.

    Example::

        p, q = nn.log_softmax(mx.array([1.0, 2.0])), nn.log_softmax(mx.array([2.0, 1.0]))
        loss = nn.losses.kl_div_loss(p, q)
    """
    return _reduce("kl_div_loss", mx.sum(mx.exp(targets) * (targets - inputs), axis), reduction)


def smooth_l1_loss(
    predictions: mx.array, targets: mx.array, beta: float = 1.0, reduction: Reduction = "mean"
) -> mx.array:
    """``d^2 / (2 beta)`` where |d| < beta, else ``|d| - beta / 2``; ValueError for different shapes.

    Example::

        loss = nn.losses.smooth_l1_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]))
    """
    _require_same_shape("smooth_l1_loss", predictions, targets=targets)
    d = mx.abs(predictions - targets)
    loss = mx.where(d < beta, 0.5 * mx.square(d) / beta, d - 0.5 * beta)
    return _reduce("smooth_l1_loss", loss, reduction)


def huber_loss(
    inputs: mx.array, targets: mx.array, delta: float = 1.0, reduction: Reduction = "none"
) -> mx.array:
    """``d^2 / 2`` where |d| <= delta, else ``delta * (|d| - delta / 2)``.

    Example::

        losses = nn.losses.huber_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]))
    """
    d = mx.abs(inputs - targets)
    loss = mx.where(d <= delta, 0.5 * mx.square(d), (d - 0.5 * delta) * delta)
    return _reduce("huber_loss", loss, reduction)


def log_cosh_loss(inputs: mx.array, targets: mx.array, reduction: Reduction = "none") -> mx.array:
    """``log(cosh(inputs - targets))``, without overflow.

    Example::

        losses = nn.losses.log_cosh_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]))
    """
    d = inputs - targets
    return _reduce("log_cosh_loss", mx.logaddexp(d, -d) - math.log(2), reduction)


def hinge_loss(inputs: mx.array, targets: mx.array, reduction: Reduction = "none") -> mx.array:
    """``max(1 - inputs * targets, 0)``, for targets -1 and 1.

    Example::

        losses = nn.losses.hinge_loss(mx.array([0.5, 1.0]), mx.array([-1.0, 1.0]))
    """
    return _reduce("hinge_loss", mx.maximum(1 - inputs * targets, 0), reduction)


def triplet_loss(
    anchors: mx.array,
    positives: mx.array,
    negatives: mx.array,
    axis: int = -1,
    p: int = 2,
    margin: float = 1.0,
    eps: float = 1e-6,
    reduction: Reduction = "none",
) -> mx.array:
    """``max(D(anchors, positives) - D(anchors, negatives) + margin, 0)``.

    D(a, b) = (sum|a - b|^p + eps)^(1/p) along `axis`.

    Example::

        anchors, near, far = mx.zeros((4, 8)), mx.ones((4, 8)), 2 * mx.ones((4, 8))
        losses = nn.losses.triplet_loss(anchors, near, far)  # (4,)
    """

    def distance(other: mx.array) -> mx.array:
        return mx.power(mx.sum(mx.power(mx.abs(anchors - other), p), axis) + eps, 1 / p)

    loss = mx.maximum(distance(positives) - distance(negatives) + margin, 0)
    return _reduce("triplet_loss", loss, reduction)


def cosine_similarity_loss(
    x1: mx.array, x2: mx.array, axis: int = 1, eps: float = 1e-8, reduction: Reduction = "none"
) -> mx.array:
    """``x1 . x2 / max(|x1| |x2|, eps)`` along `axis`: the similarity itself, 1 for equal directions.

    Example::

        similarity = nn.losses.cosine_similarity_loss(mx.ones((4, 8)), mx.ones((4, 8)))  # (4,)
    """
    lengths = mx.sqrt(mx.sum(mx.square(x1), axis)) * mx.sqrt(mx.sum(mx.square(x2), axis))
    return _reduce("cosine_similarity_loss", mx.sum(x1 * x2, axis) / mx.maximum(lengths, eps), reduction)


def margin_ranking_loss(
    inputs1: mx.array,
    inputs2: mx.array,
    targets: mx.array,
    margin: float = 0.0,
    reduction: Reduction = "none",
) -> mx.array:
    """``max(-targets * (inputs1 - inputs2) + margin, 0)``: target 1 ranks the first input higher, -1 the
    second.

    Raises:
        ValueError: different shapes.

    Example::

        loss = nn.losses.margin_ranking_loss(mx.array([0.5, 1.0]), mx.array([0.0, 1.0]), mx.array([1.0,
        -1.0]))
    """
    _require_same_shape("margin_ranking_loss", inputs1, inputs2=inputs2, targets=targets)
    return _reduce("margin_ranking_loss", mx.maximum(-targets * (inputs1 - inputs2) + margin, 0), reduction)
