"""A group of one process: collectives return their input, messages are refused."""

import pytest

import mlx.core as mx

COLLECTIVES = ("all_sum", "all_max", "all_min", "all_gather", "sum_scatter")


def test_the_group():
    group = mx.distributed.init()
    assert (group.rank(), group.size()) == (0, 1)
    assert mx.distributed.init(backend="ring").size() == 1
    assert mx.distributed.is_available() and not mx.distributed.is_available("pigeon")
    with pytest.raises(ValueError, match="no backend 'pigeon'"):
        mx.distributed.init(backend="pigeon")
    with pytest.raises(RuntimeError, match="No group of several processes"):
        mx.distributed.init(strict=True)
    with pytest.raises(RuntimeError, match="cannot be split"):
        group.split(0)


@pytest.mark.parametrize("name", COLLECTIVES)
def test_collectives(name):
    function = getattr(mx.distributed, name)
    for x in (mx.arange(6).reshape(2, 3), mx.array(True), mx.zeros((0, 2), mx.complex64)):
        y = function(x, group=mx.distributed.init())
        assert y.shape == x.shape and y.dtype == x.dtype and mx.array_equal(x, y).item()
    assert function(2.5).item() == 2.5
    assert function(b"abc").tolist() == [97, 98, 99]
    with pytest.raises((TypeError, ValueError)):
        function([1, 2])
    with pytest.raises(TypeError, match="a Group or None"):
        function(mx.ones(2), group=1)
    assert mx.grad(lambda v: function(v).sum())(mx.ones(3)).tolist() == [1, 1, 1]


def test_messages():
    for call in (lambda: mx.distributed.send(mx.ones(2), 0), lambda: mx.distributed.recv((2,), mx.int32, 1),
                 lambda: mx.distributed.recv_like(mx.ones(2), 0)):  # fmt: skip
        with pytest.raises(ValueError, match="group of 1"):
            call()
