// Discrete Fourier transforms of any length, computed in float32 (complex64).
//
// n gives the lengths along the axes: longer ones are padded with zeros, shorter ones cut. Without
// axes all are transformed. A length below 1, repeated axes and lists of different sizes throw
// std::invalid_argument.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core::fft {

// Where the factor 1/n goes: to the inverse, half of it to both, or to the forward transform.
enum class FFTNorm { Backward, Ortho, Forward };

#define MLX_FFT(function, function1, function2)                                                  \
  array function(const array& a, const Shape& n, const std::vector<int>& axes,                   \
                 FFTNorm norm = FFTNorm::Backward, StreamOrDevice s = {});                       \
  array function(const array& a, const std::vector<int>& axes, FFTNorm norm = FFTNorm::Backward, \
                 StreamOrDevice s = {});                                                         \
  array function(const array& a, FFTNorm norm = FFTNorm::Backward, StreamOrDevice s = {});       \
  inline array function1(const array& a, int n, int axis, FFTNorm norm = FFTNorm::Backward,      \
                         StreamOrDevice s = {}) {                                                \
    return function(a, Shape{n}, std::vector<int>{axis}, norm, s);                               \
  }                                                                                              \
  inline array function1(const array& a, int axis = -1, FFTNorm norm = FFTNorm::Backward,        \
                         StreamOrDevice s = {}) {                                                \
    return function(a, std::vector<int>{axis}, norm, s);                                         \
  }                                                                                              \
  inline array function2(const array& a, const Shape& n, const std::vector<int>& axes,           \
                         FFTNorm norm = FFTNorm::Backward, StreamOrDevice s = {}) {              \
    return function(a, n, axes, norm, s);                                                        \
  }                                                                                              \
  inline array function2(const array& a, const std::vector<int>& axes = {-2, -1},                \
                         FFTNorm norm = FFTNorm::Backward, StreamOrDevice s = {}) {              \
    return function(a, axes, norm, s);                                                           \
  }
// Complex to complex.
MLX_FFT(fftn, fft, fft2)
MLX_FFT(ifftn, ifft, ifft2)
// Of real input: the first n/2 + 1 values along the last axis; the others are their conjugates. And
// back.
MLX_FFT(rfftn, rfft, rfft2)
MLX_FFT(irfftn, irfft, irfft2)
#undef MLX_FFT

// The frequencies of n samples d apart, in the order of fft and rfft.
array fftfreq(int n, double d = 1.0, StreamOrDevice s = {});
array rfftfreq(int n, double d = 1.0, StreamOrDevice s = {});
// Moves frequency 0 to the middle of each axis, and back.
array fftshift(const array& a, StreamOrDevice s = {});
array fftshift(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
array ifftshift(const array& a, StreamOrDevice s = {});
array ifftshift(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});

// The options of stft and istft. What is not given: hop_length n_fft / 4, win_length n_fft, window
// all ones, and onesided for real input.
struct StftOptions {
  std::optional<int> hop_length = std::nullopt, win_length = std::nullopt;
  std::optional<array> window = std::nullopt;
  bool center = true;
  FFTNorm norm = FFTNorm::Backward;
  std::optional<bool> onesided = std::nullopt;
};
// Transforms of windows along the last axis, hop_length apart: (..., frequencies, frames).
array stft(const array& x, int n_fft = 2048, const StftOptions& options = {},
           const std::string& pad_mode = "reflect", StreamOrDevice s = {});
// The signal whose stft is given, in float32.
array istft(const array& stft_matrix, std::optional<int> n_fft = std::nullopt,
            const StftOptions& options = {}, std::optional<int> length = std::nullopt,
            StreamOrDevice s = {});

}  // namespace mlx::core::fft
