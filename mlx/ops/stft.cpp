// stft and istft: frames by indices, a window, and transforms along the frames.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/fft.h"
#include "mlx/memory.h"
#include "mlx/ops.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core::fft {

namespace {

struct Frames {
  int n_fft, hop;
  array window;  // n_fft values
};

// The window in the middle of n_fft values, zeros around it.
array centred_window(const char* name, const StftOptions& o, int n_fft, const Stream& s) {
  int length = o.win_length.value_or(o.window ? static_cast<int>(o.window->size()) : n_fft);
  if (length <= 0 || length > n_fft) {
    raise("[", name, "] The window length must be from 1 to n_fft (", n_fft, "), but is ", length,
          ".");
  }
  array w = o.window ? astype(*o.window, float32, s) : ones({length}, float32, s);
  if (w.ndim() != 1)
    raise("[", name, "] The window must have one dimension, but has ", w.ndim(), ".");
  if (w.shape(0) > n_fft || w.shape(0) == 0) {
    raise("[", name, "] The window must have from 1 to n_fft (", n_fft, ") values, but has ",
          w.shape(0), ".");
  }
  if (o.window && o.win_length && w.shape(0) != length) {
    raise("[", name, "] The window has ", w.shape(0), " values, but win_length is ", length, ".");
  }
  ShapeElem left = (n_fft - w.shape(0)) / 2, right = n_fft - w.shape(0) - left;
  return pad(w, std::vector<int>{0}, Shape{left}, Shape{right}, array(0.0f), "constant", s);
}

Frames frames_of(const char* name, const StftOptions& o, int n_fft, const Stream& s) {
  if (n_fft <= 0) raise("[", name, "] n_fft must be positive, but is ", n_fft, ".");
  int hop = o.hop_length.value_or(n_fft / 4);
  if (hop <= 0) raise("[", name, "] hop_length must be positive, but is ", hop, ".");
  return {n_fft, hop, centred_window(name, o, n_fft, s)};
}

// index[f, i] = f * hop + i
array frame_indices(const Frames& f, ShapeElem count, const Stream& s) {
  array starts =
      arange(0.0, static_cast<double>(count * f.hop), static_cast<double>(f.hop), int64, s);
  array offsets = arange(0.0, static_cast<double>(f.n_fft), 1.0, int64, s);
  return add(expand_dims(starts, 1, s), offsets, s);
}

// The frames (..., count, n_fft) added up where they overlap.
array overlap_add(const array& frames, const Frames& f, ShapeElem total, const Stream& s) {
  ShapeElem count = frames.shape(-2);
  Shape batch = batch_shape(frames.shape());
  ShapeElem rows = static_cast<ShapeElem>(element_count(batch));
  array flat = transpose(reshape(frames, {rows, count * f.n_fft}, s), s);
  array updates = reshape(flat, {count * f.n_fft, 1, rows}, s);
  array index = reshape(frame_indices(f, count, s), {count * f.n_fft}, s);
  array sum = scatter_add(zeros({total, rows}, frames.dtype(), s), index, updates, 0, s);
  Shape shape = batch;
  shape.push_back(total);
  return reshape(transpose(sum, s), shape, s);
}

// The overlapping frames (..., count, n_fft) of a signal, as a view.
array frames_in(const array& signal, const Frames& f, const Stream& s) {
  ShapeElem length = signal.shape(-1), count = 1 + (length - f.n_fft) / f.hop;
  size_t rows = length ? signal.size() / static_cast<size_t>(length) : 0;
  // The frames times the window, their spectrum, and what its computation needs.
  double bytes = 4.0 * static_cast<double>(rows * signal.itemsize()) * static_cast<double>(count) * f.n_fft;
  if (bytes > static_cast<double>(get_memory_limit())) {
    raise<OutOfMemoryError>("[stft] ", count, " frames of ", f.n_fft, " values of ", rows, " signals need about ",
                            bytes, " bytes, but the memory limit is ", get_memory_limit(), ".");
  }
  Shape shape(signal.shape().begin(), signal.shape().end() - 1);
  Strides strides(shape.size(), length);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  shape.push_back(count);
  shape.push_back(f.n_fft);
  strides.push_back(f.hop);
  strides.push_back(1);
  return as_strided(signal, shape, strides, 0, s);
}

}  // namespace

array stft(const array& x, int n_fft, const StftOptions& o, const std::string& pad_mode,
           StreamOrDevice s) {
  Stream stream = to_stream(s);
  if (x.ndim() == 0) raise("[stft] The signal must have at least one dimension.");
  Frames f = frames_of("stft", o, n_fft, stream);
  bool is_complex = x.dtype() == complex64, onesided = o.onesided.value_or(!is_complex);
  array signal = astype(x, is_complex ? complex64 : float32, stream);
  if (is_complex && onesided) raise("[stft] The spectrum of a complex signal is not onesided.");
  note_size_read();
  if (o.center) {
    Shape side{n_fft / 2};
    signal = pad(signal, {static_cast<int>(x.ndim()) - 1}, side, side, array(0, signal.dtype()),
                 pad_mode, stream);
  }
  ShapeElem length = signal.shape(-1);
  if (length < n_fft)
    raise("[stft] The signal of ", length, " values is shorter than n_fft, ", n_fft, ".");
  array framed = multiply(frames_in(signal, f, stream), f.window, stream);
  array spectrum = onesided ? rfft(framed, -1, o.norm, stream) : fft(framed, -1, o.norm, stream);
  return swapaxes(spectrum, -1, -2, stream);
}

array istft(const array& stft_matrix, std::optional<int> n_fft, const StftOptions& o,
            std::optional<int> length, StreamOrDevice s) {
  Stream stream = to_stream(s);
  if (stft_matrix.ndim() < 2) {
    raise("[istft] The spectra must have at least two dimensions, but have ", stft_matrix.ndim(),
          ".");
  }
  note_size_read();
  bool onesided = o.onesided.value_or(true);
  int bins = static_cast<int>(stft_matrix.shape(-2));
  Frames f = frames_of("istft", o, n_fft.value_or(onesided ? 2 * (bins - 1) : bins), stream);
  if (bins != (onesided ? f.n_fft / 2 + 1 : f.n_fft)) {
    raise("[istft] Spectra of ", bins, " values do not fit n_fft ", f.n_fft, ".");
  }
  array spectra = swapaxes(astype(stft_matrix, complex64, stream), -1, -2, stream);
  array framed = onesided ? irfft(spectra, f.n_fft, -1, o.norm, stream)
                          : mlx::core::real(ifft(spectra, f.n_fft, -1, o.norm, stream), stream);
  ShapeElem count = spectra.shape(-2), total = count > 0 ? (count - 1) * f.hop + f.n_fft : 0;
  if (count == 0) raise("[istft] There are no frames.");
  array sum = overlap_add(multiply(framed, f.window, stream), f, total, stream);
  array squares = broadcast_to(square(f.window, stream), {count, f.n_fft}, stream);
  array envelope = overlap_add(squares, f, total, stream);
  array covered = greater(envelope, array(1e-10f), stream);
  array signal = where(covered, divide(sum, where(covered, envelope, array(1.0f), stream), stream),
                       array(0.0f), stream);
  ShapeElem from = o.center ? f.n_fft / 2 : 0;
  ShapeElem wanted = length ? *length : o.center ? (count - 1) * f.hop : total;
  if (wanted < 0) raise("[istft] The length cannot be negative, but is ", wanted, ".");
  ShapeElem have = std::min(wanted, total - from);
  signal = slice_along(signal, static_cast<int>(signal.ndim()) - 1, from, from + have, stream);
  if (wanted == have) return signal;
  return pad(signal, {static_cast<int>(signal.ndim()) - 1}, Shape{0}, Shape{wanted - have},
             array(0.0f), "constant", stream);
}

}  // namespace mlx::core::fft
