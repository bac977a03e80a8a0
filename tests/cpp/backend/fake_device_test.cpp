// The library with a second device that shares nothing with the host.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "../core/test_primitives.h"
#include "fake_device.h"
#include "mlx/core/error.h"
#include "mlx/core/residency.h"
#include "mlx/core/stream_queue.h"
#include "mlx/core/warnings.h"
#include "mlx/memory.h"

using namespace mlx::core;
namespace t = mlx::core::testing;

namespace {

std::shared_ptr<FakeDevice> fake;
std::vector<std::string> warnings;
std::mutex warnings_mutex;

// a * x + b * y on either device; may throw on the device's thread.
class Affine : public Primitive {
 public:
  Affine(Stream s, float a, float b, bool fails = false, const char* name = "Affine")
      : Primitive(s), a_(a), b_(b), fails_(fails), name_(name) {}

  void eval_cpu(const std::vector<array>& in, std::vector<array>& out) override {
    for (const array& x : in) {
      if (x.data_shared_ptr()->residency.load() && x.is_donatable()) device_buffers_donatable++;
    }
    t::allocate(out[0]);
    compute(in[0].data<float>(), in[1].data<float>(), out[0].data<float>(), out[0].size());
  }

  void eval_gpu(const std::vector<array>& in, std::vector<array>& out) override {
    auto* x = static_cast<const float*>(device_input(in[0], *fake, stream()));
    auto* y = static_cast<const float*>(device_input(in[1], *fake, stream()));
    for (const array& input : in) device_buffers_donatable += input.is_donatable();
    auto* to = static_cast<float*>(device_output(out[0], *fake, stream()));
    fake->launch(stream(), {x, y}, {to}, [=, a = a_, b = b_, fails = fails_, n = out[0].size()] {
      if (fails) throw std::runtime_error("[device] The kernel failed.");
      for (size_t i = 0; i < n; i++) to[i] = a * x[i] + b * y[i];
    });
  }
  const char* name() const override { return name_; }

  static inline std::atomic<int> device_buffers_donatable = 0;

 private:
  void compute(const float* x, const float* y, float* to, size_t n) const {
    for (size_t i = 0; i < n; i++) to[i] = a_ * x[i] + b_ * y[i];
  }
  float a_, b_;
  bool fails_;
  const char* name_;
};

// A copy that the device makes once it may.
class Gated : public Primitive {
 public:
  Gated(Stream s, std::shared_future<void> open) : Primitive(s), open_(std::move(open)) {}
  void eval_cpu(const std::vector<array>&, std::vector<array>&) override { throw std::runtime_error("not here"); }
  void eval_gpu(const std::vector<array>& in, std::vector<array>& out) override {
    auto* x = static_cast<const float*>(device_input(in[0], *fake, stream()));
    auto* to = static_cast<float*>(device_output(out[0], *fake, stream()));
    fake->launch(stream(), {x}, {to}, [x, to, open = open_, n = out[0].size()] {
      open.wait();
      std::copy_n(x, n, to);
    });
  }
  const char* name() const override { return "Gated"; }

 private:
  std::shared_future<void> open_;
};

// A compiled program: three kernels, one unit.
class Program : public Primitive {
 public:
  using Primitive::Primitive;
  void eval_cpu(const std::vector<array>&, std::vector<array>&) override { throw std::runtime_error("not here"); }
  void eval_gpu(const std::vector<array>& in, std::vector<array>& out) override {
    std::vector<array> step{in[0]};
    for (int i = 0; i < 3; i++) {
      std::vector<array> next{i < 2 ? array(out[0].shape(), float32, nullptr, {}) : out[0]};
      Affine(stream(), 2, 1).eval_gpu({step[0], in[0]}, next);
      step = next;  // the temporary dies before its kernel has run
    }
  }
  const char* name() const override { return "Program"; }
  uint64_t region_key() const override { return 42; }
};

array affine(const array& x, const array& y, float a, float b, Stream s) {
  return array(x.shape(), float32, std::make_shared<Affine>(s, a, b), {x, y});
}
array failing(const array& x, Stream s) {
  return array(x.shape(), float32, std::make_shared<Affine>(s, 1, 1, true), {x, x});
}

class FakeDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fake) {
      fake = std::make_shared<FakeDevice>();
      set_backend(Device::gpu, fake);
      set_warning_handler([](const std::string& text) {
        std::lock_guard guard(warnings_mutex);
        warnings.push_back(text);
      });
    }
    gpu = new_stream(Device::gpu);
    cpu = new_stream(Device::cpu);
    fake->lacks.clear();
    host_bytes_ = get_active_memory();
  }

  // Nothing is left on either side, no freed block was touched, and no device buffer was ever offered for donation.
  void TearDown() override {
    fake->finish();
    for (const Stream& s : get_streams()) {
      try {
        synchronize(s);
      } catch (const std::exception&) {
      }
    }
    fake->finish();
    EXPECT_EQ(fake->live_bytes(), 0u);
    EXPECT_EQ(get_active_memory(), host_bytes_);
    EXPECT_EQ(fake->damaged_blocks(), 0);
    EXPECT_EQ(Affine::device_buffers_donatable, 0);
  }

  Stream gpu{0, Device::gpu}, cpu{0, Device::cpu};

 private:
  size_t host_bytes_ = 0;
};

void expect_all(array x, float value) {
  eval(x);
  for (size_t i = 0; i < x.size(); i++) ASSERT_EQ(x.data<float>()[i], value) << i;
}

TEST_F(FakeDeviceTest, ChainStaysOnTheDevice) {
  int uploads = fake->uploads, downloads = fake->downloads;
  array x = t::ones(1000), y = x;
  for (int i = 0; i < 50; i++) y = affine(y, x, 1, 1, gpu);
  expect_all(y, 51);
  EXPECT_EQ(fake->uploads, uploads + 1);
  EXPECT_EQ(fake->downloads, downloads + 1);
}

TEST_F(FakeDeviceTest, MixedGraph) {
  std::vector<Stream> streams{gpu, cpu, new_stream(Device::gpu), new_stream(Device::cpu)};
  std::mt19937 random(7);
  for (int round = 0; round < 20; round++) {
    std::vector<array> arrays{t::ones(64)};
    std::vector<float> expected{1};
    for (int i = 0; i < 60; i++) {
      size_t a = random() % arrays.size(), b = random() % arrays.size();
      arrays.push_back(affine(arrays[a], arrays[b], 0.5f, 0.25f, streams[random() % 4]));
      expected.push_back(0.5f * expected[a] + 0.25f * expected[b]);
    }
    if (round % 2) async_eval({arrays[30], arrays[45]});
    for (int i : {60, 30, 59, 10}) expect_all(arrays[i], expected[i]);
  }
}

TEST_F(FakeDeviceTest, WaitsEnterADeviceInTheOrderOfItsWork) {
  // The second segment of gpu waits for other, which waits for the first one, which has not been given yet because it
  // waits for a slow host.
  Stream other = new_stream(Device::gpu);
  array x = t::slow(t::ones(4), 50, cpu);
  array first = affine(x, x, 1, 0, gpu);
  array second = affine(first, first, 1, 1, other);
  array third = affine(second, first, 1, 1, gpu);
  async_eval(third);
  array more = affine(third, third, 1, 0, other);
  async_eval(more);
  expect_all(more, 6);
}

TEST_F(FakeDeviceTest, DevicesWaitForEachOtherWithoutTheHost) {
  Stream other = new_stream(Device::gpu);
  std::promise<void> gate;
  array x = t::ones(16);
  array first({16}, float32, std::make_shared<Gated>(other, gate.get_future().share()), {x});
  async_eval(first);
  EXPECT_TRUE(drain_streams(10000));  // the device has its work, and stands at the gate
  int waits = fake->device_waits;
  array second = affine(first, first, 0.5f, 1, gpu);
  async_eval(second);
  EXPECT_TRUE(drain_streams(10000)) << "the host waits for a device";
  EXPECT_EQ(fake->device_waits, waits + 1);
  gate.set_value();
  expect_all(second, 1.5f);
}

TEST_F(FakeDeviceTest, LongChainAcrossStreams) {
  Stream other = new_stream(Device::gpu);
  array x = t::ones(16);
  for (int i = 0; i < 200; i++) x = affine(x, x, 0.5f, 0.5f, i % 2 ? gpu : other);
  expect_all(x, 1);
}

TEST_F(FakeDeviceTest, CopiesHappenOnceAndRespectOffsets) {
  array host = t::ones(8, 3.0f);
  for (int i = 0; i < 8; i++) host.data<float>()[i] = static_cast<float>(i);
  array view = t::custom({host}, {4}, [](const auto& in, auto& out) {
    out[0].copy_shared_buffer(in[0], {1}, {true, true, true}, 4, 2);
  }, cpu);
  int uploads = fake->uploads;
  array y = affine(view, view, 1, 0, gpu), z = affine(host, host, 1, 0, gpu);
  eval(y, z);
  EXPECT_EQ(fake->uploads, uploads + 1);
  EXPECT_EQ(y.data<float>()[0], 2);
  EXPECT_EQ(y.data<float>()[3], 5);
  EXPECT_EQ(z.data<float>()[7], 7);
  int downloads = fake->downloads;
  EXPECT_EQ(y.data<float>()[1], 3);
  array back = t::add_constant(y, 1, cpu);
  eval(back);
  EXPECT_EQ(fake->downloads, downloads);
  EXPECT_EQ(back.data<float>()[0], 3);
  EXPECT_EQ(y.data<float>()[0], 2) << "a buffer that the device knows was overwritten";
}

TEST_F(FakeDeviceTest, BuffersMayDieBeforeTheirKernelsRun) {
  for (int i = 0; i < 100; i++) {
    array y = affine(t::ones(256, 2), t::ones(256, 3), 1, 1, gpu);
    for (int k = 0; k < 5; k++) y = affine(y, t::ones(256), 1, 1, k % 2 ? gpu : new_stream(Device::gpu));
    async_eval(y);
    if (i % 10 == 0) expect_all(y, 10);
  }
}

TEST_F(FakeDeviceTest, LackingPrimitiveRunsOnTheHostWithOneWarning) {
  fake->lacks.insert("OnHostOnly");
  size_t count = warnings.size();
  for (int i = 0; i < 3; i++) {
    array x = affine(t::ones(8), t::ones(8), 1, 1, gpu);
    array y({8}, float32, std::make_shared<Affine>(gpu, 2, 1, false, "OnHostOnly"), {x, x});
    expect_all(affine(y, x, 1, 1, gpu), 8);
  }
  ASSERT_EQ(warnings.size(), count + 1);
  EXPECT_EQ(warnings.back(), "[OnHostOnly] The device does not have this operation; it runs on the CPU.");
}

TEST_F(FakeDeviceTest, ProgramIsOneUnit) {
  array x = t::ones(8);
  eval(affine(x, x, 1, 1, gpu));  // uploads x
  fake->finish();
  int units = fake->units, launches = fake->launches;
  size_t regions = fake->region_keys.size();
  array y({8}, float32, std::make_shared<Program>(gpu), {x});
  eval(y);
  EXPECT_EQ(fake->launches, launches + 3);
  EXPECT_EQ(fake->units, units + 2) << "the program and the signal";
  ASSERT_EQ(fake->region_keys.size(), regions + 1);
  EXPECT_EQ(fake->region_keys.back(), 42u);
  expect_all(y, 15);
}

TEST_F(FakeDeviceTest, LateErrorReachesEveryWaiterTwice) {
  Stream other = new_stream(Device::gpu);
  const std::string text = "[device] The kernel failed.";
  array x = t::ones(8);
  array bad = failing(x, gpu);
  array same = affine(bad, x, 1, 1, gpu), elsewhere = affine(bad, x, 1, 1, other);
  array host = affine(elsewhere, x, 1, 1, cpu), fine = affine(x, x, 1, 1, other);
  async_eval(bad);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(t::error_of([&] { eval(same); }), text);
    EXPECT_EQ(t::error_of([&] { eval(bad); }), text);
    EXPECT_EQ(t::error_of([&] { eval(elsewhere); }), text);
    EXPECT_EQ(t::error_of([&] { eval(host); }).substr(0, text.size()), text);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int k = 0; k < 4; k++) {
      threads.emplace_back([&, k] { right += t::error_of([&] { (k % 2 ? bad : same).eval(); }) == text; });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
  }
  array late = affine(same, x, 1, 1, gpu);  // built and evaluated after the failure was known
  EXPECT_EQ(t::error_of([&] { eval(late); }), text);
  array lacking({8}, float32, std::make_shared<Affine>(gpu, 2, 1, false, "Lacking"), {bad, x});
  fake->lacks.insert("Lacking");
  EXPECT_EQ(t::error_of([&] { eval(lacking); }).substr(0, text.size()), text);
  expect_all(fine, 2);
  expect_all(affine(x, x, 2, 1, gpu), 3);
}

TEST_F(FakeDeviceTest, SynchronizeThrowsALateErrorOnce) {
  async_eval(failing(t::ones(8), gpu));
  EXPECT_EQ(t::error_of([&] { synchronize(gpu); }), "[device] The kernel failed.");
  EXPECT_EQ(t::error_of([&] { synchronize(gpu); }), "no error");
}

TEST_F(FakeDeviceTest, ThreadsShareMixedGraphs) {
  for (int round = 0; round < 20; round++) {
    array x = t::ones(32);
    for (int i = 0; i < 12; i++) x = affine(x, x, 1, 0, i % 3 ? gpu : cpu);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int k = 0; k < 8; k++) {
      threads.emplace_back([&, k] {
        array y = affine(x, x, static_cast<float>(k), 1, k % 2 ? gpu : cpu);
        eval(y);
        right += y.data<float>()[31] == static_cast<float>(k + 1);
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 8);
  }
}

}  // namespace
