// Cholesky, Inverse, Solve, SolveTriangular and Det by LAPACK.

#include <complex>

#include "mlx/backend/cpu/lapack.h"
#include "mlx/ops/linalg_primitives.h"

namespace mlx::core::cpu {

namespace {

double cube(int64_t n) { return product(n, n, n); }

const char* uplo(bool upper) { return upper ? "U" : "L"; }

}  // namespace

void eval(Cholesky& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("cholesky", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    Routine<T> potrf("potrf");
    const int64_t n = a.rows;
    batch.run(cube(n) / 3, [&] {
      return [&, m = std::vector<T>(a.size())](int64_t i) mutable {
        int64_t info = 0;
        if (!a.read(i, m.data(), triangle(p.upper()))) return Fault::not_finite;
        if (n > 0) potrf(uplo(p.upper()), &n, m.data(), &n, &info);
        if (info != 0) return Fault::indefinite;
        write_matrix(m.data(), n, n, n, batch.out<T>(0, i));
        return Fault::none;
      };
    });
  });
}

namespace {

template <typename T>
struct Inverter {
  Routine<T> getrf{"getrf"}, getri{"getri"};
  int64_t n, lwork = -1;

  explicit Inverter(int64_t size) : n(size) {
    T best = 0;
    int64_t info = 0, ld = std::max<int64_t>(n, 1);
    getri(&n, &best, &ld, &info, &best, &lwork, &info);
    lwork = std::max(work_size(best), ld);
  }
  int64_t operator()(T* m, int64_t* pivots, T* work) const {
    int64_t info = 0;
    getrf(&n, &n, m, &n, pivots, &info);
    if (info == 0) getri(&n, m, &n, pivots, work, &lwork, &info);
    return info;
  }
};

}  // namespace

void eval(Inverse& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch(p.triangular() ? "tri_inv" : "inv", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    Routine<T> trtri("trtri");
    const int64_t n = a.rows;
    Inverter<T> invert(n);
    batch.run(2 * cube(n), [&] {
      return [&, m = std::vector<T>(a.size()), work = std::vector<T>(invert.lwork),
              pivots = std::vector<int64_t>(n)](int64_t i) mutable {
        int64_t info = 0;
        if (!a.read(i, m.data(), p.triangular() ? triangle(p.upper()) : Part::all))
          return Fault::not_finite;
        if (n > 0 && p.triangular()) trtri(uplo(p.upper()), "N", &n, m.data(), &n, &info);
        if (n > 0 && !p.triangular()) info = invert(m.data(), pivots.data(), work.data());
        if (info != 0) return Fault::singular;
        write_matrix(m.data(), n, n, n, batch.out<T>(0, i));
        return Fault::none;
      };
    });
  });
}

namespace {

// solve(matrix, right-hand side, pivots) works in place and returns LAPACK's info.
template <typename T, typename F>
void solve_batch(LapackBatch& batch, InputSpan inputs, Part part, F solve) {
  Matrices<T> a(inputs[0]), b(inputs[1]);
  const int64_t n = a.rows;
  double flops = cube(n) + 2.0 * static_cast<double>(n) * static_cast<double>(b.size());
  batch.run(flops, [&] {
    return [&, m = std::vector<T>(a.size()), x = std::vector<T>(b.size()),
            pivots = std::vector<int64_t>(n)](int64_t i) mutable {
      if (!a.read(i, m.data(), part)) return Fault::not_finite;
      b.read(i, x.data());
      if (b.size() > 0 && solve(&n, &b.columns, m.data(), x.data(), pivots.data()) != 0)
        return Fault::singular;
      write_matrix(x.data(), n, n, b.columns, batch.out<T>(0, i));
      return Fault::none;
    };
  });
}

}  // namespace

void eval(Solve& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("solve", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Routine<T> gesv("gesv");
    solve_batch<T>(batch, inputs, Part::all,
                   [&](const int64_t* n, const int64_t* k, T* m, T* x, int64_t* pivots) {
                     int64_t info = 0;
                     gesv(n, k, m, n, pivots, x, n, &info);
                     return info;
                   });
  });
}

void eval(SolveTriangular& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("solve_triangular", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Routine<T> trtrs("trtrs");
    auto solve = [&](const int64_t* n, const int64_t* k, T* m, T* x, int64_t*) {
      int64_t info = 0;
      trtrs(uplo(p.upper()), "N", "N", n, k, m, n, x, n, &info);
      return info;
    };
    solve_batch<T>(batch, inputs, triangle(p.upper()), solve);
  });
}

void eval(Det& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("det", true, inputs[0], outputs);
  if (p.part() == Det::Part::cofactors) return write_cofactors(inputs[0], batch);
  bool is_log = p.part() == Det::Part::log;
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    Routine<T> getrf("getrf");
    const int64_t n = a.rows;
    batch.run(cube(n), [&] {
      return
          [&, m = std::vector<T>(a.size()), pivots = std::vector<int64_t>(n)](int64_t i) mutable {
            int64_t info = 0;
            if (!a.read(i, m.data())) return Fault::not_finite;
            if (n > 0) getrf(&n, &n, m.data(), &n, pivots.data(), &info);
            Determinant<T> d(m.data(), n, pivots.data());
            using Narrow = std::conditional_t<is_complex_v<T>, std::complex<float>, T>;
            *batch.out<T>(0, i) = static_cast<Narrow>(is_log ? d.sign : d.product);
            if (is_log) *batch.out<RealOf<T>>(1, i) = static_cast<RealOf<T>>(d.log_size);
            return Fault::none;
          };
    });
  });
}

}  // namespace mlx::core::cpu
