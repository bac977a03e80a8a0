"""Speech: recognizers of parakeet-mlx and the codec of moshi-mlx, small and random."""

import dataclasses

import numpy as np
import pytest
import scipy.signal
from moshi_mlx.models.mimi import Mimi, mimi_202407
from moshi_mlx.modules.quantization import EuclideanCodebook
from parakeet_mlx import ParakeetCTC, ParakeetCTCArgs, ParakeetTDT, ParakeetTDTArgs
from parakeet_mlx.audio import PreprocessArgs, get_logmel
from parakeet_mlx.conformer import ConformerArgs
from parakeet_mlx.ctc import ConvASRDecoderArgs
from parakeet_mlx.parakeet import CTCDecodingArgs, TDTDecodingArgs
from parakeet_mlx.rnnt import JointArgs, JointNetworkArgs, PredictArgs, PredictNetworkArgs

import mlx.core as mx

rng = np.random.default_rng(0)
SOUND = np.sin(np.arange(16000) * 0.05) + 0.1 * rng.normal(size=16000)
PREPROCESSING = PreprocessArgs(16000, "per_feature", 0.025, 0.01, "hann", 32, 512, 0.0)
ENCODER = ConformerArgs(32, 2, 32, 4, 2, 8, "rel_pos", "dw_striding", 9, 16, 500)
LETTERS = list("abcdefg")


@pytest.fixture(autouse=True)
def seed():
    mx.random.seed(0)


def connectionist():
    return ParakeetCTC(
        ParakeetCTCArgs(PREPROCESSING, ENCODER, ConvASRDecoderArgs(32, 7, LETTERS), CTCDecodingArgs(None))
    )


def transducer():
    mx.random.seed(2)  # one whose answer is not empty
    prediction = PredictArgs(True, 7, PredictNetworkArgs(16, 2))
    joint = JointArgs(7, LETTERS, JointNetworkArgs(16, "relu", 32, 16), 5)
    decoding = TDTDecodingArgs("tdt", [0, 1, 2, 3, 4], {"max_symbols": 3})
    return ParakeetTDT(ParakeetTDTArgs(PREPROCESSING, ENCODER, prediction, joint, decoding))


def features():
    return get_logmel(mx.array(SOUND, mx.float32), PREPROCESSING)


def test_parakeet_features_against_scipy():
    emphasized = np.concatenate([SOUND[:1], SOUND[1:] - 0.97 * SOUND[:-1]])
    window = np.pad(scipy.signal.get_window("hann", 400), (0, 112))  # the package pads one side
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(emphasized, 256, "reflect"), 512)[::160]
    spectrum = np.fft.rfft(frames * window)
    power = (np.abs(spectrum.real) + np.abs(spectrum.imag)) ** 2  # it adds the parts
    mel = np.log(power @ np.array(PREPROCESSING._filterbanks, np.float64).T + 1e-5)
    want = (mel - mel.mean(0)) / mel.std(0)
    got = np.array(features())[0]
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, atol=0.02)


@pytest.mark.parametrize("make", [connectionist, transducer])
def test_parakeet_recognizes(make):
    model = make()
    model.eval()
    whole, again = model.generate(features())[0], model.generate(features())[0]
    assert set(whole.text.strip()) <= set(LETTERS) and whole.text == again.text
    times = [token.start for sentence in whole.sentences for token in sentence.tokens]
    assert len(times) == len(whole.text.strip()) > 0 and times == sorted(times) and times[-1] <= 1


def test_parakeet_in_bfloat16():
    model = connectionist()
    model.eval()
    exact, lengths = model.encoder(features())
    model.apply(lambda x: x.astype(mx.bfloat16))
    rounded, _ = model.encoder(features().astype(mx.bfloat16))
    assert lengths.tolist() == [exact.shape[1]] and rounded.dtype == mx.bfloat16
    assert mx.max(mx.abs(rounded.astype(mx.float32) - exact)).item() < 0.2


def codec():
    config = mimi_202407(4)
    seanet = dataclasses.replace(config.seanet, nfilters=4, dimension=32)
    transformer = dataclasses.replace(
        config.transformer, d_model=32, num_heads=4, num_layers=2, dim_feedforward=64
    )
    changes = {"seanet": seanet, "transformer": transformer, "quantizer_dim": 16, "quantizer_bins": 32}
    model = Mimi(dataclasses.replace(config, **changes))
    # Its code books are zeros until weights are loaded.
    for module in model.modules():
        if isinstance(module, EuclideanCodebook):
            module.embedding_sum, module.cluster_usage = mx.random.normal((32, 16)), mx.ones(32)
            module.update_in_place()
    return model


def test_moshi_codec_in_steps():
    model = codec()
    sound = mx.array(SOUND[None, None, : 4 * 1920], mx.float32)
    codes = model.encode(sound)
    assert codes.shape == (1, 4, 4) and len(set(codes.reshape(-1).tolist())) > 2
    decoded = model.decode(codes)
    assert decoded.shape == sound.shape and mx.std(decoded).item() > 0
    model.reset_all()
    steps = [model.encode_step(sound[..., 1920 * i : 1920 * (i + 1)]) for i in range(4)]
    assert mx.array_equal(mx.concatenate(steps, -1), codes)
    pieces = mx.concatenate([model.decode_step(codes[..., i : i + 1]) for i in range(4)], -1)
    assert pieces.shape == decoded.shape
    model.reset_all()
    assert mx.array_equal(model.decode_step(codes[..., :1]), pieces[..., :1920])
