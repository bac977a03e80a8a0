"""Whole steps of training, and what a call costs beside its work."""

from case import Lazy, case, jax, mx, normal, torch

JNP = Lazy("jax.numpy")


def gradients(name, loss, *inputs):
    """Of `loss(f, *inputs)`, a scalar, to all inputs; ours and jax's compiled, torch's by its autograd."""

    def of_torch(*inputs):
        with torch.enable_grad():
            inputs = [x.detach().requires_grad_() for x in inputs]
            return torch.autograd.grad(loss(torch, *inputs), inputs)

    places = tuple(range(len(inputs)))
    return case(
        name,
        *inputs,
        torch=of_torch,
        jax=lambda *x: jax.grad(lambda *x: loss(JNP, *x), places)(*x),
        mlx=lambda *x: mx.grad(lambda *x: loss(mx, *x), places)(*x),
        compiled=True,
    )


def perceptron(f, x, w1, w2, w3):
    for w in (w1, w2):
        x = f.tanh(x @ w.T)
    x = x @ w3.T
    return (x * x).mean()


def attention(f, x, q, k, v):
    q, k, v = (x @ w.T for w in (q, k, v))
    scores = f.exp(q @ k.swapaxes(-1, -2) / x.shape[-1] ** 1.5)
    y = scores / scores.sum(-1, keepdims=True) @ v
    return (y * y).mean()


def norm(f, x, w):
    y = x / f.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w
    return (y * y).mean()


def convolution(f, x, w):
    y = CONVOLVE[f._name](x, w)
    return (y * y).mean()


CONVOLVE = {
    "torch": lambda x, w: torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), w.permute(0, 3, 1, 2), padding=1),
    "jax.numpy": lambda x, w: jax.lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "OHWI", "NHWC")
    ),
    "mlx.core": lambda x, w: mx.conv2d(x, w, padding=1),
}


def adds(x):
    x = x * 0
    for _ in range(1000):
        x = x + x
    return x


TRAINING = [
    gradients(
        "perceptron 256", perceptron, normal(256, 784), normal(32, 784), normal(32, 32), normal(10, 32)
    ),
    gradients("attention 4x256x256", attention, normal(4, 256, 256), *(normal(256, 256),) * 3),
    gradients("rms norm 4096x1024", norm, normal(4096, 1024), normal(1024)),
    gradients("conv2d 4x32x32x32", convolution, normal(4, 32, 32, 32), normal(32, 3, 3, 32)),
]
OVERHEAD = [
    case("1000 small adds", normal(16), every=lambda f, x: adds(x), eager=True),
    case("x + x on 16", normal(16), every=lambda f, x: x + x, eager=True),
    case("matmul 4x4", normal(4, 4), every=lambda f, x: x @ x, eager=True),
    case("slice", normal(16), every=lambda f, x: x[2:8] + 1, eager=True),
]
FAMILIES = {"training": TRAINING, "overhead": OVERHEAD}
