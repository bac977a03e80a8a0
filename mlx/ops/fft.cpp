// The functions of mlx/fft.h but stft, and the rules of FFT: it is linear, so its tangents are
// transforms of tangents.

#include "mlx/fft.h"

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/fft_primitive.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

void check_length(bool inverse, bool real, ShapeElem size, int axis) {
  if (size > 0) return;
  raise("[", inverse ? "i" : "", real ? "r" : "", "fft] The length of a transform must be positive, but is ", size,
        " along axis ", axis, ".");
}

array transform(const array& x, const std::vector<int>& axes, bool inverse, bool real,
                ShapeElem real_size, int scaling, const Stream& s) {
  auto p = std::make_shared<FFT>(s, axes, inverse, real, real_size, scaling);
  Shape shape = p->output_shapes({x})[0];
  return array(shape, real && inverse ? float32 : complex64, std::move(p), {x});
}

// Zeros behind the elements along an axis, or less of them.
array resized(const array& x, int axis, ShapeElem size, const Stream& s) {
  ShapeElem have = x.shape(axis);
  if (have == size) return x;
  if (have > size) {
    Shape stop = x.shape();
    stop[axis] = size;
    return slice(x, Shape(x.ndim(), 0), stop, s);
  }
  return pad(x, std::vector<int>{axis}, Shape{0}, Shape{size - have}, array(0, x.dtype()),
             "constant", s);
}

}  // namespace

std::vector<Shape> FFT::output_shapes(const Arrays& inputs) {
  Shape shape = inputs[0].shape();
  for (int axis : axes_) {
    ShapeElem& size = shape[axis];
    bool halves = real_ && axis == axes_.back();
    if (halves && inverse_) size = real_size_ > 0 ? real_size_ : 2 * (size - 1);
    check_length(inverse_, real_, size, axis);
    if (halves && !inverse_) size = size / 2 + 1;
  }
  return {shape};
}
Arrays FFT::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {transform(tangents[0], axes_, inverse_, real_, real_size_, scaling_, stream())};
}
// The adjoint is the conjugate transform. Half a spectrum stands for both halves: its values count
// twice in what a real result becomes of them, but for those that are their own conjugates.
Arrays FFT::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                const Arrays&) {
  const Stream& s = stream();
  if (!real_) return {transform(cotangents[0], axes_, !inverse_, false, 0, scaling_, s)};
  int last = axes_.back();
  if (!inverse_) {
    array whole = resized(cotangents[0], last, primals[0].shape(last), s);
    return {mlx::core::real(transform(whole, axes_, true, false, 0, scaling_, s), s)};
  }
  ShapeElem n = cotangents[0].shape(last), half = primals[0].shape(last);
  array k = arange(0.0, static_cast<double>(half), 1.0, float32, s);
  array is_single =
      logical_or(equal(k, array(0.0f), s), equal(k, array(0.5f * static_cast<float>(n)), s), s);
  array weights = where(is_single, array(1.0f), array(2.0f), s);
  Shape shape(primals[0].ndim(), 1);
  shape[last] = half;
  array g = transform(cotangents[0], axes_, false, true, 0, scaling_, s);
  return {multiply(g, reshape(weights, shape, s), s)};
}
std::pair<Arrays, std::vector<int>> FFT::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  return {{transform(x, shifted(axes_), inverse_, real_, real_size_, scaling_, stream())}, {0}};
}

namespace fft {

namespace {

struct Kind {
  const char* name;  // in messages, for any number of axes
  bool inverse, real;
};
constexpr Kind kForward{"fft", false, false}, kInverse{"ifft", true, false},
    kRealForward{"rfft", false, true}, kRealInverse{"irfft", true, true};

int scaling_of(FFTNorm norm, bool inverse) {
  if (norm == FFTNorm::Ortho) return 1;
  return (norm == FFTNorm::Backward) == inverse ? 2 : 0;
}

// The input in the dtype that the transform takes.
array operand(const Kind& kind, const array& a, const Stream& s) {
  if (!kind.real || kind.inverse) return astype(a, complex64, s);
  return astype(mlx::core::real(a, s), float32, s);
}

array transform_over(const Kind& kind, const array& a, const Shape* n,
                     const std::vector<int>& axes_in, FFTNorm norm, StreamOrDevice s) {
  Stream stream = to_stream(s);
  std::vector<int> axes = checked_axes(kind.name, axes_in, a.ndim());
  if (n && n->size() != axes.size()) {
    raise("[", kind.name, "] There are ", n->size(), " lengths for ", axes.size(), " axes.");
  }
  array x = operand(kind, a, stream);
  if (axes.empty())
    return kind.real && kind.inverse ? mlx::core::real(x, stream) : astype(x, complex64, stream);
  bool gives_real = kind.real && kind.inverse;
  ShapeElem real_size = 0;
  for (size_t i = 0; n && i < axes.size(); i++) {
    bool is_last = gives_real && i + 1 == axes.size();
    ShapeElem size = (*n)[i];
    check_length(kind.inverse, kind.real, size, axes[i]);
    note_size_read();
    if (is_last) real_size = size;
    x = resized(x, axes[i], is_last ? size / 2 + 1 : size, stream);
  }
  return transform(x, axes, kind.inverse, kind.real, real_size, scaling_of(norm, kind.inverse),
                   stream);
}

std::vector<int> every_axis(const Kind& kind, const array& a) {
  if (a.ndim() == 0) raise("[", kind.name, "] The array must have at least one dimension.");
  return all_axes(a);
}

array shift_axes(const char* name, const array& a, std::vector<int> axes, bool back,
                 StreamOrDevice s) {
  Shape shift;
  note_size_read();
  for (int& axis : axes) {
    axis = checked_axis(name, axis, a.ndim());
    ShapeElem half = a.shape(axis) / 2;
    shift.push_back(back ? -half : half);
  }
  return axes.empty() ? a : roll(a, shift, axes, s);
}
void check_frequencies(const char* name, int n, double d) {
  if (n <= 0) raise("[", name, "] The number of samples must be positive, but is ", n, ".");
  if (d == 0) raise("[", name, "] The distance of samples cannot be 0.");
}

}  // namespace

#define MLX_FFT_FUNCTION(function, kind)                                                         \
  array function(const array& a, const Shape& n, const std::vector<int>& axes, FFTNorm norm,     \
                 StreamOrDevice s) {                                                             \
    return transform_over(kind, a, &n, axes, norm, s);                                           \
  }                                                                                              \
  array function(const array& a, const std::vector<int>& axes, FFTNorm norm, StreamOrDevice s) { \
    return transform_over(kind, a, nullptr, axes, norm, s);                                      \
  }                                                                                              \
  array function(const array& a, FFTNorm norm, StreamOrDevice s) {                               \
    return transform_over(kind, a, nullptr, every_axis(kind, a), norm, s);                       \
  }
MLX_FFT_FUNCTION(fftn, kForward)
MLX_FFT_FUNCTION(ifftn, kInverse)
MLX_FFT_FUNCTION(rfftn, kRealForward)
MLX_FFT_FUNCTION(irfftn, kRealInverse)
#undef MLX_FFT_FUNCTION

array fftfreq(int n, double d, StreamOrDevice s) {
  check_frequencies("fftfreq", n, d);
  int positive = (n + 1) / 2;
  array k = arange(0, n, 1, s);
  array number = where(less(k, array(positive), s), k, subtract(k, array(n), s), s);
  return astype(divide(astype(number, float64, s), array(n * d, float64), s), float32, s);
}
array rfftfreq(int n, double d, StreamOrDevice s) {
  check_frequencies("rfftfreq", n, d);
  return astype(divide(arange(0.0, n / 2 + 1.0, 1.0, float64, s), array(n * d, float64), s),
                float32, s);
}

array fftshift(const array& a, StreamOrDevice s) {
  return shift_axes("fftshift", a, all_axes(a), false, s);
}
array fftshift(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  return shift_axes("fftshift", a, axes, false, s);
}
array ifftshift(const array& a, StreamOrDevice s) {
  return shift_axes("ifftshift", a, all_axes(a), true, s);
}
array ifftshift(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  return shift_axes("ifftshift", a, axes, true, s);
}

}  // namespace fft

}  // namespace mlx::core
