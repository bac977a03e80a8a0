// Checks the functions of the element-wise kernels against the C library in the next wider type:
// float32 over every number or every STRIDE-th, with -d float64 over as many random ones. ulp_check
// [-d] [-l LEVEL] [-s STRIDE] [-t THREADS] [FUNCTION ...] Prints the largest error in units in the
// last place and where it is; fails above 2.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
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
MLX_SIMD(exp)
MLX_SIMD(expm1) MLX_SIMD(log) MLX_SIMD(log2) MLX_SIMD(log10) MLX_SIMD(log1p) MLX_SIMD(sin)
    MLX_SIMD(cos) MLX_SIMD(tan) MLX_SIMD(asin) MLX_SIMD(acos) MLX_SIMD(atan) MLX_SIMD(sinh)
        MLX_SIMD(cosh) MLX_SIMD(tanh) MLX_SIMD(asinh) MLX_SIMD(acosh) MLX_SIMD(atanh) MLX_SIMD(erf)
}
#undef MLX_SIMD
#endif

namespace {

template <typename T>
struct WiderThan;
template <>
struct WiderThan<float> {
  using type = double;
};
template <>
struct WiderThan<double> {
  using type = long double;
};
template <typename T>
using Wider = typename WiderThan<T>::type;

// Newton's method on erf, on erfc where erf is near 1.
template <typename W>
W erfinv(W x) {
  W a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? std::copysign(INFINITY, x) : NAN;
  W log_term = std::log((1 - a) * (1 + a));
  W half = 2 / (W(M_PI) * W(0.147)) + log_term / 2;
  W y = a < 1e-4 ? a * 0.88622692545275801
                 : std::sqrt(std::sqrt(half * half - log_term / W(0.147)) - half);
  for (int i = 0; i < 4; i++) {
    W error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    W step = error / (1.12837916709551257390L * std::exp(-y * y));
    y -= step / (1 + y * step);
  }
  return std::copysign(y, x);
}

template <typename T>
struct Function {
  const char* name;
  Op op;
  void (*references)(const T* x, Wider<T>* y, int n);
  T second = 0;  // the other operand of a binary row
};

#define MLX_REFERENCE(expression)           \
  [](const T* values, Wider<T>* y, int n) { \
    for (int i = 0; i < n; i++) {           \
      Wider<T> x = values[i];               \
      y[i] = expression;                    \
    }                                       \
  }

template <typename T>
const Function<T> kFunctions[] = {
    {"exp", Op::Exp, MLX_REFERENCE(std::exp(x))},
    {"expm1", Op::Expm1, MLX_REFERENCE(std::expm1(x))},
    {"log", Op::Log, MLX_REFERENCE(std::log(x))},
    {"log2", Op::Log2, MLX_REFERENCE(std::log2(x))},
    {"log10", Op::Log10, MLX_REFERENCE(std::log10(x))},
    {"log1p", Op::Log1p, MLX_REFERENCE(std::log1p(x))},
    {"sin", Op::Sin, MLX_REFERENCE(std::sin(x))},
    {"cos", Op::Cos, MLX_REFERENCE(std::cos(x))},
    {"tan", Op::Tan, MLX_REFERENCE(std::tan(x))},
    {"arcsin", Op::ArcSin, MLX_REFERENCE(std::asin(x))},
    {"arccos", Op::ArcCos, MLX_REFERENCE(std::acos(x))},
    {"arctan", Op::ArcTan, MLX_REFERENCE(std::atan(x))},
    {"sinh", Op::Sinh, MLX_REFERENCE(std::sinh(x))},
    {"cosh", Op::Cosh, MLX_REFERENCE(std::cosh(x))},
    {"tanh", Op::Tanh, MLX_REFERENCE(std::tanh(x))},
    {"arcsinh", Op::ArcSinh, MLX_REFERENCE(std::asinh(x))},
    {"arccosh", Op::ArcCosh, MLX_REFERENCE(std::acosh(x))},
    {"arctanh", Op::ArcTanh, MLX_REFERENCE(std::atanh(x))},
    {"sigmoid", Op::Sigmoid, MLX_REFERENCE(1 / (1 + std::exp(-x)))},
    {"erf", Op::Erf, MLX_REFERENCE(std::erf(x))},
    {"erfinv", Op::ErfInv, MLX_REFERENCE(erfinv(x))},
    {"sqrt", Op::Sqrt, MLX_REFERENCE(std::sqrt(x))},
    {"rsqrt", Op::Rsqrt, MLX_REFERENCE(1 / std::sqrt(x))},
    {"reciprocal", Op::Reciprocal, MLX_REFERENCE(1 / x)},
    {"power(x,2.5)", Op::Power, MLX_REFERENCE(std::pow(x, Wider<T>(2.5))), 2.5},
    {"power(x,-3)", Op::Power, MLX_REFERENCE(std::pow(x, Wider<T>(-3))), -3},
    {"arctan2(x,3)", Op::ArcTan2, MLX_REFERENCE(std::atan2(x, Wider<T>(3))), 3},
    {"arctan2(x,-.5)", Op::ArcTan2, MLX_REFERENCE(std::atan2(x, Wider<T>(-0.5))), -0.5},
    {"logaddexp(x,1)", Op::LogAddExp,
     MLX_REFERENCE(
         std::isnan(x) ? x : std::fmax(x, Wider<T>(1)) + std::log1p(std::exp(-std::fabs(x - 1)))),
     1},
};

// Distance in units in the last place that T has at the reference.
template <typename T>
double ulps(T got, Wider<T> reference) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(got) && std::isnan(reference)) return 0;
  if (std::isnan(got) || std::isnan(reference)) return INFINITY;
  if (std::isinf(T(reference)) || std::isinf(got)) {
    if (got == T(reference)) return 0;
    return std::isinf(got) && std::fabs(reference) >= Limits::max() ? 1 : INFINITY;
  }
  int exponent = reference == 0 ? Limits::min_exponent
                                : std::max(std::ilogb(reference) + 1, Limits::min_exponent);
  return double(std::ldexp(std::fabs(Wider<T>(got) - reference), Limits::digits - exponent));
}

template <typename T>
struct Worst {
  double error = 0;
  T input = 0, got = 0;
  Wider<T> reference = 0;
};

float input_of(float, uint64_t index) { return std::bit_cast<float>(uint32_t(index)); }

// Any float64, and as often one of 2^-12 to 2^12. The mixer is that of SplitMix64 (Steele, Lea and
// Flood, 2014).
double input_of(double, uint64_t index) {
  uint64_t bits = index * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  bits ^= bits >> 31;
  double any = std::bit_cast<double>(bits);
  if (index & 1) return any;
  return std::ldexp(std::copysign(1 + (bits & 0xfffffffffffff) * 0x1p-52, any),
                    int(bits >> 52 & 0x7ff) % 24 - 12);
}

template <typename T>
Worst<T> check(const Function<T>& function, const cpu::Kernels& kernels, uint64_t first,
               uint64_t last, uint64_t stride) {
  constexpr int kBlock = 1024;
  constexpr int kDtype = sizeof(T) == 4 ? 10 : 11;  // float32 or float64
  cpu::ElementwiseFn kernel = kernels.elementwise.table[int(function.op)][kDtype];
  std::vector<T> x(kBlock), y(kBlock), second(kBlock, function.second);
  std::vector<Wider<T>> references(kBlock);
  Worst<T> worst;
  for (uint64_t start = first; start < last; start += kBlock * stride) {
    for (int i = 0; i < kBlock; i++) x[i] = input_of(T{}, start + i * stride);
    const void* inputs[] = {x.data(), second.data()};
    kernel(inputs, y.data(), kBlock);
    function.references(x.data(), references.data(), kBlock);
    for (int i = 0; i < kBlock; i++) {
      double error = ulps(y[i], references[i]);
      if (error > worst.error) worst = {error, x[i], y[i], references[i]};
    }
  }
  return worst;
}

template <typename T>
Worst<T> check_in_threads(const Function<T>& function, const cpu::Kernels& kernels, uint64_t stride,
                          unsigned count) {
  constexpr uint64_t kAll = uint64_t(1) << 32;
  std::vector<Worst<T>> found(count);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; t++) {
    threads.emplace_back([&, t] {
      found[t] = check(function, kernels, kAll / count * t, kAll / count * (t + 1), stride);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return *std::max_element(found.begin(), found.end(),
                           [](const Worst<T>& a, const Worst<T>& b) { return a.error < b.error; });
}

template <typename T>
bool check_all(const cpu::Kernels& kernels, uint64_t stride, unsigned threads,
               const std::vector<std::string>& wanted) {
  bool good = true;
  for (const Function<T>& function : kFunctions<T>) {
    bool listed = std::find(wanted.begin(), wanted.end(), function.name) != wanted.end();
    if (!wanted.empty() && !listed) continue;
    Worst<T> worst = check_in_threads(function, kernels, stride, threads);
    bool passes = worst.error <= 2;
    good = good && passes;
    std::printf("%-15s %7.4f ulp at %a (%.17g): %.17g, should be %.20Lg%s\n", function.name,
                worst.error, double(worst.input), double(worst.input), double(worst.got),
                static_cast<long double>(worst.reference), passes ? "" : "  FAILS");
    std::fflush(stdout);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const cpu::Kernels* kernels = &cpu::kernels();
  uint64_t stride = 1;
  unsigned threads = 1;
  bool float64 = false;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; i++) {
    std::string argument = argv[i];
    bool has_value = i + 1 < argc;
    if (argument == "-d")
      float64 = true;
    else if (argument == "-l" && has_value)
      kernels = cpu::kernels_of(argv[++i]);
    else if (argument == "-s" && has_value)
      stride = std::max(1, std::atoi(argv[++i]));
    else if (argument == "-t" && has_value)
      threads = std::max(1, std::atoi(argv[++i]));
    else
      wanted.push_back(argument);
  }
  if (kernels == nullptr)
    return std::fprintf(stderr, "ulp_check: this machine lacks that level\n"), 2;
  std::printf("level %s, every %llu-th float32, or as many float64\n", kernels->level,
              static_cast<unsigned long long>(stride));
  bool good = float64 ? check_all<double>(*kernels, stride, threads, wanted)
                      : check_all<float>(*kernels, stride, threads, wanted);
  return good ? 0 : 1;
}
