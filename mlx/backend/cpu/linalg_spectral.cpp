// SVD, Pinv, Eigh and Eig by LAPACK.

#include <complex>
#include <limits>

#include "mlx/backend/cpu/lapack.h"
#include "mlx/ops/linalg_primitives.h"

namespace mlx::core::cpu {

namespace {

// gesdd of (m, n) matrices, with memory for one of them.
template <typename T>
class SingularValues {
 public:
  using Real = RealOf<T>;
  SingularValues(const char* job, int64_t rows, int64_t columns) : m(rows), n(columns), job_(job) {
    values.resize(k);
    integers_.resize(8 * k);
    bool has_vectors = *job != 'N';
    u_columns = *job == 'A' ? m : k;
    vh_rows = *job == 'A' ? n : k;
    if (has_vectors) {
      u.resize(m * u_columns);
      vh.resize(vh_rows * n);
    }
    if (is_complex_v<T>) {
      int64_t larger = std::max(m, n);
      reals_.resize(has_vectors ? std::max(5 * k * k + 5 * k, 2 * larger * k + 2 * k * k + k)
                                : 7 * k);
    }
    if (k == 0) return;
    T answer = 0;
    int64_t query = -1;
    call(nullptr, &answer, &query);
    work_.resize(work_size(answer));
  }

  // The matrix is destroyed.
  bool operator()(T* matrix) {
    if (k == 0) {  // no values; the vectors are those of the identity
      set_identity(u, m);
      set_identity(vh, n);
      return true;
    }
    int64_t lwork = static_cast<int64_t>(work_.size());
    return call(matrix, work_.data(), &lwork) == 0;
  }

  const int64_t m, n, k = std::min(m, n);
  int64_t u_columns, vh_rows;

 private:
  int64_t call(T* matrix, T* work, const int64_t* lwork) {
    int64_t info = 0, ld_vh = std::max<int64_t>(vh_rows, 1);
    if constexpr (is_complex_v<T>) {
      gesdd_(job_, &m, &n, matrix, &m, values.data(), u.data(), &m, vh.data(), &ld_vh, work, lwork,
             reals_.data(), integers_.data(), &info);
    } else {
      gesdd_(job_, &m, &n, matrix, &m, values.data(), u.data(), &m, vh.data(), &ld_vh, work, lwork,
             integers_.data(), &info);
    }
    return info;
  }
  static void set_identity(std::vector<T>& x, int64_t size) {
    for (int64_t i = 0; i * (size + 1) < static_cast<int64_t>(x.size()); i++)
      x[i * (size + 1)] = T(1);
  }

  Routine<T> gesdd_{"gesdd"};
  const char* job_;

 public:
  std::vector<T> u, vh;
  std::vector<Real> values;

 private:
  std::vector<int64_t> integers_;
  std::vector<Real> reals_;
  std::vector<T> work_;
};

}  // namespace

void eval(SVD& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("svd", p.nan(), inputs[0], outputs);
  const char* job = p.part() == SVD::Part::values ? "N" : p.part() == SVD::Part::full ? "A" : "S";
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    batch.run(20 * product(a.rows, a.columns, std::min(a.rows, a.columns)), [&] {
      return [&, m = std::vector<T>(a.size()),
              svd = SingularValues<T>(job, a.rows, a.columns)](int64_t i) mutable {
        if (!a.read(i, m.data())) return Fault::not_finite;
        if (!svd(m.data())) return Fault::diverged;
        bool has_vectors = *job != 'N';
        std::copy(svd.values.begin(), svd.values.end(), batch.out<RealOf<T>>(has_vectors, i));
        if (!has_vectors) return Fault::none;
        write_matrix(svd.u.data(), svd.m, svd.m, svd.u_columns, batch.out<T>(0, i));
        write_matrix(svd.vh.data(), svd.vh_rows, svd.vh_rows, svd.n, batch.out<T>(2, i));
        return Fault::none;
      };
    });
  });
}

void eval(Pinv& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("pinv", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    using Real = RealOf<T>;
    Matrices<T> a(inputs[0]);
    Routine<T> gemm("gemm");
    const int64_t rows = a.rows, columns = a.columns;
    const Real cutoff =
        std::numeric_limits<Real>::epsilon() * static_cast<Real>(std::max(rows, columns));
    batch.run(20 * product(rows, columns, std::min(rows, columns)), [&] {
      return [&, m = std::vector<T>(a.size()),
              svd = SingularValues<T>("S", rows, columns)](int64_t i) mutable {
        if (!a.read(i, m.data())) return Fault::not_finite;
        if (!svd(m.data())) return Fault::diverged;
        if (svd.k == 0) return Fault::none;
        for (int64_t j = 0; j < svd.k; j++) {
          Real s = svd.values[j], factor = s > cutoff * svd.values[0] ? 1 / s : Real(0);
          for (int64_t c = 0; c < columns; c++) svd.vh[c * svd.k + j] *= factor;
        }
        const T one = 1, zero = 0;
        gemm("C", "C", &columns, &rows, &svd.k, &one, svd.vh.data(), &svd.k, svd.u.data(), &rows,
             &zero, m.data(), &columns);
        write_matrix(m.data(), columns, columns, rows, batch.out<T>(0, i));
        return Fault::none;
      };
    });
  });
}

namespace {

// The determinant of a unitary matrix, which is destroyed.
template <typename T>
auto phase_of(const Routine<T>& getrf, std::vector<T>& u, int64_t n, std::vector<int64_t>& pivots) {
  int64_t info = 0;
  getrf(&n, &n, u.data(), &n, pivots.data(), &info);
  return Determinant<T>(u.data(), n, pivots.data()).sign;
}

// factors[i]: the product of all values but the i-th.
template <typename Real>
void products_of_others(const std::vector<Real>& values, std::vector<double>& factors) {
  double before = 1, after = 1;
  for (size_t i = 0; i < values.size(); i++) {
    factors[i] = before;
    before *= values[i];
  }
  for (size_t i = values.size(); i-- > 0;) {
    factors[i] *= after;
    after *= values[i];
  }
}

}  // namespace

// A = U S V^H has the cofactors det(U) det(V^H) conj(U D V^H), D the products of the other values.
void write_cofactors(const array& in, LapackBatch& batch) {
  dispatch_lapack(in.dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(in);
    Routine<T> gemm("gemm"), getrf("getrf");
    const int64_t n = a.rows;
    batch.run(20 * product(n, n, n), [&] {
      return [&, m = std::vector<T>(a.size()), svd = SingularValues<T>("S", n, n),
              factors = std::vector<double>(n),
              pivots = std::vector<int64_t>(n)](int64_t i) mutable {
        if (!a.read(i, m.data())) return Fault::not_finite;
        if (!svd(m.data())) return Fault::diverged;
        if (n == 0) return Fault::none;
        products_of_others(svd.values, factors);
        std::vector<T> scaled = svd.vh;
        for (int64_t k = 0; k < n * n; k++) scaled[k] *= static_cast<RealOf<T>>(factors[k % n]);
        const T one = 1, zero = 0;
        gemm("N", "N", &n, &n, &n, &one, svd.u.data(), &n, scaled.data(), &n, &zero, m.data(), &n);
        auto phase = phase_of(getrf, svd.u, n, pivots) * phase_of(getrf, svd.vh, n, pivots);
        for (T& x : m) {
          if constexpr (is_complex_v<T>)
            x = std::conj(x) * std::complex<float>(phase);
          else
            x *= static_cast<T>(phase);
        }
        write_matrix(m.data(), n, n, n, batch.out<T>(0, i));
        return Fault::none;
      };
    });
  });
}

namespace {

// syevd and heevd; the matrix becomes its vectors.
template <typename T>
class HermitianValues {
 public:
  HermitianValues(bool upper, bool has_vectors, int64_t size)
      : n(size), values(n), job_(has_vectors ? "V" : "N"), uplo_(upper ? "U" : "L") {
    if (n == 0) return;
    T work = 0;
    RealOf<T> real = 0;
    int64_t integer = 0, query = -1, l = -1;
    call(nullptr, &work, &query, &real, &l, &integer, &l);
    work_.resize(work_size(work));
    reals_.resize(work_size(real));
    integers_.resize(std::max<int64_t>(integer, 1));
  }

  bool operator()(T* matrix) {
    if (n == 0) return true;
    int64_t lwork = static_cast<int64_t>(work_.size()), lreal = static_cast<int64_t>(reals_.size()),
            linteger = static_cast<int64_t>(integers_.size());
    return call(matrix, work_.data(), &lwork, reals_.data(), &lreal, integers_.data(), &linteger) ==
           0;
  }

  const int64_t n;
  std::vector<RealOf<T>> values;

 private:
  int64_t call(T* matrix, T* work, const int64_t* lwork, RealOf<T>* reals, const int64_t* lreal,
               int64_t* integers, const int64_t* linteger) {
    int64_t info = 0;
    if constexpr (is_complex_v<T>)
      syevd_(job_, uplo_, &n, matrix, &n, values.data(), work, lwork, reals, lreal, integers,
             linteger, &info);
    else
      syevd_(job_, uplo_, &n, matrix, &n, values.data(), work, lwork, integers, linteger, &info);
    return info;
  }

  Routine<T> syevd_{"syevd", "heevd"};
  const char *job_, *uplo_;
  std::vector<T> work_;
  std::vector<RealOf<T>> reals_;
  std::vector<int64_t> integers_;
};

}  // namespace

void eval(Eigh& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch(p.vectors() ? "eigh" : "eigvalsh", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    batch.run(9 * product(a.rows, a.rows, a.rows), [&] {
      return [&, m = std::vector<T>(a.size()),
              eigen = HermitianValues<T>(p.upper(), p.vectors(), a.rows)](int64_t i) mutable {
        if (!a.read(i, m.data(), triangle(p.upper()))) return Fault::not_finite;
        if (!eigen(m.data())) return Fault::diverged;
        std::copy(eigen.values.begin(), eigen.values.end(), batch.out<RealOf<T>>(0, i));
        if (p.vectors()) write_matrix(m.data(), a.rows, a.rows, a.rows, batch.out<T>(1, i));
        return Fault::none;
      };
    });
  });
}

namespace {

// geev. Real matrices give pairs of conjugate values, whose vectors share two real columns.
template <typename T>
class GeneralValues {
 public:
  GeneralValues(bool has_vectors, int64_t size)
      : n(size),
        first_(n),
        second_(n),
        reals_(is_complex_v<T> ? 2 * n : 0),
        vectors_(has_vectors ? n * n : 0) {
    if (n == 0) return;
    T answer = 0;
    int64_t query = -1;
    call(nullptr, &answer, &query);
    work_.resize(work_size(answer));
  }

  bool operator()(T* matrix) {
    int64_t lwork = static_cast<int64_t>(work_.size());
    return n == 0 || call(matrix, work_.data(), &lwork) == 0;
  }

  complex64_t value(int64_t j) const {
    if constexpr (is_complex_v<T>)
      return first_[j];
    else
      return complex64_t(static_cast<float>(first_[j]), static_cast<float>(second_[j]));
  }
  complex64_t element(int64_t r, int64_t j) const {
    if constexpr (is_complex_v<T>) {
      return vectors_[j * n + r];
    } else {
      bool is_later = second_[j] < 0;
      int64_t column = is_later ? j - 1 : j;
      if (second_[j] == 0) return complex64_t(static_cast<float>(vectors_[j * n + r]));
      float turn = static_cast<float>(vectors_[(column + 1) * n + r]);
      return complex64_t(static_cast<float>(vectors_[column * n + r]), is_later ? -turn : turn);
    }
  }

  const int64_t n;

 private:
  int64_t call(T* matrix, T* work, const int64_t* lwork) {
    int64_t info = 0, one = 1;
    const char* job = vectors_.empty() ? "N" : "V";
    if constexpr (is_complex_v<T>)
      geev_("N", job, &n, matrix, &n, first_.data(), work, &one, vectors_.data(), &n, work, lwork,
            reals_.data(), &info);
    else
      geev_("N", job, &n, matrix, &n, first_.data(), second_.data(), work, &one, vectors_.data(),
            &n, work, lwork, &info);
    return info;
  }

  Routine<T> geev_{"geev"};
  std::vector<T> first_, second_;
  std::vector<RealOf<T>> reals_;
  std::vector<T> vectors_, work_;
};

}  // namespace

void eval(Eig& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch(p.vectors() ? "eig" : "eigvals", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    const int64_t n = a.rows;
    batch.run(25 * product(n, n, n), [&] {
      return [&, m = std::vector<T>(a.size()),
              eigen = GeneralValues<T>(p.vectors(), n)](int64_t i) mutable {
        if (!a.read(i, m.data())) return Fault::not_finite;
        if (!eigen(m.data())) return Fault::diverged;
        for (int64_t j = 0; j < n; j++) batch.out<complex64_t>(0, i)[j] = eigen.value(j);
        if (!p.vectors()) return Fault::none;
        complex64_t* vectors = batch.out<complex64_t>(1, i);
        for (int64_t r = 0; r < n; r++) {
          for (int64_t j = 0; j < n; j++) vectors[r * n + j] = eigen.element(r, j);
        }
        return Fault::none;
      };
    });
  });
}

}  // namespace mlx::core::cpu
