"""Signals: mlx-signal-processing against SciPy, mlx-stft against NumPy, batches of mlx-data."""

import mlx_signal_processing as msp
import numpy as np
import pytest
import scipy.signal
from mlx_stft import ISTFT, STFT

import mlx.core as mx
import mlx.data as dx

rng = np.random.default_rng(0)
X = rng.normal(size=4000).astype(np.float32)
TAPS = scipy.signal.firwin(31, 0.3).astype(np.float32)

CASES = {
    "convolve": lambda s: s.convolve(X, TAPS),
    "fftconvolve": lambda s: s.fftconvolve(X, TAPS, mode="same"),
    "oaconvolve": lambda s: s.oaconvolve(X, TAPS),
    "correlate": lambda s: s.correlate(X, TAPS),
    "hilbert": lambda s: s.hilbert(X),
    "resample": lambda s: s.resample(X, 3000),
    "resample_poly": lambda s: s.resample_poly(X, 3, 2),
    "upfirdn": lambda s: s.upfirdn(TAPS, X, 2, 3),
    "stft": lambda s: s.stft(X, nperseg=256)[2],
    "istft": lambda s: s.istft(scipy.signal.stft(X, nperseg=256)[2], nperseg=256)[1],
    "welch": lambda s: s.welch(X, nperseg=256)[1],
    "periodogram": lambda s: s.periodogram(X)[1],
    "coherence": lambda s: s.coherence(X, np.roll(X, 3), nperseg=256)[1],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_scipy_signal(name):
    with msp.config_context(dispatch="mlx"):  # small arrays are left to SciPy otherwise
        got = np.array(CASES[name](msp))
    want = CASES[name](scipy.signal)
    np.testing.assert_allclose(got, want, atol=2e-4 * max(1, np.abs(want).max()))


@pytest.mark.parametrize("use_fft", [True, False])
def test_short_time_fourier_transform(use_fft):
    sizes = {"n_fft": 256, "win_length": 256, "hop_length": 64, "onesided": True, "use_fft": use_fft}
    out = STFT(**sizes)(mx.array(X)[None])
    real, imaginary = np.array(out)[0]
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(X, 128), 256)[::64]
    want = np.fft.rfft(frames * np.hanning(256), axis=1).T
    np.testing.assert_allclose((real + 1j * imaginary)[:, 2:-2], want[:, 2:-2], atol=1e-2)
    back = ISTFT(**sizes)(out)
    np.testing.assert_allclose(np.array(back)[0, 256:3700], X[256:3700], atol=1e-3)


def test_stream_of_batches():
    """mlx-data puts `mlx.data` beside `mlx.core`."""
    samples = [{"signal": X[i : i + 8], "number": i} for i in range(100)]
    stream = dx.buffer_from_vector(samples).shuffle().to_stream().batch(25).prefetch(2, 1)
    numbers = []
    for batch in stream:
        signal, which = mx.array(batch["signal"]), batch["number"].reshape(-1)
        assert signal.shape == (25, 8)
        np.testing.assert_array_equal(np.array(signal[:, 0]), X[which])
        numbers += which.tolist()
    assert sorted(numbers) == list(range(100)) != numbers
