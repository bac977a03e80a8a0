// mlx.core.fft.

#include "mlx/fft.h"

#include "define.h"

namespace mlx::python {

namespace {

using mx::fft::FFTNorm;

FFTNorm norm_argument(Args& x, int i) {
  std::string name = x.text(i, "backward");
  if (name == "backward") return FFTNorm::Backward;
  if (name == "ortho") return FFTNorm::Ortho;
  if (name == "forward") return FFTNorm::Forward;
  raise("[", x.op(), "] norm must be 'backward', 'ortho' or 'forward', not '", name, "'.");
}

using Sized = mx::array (*)(const mx::array&, const mx::Shape&, const std::vector<int>&, FFTNorm,
                            mx::StreamOrDevice);
using Over = mx::array (*)(const mx::array&, const std::vector<int>&, FFTNorm, mx::StreamOrDevice);
using Whole = mx::array (*)(const mx::array&, FFTNorm, mx::StreamOrDevice);

// (a, n, axis, norm)
template <Sized sized, Over over>
mx::array along_one(Args& x) {
  std::vector<int> axis{x.small_int(2, -1)};
  if (x.has(1)) return sized(x.array(0), {x.integer(1)}, axis, norm_argument(x, 3), x.stream());
  return over(x.array(0), axis, norm_argument(x, 3), x.stream());
}

// (a, s, axes, norm); `axes` by default the last two or all.
template <Sized sized, Over over, Whole whole>
mx::array along_some(Args& x, bool two) {
  FFTNorm norm = norm_argument(x, 3);
  std::optional<std::vector<int>> axes = x[2]  ? x.axes(2)
                                         : two ? std::optional(std::vector{-2, -1})
                                               : std::nullopt;
  if (!x.has(1)) {
    return axes ? over(x.array(0), *axes, norm, x.stream()) : whole(x.array(0), norm, x.stream());
  }
  if (!axes) raise("[", x.op(), "] s needs axes of the same length.");
  return sized(x.array(0), x.shape_sequence(1), *axes, norm, x.stream());
}

#define MLX_BIND_FFT(name1, name2, name_n, text)                                                  \
  m.def(#name1                                                                                    \
        "(a: array, n: int | None = None, axis: int = -1, norm: str = 'backward', stream: "       \
        "StreamOrDevice = None) -> "                                                              \
        "array",                                                                                  \
        text " along one axis, cut or padded with zeros to length n.",                            \
        [](Args& x) { return along_one<mx::fft::name_n, mx::fft::name_n>(x); });                  \
  m.def(#name2                                                                                    \
        "(a: array, s: tuple[int, ...] | None = None, axes: Sequence[int] | None = [-2, -1], "    \
        "norm: str = "                                                                            \
        "'backward', stream: StreamOrDevice = None) -> array",                                    \
        text " along two axes, cut or padded with zeros to lengths s.", [](Args& x) {             \
          return along_some<mx::fft::name_n, mx::fft::name_n, mx::fft::name_n>(x, true);          \
        });                                                                                       \
  m.def(#name_n                                                                                   \
        "(a: array, s: tuple[int, ...] | None = None, axes: Sequence[int] | None = None, norm: "  \
        "str = 'backward', "                                                                      \
        "stream: StreamOrDevice = None) -> array",                                                \
        text " along axes, by default all, cut or padded with zeros to lengths s.", [](Args& x) { \
          return along_some<mx::fft::name_n, mx::fft::name_n, mx::fft::name_n>(x, false);         \
        });

void bind_transforms_of(Functions& m) {
  MLX_BIND_FFT(fft, fft2, fftn, "Discrete Fourier transform (complex64)")
  MLX_BIND_FFT(ifft, ifft2, ifftn, "Inverse discrete Fourier transform (complex64)")
  MLX_BIND_FFT(rfft, rfft2, rfftn,
               "The first half of the transform of real input (n // 2 + 1 values, complex64)")
  MLX_BIND_FFT(irfft, irfft2, irfftn,
               "Real input (float32) of which half of the transform is given")
}
#undef MLX_BIND_FFT

void bind_frequencies(Functions& m) {
  m.def("fftfreq(n: int, d: float = 1.0, stream: StreamOrDevice = None) -> array",
        "The frequencies (float32) of fft's values for n samples d apart.",
        [](Args& x) { return mx::fft::fftfreq(x.small_int(0), x.number(1, 1), x.stream()); });
  m.def("rfftfreq(n: int, d: float = 1.0, stream: StreamOrDevice = None) -> array",
        "The frequencies (float32) of rfft's values for n samples d apart.",
        [](Args& x) { return mx::fft::rfftfreq(x.small_int(0), x.number(1, 1), x.stream()); });
  m.def(
      "fftshift(a: array, axes: int | Sequence[int] | None = None, stream: StreamOrDevice = None) "
      "-> array",
      "Move frequency 0 to the middle of the axes, by default all.", [](Args& x) {
        auto axes = x.has(1) ? x.axes(1) : std::nullopt;
        return axes ? mx::fft::fftshift(x.array(0), *axes, x.stream())
                    : mx::fft::fftshift(x.array(0), x.stream());
      });
  m.def(
      "ifftshift(a: array, axes: int | Sequence[int] | None = None, stream: StreamOrDevice = None) "
      "-> array",
      "Undo fftshift.", [](Args& x) {
        auto axes = x.has(1) ? x.axes(1) : std::nullopt;
        return axes ? mx::fft::ifftshift(x.array(0), *axes, x.stream())
                    : mx::fft::ifftshift(x.array(0), x.stream());
      });
}

// hop_length, win_length, window, center, norm, onesided at these places.
mx::fft::StftOptions stft_options(Args& x, int hop, int norm) {
  mx::fft::StftOptions o;
  o.hop_length = x.optional_int(hop);
  o.win_length = x.optional_int(hop + 1);
  o.window = x.optional_array(hop + 2);
  o.center = x.boolean(hop + 3, true);
  o.norm = norm_argument(x, norm);
  if (x.has(norm + 1)) o.onesided = x.boolean(norm + 1, true);
  return o;
}

void bind_stft(Functions& m) {
  m.def(
      "stft(x: array, n_fft: int = 2048, hop_length: int | None = None, win_length: int | None = "
      "None, window: array | "
      "None = None, center: bool = True, pad_mode: str = 'reflect', norm: str = 'backward', "
      "onesided: bool | None = "
      "None, stream: StreamOrDevice = None) -> array",
      "Transforms of windows along the last axis, hop_length (n_fft // 4) apart: (..., "
      "frequencies, frames), "
      "complex64.\n\ncenter: pads n_fft // 2 values on both sides by pad_mode. onesided: the "
      "default for real x.",
      [](Args& x) {
        mx::array signal = x.array(0);
        int n_fft = x.small_int(1, 2048);
        return mx::fft::stft(signal, n_fft, stft_options(x, 2, 7), x.text(6, "reflect"),
                             x.stream());
      });
  m.def(
      "istft(stft_matrix: array, n_fft: int | None = None, hop_length: int | None = None, "
      "win_length: int | None = "
      "None, window: array | None = None, center: bool = True, norm: str = 'backward', onesided: "
      "bool | None = None, "
      "length: int | None = None, stream: StreamOrDevice = None) -> array",
      "The signal (float32) whose stft is given, by overlap-add over the sum of squared windows; 0 "
      "where that is 0.\n\nlength: of the signal; a longer one goes on with what the last frame holds, then "
      "with zeros.",
      [](Args& x) {
        mx::array spectra = x.array(0);
        std::optional<int> n_fft = x.optional_int(1);
        return mx::fft::istft(spectra, n_fft, stft_options(x, 2, 6), x.optional_int(8), x.stream());
      });
}

}  // namespace

void bind_fft(nb::module_& m) {
  nb::module_ fft = m.def_submodule("fft", "Discrete Fourier transforms of any length.");
  Functions functions(fft);
  bind_transforms_of(functions);
  bind_frequencies(functions);
  bind_stft(functions);
}

}  // namespace mlx::python
