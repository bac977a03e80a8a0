"""Calls that are wrong: mypy --strict and pyright report exactly the marked lines."""

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim

x = mx.ones((2, 3))

mx.zeros("3")  # wrong
mx.zeros((2, 3), dtype="float32")  # wrong
mx.ones((2, 3), mx.float32)
mx.arange("0", 3)  # wrong
mx.softmax(x, axis="last")  # wrong
mx.softmax(x, axes=-1)  # wrong
mx.softmax(a=x)  # wrong
mx.softmax(x, axis=(0, 1), precise=True)
mx.matmul(x)  # wrong
mx.matmul(x, 2.0)  # wrong
mx.reshape(x, 6)  # wrong
mx.reshape(x, (6,))
mx.no_such_function(x)  # wrong
mx.fft.no_such_function(x)  # wrong
mx.float128  # wrong
mx.random.normal(2)  # wrong
mx.random.normal((2,), scale=2.0)
mx.random.uniform(key=3)  # wrong
mx.linalg.norm(x, ord=[1])  # wrong
mx.linalg.svd(x, compute_uv=False).U  # wrong
mx.linalg.svd(x).U
mx.linalg.qr(x).V  # wrong
mx.fast.rms_norm(x, None)  # wrong
mx.concatenate(x, axis=0)  # wrong
mx.pad(x, 1, mode="mirror")  # wrong
mx.where(x, x)  # wrong
mx.where(x > 0).shape  # wrong
mx.eval(x).shape  # wrong
mx.grad(3)  # wrong
mx.grad(lambda v: v, argnums="x")  # wrong
mx.stream("cpu")  # wrong
mx.save_safetensors("f", x)  # wrong

x.no_such_attribute  # wrong
x.shape = (3, 2)  # wrong
x.astype("float16")  # wrong
x.astype(mx.float16).sum(axis=1.5)  # wrong
x + "1"  # wrong
x @ 2  # wrong
x.dtype.size + "1"  # wrong
mx.finfo(16)  # wrong
size: str = x.size  # wrong
y: int = mx.exp(x)  # wrong

nn.Linear("3", 2)  # wrong
nn.Linear(3)  # wrong
nn.Linear(3, 2)("x")  # wrong
nn.Dropout(rate=0.5)  # wrong
nn.losses.cross_entropy(x)  # wrong
nn.NoSuchLayer()  # wrong
optim.Adam()  # wrong
optim.Adam(learning_rate=0.1, momentum=0.9)  # wrong
optim.Adam(learning_rate=0.1).update(x)  # wrong
