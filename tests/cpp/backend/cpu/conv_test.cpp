// Convolutions against the definition, evaluated naively on small integers: all sums are exact, so results
// are compared bit by bit whatever the order of summation.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "mlx/backend/cpu/conv.h"
#include "mlx/core/thread_pool.h"
#include "tests/cpp/backend/cpu/gemm_levels.h"

namespace mlx::core::cpu {
namespace {

std::vector<char> small_integers(GemmType t, int64_t count, uint32_t seed) {
  std::vector<char> data(size_t(count * item_bytes(t) + 8));
  std::mt19937 gen(seed);
  for (int64_t i = 0; i < count; ++i) write_item(t, data.data(), i, int(gen() % 7) - 3);
  return data;
}

enum class Order { contiguous, channel_first, batch_last, reversed };

// Strides of a tensor of the given shape in one of a few memory orders; returns the offset of element 0.
int64_t set_strides(Order order, const std::vector<int64_t>& shape, int64_t* strides) {
  int n = int(shape.size());
  std::vector<int> axes(n);  // outermost first
  std::iota(axes.begin(), axes.end(), 0);
  if (order == Order::channel_first) axes.insert(axes.begin() + 1, n - 1), axes.pop_back();
  if (order == Order::batch_last) std::rotate(axes.begin(), axes.begin() + 1, axes.end());
  int64_t step = 1, offset = 0;
  for (int i = n - 1; i >= 0; --i) {
    strides[axes[i]] = step;
    step *= std::max<int64_t>(shape[axes[i]], 1);
  }
  if (order == Order::reversed) {
    for (int i = 0; i < n; ++i) {
      offset += strides[i] * std::max<int64_t>(shape[i] - 1, 0);
      strides[i] = -strides[i];
    }
  }
  return offset;
}

int64_t product(const std::vector<int64_t>& v) {
  return std::accumulate(v.begin(), v.end(), int64_t(1), std::multiplies<>());
}

struct Tensor {
  std::vector<char> data;
  std::vector<int64_t> shape;
  int64_t offset, strides[5];
};

Tensor make_tensor(GemmType t, Order order, std::vector<int64_t> shape, uint32_t seed) {
  Tensor x{{}, shape, 0, {}};
  x.data = small_integers(t, product(shape), seed);
  x.offset = set_strides(order, shape, x.strides);
  return x;
}

struct ConvCase {
  ConvProblem p;
  int64_t padding_hi[3] = {0, 0, 0};
  Order in_order = Order::contiguous, weight_order = Order::contiguous, out_order = Order::contiguous;

  bool finish() {  // false: the kernel does not fit
    for (int d = 0; d < p.rank; ++d) {
      int64_t room = p.in_dilation[d] * (p.in_size[d] - 1) + 1 + p.padding[d] + padding_hi[d];
      if (p.in_size[d] < 1 || room < p.dilation[d] * (p.kernel_size[d] - 1) + 1) return false;
      p.out_size[d] = (room - p.dilation[d] * (p.kernel_size[d] - 1) - 1) / p.stride[d] + 1;
    }
    return true;
  }
};

std::vector<int64_t> shape_of(int64_t first, const int64_t* dims, int rank, int64_t last) {
  std::vector<int64_t> s{first};
  s.insert(s.end(), dims, dims + rank);
  s.push_back(last);
  return s;
}

// Sum over taps and channels for one output element, straight from the definition.
double naive_element(const ConvCase& s, const Tensor& x, const Tensor& w, int64_t n, const int64_t* o,
                     int64_t channel) {
  const ConvProblem& p = s.p;
  int64_t per_group = p.in_channels / p.groups, group = channel / (p.out_channels / p.groups);
  int64_t taps = 1;
  for (int d = 0; d < p.rank; ++d) taps *= p.kernel_size[d];
  double sum = 0;
  for (int64_t tap = 0; tap < taps; ++tap) {
    int64_t rest = tap, xi = x.offset + n * x.strides[0], wi = w.offset + channel * w.strides[0];
    bool inside = true;
    for (int d = p.rank - 1; d >= 0; --d) {
      int64_t t = rest % p.kernel_size[d];
      rest /= p.kernel_size[d];
      int64_t at = o[d] * p.stride[d] + t * p.dilation[d] - p.padding[d];
      inside = inside && at >= 0 && at % p.in_dilation[d] == 0 && at / p.in_dilation[d] < p.in_size[d];
      xi += at / p.in_dilation[d] * x.strides[d + 1];
      wi += (p.flip ? p.kernel_size[d] - 1 - t : t) * w.strides[d + 1];
    }
    if (!inside) continue;
    for (int64_t c = 0; c < per_group; ++c) {
      sum += read_item(p.type, x.data.data(), xi + (group * per_group + c) * x.strides[p.rank + 1]) *
             read_item(p.type, w.data.data(), wi + c * w.strides[p.rank + 1]);
    }
  }
  return sum;
}

std::string describe(const ConvCase& s) {
  const ConvProblem& p = s.p;
  std::string text = "type " + std::to_string(int(p.type)) + " N " + std::to_string(p.batch) + " C " +
                     std::to_string(p.in_channels) + " O " + std::to_string(p.out_channels) + " groups " +
                     std::to_string(p.groups) + (p.flip ? " flip" : "");
  for (int d = 0; d < p.rank; ++d) {
    text += "\n  dim " + std::to_string(d) + ": in " + std::to_string(p.in_size[d]) + " kernel " +
            std::to_string(p.kernel_size[d]) + " out " + std::to_string(p.out_size[d]) + " stride " +
            std::to_string(p.stride[d]) + " padding " + std::to_string(p.padding[d]) + "," +
            std::to_string(s.padding_hi[d]) + " dilation " + std::to_string(p.dilation[d]) + " in_dilation " +
            std::to_string(p.in_dilation[d]);
  }
  return text + "\n  orders " + std::to_string(int(s.in_order)) + std::to_string(int(s.weight_order)) +
         std::to_string(int(s.out_order));
}

struct Result {
  Tensor x, w, y;
};

Result run(ConvCase& s, const GemmKernels& kernels) {
  ConvProblem& p = s.p;
  Result r{make_tensor(p.type, s.in_order, shape_of(p.batch, p.in_size, p.rank, p.in_channels), 1),
           make_tensor(p.type, s.weight_order,
                       shape_of(p.out_channels, p.kernel_size, p.rank, p.in_channels / p.groups), 2),
           make_tensor(p.type, s.out_order, shape_of(p.batch, p.out_size, p.rank, p.out_channels), 3)};
  int64_t item = item_bytes(p.type);
  p.input = r.x.data.data() + r.x.offset * item;
  p.weight = r.w.data.data() + r.w.offset * item;
  p.out = r.y.data.data() + r.y.offset * item;
  std::copy_n(r.x.strides, 5, p.in_strides);
  std::copy_n(r.w.strides, 5, p.weight_strides);
  std::copy_n(r.y.strides, 5, p.out_strides);
  conv(p, kernels);
  return r;
}

void check(ConvCase s, const Level& level) {
  SCOPED_TRACE(level.name + " " + describe(s));
  Result r = run(s, *level.kernels);
  const ConvProblem& p = s.p;
  int64_t count = product(r.y.shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, o[3], place = r.y.offset;
    int64_t channel = rest % p.out_channels;
    rest /= p.out_channels;
    for (int d = p.rank - 1; d >= 0; --d) {
      o[d] = rest % p.out_size[d];
      rest /= p.out_size[d];
      place += o[d] * r.y.strides[d + 1];
    }
    place += rest * r.y.strides[0] + channel * r.y.strides[p.rank + 1];
    double sum = naive_element(s, r.x, r.w, rest, o, channel);
    char want[8];
    write_item(p.type, want, 0, sum);
    ASSERT_EQ(read_item(p.type, want, 0), read_item(p.type, r.y.data.data(), place))
        << "batch " << rest << " channel " << channel << " position " << o[0] << (p.rank > 1 ? o[1] : 0);
  }
}

ConvCase random_setup(std::mt19937& gen, GemmType type) {
  auto pick = [&](int64_t lo, int64_t hi) { return lo + int64_t(gen() % uint32_t(hi - lo + 1)); };
  ConvCase s;
  ConvProblem& p = s.p;
  p.type = type;
  p.rank = int(pick(1, 3));
  p.batch = pick(0, 3);
  p.groups = pick(0, 2) ? 1 : pick(1, 4);
  p.in_channels = p.groups * pick(gen() % 16 ? 1 : 0, 6);
  p.out_channels = p.groups * pick(1, gen() % 3 ? 6 : 40);
  p.flip = gen() % 3 == 0;
  int64_t most = p.rank == 1 ? 40 : p.rank == 2 ? 12 : 6;
  for (int d = 0; d < p.rank; ++d) {
    p.in_size[d] = pick(1, most);
    p.kernel_size[d] = pick(1, 5);
    p.stride[d] = pick(1, 3);
    p.dilation[d] = pick(0, 2) ? 1 : pick(1, 3);
    p.in_dilation[d] = pick(0, 2) ? 1 : pick(1, 4);
    p.padding[d] = pick(-1, 4);
    s.padding_hi[d] = pick(-1, 4);
  }
  s.in_order = Order(gen() % 4 ? 0 : gen() % 4);
  s.weight_order = Order(gen() % 4 ? 0 : gen() % 4);
  s.out_order = Order(gen() % 4 ? 0 : gen() % 4);
  return s;
}

class ConvTypes : public testing::TestWithParam<GemmType> {};
INSTANTIATE_TEST_SUITE_P(All, ConvTypes, testing::ValuesIn(kGemmTypes));

TEST_P(ConvTypes, RandomParameters) {
  std::vector<Level> levels = runnable_levels();
  std::mt19937 gen(31);
  int done = 0;
  for (int i = 0; done < 1500; ++i) {
    ConvCase s = random_setup(gen, GetParam());
    if (!s.finish()) continue;
    check(s, levels[++done % levels.size()]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

ConvCase plain(GemmType type, int64_t n, int64_t size, int64_t c, int64_t o, int64_t kernel,
               int64_t padding = 0) {
  ConvCase s;
  s.p.type = type;
  s.p.batch = n, s.p.in_channels = c, s.p.out_channels = o;
  for (int d = 0; d < 2; ++d) {
    s.p.in_size[d] = size, s.p.kernel_size[d] = kernel, s.p.padding[d] = s.padding_hi[d] = padding;
  }
  return s;
}

std::vector<ConvCase> typical_setups(GemmType t) {
  std::vector<ConvCase> all{plain(t, 2, 13, 32, 70, 5, 2), plain(t, 1, 9, 300, 33, 3, 1),
                            plain(t, 2, 8, 40, 50, 1)};
  ConvCase stem = plain(t, 2, 29, 3, 64, 7, 3);
  stem.p.stride[0] = stem.p.stride[1] = 2;
  all.push_back(stem);
  ConvCase depthwise = plain(t, 2, 11, 150, 150, 3, 1);
  depthwise.p.groups = 150;
  all.push_back(depthwise);
  depthwise.p.stride[0] = 2, depthwise.p.out_channels = 300;
  all.push_back(depthwise);
  ConvCase grouped = plain(t, 1, 10, 96, 96, 3, 1);
  grouped.p.groups = 2;
  all.push_back(grouped);
  // gradient of the input: dilated, flipped
  ConvCase input_gradient = plain(t, 2, 7, 20, 18, 3, 2);
  input_gradient.p.in_dilation[0] = input_gradient.p.in_dilation[1] = 2;
  input_gradient.p.flip = true;
  all.push_back(input_gradient);
  // gradient of the weight: batch and channel swapped, long kernel
  ConvCase weight_gradient = plain(t, 9, 18, 4, 40, 16, 0);
  weight_gradient.in_order = weight_gradient.weight_order = Order::batch_last;
  all.push_back(weight_gradient);
  ConvCase long_sum = plain(t, 3, 40, 4, 5, 38, 0);  // split over k
  long_sum.in_order = Order::batch_last;
  all.push_back(long_sum);
  return all;
}

TEST_P(ConvTypes, TypicalShapes) {
  for (const Level& level : runnable_levels()) {
    for (ConvCase& s : typical_setups(GetParam())) {
      ASSERT_TRUE(s.finish());
      check(s, level);
    }
  }
}

TEST_P(ConvTypes, ThreadCountLeavesNoTrace) {
  int before = num_threads();
  for (ConvCase& s : typical_setups(GetParam())) {
    ASSERT_TRUE(s.finish());
    std::vector<char> first;
    for (int threads : {1, 2, 3, 7}) {
      set_num_threads(threads);
      Result r = run(s, kernels().gemm);
      if (first.empty()) first = r.y.data;
      ASSERT_EQ(first, r.y.data) << threads << " threads, " << describe(s);
    }
  }
  set_num_threads(before);
}

TEST_P(ConvTypes, NoInputChannelsGiveZeros) {
  ConvCase s = plain(GetParam(), 2, 6, 0, 5, 3, 1);
  ASSERT_TRUE(s.finish());
  Result r = run(s, kernels().gemm);
  for (int64_t i = 0; i < product(r.y.shape); ++i) ASSERT_EQ(read_item(GetParam(), r.y.data.data(), i), 0);
}

// The published check value of a transposed convolution: input 0 1 2, weight 1 2 3, stride 2.
TEST(Conv, TransposedCheckValue) {
  float x[] = {0, 1, 2}, w[] = {1, 2, 3}, y[7] = {};
  ConvProblem p;
  p.rank = 1, p.batch = p.in_channels = p.out_channels = 1;
  p.in_size[0] = 3, p.kernel_size[0] = 3, p.padding[0] = 2, p.in_dilation[0] = 2, p.flip = true;
  p.out_size[0] = 7;
  p.input = x, p.weight = w, p.out = y;
  p.in_strides[0] = 3, p.in_strides[1] = p.in_strides[2] = 1;
  p.weight_strides[0] = 3, p.weight_strides[1] = p.weight_strides[2] = 1;
  p.out_strides[0] = 7, p.out_strides[1] = p.out_strides[2] = 1;
  conv(p);
  EXPECT_EQ(std::vector<float>(y, y + 7), (std::vector<float>{0, 0, 1, 2, 5, 4, 6}));
}

}  // namespace
}  // namespace mlx::core::cpu
