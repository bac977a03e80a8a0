// Kernels of reductions and row programs: every instruction-set level gives the bits of the lowest one.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "isa_reference.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/dtype.h"

using namespace mlx::core;
using namespace mlx::core::cpu;
using mlx::core::testing::reference_level;

namespace {

// Random elements of a dtype: small values for floats, any bits for integers.
std::vector<char> random_elements(int dtype, int64_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  size_t size = dtype_from_index(dtype).size();
  std::vector<char> bytes(static_cast<size_t>(n) * size);
  for (int64_t i = 0; i < n; i++) {
    float f = static_cast<float>(normal(generator)), pair[2] = {f, static_cast<float>(normal(generator))};
    double d = normal(generator);
    uint64_t u = generator();
    const void* from = &u;
    if (dtype == static_cast<int>(Dtype::Val::float32)) from = &f;
    if (dtype == static_cast<int>(Dtype::Val::float64)) from = &d;
    if (dtype == static_cast<int>(Dtype::Val::complex64)) from = pair;
    std::memcpy(&bytes[static_cast<size_t>(i) * size], from, size);
  }
  return bytes;
}

struct NamedKernel {
  std::string name;
  int dtype;
  const ReduceKernel* kernel;
};
std::vector<NamedKernel> reduce_kernels(const Kernels& k) {
  std::vector<NamedKernel> out;
  for (int d = 0; d < kNumDtypes; d++) {
    const ReduceKernels& r = k.reduce;
    std::pair<const char*, const ReduceKernel*> entries[] = {
        {"sum", &r.sum[d]}, {"prod", &r.prod[d]},         {"min", &r.min[d]},
        {"max", &r.max[d]}, {"variance", &r.variance[d]}, {"logsumexp", &r.logsumexp[d]}};
    for (auto [name, kernel] : entries) {
      if (kernel->rows) out.push_back({std::string(name) + " of dtype " + std::to_string(d), d, kernel});
    }
  }
  out.push_back({"all", 0, &k.reduce.all});
  out.push_back({"any", 0, &k.reduce.any});
  return out;
}

// 3 rows of n elements reduced along rows and columns, then merged.
std::string run(const ReduceKernel& k, const std::vector<char>& x, int64_t n) {
  std::string out;
  for (bool columns : {false, true}) {
    int64_t results = columns ? n : 3;
    size_t bytes = static_cast<size_t>(results * k.planes * k.size);
    std::vector<double> acc(bytes / 8 + 1), other(bytes / 8 + 1);
    k.init(acc.data(), results, results);
    k.init(other.data(), results, results);
    if (columns) {
      k.columns(x.data(), 3, n, n, acc.data(), results);
      k.columns(x.data(), 2, n, n, other.data(), results);
    } else {
      k.rows(x.data(), 3, n, n, acc.data(), results);
      k.rows(x.data(), 3, n, (n + 1) / 2, other.data(), results);
    }
    k.merge(other.data(), results, acc.data(), results, results);
    std::string finished(static_cast<size_t>(results) * 16, '\0');
    k.finish(acc.data(), results, results, 3.0, finished.data());
    out += finished;
  }
  return out;
}

const int64_t lengths[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 70, 127, 130, 1000, 5000};

TEST(IsaReduce, LevelsGiveTheSameBits) {
  std::vector<NamedKernel> base = reduce_kernels(*kernels_of("base"));
  ASSERT_GE(base.size(), 30u);
  for (size_t i = 0; i < base.size(); i++) {
    std::string_view lowest = reference_level(base[i].name.find("logsumexp") != 0);
    for (std::string_view level : supported_levels()) {
      if (level == "base" && lowest != level) continue;
      ReduceKernel here = *reduce_kernels(*kernels_of(level))[i].kernel,
                   reference = *reduce_kernels(*kernels_of(lowest))[i].kernel;
      for (int64_t n : lengths) {
        std::vector<char> x = random_elements(base[i].dtype, 3 * n, static_cast<unsigned>(n));
        if (base[i].dtype == 0) {
          for (char& c : x) c &= 1;
        }
        EXPECT_TRUE(run(here, x, n) == run(reference, x, n)) << level << " " << base[i].name << " " << n;
      }
    }
  }
}

std::string run_softmax(const RowKernels& k, int dtype, int64_t n) {
  std::vector<char> x = random_elements(dtype, 3 * n, 1);
  std::string y(x.size(), '\0');
  k.softmax[dtype](x.data(), y.data(), 3, n);
  return y;
}

std::string run_norms(const RowKernels& k, int dtype, int64_t n) {
  std::vector<char> x = random_elements(dtype, 3 * n, 1), w = random_elements(dtype, n, 2),
                    b = random_elements(dtype, n, 3);
  std::string y(x.size(), '\0'), all;
  for (bool centered : {false, true}) {
    NormRows shape{3, n, 1e-5, centered};
    k.norm[dtype](x.data(), w.data(), b.data(), y.data(), shape);
    all += y;
    std::vector<double> sums(static_cast<size_t>(2 * n), 0.0);
    std::vector<char> ct = random_elements(dtype, 3 * n, 4);
    k.norm_vjp[dtype](x.data(), w.data(), ct.data(), y.data(), sums.data(), sums.data() + n, shape);
    all += y;
    all.append(reinterpret_cast<const char*>(sums.data()), sums.size() * 8);
  }
  return all;
}

TEST(IsaReduce, RowProgramsHaveTheSameBits) {
  for (std::string_view level : supported_levels()) {
    for (int64_t n : lengths) {
      for (Dtype dtype : {float32, float64}) {
        int d = static_cast<int>(dtype.val());
        const RowKernels& here = kernels_of(level)->rows;
        EXPECT_TRUE(run_norms(here, d, n) == run_norms(kernels_of("base")->rows, d, n)) << level << " " << n;
        std::string_view lowest = reference_level(false);
        if (level == "base" && lowest != level) continue;
        EXPECT_TRUE(run_softmax(here, d, n) == run_softmax(kernels_of(lowest)->rows, d, n)) << level << " " << n;
      }
    }
  }
}

TEST(IsaReduce, ArgReduceAgrees) {
  for (std::string_view level : supported_levels()) {
    for (Dtype dtype : {float32, float64, int64, uint64, complex64}) {
      int d = static_cast<int>(dtype.val());
      for (int64_t n : lengths) {
        std::vector<char> x = random_elements(d, 3 * n, static_cast<unsigned>(n + 1));
        for (bool is_max : {false, true}) {
          const ArgReduceKernels &here = kernels_of(level)->arg_reduce,
                                 &lowest = kernels_of("base")->arg_reduce;
          const ArgReduceKernel& a = is_max ? here.max[d] : here.min[d];
          const ArgReduceKernel& b = is_max ? lowest.max[d] : lowest.min[d];
          uint64_t value_a = 0, value_b = 0;
          EXPECT_EQ(a.row(x.data(), 3 * n, &value_a), b.row(x.data(), 3 * n, &value_b));
          EXPECT_EQ(value_a, value_b);
          std::vector<uint64_t> best_a(static_cast<size_t>(n)), best_b(static_cast<size_t>(n));
          std::vector<uint32_t> index_a(static_cast<size_t>(n)), index_b(static_cast<size_t>(n));
          a.columns(x.data(), 3, n, n, 0, best_a.data(), index_a.data());
          b.columns(x.data(), 3, n, n, 0, best_b.data(), index_b.data());
          EXPECT_EQ(index_a, index_b);
          EXPECT_EQ(best_a, best_b);
        }
      }
    }
  }
}

}  // namespace
