// Opening OpenBLAS and complex products through it. Without the library the products are skipped.
#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "mlx/backend/cpu/openblas.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {
namespace {

using Complex = std::complex<float>;

bool have_openblas() {
  try {
    openblas_symbol("cgemm");
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::vector<Complex> random_values(int64_t count, uint32_t seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<Complex> v(count);
  for (auto& x : v) x = {value(gen), value(gen)};
  return v;
}

struct Strides {
  int64_t row, col, offset;
};

// Row-major, column-major, reversed, spread, broadcast rows.
Strides layout(int kind, int64_t rows, int64_t cols) {
  switch (kind) {
    case 0:
      return {cols, 1, 0};
    case 1:
      return {1, rows, 0};
    case 2:
      return {-cols, -1, std::max<int64_t>(rows * cols - 1, 0)};
    case 3:
      return {2 * cols + 1, 2, 0};
    default:
      return {0, 1, 0};
  }
}

void check(int64_t m, int64_t n, int64_t k, int a_kind, int b_kind, bool out_turned) {
  Strides as = layout(a_kind, m, k), bs = layout(b_kind, k, n);
  std::vector<Complex> a = random_values((m + 1) * (2 * k + 2), 1),
                       b = random_values((k + 1) * (2 * n + 2), 2);
  std::vector<Complex> out(m * n, Complex(7, 7));
  GemmProblem p;
  p.m = m, p.n = n, p.k = k;
  p.a = {a.data() + as.offset, as.row, as.col};
  p.b = {b.data() + bs.offset, bs.row, bs.col};
  p.out = out.data();
  p.out_row_stride = out_turned ? 1 : n;
  p.out_col_stride = out_turned ? m : 1;
  complex_gemm(p);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      std::complex<double> sum = 0;
      double sizes = 0;
      for (int64_t x = 0; x < k; ++x) {
        sum += std::complex<double>(a[as.offset + i * as.row + x * as.col]) *
               std::complex<double>(b[bs.offset + x * bs.row + j * bs.col]);
        sizes += std::abs(a[as.offset + i * as.row + x * as.col]) *
                 std::abs(b[bs.offset + x * bs.row + j * bs.col]);
      }
      Complex got = out[i * p.out_row_stride + j * p.out_col_stride];
      ASSERT_LE(std::abs(std::complex<double>(got) - sum), 0x1p-23 * double(k + 2) * sizes)
          << m << " " << n << " " << k << " kinds " << a_kind << b_kind << " at " << i << " " << j;
    }
  }
}

TEST(OpenBlas, ComplexProductsOfAllLayouts) {
  if (!have_openblas()) GTEST_SKIP() << "OpenBLAS is not here";
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < 5; ++b) {
      for (bool turned : {false, true}) {
        check(7, 5, 9, a, b, turned);
        check(1, 4, 3, a, b, turned);
        check(4, 1, 3, a, b, turned);
        check(3, 4, 1, a, b, turned);
        check(1, 1, 1, a, b, turned);
        check(3, 2, 0, a, b, turned);
      }
    }
  }
  check(300, 200, 150, 0, 1, false);
}

TEST(OpenBlas, BatchesAndThreads) {
  if (!have_openblas()) GTEST_SKIP() << "OpenBLAS is not here";
  int before = num_threads();
  constexpr int64_t M = 210, N = 190, K = 170;
  int64_t shape[] = {3}, as[] = {M * K}, bs[] = {0}, os[] = {M * N};
  std::vector<Complex> a = random_values(3 * M * K, 1), b = random_values(K * N, 2), first;
  for (int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    std::vector<Complex> out(3 * M * N);
    GemmProblem p;
    p.m = M, p.n = N, p.k = K;
    p.a = {a.data(), K, 1}, p.b = {b.data(), N, 1}, p.out = out.data(), p.out_row_stride = N;
    p.batch_ndim = 1, p.batch_shape = shape;
    p.a_batch_strides = as, p.b_batch_strides = bs, p.out_batch_strides = os;
    complex_gemm(p);
    if (first.empty()) first = out;
    EXPECT_EQ(first, out) << threads;
  }
  std::vector<Complex> single(M * N);
  GemmProblem p;
  p.m = M, p.n = N, p.k = K;
  p.a = {a.data() + M * K, K, 1}, p.b = {b.data(), N, 1}, p.out = single.data(), p.out_row_stride = N;
  complex_gemm(p);
  EXPECT_TRUE(std::equal(single.begin(), single.end(), first.begin() + M * N));
  set_num_threads(before);
}

TEST(OpenBlas, WrongArgumentsAreSilent) {
  if (!have_openblas()) GTEST_SKIP() << "OpenBLAS is not here";
  auto cgemm = reinterpret_cast<CgemmFunction>(openblas_symbol("cgemm"));
  int64_t bad = -1, one = 1;
  Complex x[1] = {}, y[1] = {Complex(3, 4)};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  cgemm("N", "N", &bad, &one, &one, x, x, &one, x, &one, x, y, &one, 1, 1);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(y[0], Complex(3, 4));
}

TEST(OpenBlas, UnknownFunction) {
  if (!have_openblas()) GTEST_SKIP() << "OpenBLAS is not here";
  EXPECT_THROW(openblas_symbol("no_such_function"), std::runtime_error);
}

// In a process of its own: the library is opened once.
TEST(OpenBlasDeathTest, MissingLibrarySaysWhatToDo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("MLX_OPENBLAS_PATH", "/nowhere/libnothing.so", 1);
        std::string text;
        for (int i = 0; i < 2; ++i) {  // the second call raises too
          try {
            openblas_symbol("cgemm");
          } catch (const std::runtime_error& e) {
            text += e.what();
          }
        }
        fprintf(stderr, "%s", text.c_str());
        exit(text.find("scipy-openblas64") != text.rfind("scipy-openblas64") ? 0 : 1);
      },
      testing::ExitedWithCode(0), "/nowhere/libnothing.so");
}

}  // namespace
}  // namespace mlx::core::cpu
