// Checks the float32 functions of the element-wise kernels against the C library in double, over every
// float32 or every STRIDE-th: ulp_check [-l LEVEL] [-s STRIDE] [-t THREADS] [FUNCTION ...]
// Prints the largest error in units in the last place and where it is; fails above 2.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "mlx/backend/cpu/isa.h"

namespace cpu = mlx::core::cpu;
using mlx::core::Op;

// glibc has vectors of these functions, within 4 ULP of float64, that loops may call.
#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__clang__)
#define MLX_SIMD(name) __attribute__((simd("notinbranch"))) double name(double) noexcept;
extern "C" {
MLX_SIMD(exp) MLX_SIMD(expm1) MLX_SIMD(log) MLX_SIMD(log2) MLX_SIMD(log10) MLX_SIMD(log1p)
MLX_SIMD(sin) MLX_SIMD(cos) MLX_SIMD(tan) MLX_SIMD(asin) MLX_SIMD(acos) MLX_SIMD(atan)
MLX_SIMD(sinh) MLX_SIMD(cosh) MLX_SIMD(tanh) MLX_SIMD(asinh) MLX_SIMD(acosh) MLX_SIMD(atanh) MLX_SIMD(erf)
}
#undef MLX_SIMD
#endif

namespace {

// Newton's method on erf, on erfc where erf is near 1.
double erfinv(double x) {
  double a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? std::copysign(INFINITY, x) : NAN;
  double log_term = std::log((1 - a) * (1 + a));
  double half = 2 / (M_PI * 0.147) + log_term / 2;
  double y = a < 1e-4 ? a * 0.88622692545275801 : std::sqrt(std::sqrt(half * half - log_term / 0.147) - half);
  for (int i = 0; i < 3; i++) {
    double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    double step = error / (2 / std::sqrt(M_PI) * std::exp(-y * y));
    y -= step / (1 + y * step);
  }
  return std::copysign(y, x);
}

struct Function {
  const char* name;
  Op op;
  void (*references)(const float* x, double* y, int n);
  float second = 0;  // the other operand of a binary row
};

#define MLX_REFERENCE(expression)            \
  [](const float* values, double* y, int n) { \
    for (int i = 0; i < n; i++) {             \
      double x = values[i];                   \
      y[i] = expression;                      \
    }                                         \
  }

const Function kFunctions[] = {
    {"exp", Op::Exp, MLX_REFERENCE(exp(x))},
    {"expm1", Op::Expm1, MLX_REFERENCE(expm1(x))},
    {"log", Op::Log, MLX_REFERENCE(log(x))},
    {"log2", Op::Log2, MLX_REFERENCE(log2(x))},
    {"log10", Op::Log10, MLX_REFERENCE(log10(x))},
    {"log1p", Op::Log1p, MLX_REFERENCE(log1p(x))},
    {"sin", Op::Sin, MLX_REFERENCE(sin(x))},
    {"cos", Op::Cos, MLX_REFERENCE(cos(x))},
    {"tan", Op::Tan, MLX_REFERENCE(tan(x))},
    {"arcsin", Op::ArcSin, MLX_REFERENCE(asin(x))},
    {"arccos", Op::ArcCos, MLX_REFERENCE(acos(x))},
    {"arctan", Op::ArcTan, MLX_REFERENCE(atan(x))},
    {"sinh", Op::Sinh, MLX_REFERENCE(sinh(x))},
    {"cosh", Op::Cosh, MLX_REFERENCE(cosh(x))},
    {"tanh", Op::Tanh, MLX_REFERENCE(tanh(x))},
    {"arcsinh", Op::ArcSinh, MLX_REFERENCE(asinh(x))},
    {"arccosh", Op::ArcCosh, MLX_REFERENCE(acosh(x))},
    {"arctanh", Op::ArcTanh, MLX_REFERENCE(atanh(x))},
    {"sigmoid", Op::Sigmoid, MLX_REFERENCE(1 / (1 + exp(-x)))},
    {"erf", Op::Erf, MLX_REFERENCE(erf(x))},
    {"erfinv", Op::ErfInv, MLX_REFERENCE(erfinv(x))},
    {"sqrt", Op::Sqrt, MLX_REFERENCE(std::sqrt(x))},
    {"rsqrt", Op::Rsqrt, MLX_REFERENCE(1 / std::sqrt(x))},
    {"reciprocal", Op::Reciprocal, MLX_REFERENCE(1 / x)},
    {"power(x,2.5)", Op::Power, MLX_REFERENCE(std::pow(x, 2.5)), 2.5f},
    {"power(x,-3)", Op::Power, MLX_REFERENCE(std::pow(x, -3.0)), -3.0f},
    {"arctan2(x,3)", Op::ArcTan2, MLX_REFERENCE(std::atan2(x, 3.0)), 3.0f},
    {"arctan2(x,-.5)", Op::ArcTan2, MLX_REFERENCE(std::atan2(x, -0.5)), -0.5f},
    {"logaddexp(x,1)", Op::LogAddExp,
     MLX_REFERENCE(std::isnan(x) ? x : std::fmax(x, 1) + log1p(exp(-std::fabs(x - 1)))), 1.0f},
};

// Distance in units in the last place that float32 has at the reference.
double ulps(float got, double reference) {
  if (std::isnan(got) && std::isnan(reference)) return 0;
  if (std::isnan(got) || std::isnan(reference)) return INFINITY;
  if (std::isinf(reference) || std::isinf(got)) {
    if (got == float(reference)) return 0;
    return std::isinf(got) && std::fabs(reference) >= 0x1.fffffep127 ? 1 : INFINITY;
  }
  uint64_t bits;
  std::memcpy(&bits, &reference, 8);
  int64_t exponent = std::max<int64_t>((bits >> 52 & 0x7ff) - 1023, -126);
  uint64_t scale_bits = uint64_t(23 - exponent + 1023) << 52;
  double scale;
  std::memcpy(&scale, &scale_bits, 8);
  return std::fabs(double(got) - reference) * scale;
}

struct Worst {
  double error = 0;
  float input = 0, got = 0;
  double reference = 0;
};

Worst check(const Function& function, const cpu::Kernels& kernels, uint64_t first, uint64_t last,
            uint64_t stride) {
  constexpr int kBlock = 1024;
  constexpr int kFloat32 = 10;
  cpu::ElementwiseFn kernel = kernels.elementwise.table[int(function.op)][kFloat32];
  std::vector<float> x(kBlock), y(kBlock), second(kBlock, function.second);
  std::vector<double> references(kBlock);
  Worst worst;
  for (uint64_t start = first; start < last; start += kBlock * stride) {
    for (int i = 0; i < kBlock; i++) {
      uint32_t bits = uint32_t(start + i * stride);
      std::memcpy(&x[i], &bits, 4);
    }
    const void* inputs[] = {x.data(), second.data()};
    kernel(inputs, y.data(), kBlock);
    function.references(x.data(), references.data(), kBlock);
    for (int i = 0; i < kBlock; i++) {
      double reference = references[i];
      double error = ulps(y[i], reference);
      if (error > worst.error) worst = {error, x[i], y[i], reference};
    }
  }
  return worst;
}

Worst check_in_threads(const Function& function, const cpu::Kernels& kernels, uint64_t stride,
                       unsigned count) {
  constexpr uint64_t kAll = uint64_t(1) << 32;
  std::vector<Worst> found(count);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; t++) {
    threads.emplace_back([&, t] {
      found[t] = check(function, kernels, kAll / count * t, kAll / count * (t + 1), stride);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return *std::max_element(found.begin(), found.end(),
                           [](const Worst& a, const Worst& b) { return a.error < b.error; });
}

}  // namespace

int main(int argc, char** argv) {
  const cpu::Kernels* kernels = &cpu::kernels();
  uint64_t stride = 1;
  unsigned threads = 1;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; i++) {
    std::string argument = argv[i];
    bool has_value = i + 1 < argc;
    if (argument == "-l" && has_value) kernels = cpu::kernels_of(argv[++i]);
    else if (argument == "-s" && has_value) stride = std::max(1, std::atoi(argv[++i]));
    else if (argument == "-t" && has_value) threads = std::max(1, std::atoi(argv[++i]));
    else wanted.push_back(argument);
  }
  if (kernels == nullptr) return std::fprintf(stderr, "ulp_check: this machine lacks that level\n"), 2;
  std::printf("level %s, every %llu-th float32\n", kernels->level, static_cast<unsigned long long>(stride));
  bool good = true;
  for (const Function& function : kFunctions) {
    bool listed = std::find(wanted.begin(), wanted.end(), function.name) != wanted.end();
    if (!wanted.empty() && !listed) continue;
    Worst worst = check_in_threads(function, *kernels, stride, threads);
    bool passes = worst.error <= 2;
    good = good && passes;
    std::printf("%-15s %7.4f ulp at %a (%.9g): %.9g, should be %.12g%s\n", function.name, worst.error,
                double(worst.input), double(worst.input), double(worst.got), worst.reference,
                passes ? "" : "  FAILS");
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}
