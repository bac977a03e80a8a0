// Conversions between all dtypes at every instruction-set level against the rules of 1.8 in integers and long
// double, and their bits across levels and lengths.
#include <gtest/gtest.h>

#include <string>

#include "isa_buffer.h"
#include "mlx/backend/cpu/isa.h"

namespace mlx::core {
namespace {

using namespace testing;

// Special values, then random ones over the range of the dtype.
Buffer make_input(int dtype, int64_t random_count) {
  std::mt19937_64 random(dtype);
  auto reals = special_reals(dtype);
  for (double x : {0.1,
                   255.0,
                   256.0,
                   300.7,
                   -1.5,
                   65519.0,
                   65520.0,
                   2147483647.0,
                   2147483648.0,
                   -2147483648.0,
                   -2147483649.0,
                   4294967295.0,
                   4294967296.0,
                   9.3e18,
                   -9.3e18,
                   1.7e19,
                   1.9e19,
                   1e20,
                   1.0 + 0x1p-11,
                   1.0 + 0x1p-11 + 0x1p-40,
                   1.0 + 0x1p-8 + 0x1p-40,
                   0x1p-25 + 0x1p-60,
                   3e-8})
    reals.push_back(x);
  auto integers = special_integers(dtype);
  if (dtype == kI64 || dtype == kU64) {
    for (int shift : {8, 11, 24, 30, 53, 60})
      integers.push_back((Wide(1) << shift) + (Wide(1) << (shift - 8)) + 1);
  }
  if (kSizes[dtype] >= 4) integers.push_back((1 << 24) + (1 << 16) + 1);
  int64_t specials = is_integer(dtype) ? integers.size() : reals.size();
  Buffer buffer(dtype, specials + random_count);
  for (int64_t i = 0; i < specials + random_count; i++) {
    bool special = i < specials;
    double exponent = double(int64_t(random() % 3000)) / 30 - 30;
    double drawn = (random() & 1 ? 1 : -1) * std::exp2(exponent) * (1 + double(random() >> 12) * 0x1p-52);
    if (is_integer(dtype))
      buffer.set_integer(i, special ? integers[i] : Wide(random() >> random() % 64));
    else if (dtype == kC64)
      buffer.set_complex(i, float(special ? reals[i] : drawn), float(i % 3));
    else
      buffer.set_real(i, special ? reals[i] : drawn);
  }
  return buffer;
}

Wide truncate_or_lowest(Float x, int bits) {
  Float limit = std::ldexp(Float(1), bits - 1);
  if (!(x > -limit - 1 && x < limit)) return -(Wide(1) << (bits - 1));
  return Wide(std::trunc(x));
}

Wide float_to_integer(Float x, int to) {
  if (to == kI64 || to == kU32) return truncate_or_lowest(x, 64);
  if (to == kU64 && x >= 0x1p63L && x < 0x1p64L) return Wide(x);
  if (to == kU64) return truncate_or_lowest(x, 64);
  return truncate_or_lowest(x, 32);
}

// Nearest value of a floating dtype, halves to even.
Float round_to(int dtype, Float x) {
  if (!std::isfinite(x) || x == 0) return x;
  Float unit = ulp(dtype, x), rounded = std::nearbyint(x / unit) * unit;
  return std::fabs(rounded) > largest(dtype) ? std::copysign(Float(INFINITY), x) : rounded;
}

void expect_element(const Buffer& in, const Buffer& out, int64_t i) {
  int from = in.dtype, to = out.dtype;
  Complex value = in.complex(i);
  Float x = value.real();
  if (to == kBool) {
    bool want = is_integer(from) ? in.integer(i) != 0 : value != Complex(0);
    ASSERT_EQ(out.integer(i), Wide(want));
  } else if (is_integer(to)) {
    Buffer want(to, 1);
    want.set_integer(0, is_integer(from) ? in.integer(i) : float_to_integer(x, to));
    ASSERT_EQ(out.integer(i), want.integer(0)) << double(x) << " gave " << double(out.integer(i));
  } else {
    Float want = round_to(to == kC64 ? int(kF32) : to, x), got = out.complex(i).real();
    bool same = std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
    ASSERT_TRUE(same) << double(x) << " gave " << double(got);
    ASSERT_EQ(out.complex(i).imag(), to == kC64 ? value.imag() : 0);
  }
}

TEST(IsaCast, EveryPairFollowsTheRules) {
  constexpr int64_t kRandom = 1200;  // more than two blocks of the conversions in two steps
  for (auto level : cpu::supported_levels()) {
    for (int from = 0; from < kNumDtypes; from++) {
      Buffer in = make_input(from, kRandom);
      int64_t n = in.bytes.size() / kSizes[from];
      for (int to = 0; to < kNumDtypes; to++) {
        SCOPED_TRACE(std::string(kNames[from]) + " to " + kNames[to] + " " + std::string(level));
        Buffer out(to, n);
        cpu::kernels_of(level)->cast.table[from][to](in.bytes.data(), out.bytes.data(), n);
        for (int64_t i = 0; i < n; i++) {
          expect_element(in, out, i);
          ASSERT_FALSE(HasFatalFailure()) << "at " << i;
        }
      }
    }
  }
}

TEST(IsaCast, AnyLengthAndInPlace) {
  for (auto level : cpu::supported_levels()) {
    for (int from = 0; from < kNumDtypes; from++) {
      Buffer in = make_input(from, 90);
      for (int to = 0; to < kNumDtypes; to++) {
        SCOPED_TRACE(std::string(kNames[from]) + " to " + kNames[to] + " " + std::string(level));
        cpu::CastFn cast = cpu::kernels_of(level)->cast.table[from][to];
        Buffer whole(to, 90);
        cast(in.bytes.data(), whole.bytes.data(), 80);
        for (int n = 0; n <= 70; n++) {
          Buffer part(to, 90);
          std::fill(part.bytes.begin(), part.bytes.end(), 0x55);
          cast(in.bytes.data(), part.bytes.data(), n);
          ASSERT_EQ(std::memcmp(part.bytes.data(), whole.bytes.data(), n * kSizes[to]), 0) << n;
          for (size_t i = n * kSizes[to]; i < part.bytes.size(); i++) ASSERT_EQ(part.bytes[i], 0x55) << n;
        }
        if (kSizes[from] != kSizes[to]) continue;
        Buffer same = in;
        cast(same.bytes.data(), same.bytes.data(), 80);
        ASSERT_EQ(std::memcmp(same.bytes.data(), whole.bytes.data(), 80 * kSizes[to]), 0);
      }
    }
  }
}

}  // namespace
}  // namespace mlx::core
