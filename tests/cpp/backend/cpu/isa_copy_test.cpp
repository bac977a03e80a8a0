// Strided copies and fills by element size at every instruction-set level, and the choice of the level.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "mlx/backend/cpu/isa.h"

namespace mlx::core {
namespace {

using cpu::CopyBlock;

struct Layout {
  CopyBlock block;
  int64_t input_start, output_start;  // elements, so that negative strides stay inside
};

std::vector<Layout> layouts() {
  std::vector<Layout> found;
  for (auto [outer, inner] : {std::pair<int64_t, int64_t>{1, 1},
                              {3, 5},
                              {16, 16},
                              {17, 33},
                              {64, 40},
                              {130, 257},
                              {0, 4},
                              {4, 0}}) {
    found.push_back({{outer, inner, inner, 1, inner, 1}, 0, 0});          // contiguous
    found.push_back({{outer, inner, 1, outer, inner, 1}, 0, 0});          // transpose
    found.push_back({{outer, inner, 1, outer + 3, inner + 2, 1}, 0, 0});  // transpose with gaps
    found.push_back({{outer, inner, 0, 1, inner, 1}, 0, 0});              // one row repeated
    found.push_back({{outer, inner, 1, 0, inner, 1}, 0, 0});              // one column repeated
    found.push_back({{outer, inner, 0, 0, inner, 1}, 0, 0});              // one element
    found.push_back({{outer, inner, 3 * inner, 3, inner, 1}, 0, 0});      // every third
    found.push_back({{outer, inner, inner, 1, 1, outer}, 0, 0});          // scatter
    found.push_back({{outer, inner, -inner, -1, inner, 1}, std::max<int64_t>(outer * inner - 1, 0), 0});
    found.push_back({{outer, inner, 1, -outer, inner, 1}, outer * std::max<int64_t>(inner - 1, 0), 0});
  }
  return found;
}

template <typename T>
void check_copies(const cpu::CopyKernels& kernels, int log2_size) {
  std::vector<T> input(200000);
  for (size_t i = 0; i < input.size(); i++) input[i] = T(i * 2654435761u >> 3);
  for (const Layout& layout : layouts()) {
    const CopyBlock& b = layout.block;
    std::vector<T> got(200000, T(0x5a)), want = got;
    for (int64_t o = 0; o < b.outer; o++) {
      for (int64_t i = 0; i < b.inner; i++) {
        want[layout.output_start + o * b.output_outer_stride + i * b.output_inner_stride] =
            input[layout.input_start + o * b.input_outer_stride + i * b.input_inner_stride];
      }
    }
    kernels.copy[log2_size](input.data() + layout.input_start, got.data() + layout.output_start, b);
    ASSERT_EQ(got, want) << b.outer << " x " << b.inner << " input strides " << b.input_outer_stride << " "
                         << b.input_inner_stride;
  }
  for (int n = 0; n < 70; n++) {
    std::vector<T> got(80, T(1)), want = got;
    T value = T(0x123456789abcdefull);
    std::fill(want.begin(), want.begin() + n, value);
    kernels.fill[log2_size](&value, got.data(), n);
    ASSERT_EQ(got, want);
  }
}

TEST(IsaCopy, EveryLayoutAndSize) {
  for (auto level : cpu::supported_levels()) {
    SCOPED_TRACE(std::string(level));
    const cpu::CopyKernels& kernels = cpu::kernels_of(level)->copy;
    check_copies<uint8_t>(kernels, 0);
    check_copies<uint16_t>(kernels, 1);
    check_copies<uint32_t>(kernels, 2);
    check_copies<uint64_t>(kernels, 3);
  }
}

TEST(IsaLevels, NamesAndChoice) {
  auto levels = cpu::supported_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), "base");
  for (auto level : levels) EXPECT_EQ(cpu::kernels_of(level)->level, level);
  EXPECT_EQ(cpu::kernels_of("sse9"), nullptr);
  if (const char* requested = std::getenv("MLX_CPU_ISA"); requested == nullptr) {
    EXPECT_EQ(cpu::kernels().level, levels.back());
    EXPECT_EQ(cpu::requested_isa_problem(), nullptr);
  } else if (cpu::kernels_of(requested) != nullptr) {
    EXPECT_STREQ(cpu::kernels().level, requested);
  } else {
    EXPECT_EQ(cpu::kernels().level, levels.back());
    EXPECT_NE(cpu::requested_isa_problem(), nullptr);
  }
}

}  // namespace
}  // namespace mlx::core
