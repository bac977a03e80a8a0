// LAPACK on batches of matrices: routines by element type, column-major copies, faults by matrix.
// Batches are split over the pool; each call runs on one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/openblas.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

template <typename T>
inline constexpr bool is_complex_v = std::is_same_v<T, complex64_t>;
template <typename T>
using RealOf = std::conditional_t<is_complex_v<T>, float, T>;

// Calls f with a tag of float, double or complex64_t, the only dtypes that the operations let pass.
template <typename F>
void dispatch_lapack(Dtype dtype, F&& f) {
  dispatch_dtype(dtype, [&]<typename T>(TypeTag<T> tag) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || is_complex_v<T>) f(tag);
  });
}

// "potrf" is spotrf, dpotrf or cpotrf. All arguments are pointers; the lengths of strings follow
// them.
template <typename T>
class Routine {
 public:
  explicit Routine(const char* name) : f_(openblas_symbol((letter + std::string(name)).c_str())) {}
  Routine(const char* real_name, const char* complex_name)
      : Routine(is_complex_v<T> ? complex_name : real_name) {}

  template <typename... P>
  void operator()(P... arguments) const {
    reinterpret_cast<void (*)(P..., size_t, size_t, size_t)>(f_)(arguments..., 1, 1, 1);
  }

 private:
  static constexpr char letter = is_complex_v<T> ? 'c' : std::is_same_v<T, double> ? 'd' : 's';
  void* f_;
};

// The size of work memory that a routine asked for.
template <typename T>
int64_t work_size(const T& answer) {
  return std::max<int64_t>(static_cast<int64_t>(std::real(answer)), 1);
}

inline double product(int64_t a, int64_t b, int64_t c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

enum class Fault : uint8_t { none, singular, indefinite, not_finite, diverged };
enum class Part : uint8_t { all, lower, upper };
inline Part triangle(bool upper) { return upper ? Part::upper : Part::lower; }

// The matrices of an array of any layout.
template <typename T>
class Matrices {
 public:
  explicit Matrices(const array& x)
      : rows(x.shape(-2)),
        columns(x.shape(-1)),
        data_(x.data<T>()),
        shape_(x.shape()),
        strides_(x.strides()) {}

  const int64_t rows, columns;
  int64_t size() const { return rows * columns; }

  // Copies matrix i, or a triangle of it and zeros, column by column. False if an element copied is
  // not finite.
  bool read(int64_t i, T* to, Part part = Part::all) const {
    const T* from = data_ + offsets_at(i, shape_.size() - 2, shape_, strides_)[0];
    int64_t rs = strides_[shape_.size() - 2], cs = strides_.back();
    bool finite = true;
    for (int64_t block = 0; block < rows; block += block_rows) {
      int64_t end = std::min(block + block_rows, rows);
      for (int64_t c = 0; c < columns; c++) {
        for (int64_t r = block; r < end; r++) {
          bool taken = part == Part::all || (part == Part::lower ? r >= c : r <= c);
          T value = taken ? from[r * rs + c * cs] : T(0);
          finite &= is_finite(value);
          to[c * rows + r] = value;
        }
      }
    }
    return finite;
  }

 private:
  static constexpr int64_t block_rows = 16;

  static bool is_finite(const T& x) {
    if constexpr (is_complex_v<T>)
      return std::isfinite(x.real()) && std::isfinite(x.imag());
    else
      return std::isfinite(x);
  }

  const T* data_;
  Shape shape_;
  Strides strides_;
};

// Rows and columns of a column-major matrix with leading dimension `ld` become row-major.
template <typename T, typename U>
void write_matrix(const T* from, int64_t ld, int64_t rows, int64_t columns, U* to) {
  constexpr int64_t block_columns = 16;
  for (int64_t block = 0; block < columns; block += block_columns) {
    int64_t end = std::min(block + block_columns, columns);
    for (int64_t r = 0; r < rows; r++) {
      for (int64_t c = block; c < end; c++) to[r * columns + c] = static_cast<U>(from[c * ld + r]);
    }
  }
}

// Of factors by getrf. Products and sums are taken in double.
template <typename T>
struct Determinant {
  using Wide = std::conditional_t<is_complex_v<T>, std::complex<double>, double>;
  Wide product = 1, sign = 1;
  double log_size = 0;

  Determinant(const T* factors, int64_t n, const int64_t* pivots) {
    for (int64_t i = 0; i < n; i++) {
      Wide d = factors[i * n + i];
      double size = std::abs(d);
      if (pivots[i] != i + 1) d = -d;
      product *= d;
      log_size += std::log(size);
      sign *= size == 0 ? Wide(0) : d / size;
    }
  }
};

// The loop over a batch, and what becomes of the matrices that a routine could not take.
class LapackBatch {
 public:
  // Allocates the outputs; `batch` is the shape without the two matrix axes.
  LapackBatch(const char* op, bool nan, const array& input, OutputSpan outputs);

  // Matrix i of output k.
  template <typename T>
  T* out(int k, int64_t i) {
    return outputs_[k].data<T>() + i * per_matrix(k);
  }

  // make_worker() gives a callable with scratch memory of its own that takes the index of a matrix
  // and returns a Fault. `flops` is the work for one matrix.
  template <typename Make>
  void run(double flops, Make make_worker) {
    std::vector<Fault> faults(static_cast<size_t>(count_), Fault::none);
    parallel_chunks(count_, std::max<int64_t>(1, static_cast<int64_t>(1e5 / (flops + 1))),
                    [&](int64_t from, int64_t to) {
                      auto worker = make_worker();
                      for (int64_t i = from; i < to; i++) faults[i] = worker(i);
                    });
    settle(faults);
  }

 private:
  int64_t per_matrix(int k) const { return static_cast<int64_t>(outputs_[k].size()) / count_; }
  void settle(const std::vector<Fault>& faults);
  void spoil(int64_t i);
  std::string describe(int64_t i) const;

  const char* op_;
  bool nan_;
  Shape batch_;
  int64_t count_;
  OutputSpan outputs_;
};

// The cofactors of the batch's matrices, by singular values.
void write_cofactors(const array& in, LapackBatch& batch);

}  // namespace mlx::core::cpu
