// Every row of elementwise.def x dtype x instruction-set level against a scalar reference; tails, in-place
// use and the same bits at the levels with fused multiply-add, of exact functions at every level.
#include <gtest/gtest.h>

#include <string>

#include "isa_buffer.h"
#include "mlx/backend/cpu/isa.h"

namespace mlx::core {
namespace {

using namespace testing;
using cpu::ElementwiseFn;

struct Case {
  Op op;
  int dtype;
  const ElementwiseRow& row() const { return elementwise_row(op); }
  int output_dtype() const { return result_dtype(row().result, dtype); }
  int input_dtype(int k) const { return row().arity == 3 && k == 0 ? int(kBool) : dtype; }
  std::string name() const { return std::string(row().class_name) + " " + kNames[dtype]; }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (int op = 0; op < kNumOps; op++) {
    for (int dtype = 0; dtype < kNumDtypes; dtype++) {
      if (accepts_dtype(kElementwiseRows[op].accepts, dtype)) cases.push_back({Op(op), dtype});
    }
  }
  return cases;
}

// All special values against each other, then random ones.
std::vector<Buffer> make_inputs(const Case& c, int64_t random_count) {
  std::mt19937 random(unsigned(c.op) * 100 + c.dtype);
  auto reals = special_reals(c.dtype);
  auto integers = special_integers(c.dtype);
  int64_t specials = is_integer(c.dtype) ? integers.size() : reals.size();
  if (c.dtype == kC64) specials = 0;
  int64_t pairs = c.row().arity == 1 ? specials : specials * specials;
  int64_t n = pairs + random_count;
  bool shift = c.op == Op::LeftShift || c.op == Op::RightShift;
  std::vector<Buffer> inputs;
  for (int k = 0; k < c.row().arity; k++) {
    Buffer buffer(c.input_dtype(k), n);
    Domain domain = k == c.row().arity - 1 && c.row().arity < 3 ? c.row().domain : Domain::all;
    if (c.op == Op::Power) domain = k == 0 ? Domain::positive : Domain::small;
    for (int64_t i = 0; i < n; i++) {
      int64_t which = k == 0 ? i % std::max<int64_t>(specials, 1) : i / std::max<int64_t>(specials, 1);
      if (buffer.dtype == kC64) {
        buffer.set_complex(i, float(draw_real(Domain::small, random) / 4),
                           float(draw_real(Domain::small, random) / 4));
      } else if (is_integer(buffer.dtype)) {
        Wide drawn =
            shift && k == 1 ? Wide(random() % 80) - 8 : Wide(int64_t(random()) * (int64_t(random()) >> 16));
        if (c.op == Op::Power && k == 1) drawn = Wide(random() % 20) - 3;
        bool use_special =
            i < pairs && buffer.dtype == c.dtype && !(c.op == Op::Power && k == 1 && size_t(which) > 9);
        buffer.set_integer(i, use_special ? integers[which % integers.size()] : drawn);
        if (c.op == Op::Power && k == 1 && buffer.integer(i) > 1000) buffer.set_integer(i, 5);
      } else {
        buffer.set_real(i, i < pairs ? reals[which % reals.size()] : draw_real(domain, random));
      }
    }
    inputs.push_back(buffer);
  }
  return inputs;
}

Buffer run(const Case& c, const cpu::Kernels& kernels, const std::vector<Buffer>& inputs, int64_t n) {
  Buffer output(c.output_dtype(), n);
  const void* pointers[3] = {};
  for (size_t k = 0; k < inputs.size(); k++) pointers[k] = inputs[k].bytes.data();
  ElementwiseFn kernel = kernels.elementwise.table[int(c.op)][c.dtype];
  kernel(pointers, output.bytes.data(), n);
  return output;
}

int64_t count_of(const std::vector<Buffer>& inputs) {
  return inputs[0].bytes.size() / kSizes[inputs[0].dtype];
}

bool near(int dtype, Float got, Float want, double ulps) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::fabs(want) >= largest(dtype) + ulp(dtype, largest(dtype)) / 2)
    want = std::copysign(Float(INFINITY), want);
  if (std::isinf(want)) return got == want || (ulps > 1 && got == std::copysign(largest(dtype), want));
  if (std::isinf(got))
    return ulps > 1 && std::fabs(want) > largest(dtype) - ulps * ulp(dtype, largest(dtype));
  if (want == 0) return got == 0 && std::signbit(got) == std::signbit(want);
  return std::fabs(got - want) <= ulps * ulp(dtype, want);
}

void expect_integers(const Case& c, const std::vector<Buffer>& in, const Buffer& out) {
  for (int64_t i = 0; i < count_of(in); i++) {
    Wide a = in[0].integer(i), b = in.size() > 1 ? in[1].integer(i) : 0;
    auto want = integer_reference(c.op, a, b, 8 * kSizes[c.dtype], is_signed(c.dtype), c.dtype == kBool);
    ASSERT_TRUE(want.has_value()) << "no reference";
    Buffer wrapped(c.output_dtype(), 1);
    wrapped.set_integer(0, *want);
    ASSERT_EQ(std::string(wrapped.element(0), kSizes[wrapped.dtype]),
              std::string(out.element(i), kSizes[wrapped.dtype]))
        << "at " << i << ": " << int64_t(a) << ", " << int64_t(b) << " gave " << int64_t(out.integer(i))
        << ", not " << int64_t(wrapped.integer(0));
  }
}

Float reference_of_float(const Case& c, Float a, Float b) {
  if (c.op == Op::FloorDivide)
    return c.dtype == kF64 ? Float(std::floor(double(a) / double(b))) : std::floor(float(a) / float(b));
  return float_reference(c.op, a, b).value();
}

void expect_floats(const Case& c, const std::vector<Buffer>& in, const Buffer& out) {
  Tolerance allowed = tolerance(c.op);
  double ulps = c.dtype == kF64 ? allowed.float64 : allowed.float32;
  if (c.dtype == kF16 || c.dtype == kBF16) ulps = 0.5 + ulps / (c.dtype == kF16 ? 0x1p13 : 0x1p16);
  for (int64_t i = 0; i < count_of(in); i++) {
    Float a = in[0].real(i), b = in.size() > 1 ? in[1].real(i) : 0;
    Float want = reference_of_float(c, a, b), got = out.real(i);
    double allowed_here = ulps * (1 + 1e-6);
    if (c.op == Op::LogAddExp &&
        c.dtype == kF64) {  // the sum may cancel: the error is that of the larger operand
      Float larger = std::max({std::fabs(a), std::fabs(b), std::fabs(want)});
      allowed_here *= double(ulp(c.dtype, larger) / ulp(c.dtype, want));
    }
    bool same = c.row().result == Result::Bool ? got == want : near(c.dtype, got, want, allowed_here);
    ASSERT_TRUE(same) << "at " << i << ": " << a << ", " << b << " gave " << got << ", not " << want << " ("
                      << (got - want) / ulp(c.dtype, want) << " ulp)";
  }
}

void expect_complex(const Case& c, const std::vector<Buffer>& in, const Buffer& out) {
  for (int64_t i = 0; i < count_of(in); i++) {
    Complex a = in[0].complex(i), b = in.size() > 1 ? in[1].complex(i) : Complex(0);
    auto want = complex_reference(c.op, a, b);
    ASSERT_TRUE(want.has_value()) << "no reference";
    Complex got = out.complex(i);
    if (c.op == Op::LogAddExp) {  // any branch: logaddexp(a, -inf) is a, whatever its imaginary part
      constexpr Float kTurn = 6.283185307179586476925286766559005768L;
      *want += Complex(0, std::nearbyint((got.imag() - want->imag()) / kTurn) * kTurn);
    }
    ASSERT_LE(std::abs(got - *want), 4e-7L * std::abs(*want))
        << "at " << i << ": " << a << ", " << b << " gave " << got << ", not " << *want;
  }
}

void expect_selected(const std::vector<Buffer>& in, const Buffer& out) {
  for (int64_t i = 0; i < count_of(in); i++) {
    const Buffer& chosen = in[0].integer(i) != 0 ? in[1] : in[2];
    ASSERT_EQ(std::memcmp(chosen.element(i), out.element(i), kSizes[out.dtype]), 0) << "at " << i;
  }
}

TEST(IsaElementwise, TableHasExactlyTheAcceptedDtypes) {
  for (auto level : cpu::supported_levels()) {
    const cpu::Kernels& kernels = *cpu::kernels_of(level);
    for (int op = 0; op < kNumOps; op++) {
      for (int dtype = 0; dtype < kNumDtypes; dtype++)
        EXPECT_EQ(kernels.elementwise.table[op][dtype] != nullptr,
                  accepts_dtype(kElementwiseRows[op].accepts, dtype));
    }
  }
}

TEST(IsaElementwise, ValuesMatchTheReference) {
  for (auto level : cpu::supported_levels()) {
    for (const Case& c : all_cases()) {
      SCOPED_TRACE(c.name() + " " + std::string(level));
      auto inputs = make_inputs(c, 2000);
      Buffer output = run(c, *cpu::kernels_of(level), inputs, count_of(inputs));
      if (c.op == Op::Select)
        expect_selected(inputs, output);
      else if (c.dtype == kC64)
        expect_complex(c, inputs, output);
      else if (is_integer(c.dtype))
        expect_integers(c, inputs, output);
      else
        expect_floats(c, inputs, output);
    }
  }
}

// NaN may differ in sign and payload.
bool same_bits(const Buffer& a, const Buffer& b, int64_t i) {
  if (std::memcmp(a.element(i), b.element(i), kSizes[a.dtype]) == 0) return true;
  if (a.dtype == kC64) {
    Complex p = a.complex(i), q = b.complex(i);
    auto same = [](Float x, Float y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    return same(p.real(), q.real()) && same(p.imag(), q.imag());
  }
  return !is_integer(a.dtype) && std::isnan(a.real(i)) && std::isnan(b.real(i));
}

TEST(IsaElementwise, LevelsGiveTheSameBits) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name());
    auto inputs = make_inputs(c, 4000);
    std::mt19937 random(7);
    for (Buffer& buffer : inputs) {  // every fourth one any bit pattern
      if (buffer.dtype == kBool || c.op == Op::Power) continue;
      for (int64_t i = 0; i < count_of(inputs); i += 4) {
        for (int byte = 0; byte < kSizes[buffer.dtype]; byte++) buffer.element(i)[byte] = char(random());
      }
    }
    auto lowest = reference_level(is_integer(c.dtype) || c.dtype == kC64 || tolerance(c.op).float32 < 2);
    Buffer first = run(c, *cpu::kernels_of(lowest), inputs, count_of(inputs));
    for (auto level : cpu::supported_levels()) {
      if (level == "base" && lowest != level) continue;
      Buffer other = run(c, *cpu::kernels_of(level), inputs, count_of(inputs));
      for (int64_t i = 0; i < count_of(inputs); i++)
        ASSERT_TRUE(same_bits(first, other, i)) << level << " at " << i;
    }
  }
}

TEST(IsaElementwise, OneValueGivesOneResultAtEveryLengthAndPosition) {
  constexpr int kLongest = 70;
  for (auto level : cpu::supported_levels()) {
    for (const Case& c : all_cases()) {
      SCOPED_TRACE(c.name() + " " + std::string(level));
      ElementwiseFn kernel = cpu::kernels_of(level)->elementwise.table[int(c.op)][c.dtype];
      auto drawn = make_inputs(c, 8);
      int64_t last = count_of(drawn) - 1;
      int size = kSizes[c.output_dtype()];
      std::vector<Buffer> inputs;
      const void* pointers[3] = {};
      for (const Buffer& buffer : drawn) {
        inputs.emplace_back(buffer.dtype, kLongest);
        for (int i = 0; i < kLongest; i++)
          std::memcpy(inputs.back().element(i), buffer.element(last), kSizes[buffer.dtype]);
      }
      for (size_t k = 0; k < inputs.size(); k++) pointers[k] = inputs[k].bytes.data();
      std::vector<char> expected(size);
      kernel(pointers, expected.data(), 1);
      for (int n = 0; n <= kLongest; n++) {
        std::vector<char> output((kLongest + 1) * size, 0x55);
        kernel(pointers, output.data(), n);
        for (int i = 0; i < n; i++)
          ASSERT_EQ(std::memcmp(&output[i * size], expected.data(), size), 0) << n << " " << i;
        for (size_t i = size_t(n) * size; i < output.size(); i++)
          ASSERT_EQ(output[i], 0x55) << "written past " << n;
      }
    }
  }
}

TEST(IsaElementwise, OutputMayBeAnInput) {
  for (auto level : cpu::supported_levels()) {
    for (const Case& c : all_cases()) {
      SCOPED_TRACE(c.name() + " " + std::string(level));
      auto inputs = make_inputs(c, 100);
      Buffer apart = run(c, *cpu::kernels_of(level), inputs, count_of(inputs));
      for (int k = 0; k < c.row().arity; k++) {
        if (kSizes[inputs[k].dtype] != kSizes[c.output_dtype()]) continue;
        auto copies = inputs;
        const void* pointers[3] = {};
        for (size_t j = 0; j < copies.size(); j++) pointers[j] = copies[j].bytes.data();
        cpu::kernels_of(level)->elementwise.table[int(c.op)][c.dtype](pointers, copies[k].bytes.data(),
                                                                      count_of(inputs));
        ASSERT_EQ(copies[k].bytes, apart.bytes) << "over input " << k;
      }
    }
  }
}

float apply(Op op, float a, float b = 0) {
  const void* pointers[] = {&a, &b};
  float result;
  cpu::kernels().elementwise.table[int(op)][kF32](pointers, &result, 1);
  return result;
}

TEST(IsaElementwise, LargeAnglesAreReducedExactly) {
  EXPECT_EQ(apply(Op::Sin, 1e30f), float(std::sin(double(1e30f))));
  EXPECT_EQ(apply(Op::Cos, 3e38f), float(std::cos(double(3e38f))));
  EXPECT_EQ(apply(Op::Tan, -1e20f), float(std::tan(double(-1e20f))));
}

TEST(IsaElementwise, ComplexSpecialValues) {
  auto apply2 = [](Op op, std::complex<float> a, std::complex<float> b) {
    const void* pointers[] = {&a, &b};
    std::complex<float> result = 0;
    cpu::kernels().elementwise.table[int(op)][kC64](pointers, &result, 1);
    return result;
  };
  using C = std::complex<float>;
  EXPECT_EQ(apply2(Op::Power, 0, 0), C(1));
  EXPECT_EQ(apply2(Op::Power, 0, 2), C(0));
  EXPECT_EQ(apply2(Op::Sign, 0, 0), C(0));
  EXPECT_EQ(apply2(Op::Abs, C(3e38f, 0), 0).real(), 3e38f);
  EXPECT_EQ(apply2(Op::Abs, C(3e-40f, 4e-40f), 0).real(), 5e-40f);
  EXPECT_EQ(apply2(Op::Abs, C(NAN, INFINITY), 0).real(), INFINITY);
  EXPECT_TRUE(std::isnan(apply2(Op::Maximum, C(0, NAN), 1).imag()));
  EXPECT_TRUE(std::isnan(apply2(Op::Minimum, 1, C(NAN, 0)).real()));
  EXPECT_EQ(apply2(Op::Maximum, C(1, 2), C(1, 3)), C(1, 3));
}

}  // namespace
}  // namespace mlx::core
