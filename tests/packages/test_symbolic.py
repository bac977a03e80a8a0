"""pytensor's MLX linker: graphs compiled to mlx against the same graphs compiled to Python."""

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode, get_mode

import mlx.core as mx

pytensor.config.cxx = ""
rng = np.random.default_rng(0)
SPD = rng.normal(size=(4, 4)).astype("float32")
SPD = SPD @ SPD.T + 4 * np.eye(4, dtype="float32")

CASES = {
    "elementwise": lambda x, v: pt.exp(-(x**2)) + pt.log1p(pt.abs(x)) * v,
    "comparison": lambda x, v: pt.switch(x > 0, x, -2 * x),
    "reductions": lambda x, v: x.sum(axis=0) + x.max(axis=1),
    "softmax": lambda x, v: pt.special.softmax(x, axis=-1),
    "logsumexp": lambda x, v: pt.logsumexp(x, axis=1),
    "dot": lambda x, v: x @ v + x @ x @ v,
    "subtensor": lambda x, v: x[1:3, ::2] * 2,
    "advanced": lambda x, v: x[pt.as_tensor([2, 0]), :],
    "set": lambda x, v: pt.set_subtensor(x[0, :], v),
    "inc": lambda x, v: pt.inc_subtensor(x[:, 1], v),
    "join": lambda x, v: pt.concatenate([x, x.T], axis=1),
    "sort": lambda x, v: pt.sort(x, axis=1),
    "argmax": lambda x, v: pt.argmax(x, axis=1),
    "arange": lambda x, v: pt.arange(4).astype("float32") * v,
    "cumsum": lambda x, v: pt.cumsum(x, axis=1),
    "reshape": lambda x, v: x.reshape((2, 8)).dimshuffle(1, 0),
    "gradient": lambda x, v: pt.grad(pt.sum(pt.exp(0.1 * (x @ v))), v),
    "special": lambda x, v: pt.erf(x) + pt.sigmoid(x),
    "cholesky": lambda x, v: pt.linalg.cholesky(x),
    "solve": lambda x, v: pt.linalg.solve(x, v),
    "inverse": lambda x, v: pt.linalg.inv(x),
    "eigh": lambda x, v: pt.linalg.eigh(x)[0],
    "svd": lambda x, v: pt.linalg.svd(x)[1],
    "einsum": lambda x, v: pt.einsum("ij,kj->ik", x, x),
    "eye": lambda x, v: pt.eye(4, dtype="float32") * x,
    "isnan": lambda x, v: pt.isnan(x / (x - x)),
}


@pytest.mark.parametrize("name", CASES)
def test_graph(name):
    x, v = pt.matrix("x", dtype="float32"), pt.vector("v", dtype="float32")
    graph = CASES[name](x, v)
    vector = rng.normal(size=4).astype("float32")
    got = pytensor.function([x, v], graph, mode="MLX", on_unused_input="ignore")(SPD, vector)
    plain = Mode(linker="py", optimizer=get_mode("FAST_COMPILE").optimizer)
    want = pytensor.function([x, v], graph, mode=plain, on_unused_input="ignore")(SPD, vector)
    assert isinstance(got, mx.array)
    np.testing.assert_allclose(np.array(got), want, rtol=2e-4, atol=2e-4)
