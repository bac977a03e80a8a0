// Small operations on float32 for the tests of the core.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "mlx/primitives.h"
#include "mlx/transforms.h"

namespace mlx::core::testing {

// Evaluates through a function; the ways to make one are below.
class Custom : public Primitive {
 public:
  using Function = std::function<void(const std::vector<array>&, std::vector<array>&)>;
  Custom(Stream s, Function f, const char* name = "Custom") : Primitive(s), f_(std::move(f)), name_(name) {}
  void eval_cpu(const std::vector<array>& inputs, std::vector<array>& outputs) override { f_(inputs, outputs); }
  void eval_gpu(const std::vector<array>&, std::vector<array>&) override { throw std::runtime_error("no gpu"); }
  const char* name() const override { return name_; }

 private:
  Function f_;
  const char* name_;
};

// What the function throws.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

inline void allocate(array& out) { out.set_data(allocator::malloc(out.nbytes())); }

inline Stream cpu_stream() { return default_stream(Device::cpu); }

inline array custom(std::vector<array> inputs, Shape shape, Custom::Function f, Stream s = cpu_stream()) {
  return array(std::move(shape), float32, std::make_shared<Custom>(s, std::move(f)), std::move(inputs));
}

// x + c, in place where it may be.
inline array add_constant(const array& x, float c, Stream s = cpu_stream()) {
  auto f = [c](const std::vector<array>& inputs, std::vector<array>& outputs) {
    const array& in = inputs[0];
    array& out = outputs[0];
    if (in.is_donatable() && in.flags().row_contiguous) out.copy_shared_buffer(in);
    else allocate(out);
    const float* from = in.data<float>();
    float* to = out.data<float>();
    for (size_t i = 0; i < out.size(); i++) to[i] = from[i] + c;
  };
  return custom({x}, x.shape(), f, s);
}

inline array add(const array& x, const array& y, Stream s = cpu_stream()) {
  auto f = [](const std::vector<array>& inputs, std::vector<array>& outputs) {
    allocate(outputs[0]);
    const float *a = inputs[0].data<float>(), *b = inputs[1].data<float>();
    float* to = outputs[0].data<float>();
    for (size_t i = 0; i < outputs[0].size(); i++) to[i] = a[i] + b[i];
  };
  return custom({x, y}, x.shape(), f, s);
}

// Sleeps and returns x + 1; counts how often it ran.
inline array slow(const array& x, int milliseconds, Stream s = cpu_stream(), std::atomic<int>* runs = nullptr) {
  auto f = [=](const std::vector<array>& inputs, std::vector<array>& outputs) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    allocate(outputs[0]);
    for (size_t i = 0; i < outputs[0].size(); i++) outputs[0].data<float>()[i] = inputs[0].data<float>()[i] + 1;
    if (runs) ++*runs;
  };
  return custom({x}, x.shape(), f, s);
}

inline array fails(const array& x, Stream s = cpu_stream()) {
  return custom({x}, x.shape(), [](const auto&, auto&) { throw std::runtime_error("[fails] It fails."); }, s);
}

// x + 1 and x - 1 from one operation.
inline std::vector<array> both_sides(const array& x, Stream s = cpu_stream(), std::atomic<int>* runs = nullptr) {
  auto f = [=](const std::vector<array>& inputs, std::vector<array>& outputs) {
    for (array& out : outputs) allocate(out);
    for (size_t i = 0; i < inputs[0].size(); i++) {
      outputs[0].data<float>()[i] = inputs[0].data<float>()[i] + 1;
      outputs[1].data<float>()[i] = inputs[0].data<float>()[i] - 1;
    }
    if (runs) ++*runs;
  };
  return array::make_arrays({x.shape(), x.shape()}, {float32, float32}, std::make_shared<Custom>(s, f), {x});
}

inline array ones(int64_t n, float value = 1.0f) { return array(std::vector<float>(n, value).begin(), Shape{n}); }

}  // namespace mlx::core::testing
