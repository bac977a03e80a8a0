// convolve: two vectors, as in signal processing.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"

namespace mlx::core {

namespace {

// Of real vectors of one floating dtype; the signal is the longer one.
array convolve_real(const array& signal, const array& kernel, int low, int high, StreamOrDevice s) {
  array input = reshape(signal, {1, -1, 1}, s), weight = reshape(kernel, {1, -1, 1}, s);
  return flatten(conv_general(input, weight, {1}, {low}, {high}, {1}, {1}, 1, true, s), s);
}

}  // namespace

array convolve(const array& a, const array& v, const std::string& mode, StreamOrDevice s) {
  if (a.ndim() != 1 || v.ndim() != 1) {
    raise("[convolve] Both inputs must be vectors, but have shapes ", a.shape(), " and ", v.shape(), ".");
  }
  if (a.size() == 0 || v.size() == 0) raise("[convolve] The inputs cannot be empty.");
  Dtype t = result_type(a, v);
  if (!issubdtype(t, inexact)) t = float32;
  note_size_read();
  bool swap = v.size() > a.size();
  array signal = astype(swap ? v : a, t, s), kernel = astype(swap ? a : v, t, s);
  int k = static_cast<int>(kernel.size()), low = 0, high = 0;
  if (mode == "full") {
    low = high = k - 1;
  } else if (mode == "same") {
    low = k / 2;
    high = k - 1 - low;
  } else if (mode != "valid") {
    raise("[convolve] The mode must be 'full', 'same' or 'valid', but is '", mode, "'.");
  }
  auto run = [&](const array& x, const array& w) { return convolve_real(x, w, low, high, s); };
  if (t != complex64) return run(signal, kernel);
  array xr = real(signal, s), xi = imag(signal, s), wr = real(kernel, s), wi = imag(kernel, s);
  array re = subtract(run(xr, wr), run(xi, wi), s), im = add(run(xr, wi), run(xi, wr), s);
  return add(astype(re, complex64, s), multiply(array(complex64_t{0, 1}), im, s), s);
}

}  // namespace mlx::core
