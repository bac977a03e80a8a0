"""Packages that take arrays as they are or hand them out: transformers, jaxtyping, optree and TVM's FFI."""

import jaxtyping
import numpy as np
import optree
import pytest
import tokenizers
import transformers
import tvm_ffi
from beartype import beartype
from jaxtyping import Bool, Float, Float32, Int, UInt8

import mlx.core as mx
import mlx.nn as nn

rng = np.random.default_rng(0)


def numbers(*shape):
    return rng.normal(size=shape).astype(np.float32)


@pytest.fixture
def tokenizer():
    vocabulary = {"[UNK]": 0, "[PAD]": 1, "a": 2, "b": 3, "c": 4}
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]", pad_token="[PAD]")


def test_transformers_tokenizer(tokenizer):
    batch = tokenizer(["a b c", "a"], padding=True, return_tensors="mlx")
    assert all(isinstance(value, mx.array) for value in batch.values())
    assert batch["input_ids"].tolist() == [[2, 3, 4], [2, 1, 1]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]
    padded = tokenizer.pad({"input_ids": [[2], [2, 3]]}, return_tensors="mlx")
    assert padded["input_ids"].tolist() == [[2, 1], [2, 3]]
    embedded = nn.Embedding(5, 4)(batch["input_ids"])
    assert embedded.shape == (2, 3, 4)


def test_transformers_chat_template(tokenizer):
    tokenizer.chat_template = "{% for m in messages %}{{ m.content }} {% endfor %}"
    messages = [{"role": "user", "content": "a b"}, {"role": "assistant", "content": "c"}]
    ids = tokenizer.apply_chat_template(messages, return_tensors="mlx", return_dict=True)["input_ids"]
    assert isinstance(ids, mx.array) and ids.tolist() == [[2, 3, 4]]


def test_jaxtyping():
    x = mx.zeros((2, 3))
    fits = {
        Float[mx.array, "a b"]: (x, x.astype(mx.bfloat16)),
        Float32[mx.array, "2 ..."]: (x, mx.zeros(2)),
        Int[mx.array, "a a"]: (mx.zeros((2, 2), mx.int64),),
        UInt8[mx.array, ""]: (mx.array(1, mx.uint8),),
        Bool[mx.array, "*shape"]: (x > 0,),
    }
    for kind, values in fits.items():
        assert all(isinstance(value, kind) for value in values)
    for kind in (Int[mx.array, "a b"], Float[mx.array, "a a"], Float[mx.array, "a"], Bool[mx.array, "2 3"]):
        assert not isinstance(x, kind)


def test_jaxtyping_of_a_function():
    @jaxtyping.jaxtyped(typechecker=beartype)
    def product(a: Float[mx.array, "n k"], b: Float[mx.array, "k m"]) -> Float[mx.array, "n m"]:  # noqa: F722
        return a @ b

    a, b = mx.ones((2, 3)), mx.ones((3, 4))
    assert product(a, b).shape == mx.compile(product)(a, b).shape == (2, 4)
    assert mx.grad(lambda a: product(a, b).sum())(a).shape == (2, 3)
    assert mx.vmap(product)(mx.ones((5, 2, 3)), mx.ones((5, 3, 4))).shape == (5, 2, 4)
    with pytest.raises(jaxtyping.TypeCheckError):
        product(a, a)


def test_optree():
    layer = nn.Linear(3, 2)
    doubled = optree.tree_map(lambda x: 2 * x, layer.parameters())
    assert mx.array_equal(doubled["weight"], 2 * layer.weight)
    leaves, structure = optree.tree_flatten({"b": [mx.ones(1), None], "a": (mx.zeros(2),)})
    assert [leaf.shape for leaf in leaves] == [(2,), (1,)]
    assert optree.tree_unflatten(structure, leaves)["a"][0].shape == (2,)


def test_tvm_ffi():
    a = mx.arange(6, dtype=mx.float32).reshape(2, 3)
    tensor = tvm_ffi.from_dlpack(a)
    assert tuple(tensor.shape) == (2, 3) and str(tensor.dtype) == "float32"
    assert mx.array_equal(mx.from_dlpack(tensor), a)
    # Functions of compiled libraries take arrays as they are, without a copy.
    returned = mx.from_dlpack(tvm_ffi.get_global_func("testing.echo")(a))
    np.asarray(returned)[0, 0] = 7
    assert a[0, 0].item() == 7
    halves = mx.array([1.5, 2], mx.bfloat16)
    assert mx.from_dlpack(tvm_ffi.from_dlpack(halves)).dtype == mx.bfloat16
