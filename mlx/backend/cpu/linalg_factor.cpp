// LU and QR by LAPACK.

#include <numeric>

#include "mlx/backend/cpu/lapack.h"
#include "mlx/ops/linalg_primitives.h"

namespace mlx::core::cpu {

namespace {

// Keeps one triangle of a row-major matrix; `one` writes ones on the diagonal.
template <typename T>
void keep_triangle(T* m, int64_t rows, int64_t columns, bool upper, bool one) {
  for (int64_t r = 0; r < rows; r++) {
    T* row = m + r * columns;
    if (upper)
      std::fill(row, row + std::min(r, columns), T(0));
    else if (r < columns)
      std::fill(row + r + 1, row + columns, T(0));
    if (one && r < columns) row[r] = T(1);
  }
}

// places[i]: the row of the factors' product that is row i of the matrix.
void places_of(const int64_t* pivots, int64_t k, std::vector<uint32_t>& order, uint32_t* places) {
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = 0; i < k; i++) std::swap(order[i], order[pivots[i] - 1]);
  for (size_t i = 0; i < order.size(); i++) places[order[i]] = static_cast<uint32_t>(i);
}

}  // namespace

void eval(LU& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch(p.packed() ? "lu_factor" : "lu", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    Routine<T> getrf("getrf");
    const int64_t m = a.rows, n = a.columns, k = std::min(m, n);
    batch.run(product(m, n, k), [&] {
      return [&, f = std::vector<T>(a.size()), pivots = std::vector<int64_t>(k),
              order = std::vector<uint32_t>(m)](int64_t i) mutable {
        int64_t info = 0;
        if (!a.read(i, f.data())) return Fault::not_finite;
        if (k > 0) getrf(&m, &n, f.data(), &m, pivots.data(), &info);
        if (p.packed()) {
          write_matrix(f.data(), m, m, n, batch.out<T>(0, i));
          for (int64_t j = 0; j < k; j++)
            batch.out<uint32_t>(1, i)[j] = static_cast<uint32_t>(pivots[j] - 1);
          return Fault::none;
        }
        places_of(pivots.data(), k, order, batch.out<uint32_t>(0, i));
        write_matrix(f.data(), m, m, k, batch.out<T>(1, i));
        keep_triangle(batch.out<T>(1, i), m, k, false, true);
        write_matrix(f.data(), m, k, n, batch.out<T>(2, i));
        keep_triangle(batch.out<T>(2, i), k, n, true, false);
        return Fault::none;
      };
    });
  });
}

namespace {

template <typename T>
struct QrRoutines {
  Routine<T> geqrf{"geqrf"}, orgqr{"orgqr", "ungqr"};
  int64_t m, n, k, lwork = -1;  // values of work; nothing is called for empty matrices

  QrRoutines(int64_t rows, int64_t columns) : m(rows), n(columns), k(std::min(rows, columns)) {
    if (k == 0) return;
    T first = 0, second = 0;
    int64_t info = 0, ld = std::max<int64_t>(m, 1);
    geqrf(&m, &n, &first, &ld, &first, &first, &lwork, &info);
    orgqr(&m, &k, &k, &second, &ld, &second, &second, &lwork, &info);
    lwork = std::max({work_size(first), work_size(second), n});
  }
};

}  // namespace

void eval(QR& p, InputSpan inputs, OutputSpan outputs) {
  LapackBatch batch("qr", p.nan(), inputs[0], outputs);
  dispatch_lapack(inputs[0].dtype(), [&]<typename T>(TypeTag<T>) {
    Matrices<T> a(inputs[0]);
    QrRoutines<T> lapack(a.rows, a.columns);
    const int64_t m = a.rows, n = a.columns, k = lapack.k;
    batch.run(4 * product(m, n, k), [&] {
      return [&, f = std::vector<T>(a.size()), tau = std::vector<T>(k),
              work = std::vector<T>(std::max<int64_t>(lapack.lwork, 0))](int64_t i) mutable {
        int64_t info = 0;
        if (!a.read(i, f.data())) return Fault::not_finite;
        if (k == 0) return Fault::none;  // both factors are empty
        lapack.geqrf(&m, &n, f.data(), &m, tau.data(), work.data(), &lapack.lwork, &info);
        write_matrix(f.data(), m, k, n, batch.out<T>(1, i));
        keep_triangle(batch.out<T>(1, i), k, n, true, false);
        lapack.orgqr(&m, &k, &k, f.data(), &m, tau.data(), work.data(), &lapack.lwork, &info);
        write_matrix(f.data(), m, m, k, batch.out<T>(0, i));
        return Fault::none;
      };
    });
  });
}

}  // namespace mlx::core::cpu
