// What the tests of shape operations share: elements read through strides by hand, and inputs in every layout.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "mlx/core/convert.h"
#include "mlx/core/dispatch.h"
#include "mlx/mlx.h"

namespace mlx::core::test {

// The index of element `flat` in row-major order.
inline std::vector<int64_t> unravel(int64_t flat, const Shape& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat % shape[i];
    flat /= shape[i];
  }
  return index;
}

inline int64_t ravel(const std::vector<int64_t>& index, const Shape& shape) {
  int64_t flat = 0;
  for (size_t i = 0; i < shape.size(); i++) flat = flat * shape[i] + index[i];
  return flat;
}

// Elements in row-major order, without the help of any operation.
template <typename T>
std::vector<T> elements(array x) {
  x.eval();
  std::vector<T> out;
  for (int64_t k = 0; k < static_cast<int64_t>(x.size()); k++) {
    auto index = unravel(k, x.shape());
    int64_t at = 0;
    for (size_t i = 0; i < index.size(); i++) at += index[i] * x.strides()[i];
    out.push_back(x.data<T>()[at]);
  }
  return out;
}

inline std::vector<double> values(const array& x) {
  return dispatch_dtype(x.dtype(), [&]<typename T>(TypeTag<T>) {
    std::vector<double> out;
    for (const auto& v : elements<T>(x)) out.push_back(convert_element<double>(static_cast<T>(v)));
    return out;
  });
}

// A host copy: shape and values, addressed by index.
struct Host {
  Shape shape;
  std::vector<double> v;
  Host(const array& x) : shape(x.shape()), v(values(x)) {}
  Host(Shape s, double fill) : shape(std::move(s)), v(element_count(shape), fill) {}
  double& at(const std::vector<int64_t>& index) { return v[static_cast<size_t>(ravel(index, shape))]; }
};

inline array random_array(const Shape& shape, unsigned seed, Dtype dtype = float64) {
  std::mt19937 generator(seed);
  std::vector<double> data(element_count(shape));
  bool is_float = issubdtype(dtype, inexact);
  for (double& x : data) x = is_float ? generator() / 4294967296.0 * 4 - 2 : static_cast<double>(generator() % 100);
  return astype(array(data.begin(), shape, float64), dtype);
}

inline array evaluated(array x) {
  x.eval();
  return x;
}

// Arrays of one shape with different strides: row-major, column-major, reversed, every second element, broadcast.
inline std::vector<array> layouts(const Shape& shape, unsigned seed, Dtype dtype = float64) {
  Shape reversed(shape.rbegin(), shape.rend()), wide = shape, thin = shape;
  for (auto& n : wide) n *= 2;
  if (!thin.empty()) thin[0] = std::min<ShapeElem>(thin[0], 1);
  std::vector<array> all{random_array(shape, seed, dtype), transpose(random_array(reversed, seed + 1, dtype)),
                         flip(random_array(shape, seed + 2, dtype)),
                         slice(random_array(wide, seed + 3, dtype), Shape(shape.size(), 0), wide,
                               Shape(shape.size(), 2)),
                         broadcast_to(random_array(thin, seed + 4, dtype), shape)};
  for (array& x : all) x.eval();
  return all;
}

// The text of the exception that f throws, empty when it throws none of that type.
template <typename Error>
std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

inline const std::vector<Dtype> all_dtypes{bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
                                           float16, float32, float64, bfloat16, complex64};
inline const std::vector<Dtype> index_dtypes{uint8, uint16, uint32, uint64, int8, int16, int32, int64};

// What an element and an update of it become: set, add, multiply, maximum, minimum.
inline double meet(int mode, double a, double b) {
  switch (mode) {
    case 0: return b;
    case 1: return a + b;
    case 2: return a * b;
    case 3: return std::max(a, b);
    default: return std::min(a, b);
  }
}

}  // namespace mlx::core::test
