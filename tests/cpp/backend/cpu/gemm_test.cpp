// Products are compared bit by bit with a scalar evaluation in the promised order of summation: that covers layouts,
// tiles, paths, batches and thread counts at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "mlx/backend/cpu/gemm.h"
#include "mlx/core/thread_pool.h"
#include "tests/cpp/backend/cpu/gemm_levels.h"

namespace mlx::core::cpu {
namespace {

enum class Layout { rows, cols, reversed, broadcast, spread };
constexpr Layout ALL_LAYOUTS[] = {Layout::rows, Layout::cols, Layout::reversed, Layout::broadcast, Layout::spread};

struct Operand {
  std::vector<char> data;
  GemmType type;
  int64_t offset, rs, cs;
  MatmulOperand get() const { return {data.data() + offset * item_bytes(type), rs, cs}; }
  double operator()(int64_t r, int64_t c) const { return read_item(type, data.data(), offset + r * rs + c * cs); }
};

Operand make_operand(GemmType t, Layout layout, int64_t rows, int64_t cols, uint32_t seed) {
  Operand o{{}, t, 0, cols, 1};
  int64_t count = rows * cols;
  switch (layout) {
    case Layout::rows: break;
    case Layout::cols: o.rs = 1, o.cs = rows; break;
    case Layout::reversed: o.rs = -cols, o.cs = -1, o.offset = std::max<int64_t>(count - 1, 0); break;
    case Layout::broadcast: o.rs = 0, count = cols; break;
    case Layout::spread: o.rs = 3 * cols + 5, o.cs = 3, count = rows * o.rs; break;
  }
  o.data = random_items(t, std::max<int64_t>(count, 1), seed);
  return o;
}

struct Case {
  GemmType type;
  int64_t m, n, k;
  Layout a, b;
};

double expected_sum(const Case& c, bool fused, const Operand& a, const Operand& b, int64_t i, int64_t j) {
  auto value = [&](int64_t x) { return std::pair<double, double>(a(i, x), b(x, j)); };
  if (c.type == GemmType::float64) return ordered_sum<double>(c.k, fused, value);
  return ordered_sum<float>(c.k, fused, value);
}

uint64_t bits_of(GemmType t, const void* base, int64_t i) {
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(base) + i * item_bytes(t), item_bytes(t));
  return bits;
}

std::string describe(const Level& level, const Case& c) {
  return level.name + " type " + std::to_string(int(c.type)) + " m " + std::to_string(c.m) + " n " +
         std::to_string(c.n) + " k " + std::to_string(c.k) + " layouts " + std::to_string(int(c.a)) +
         std::to_string(int(c.b));
}

// Output rows are three elements longer than the product; the rest must stay untouched.
void check(const Level& level, const Case& c) {
  SCOPED_TRACE(describe(level, c));
  Operand a = make_operand(c.type, c.a, c.m, c.k, 1), b = make_operand(c.type, c.b, c.k, c.n, 2);
  int64_t ld = c.n + 3;
  std::vector<char> out = random_items(c.type, c.m * ld, 3), before = out;
  GemmProblem p;
  p.type = c.type;
  p.m = c.m, p.n = c.n, p.k = c.k;
  p.a = a.get(), p.b = b.get();
  p.out = out.data(), p.out_row_stride = ld;
  gemm(p, *level.kernels);
  std::vector<char> want = before;
  for (int64_t i = 0; i < c.m; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      write_item(c.type, want.data(), i * ld + j, expected_sum(c, level.fused, a, b, i, j));
    }
  }
  for (int64_t i = 0; i < c.m * ld; ++i) {
    ASSERT_EQ(bits_of(c.type, out.data(), i), bits_of(c.type, want.data(), i))
        << "row " << i / ld << " column " << i % ld << ": " << read_item(c.type, out.data(), i) << " instead of "
        << read_item(c.type, want.data(), i);
  }
}

std::vector<int64_t> edge_sizes() {
  std::vector<int64_t> sizes{127, 128, 129, 130, 255, 256, 257};
  for (int64_t s = 0; s <= 70; ++s) sizes.push_back(s);
  return sizes;
}

class GemmTypes : public testing::TestWithParam<GemmType> {};
INSTANTIATE_TEST_SUITE_P(All, GemmTypes, testing::ValuesIn(ALL_GEMM_TYPES));

TEST_P(GemmTypes, SizesAroundTheEdges) {
  std::mt19937 gen(7);
  auto small = [&] { return int64_t(gen() % 40); };
  for (const Level& level : runnable_levels()) {
    for (int64_t s : edge_sizes()) {
      Layout a = ALL_LAYOUTS[gen() % 2], b = ALL_LAYOUTS[gen() % 2];
      check(level, {GetParam(), s, small(), small(), a, b});
      check(level, {GetParam(), small(), s, small(), a, b});
      check(level, {GetParam(), small(), small(), s, a, b});
    }
  }
}

TEST_P(GemmTypes, EveryPairOfLayouts) {
  for (const Level& level : runnable_levels()) {
    for (Layout a : ALL_LAYOUTS) {
      for (Layout b : ALL_LAYOUTS) {
        for (auto [m, n, k] : {std::array<int64_t, 3>{33, 41, 50}, {1, 70, 300}, {70, 1, 19}, {5, 3, 7}, {130, 20, 2}}) {
          check(level, {GetParam(), m, n, k, a, b});
        }
      }
    }
  }
}

TEST_P(GemmTypes, LongSums) {
  for (const Level& level : runnable_levels()) {
    for (int64_t k : {255, 256, 257, 511, 513, 2047, 2048, 2049, 4096, 4100, 6200}) {
      check(level, {GetParam(), 7, 35, k, Layout::rows, Layout::cols});
      check(level, {GetParam(), 3, 2, k, Layout::cols, Layout::rows});
    }
    // Long enough for the split over k.
    check(level, {GetParam(), 9, 33, 40000, Layout::cols, Layout::rows});
  }
}

TEST_P(GemmTypes, LargeEnoughForASharedPackedB) {
  for (const Level& level : runnable_levels()) {
    check(level, {GetParam(), 301, 299, 263, Layout::rows, Layout::rows});
    check(level, {GetParam(), 500, 512, 70, Layout::cols, Layout::cols});
  }
}

struct Batched {
  GemmProblem p;
  Operand a, b, cin;
  std::vector<char> out;
};

// A batch of 2 x 3 with b broadcast along the first batch dimension.
Batched batched_run(GemmType t, int64_t m, int64_t n, int64_t k, const int64_t* shape, const int64_t* as,
                const int64_t* bs, const int64_t* os) {
  Batched r;
  int64_t count = shape[0] * shape[1];
  r.a = make_operand(t, Layout::rows, m * count, k, 11);
  r.b = make_operand(t, Layout::rows, k * count, n, 12);
  r.out.resize(count * m * n * item_bytes(t));
  r.p.type = t;
  r.p.m = m, r.p.n = n, r.p.k = k;
  r.p.a = r.a.get(), r.p.b = r.b.get();
  r.p.out = r.out.data(), r.p.out_row_stride = n;
  r.p.batch_ndim = 2, r.p.batch_shape = shape;
  r.p.a_batch_strides = as, r.p.b_batch_strides = bs, r.p.out_batch_strides = os;
  return r;
}

TEST_P(GemmTypes, BatchesEqualSingleProducts) {
  GemmType t = GetParam();
  for (auto [m, n, k] : {std::array<int64_t, 3>{4, 5, 6}, {1, 33, 300}, {40, 1, 20}, {17, 70, 33}, {260, 257, 258}}) {
    int64_t shape[] = {2, 3};
    int64_t dense_a[] = {3 * m * k, m * k}, dense_b[] = {3 * k * n, k * n}, out_strides[] = {3 * m * n, m * n};
    int64_t common[] = {0, 0}, first[] = {0, k * n};
    for (const int64_t* b_strides : {dense_b, common, first}) {
      for (const int64_t* a_strides : {dense_a, common}) {
        Batched r = batched_run(t, m, n, k, shape, a_strides, b_strides, out_strides);
        gemm(r.p);
        std::vector<char> single(m * n * item_bytes(t));
        for (int64_t i = 0; i < 6; ++i) {
          GemmProblem q = r.p;
          q.batch_ndim = 0;
          int64_t x = i / 3, y = i % 3;
          q.a.data = r.a.data.data() + (x * a_strides[0] + y * a_strides[1]) * item_bytes(t);
          q.b.data = r.b.data.data() + (x * b_strides[0] + y * b_strides[1]) * item_bytes(t);
          q.out = single.data();
          gemm(q);
          ASSERT_EQ(0, std::memcmp(single.data(), r.out.data() + i * single.size(), single.size()))
              << m << " " << n << " " << k << " element " << i;
        }
      }
    }
  }
}

TEST_P(GemmTypes, AlphaBetaAndAddend) {
  GemmType t = GetParam();
  for (const Level& level : runnable_levels()) {
    for (auto [m, n, k] : {std::array<int64_t, 3>{19, 37, 23}, {50, 2, 5}, {3, 4, 0}, {1, 1, 1}}) {
      Case c{t, m, n, k, Layout::rows, Layout::cols};
      Operand a = make_operand(t, c.a, m, k, 1), b = make_operand(t, c.b, k, n, 2);
      for (Layout cin_layout : ALL_LAYOUTS) {
        Operand cin = make_operand(t, cin_layout, m, n, 5);
        for (bool turned : {false, true}) {
          std::vector<char> out(m * n * item_bytes(t));
          GemmProblem p;
          p.type = t, p.m = m, p.n = n, p.k = k;
          p.a = a.get(), p.b = b.get(), p.cin = cin.get();
          p.alpha = 0.7, p.beta = -1.3;
          p.out = out.data(), p.out_row_stride = turned ? 1 : n, p.out_col_stride = turned ? m : 1;
          gemm(p, *level.kernels);
          std::vector<char> want(out.size());
          for (int64_t i = 0; i < m; ++i) {
            for (int64_t j = 0; j < n; ++j) {
              double sum = expected_sum(c, level.fused, a, b, i, j), addend = cin(i, j);
              double v = 0.7 * sum + -1.3 * addend;
              if (t != GemmType::float64) {
                float scaled = 0.7f * float(sum), added = -1.3f * float(addend);
                v = scaled + added;
              }
              write_item(t, want.data(), i * p.out_row_stride + j * p.out_col_stride, v);
            }
          }
          ASSERT_EQ(0, std::memcmp(out.data(), want.data(), out.size())) << describe(level, c);
        }
      }
    }
  }
}

struct Collected {
  GemmType type;
  int64_t m, n;
  std::vector<char> out;
  std::vector<std::atomic<int>> seen;
};

void collect(void* context, int64_t batch, int64_t row0, int64_t col0, int64_t rows, int64_t cols, const void* acc,
             int64_t stride) {
  auto& c = *static_cast<Collected*>(context);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      double v = c.type == GemmType::float64 ? static_cast<const double*>(acc)[i * stride + j]
                                             : static_cast<const float*>(acc)[i * stride + j];
      int64_t place = (batch * c.m + row0 + i) * c.n + col0 + j;
      write_item(c.type, c.out.data(), place, v);
      ++c.seen[place];
    }
  }
}

TEST_P(GemmTypes, EpilogueSeesEveryElementOnce) {
  GemmType t = GetParam();
  for (auto [m, n, k] : {std::array<int64_t, 3>{19, 37, 23}, {300, 2, 5}, {300, 290, 200}, {8, 8, 50000}, {5, 6, 0}}) {
    int64_t shape[] = {1, 2}, as[] = {0, m * k}, bs[] = {0, k * n}, os[] = {0, m * n};
    Batched r = batched_run(t, m, n, k, shape, as, bs, os);
    gemm(r.p);
    Collected c{t, m, n, std::vector<char>(r.out.size()), std::vector<std::atomic<int>>(2 * m * n)};
    r.p.epilogue = {collect, &c};
    r.p.out = nullptr;
    r.p.out_batch_strides = nullptr;
    gemm(r.p);
    EXPECT_TRUE(std::all_of(c.seen.begin(), c.seen.end(), [](const std::atomic<int>& s) { return s == 1; }));
    EXPECT_EQ(c.out, r.out) << m << " " << n << " " << k;
  }
}

TEST_P(GemmTypes, ThreadCountLeavesNoTrace) {
  GemmType t = GetParam();
  int before = num_threads();
  for (const Level& level : runnable_levels()) {
    for (auto [m, n, k] : {std::array<int64_t, 3>{301, 299, 257}, {1, 3000, 500}, {64, 65, 20000}, {900, 10, 128}}) {
      std::vector<char> first;
      for (int threads : {1, 2, 3, 7}) {
        set_num_threads(threads);
        int64_t shape[] = {1, 1}, zero[] = {0, 0};
        Batched r = batched_run(t, m, n, k, shape, zero, zero, zero);
        gemm(r.p, *level.kernels);
        if (first.empty()) first = r.out;
        ASSERT_EQ(first, r.out) << level.name << " " << threads << " threads";
      }
    }
  }
  set_num_threads(before);
}

TEST_P(GemmTypes, NanAndInfinityStayInTheirRowsAndColumns) {
  GemmType t = GetParam();
  constexpr int64_t M = 37, N = 45, K = 40;
  for (const Level& level : runnable_levels()) {
    Operand a = make_operand(t, Layout::rows, M, K, 1), b = make_operand(t, Layout::rows, K, N, 2);
    write_item(t, a.data.data(), 36 * K + 39, std::numeric_limits<float>::quiet_NaN());
    write_item(t, b.data.data(), 0 * N + 44, std::numeric_limits<float>::infinity());
    std::vector<char> out(M * N * item_bytes(t));
    GemmProblem p;
    p.type = t, p.m = M, p.n = N, p.k = K, p.a = a.get(), p.b = b.get();
    p.out = out.data(), p.out_row_stride = N;
    gemm(p, *level.kernels);
    for (int64_t i = 0; i < M; ++i) {
      for (int64_t j = 0; j < N; ++j) {
        double v = read_item(t, out.data(), i * N + j);
        if (i == 36) {
          EXPECT_TRUE(std::isnan(v));
        } else if (j == 44) {
          EXPECT_TRUE(std::isinf(v)) << i;
          EXPECT_EQ(std::signbit(v), std::signbit(a(i, 0)));
        } else {
          EXPECT_TRUE(std::isfinite(v)) << i << " " << j;
        }
      }
    }
  }
}

// x times 1 for every half-width bit pattern, and sums that land between two of them.
TEST(Gemm, HalfTypesConvertEveryPattern) {
  for (GemmType t : {GemmType::float16, GemmType::bfloat16}) {
    for (const Level& level : runnable_levels()) {
      std::vector<uint16_t> all(65536), out(65536);
      for (int i = 0; i < 65536; ++i) all[i] = uint16_t(i);
      uint16_t one;
      write_item(t, &one, 0, 1.0);
      GemmProblem p;
      p.type = t, p.m = 65536, p.n = 1, p.k = 1;
      p.a = {all.data(), 1, 1}, p.b = {&one, 1, 1};
      p.out = out.data(), p.out_row_stride = 1;
      gemm(p, *level.kernels);
      for (int i = 0; i < 65536; ++i) {
        double v = read_item(t, all.data(), i), got = read_item(t, out.data(), i);
        ASSERT_TRUE(std::isnan(v) ? std::isnan(got) : v == got) << level.name << " " << i;
      }
      std::vector<uint16_t> pairs(2 * 65536), ones{one, one};
      std::mt19937 gen(5);
      for (auto& x : pairs) x = uint16_t(gen());
      p.k = 2, p.a = {pairs.data(), 2, 1}, p.b = {ones.data(), 1, 1};
      gemm(p, *level.kernels);
      for (int i = 0; i < 65536; ++i) {
        float sum = float(read_item(t, pairs.data(), 2 * i)) + float(read_item(t, pairs.data(), 2 * i + 1));
        uint16_t want;
        write_item(t, &want, 0, sum);
        ASSERT_TRUE(std::isnan(sum) ? std::isnan(read_item(t, out.data(), i)) : read_item(t, &want, 0) == read_item(t, out.data(), i))
            << level.name << " " << i << " " << sum;
      }
    }
  }
}

TEST(Gemm, SeveralCallersAtOnce) {
  Case c{GemmType::float32, 200, 210, 190, Layout::rows, Layout::cols};
  Operand a = make_operand(c.type, c.a, c.m, c.k, 1), b = make_operand(c.type, c.b, c.k, c.n, 2);
  auto product = [&] {
    std::vector<char> out(c.m * c.n * 4);
    GemmProblem p;
    p.m = c.m, p.n = c.n, p.k = c.k, p.a = a.get(), p.b = b.get(), p.out = out.data(), p.out_row_stride = c.n;
    gemm(p);
    return out;
  };
  std::vector<char> want = product();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int r = 0; r < 20; ++r) wrong += product() != want;
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Gemm, EmptyShapesWriteNothing) {
  float out = 5;
  GemmProblem p;
  p.out = &out;
  p.out_row_stride = 1;
  for (auto [m, n] : {std::pair<int64_t, int64_t>{0, 3}, {3, 0}, {0, 0}}) {
    p.m = m, p.n = n, p.k = 4;
    gemm(p);
  }
  p.m = p.n = 1;
  int64_t shape[] = {3, 0}, strides[] = {0, 0};
  p.batch_ndim = 2, p.batch_shape = shape;
  p.a_batch_strides = p.b_batch_strides = p.out_batch_strides = strides;
  gemm(p);
  EXPECT_EQ(out, 5);
}

TEST(Gemm, TypesWithoutKernelAreRefused) {
  EXPECT_EQ(gemm_type(12), GemmType::bfloat16);
  EXPECT_THROW(gemm_type(7), std::invalid_argument);
  EXPECT_THROW(gemm_type(13), std::invalid_argument);
}

}  // namespace
}  // namespace mlx::core::cpu
