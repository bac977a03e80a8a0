"""mx.fft beyond the table: accuracy, derivatives, frequencies, stft against golden values, errors."""

import json
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

fft = mx.fft
GOLDEN = Path(__file__).parents[1] / "golden"


def complex_noise(*shape, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def hann(n):
    return mx.array(np.hanning(n).astype(np.float32))


def rms_error(got, want):
    return np.sqrt((abs(np.array(got) - want) ** 2).mean() / (abs(want) ** 2).mean())


# Powers, mixed radices, two steps, primes and their products.
LENGTHS = [*range(1, 70), 127, 131, 243, 625, 997, 999, 1022, 2401, 4096, 6561, 9973, 14641, 16129, 16384]
LONG = [28561, 30030, 65536, 65537, 99991, 100000, 131074, 2**18]


@pytest.mark.parametrize("n", LENGTHS + LONG)
def test_accuracy(n):
    x = complex_noise(2, n)
    wide = x.astype(np.complex128)
    assert rms_error(fft.fft(mx.array(x)), np.fft.fft(wide)) < 1e-6
    assert rms_error(fft.ifft(mx.array(x)), np.fft.ifft(wide)) < 1e-6
    assert rms_error(fft.rfft(mx.array(x.real)), np.fft.rfft(wide.real)) < 1e-6
    assert rms_error(fft.irfft(mx.array(x), n), np.fft.irfft(wide, n)) < 1e-6
    lines = complex_noise(n, 11, seed=1)
    assert rms_error(fft.fft(mx.array(lines), axis=0), np.fft.fft(lines.astype(np.complex128), axis=0)) < 1e-6


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33])
def test_any_number_of_lines(batch):
    for n in (12, 33, 100, 131, 4100):
        x = complex_noise(batch, n)
        wide = x.astype(np.complex128)
        want = np.fft.fft(wide)
        assert rms_error(fft.fft(mx.array(x)), want) < 1e-6
        assert rms_error(fft.fft(mx.array(x.T), axis=0), want.T) < 1e-6
        assert rms_error(fft.rfft(mx.array(x.real)), np.fft.rfft(wide.real)) < 1e-6
        half = want[:, : n // 2 + 1]
        assert rms_error(fft.irfft(mx.array(half.astype(np.complex64)), n), np.fft.irfft(half, n)) < 1e-6


def test_threads_give_the_same_bits():
    x = mx.array(complex_noise(1, 2**17))
    y = mx.array(complex_noise(300, 120))
    before, results = mx.get_num_threads(), []
    for threads in (1, 2, 5):
        mx.set_num_threads(threads)
        real = [fft.rfft(mx.real(y)[:, :n]) for n in (97, 120)]
        results.append(
            [np.array(z) for z in (fft.fft(x), fft.fft2(y), fft.fft(y[:, :97]), *real, *map(fft.irfft, real))]
        )
    mx.set_num_threads(before)
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_special_values():
    impulse = np.zeros(8, np.complex64)
    impulse[0] = 1
    np.testing.assert_array_equal(np.array(fft.fft(mx.array(impulse))), np.ones(8))
    np.testing.assert_array_equal(np.array(fft.fft(mx.array([1.0, 0, -1.0, 0]))), [0, 2, 0, 2])
    assert np.isnan(np.array(fft.fft(mx.array([np.nan, 1.0, 2.0])))).all()


LINEAR = [
    (lambda x: fft.fft(x), (3, 6)),
    (lambda x: fft.ifft(x, norm="ortho"), (3, 6)),
    (lambda x: fft.fft(x, 4, axis=0), (3, 6)),
    (lambda x: fft.fft2(x, (5, 4)), (3, 6)),
    (lambda x: fft.fft(x), (3, 17)),
    (lambda x: fft.irfft(x), (3, 6)),
    (lambda x: fft.irfft(x, 9), (3, 5)),
    (lambda x: fft.irfft(x, 12), (3, 5)),
    (lambda x: fft.irfft(x, axis=0), (4, 2)),
    (lambda x: fft.irfft2(x, norm="forward"), (4, 5)),
    (lambda x: fft.irfftn(x, (4, 3), (1, 0)), (3, 4)),
]
REAL_INPUT = [
    (lambda x: fft.rfft(x), (3, 6)),
    (lambda x: fft.rfft(x, 5), (3, 6)),
    (lambda x: fft.rfft2(x, norm="ortho"), (4, 5)),
    (lambda x: fft.rfftn(x, axes=(1, 0)), (4, 5)),
    (lambda x: fft.fft(x), (3, 6)),
    (lambda x: fft.stft(x, n_fft=8, window=hann(8)), (2, 40)),
    (lambda x: fft.istft(fft.stft(x, n_fft=8, window=hann(8)), window=hann(8)), (2, 40)),
]


def dot(a, b):
    return (np.array(a).conj() * np.array(b)).real.sum()


@pytest.mark.parametrize("i", range(len(LINEAR) + len(REAL_INPUT)))
def test_derivatives_of_linear_maps(i):
    """The tangent is the function of the tangent, the gradient its adjoint; both again at second order."""
    function, shape = (LINEAR + REAL_INPUT)[i]
    x, d = complex_noise(*shape), complex_noise(*shape, seed=1)
    if i >= len(LINEAR):
        x, d = x.real, d.real
    x, d = mx.array(x), mx.array(d)
    y = function(d)
    ct = mx.array(complex_noise(*y.shape, seed=2)).astype(y.dtype)
    _, (tangent,) = mx.jvp(function, [x], [d])
    np.testing.assert_allclose(np.array(tangent), np.array(y), atol=1e-5)
    _, (gradient,) = mx.vjp(function, [x], [ct])
    assert gradient.dtype == x.dtype and gradient.shape == x.shape
    np.testing.assert_allclose(dot(gradient, d), dot(ct, y), rtol=1e-4, atol=1e-4)

    def energy(z):
        y = function(z)
        return (mx.real(y) ** 2 + mx.imag(y) ** 2).sum()

    _, (curvature,) = mx.jvp(mx.grad(energy), [x], [d])
    np.testing.assert_allclose(dot(curvature, d), 2 * dot(y, y), rtol=1e-4)
    _, (reverse,) = mx.vjp(mx.grad(energy), [x], [d])
    np.testing.assert_allclose(dot(reverse, d), 2 * dot(y, y), rtol=1e-4)


@pytest.mark.parametrize("n", [1, 2, 7, 8])
@pytest.mark.parametrize("d", [1.0, 0.1, -3.0])
def test_frequencies(n, d):
    np.testing.assert_allclose(np.array(fft.fftfreq(n, d)), np.fft.fftfreq(n, d), rtol=1e-7)
    np.testing.assert_allclose(np.array(fft.rfftfreq(n, d)), np.fft.rfftfreq(n, d), rtol=1e-7)
    assert fft.fftfreq(n, d).dtype == fft.rfftfreq(n, d).dtype == mx.float32


def test_dtypes():
    assert fft.fft(mx.zeros((4,), mx.float64)).dtype == mx.complex64
    assert fft.irfft(mx.zeros((4,), mx.int8)).dtype == mx.float32
    np.testing.assert_array_equal(np.array(fft.rfft(mx.array([1 + 5j, 2 + 1j]))), [3, -1])
    x = mx.array([[1.0, 2.0]])
    np.testing.assert_array_equal(np.array(fft.fftn(x, axes=[])), np.array(x))
    assert fft.fft(mx.zeros((0, 4))).shape == (0, 4) and fft.rfft(mx.zeros((2, 0, 4))).shape == (2, 0, 3)


ERRORS = [
    (lambda: fft.fft(mx.zeros((4,)), norm="none"), ValueError,
     "[fft] norm must be 'backward', 'ortho' or 'forward', not 'none'."),
    (lambda: fft.fft(mx.zeros((4,)), norm=None), TypeError, None),
    (lambda: fft.fft(mx.array(1.0)), mx.AxisError, None),
    (lambda: fft.fftn(mx.array(1.0)), ValueError, "[fft] The array must have at least one dimension."),
    (lambda: fft.fft2(mx.zeros((4,))), mx.AxisError, None),
    (lambda: fft.fft(mx.zeros((4,)), 0), ValueError,
     "[fft] The length of a transform must be positive, but is 0 along axis 0."),
    (lambda: fft.fft(mx.zeros((2, 0))), ValueError,
     "[fft] The length of a transform must be positive, but is 0 along axis 1."),
    (lambda: fft.irfft(mx.zeros((1,))), ValueError,
     "[irfft] The length of a transform must be positive, but is 0 along axis 0."),
    (lambda: fft.fftn(mx.zeros((2, 2)), (2,), (0, 1)), ValueError, "[fft] There are 1 lengths for 2 axes."),
    (lambda: fft.fftn(mx.zeros((2, 2)), (2, 2)), ValueError, "[fftn] s needs axes of the same length."),
    (lambda: fft.fft2(mx.zeros((2, 2)), axes=(1, -1)), ValueError, "[fft] Axis 1 is given twice in (1,-1)."),
    (lambda: fft.fftfreq(0), ValueError, "[fftfreq] The number of samples must be positive, but is 0."),
    (lambda: fft.rfftfreq(4, 0), ValueError, "[rfftfreq] The distance of samples cannot be 0."),
    (lambda: fft.fftshift(mx.zeros((4,)), 1), mx.AxisError, None),
    (lambda: fft.stft(mx.zeros((40,)), n_fft=0), ValueError, "[stft] n_fft must be positive, but is 0."),
    (lambda: fft.stft(mx.zeros((40,)), n_fft=3), ValueError, "[stft] hop_length must be positive, but is 0."),
    (lambda: fft.stft(mx.zeros((40,)), n_fft=8, window=mx.ones((9,))), ValueError, None),
    (lambda: fft.stft(mx.zeros((40,)), n_fft=8, window=mx.ones((2, 2))), ValueError, None),
    (lambda: fft.stft(mx.zeros((5,)), n_fft=8, center=False), ValueError,
     "[stft] The signal of 5 values is shorter than n_fft, 8."),
    (lambda: fft.stft(mx.array(1.0), n_fft=8), ValueError,
     "[stft] The signal must have at least one dimension."),
    (lambda: fft.istft(mx.zeros((5,))), ValueError,
     "[istft] The spectra must have at least two dimensions, but have 1."),
]  # fmt: skip


@pytest.mark.parametrize("call, error, text", ERRORS, ids=range(len(ERRORS)))
def test_errors(call, error, text):
    with pytest.raises(error) as info:
        call()
    assert text is None or str(info.value) == text


def golden_cases():
    arrays = np.load(GOLDEN / "later.npz")
    for case in json.loads((GOLDEN / "later.json").read_text()):
        if case["call"].startswith("fft."):
            yield case["call"], case["in"], arrays[case["out"][0]["array"]], arrays


@pytest.mark.parametrize("call, given, want, arrays", list(golden_cases()))
def test_golden(call, given, want, arrays):
    name = call.split("(")[0].removeprefix("fft.")
    signal = mx.array(arrays[next(v for v in given.values() if isinstance(v, str))[1:]])
    kw = dict(given["kw"])
    if "hanning" in call:
        kw["window"] = hann(kw.get("win_length") or kw.get("n_fft", 2048))
    got = np.array(getattr(fft, name)(signal, **kw))
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5 * abs(want).max())


def test_istft_lengths():
    x = mx.array(complex_noise(100).real)
    spectra = fft.stft(x, n_fft=16, window=hann(16))
    whole = fft.istft(spectra, window=hann(16))
    assert whole.shape == (100,) and whole.dtype == mx.float32
    np.testing.assert_allclose(np.array(whole), np.array(x), atol=1e-5)
    for length in (0, 50, 100, 104, 120):
        y = np.array(fft.istft(spectra, window=hann(16), length=length))
        assert y.shape == (length,) and not y[100 + 16 // 2 :].any()  # behind the last frame
        np.testing.assert_allclose(y[:100], np.array(x)[:length], atol=1e-5)
    assert fft.istft(mx.zeros((2, 4)), hop_length=2**30, center=False).shape == (3 * 2**30 + 2,)
    z = mx.array(complex_noise(2, 64))
    both = fft.istft(fft.stft(z, n_fft=16), onesided=False)
    np.testing.assert_allclose(np.array(both), np.array(z).real, atol=1e-5)
