"""Element by element: single operations, casts, activations, chains with and without a compiler."""

from case import case, jax, mx, normal, torch

N = 4 * 1024 * 1024
A, AB = (normal(N),), (normal(N), normal(N))


def chain(f, x, y):
    z = x * y + 1.5
    z = f.tanh(z) * x - y * 0.25
    z = f.exp(-z * z) + z
    return z * 0.5 + x


def cast(to):
    return case(
        f"cast f32->{to}",
        *A,
        numpy=None if to == "bfloat16" else lambda a: a.astype(to),
        torch=lambda a: a.to(getattr(torch, to)),
        jax=None if to == "float64" else lambda a: a.astype(to),
        mlx=lambda a: a.astype(getattr(mx, to)),
    )


def activation(name, formula, of_torch, of_jax):
    """Ours is the formula, as mlx.nn writes it, compiled."""
    return case(
        name,
        normal(32, 128, 1024),
        compiled=True,
        numpy=None,
        torch=lambda x: of_torch(torch.nn.functional)(x),
        jax=lambda x: of_jax(jax.nn)(x),
        mlx=lambda x: formula(x),
    )


def gelu(f, x, erf):
    return x * (1 + erf(x / 2**0.5)) / 2


SINGLE = [
    case("add", *AB, every=lambda f, a, b: a + b),
    case("add int32", normal(N, dtype="int32"), normal(N, dtype="int32"), every=lambda f, a, b: a + b),
    case("add bfloat16", *(normal(N, dtype="bfloat16"),) * 2, every=lambda f, a, b: a + b),
    case("add row", normal(4096, 1024), normal(1024), every=lambda f, a, b: a + b),
    case("add column", normal(4096, 1024), normal(4096, 1), every=lambda f, a, b: a + b),
    case("where", *AB, every=lambda f, a, b: f.where(a > b, a, b)),
    *(case(op, *A, every=lambda f, a, op=op: getattr(f, op)(a)) for op in ("exp", "tanh", "sin")),
    case(
        "erf",
        *A,
        torch=lambda a: torch.erf(a),
        jax=lambda a: jax.scipy.special.erf(a),
        mlx=lambda a: mx.erf(a),
    ),
    *map(cast, ("float16", "bfloat16", "int32", "float64")),
    case("chain eager", *AB, every=chain, eager=True),
]
ACTIVATIONS = [
    activation("relu", lambda x: mx.maximum(x, 0), lambda f: f.relu, lambda f: f.relu),
    activation("sigmoid", lambda x: mx.sigmoid(x), lambda f: f.sigmoid, lambda f: f.sigmoid),
    activation("silu", lambda x: x * mx.sigmoid(x), lambda f: f.silu, lambda f: f.silu),
    activation("softplus", lambda x: mx.logaddexp(x, 0), lambda f: f.softplus, lambda f: f.softplus),
    activation(
        "elu",
        lambda x: mx.where(x > 0, x, mx.exp(x) - 1),
        lambda f: f.elu,
        lambda f: f.elu,
    ),
    activation(
        "leaky relu",
        lambda x: mx.maximum(0.01 * x, x),
        lambda f: f.leaky_relu,
        lambda f: f.leaky_relu,
    ),
    activation(
        "mish",
        lambda x: x * mx.tanh(mx.logaddexp(x, 0)),
        lambda f: f.mish,
        lambda f: f.mish,
    ),
]
COMPILED = [
    case("chain", *AB, every=chain, compiled=True, numpy=None),
    case(
        "gelu",
        normal(1000, 1024),
        compiled=True,
        torch=lambda x: torch.nn.functional.gelu(x),
        jax=lambda x: jax.nn.gelu(x, approximate=False),
        mlx=lambda x: gelu(mx, x, mx.erf),
    ),
]
FUNCTIONS = {
    "exp": lambda f, a, b: f.exp(a),
    "log": lambda f, a, b: f.log(a * a),
    "expm1": lambda f, a, b: f.expm1(a),
    "log1p": lambda f, a, b: f.log1p(a * a),
    "sin": lambda f, a, b: f.sin(a),
    "tan": lambda f, a, b: f.tan(a),
    "tanh": lambda f, a, b: f.tanh(a),
    "sinh": lambda f, a, b: f.sinh(a),
    "arctan": lambda f, a, b: f.arctan(a),
    "arctan2": lambda f, a, b: f.arctan2(a, b),
    "logaddexp": lambda f, a, b: f.logaddexp(a, b),
    "power": lambda f, a, b: (a * a) ** b,
    "remainder": lambda f, a, b: f.remainder(a, b),
}


def functions(dtype):
    pair = normal(N // 4, dtype=dtype), normal(N // 4, dtype=dtype)
    return [case(f"{name} {dtype}", *pair, every=function) for name, function in FUNCTIONS.items()]


FAMILIES = {
    "elementwise": SINGLE,
    "functions": functions("float32"),
    "functions float64": functions("float64"),
    "activations": ACTIVATIONS,
    "compile": COMPILED,
}
