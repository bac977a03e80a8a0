// GF/s of the matrix product. Usage: gemm_bench [threads [m n k]]. Not built by default: target gemm_bench.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mlx/backend/cpu/gemm.h"
#include "mlx/core/thread_pool.h"

using namespace mlx::core;
using namespace mlx::core::cpu;

namespace {

struct Shape {
  int64_t batch, m, n, k;
};

constexpr Shape kShapes[] = {
    {1, 4, 4, 4},       {1, 16, 16, 16},       {1, 64, 64, 64},     {1, 128, 128, 128},   {1, 256, 256, 256},
    {1, 512, 512, 512}, {1, 1024, 1024, 1024}, {32, 128, 128, 128}, {32, 64, 64, 64},     {1, 1, 4096, 4096},
    {1, 4096, 1, 4096}, {1, 8, 4096, 4096},    {1, 64, 64, 50176},  {1, 4096, 1024, 1024}};

struct TypeName {
  GemmType type;
  const char* name;
  int64_t item;
};

constexpr TypeName kTypes[] = {{GemmType::float32, "float32", 4},
                               {GemmType::float64, "float64", 8},
                               {GemmType::float16, "float16", 2},
                               {GemmType::bfloat16, "bfloat16", 2}};

// Best time of a call, in seconds.
double best_time(const GemmProblem& p, double flops) {
  using Clock = std::chrono::steady_clock;
  int repeats = std::max(1, int(5e8 / flops));
  double best = 1e30;
  gemm(p);
  for (int round = 0; round < 9; ++round) {
    auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) gemm(p);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / repeats);
  }
  return best;
}

void measure(const TypeName& t, const Shape& s, bool b_transposed) {
  std::vector<char> a(s.batch * s.m * s.k * t.item, 0), b(s.batch * s.k * s.n * t.item, 0),
      out(s.batch * s.m * s.n * t.item);
  int64_t as = s.m * s.k, bs = s.k * s.n, os = s.m * s.n;
  GemmProblem p;
  p.type = t.type;
  p.m = s.m, p.n = s.n, p.k = s.k;
  p.a = {a.data(), s.k, 1};
  p.b = {b.data(), b_transposed ? 1 : s.n, b_transposed ? s.k : 1};
  p.out = out.data(), p.out_row_stride = s.n;
  p.batch_ndim = 1, p.batch_shape = &s.batch;
  p.a_batch_strides = &as, p.b_batch_strides = &bs, p.out_batch_strides = &os;
  double flops = 2.0 * double(s.batch) * double(s.m) * double(s.n) * double(s.k);
  double time = best_time(p, flops);
  std::printf("%-9s %s %3ld x (%5ld, %5ld, %5ld) %8.1f GF/s %10.2f us\n", t.name, b_transposed ? "NT" : "NN",
              long(s.batch), long(s.m), long(s.n), long(s.k), flops / time * 1e-9, time * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) set_num_threads(std::atoi(argv[1]));
  std::vector<Shape> shapes(std::begin(kShapes), std::end(kShapes));
  if (argc > 4) shapes = {{1, std::atoll(argv[2]), std::atoll(argv[3]), std::atoll(argv[4])}};
  for (const TypeName& t : kTypes) {
    for (const Shape& s : shapes) {
      for (bool transposed : {false, true}) measure(t, s, transposed);
    }
  }
}
