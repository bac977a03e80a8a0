// The CPU as a backend: evaluates at once on the calling thread, which shares large loops with the pool.

#include "mlx/core/backend.h"

#include <fstream>
#include <string>

#include "mlx/backend/cpu/encoder.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/error.h"
#include "mlx/core/per_thread.h"
#include "mlx/core/primitive.h"
#include "mlx/core/stream_queue.h"
#include "mlx/primitives.h"
#include "mlx/scheduler.h"

namespace mlx::core {

namespace cpu {

namespace {
thread_local const Stream* evaluating = nullptr;

// User primitives speak vectors.
void evaluate_user_primitive(Primitive& primitive, std::span<array> inputs, std::span<array> outputs) {
  // The inputs move there and back: a copy would keep them from being donated.
  struct Borrowed {
    std::span<array> inputs;
    std::vector<array> arrays;
    ~Borrowed() { std::move(arrays.begin(), arrays.end(), inputs.begin()); }
  } in{inputs, {std::make_move_iterator(inputs.begin()), std::make_move_iterator(inputs.end())}};
  std::vector<array> out(outputs.begin(), outputs.end());
  primitive.eval_cpu(in.arrays, out);
  for (const array& x : outputs) {
    if (!x.data_shared_ptr()) {
      raise<std::runtime_error>("[", primitive.name(), "] eval_cpu returned without giving an output its data.");
    }
  }
}

}  // namespace

bool CommandEncoder::inside_evaluation() const { return evaluating && *evaluating == stream_; }

void CommandEncoder::enqueue(std::function<void()> task) {
  auto kept = std::make_shared<std::vector<array>>(std::move(temporaries_));
  scheduler::enqueue(stream_, [task = std::move(task), kept] { task(); });
}

std::unordered_map<int, CommandEncoder>& get_command_encoders() {
  return PerThread<std::unordered_map<int, CommandEncoder>>::get();
}

CommandEncoder& get_command_encoder(Stream s) {
  auto it = get_command_encoders().find(s.index);
  if (it == get_command_encoders().end()) {
    stream_queue(s);
    it = get_command_encoders().emplace(s.index, s).first;
  }
  return it->second;
}

namespace {

// While this thread evaluates on the stream. What was dispatched meanwhile has run when it ends.
class EvaluationScope {
 public:
  explicit EvaluationScope(const Stream& s) : stream_(s), outer_(std::exchange(evaluating, &s)) {}
  EvaluationScope(const EvaluationScope&) = delete;
  ~EvaluationScope() {
    evaluating = outer_;
    auto it = get_command_encoders().find(stream_.index);
    if (it != get_command_encoders().end()) it->second.temporaries().clear();
  }

 private:
  const Stream& stream_;
  const Stream* outer_;
};

using EvalFn = void (*)(Primitive&, InputSpan, OutputSpan);

constexpr EvalFn eval_table[] = {
#define PRIMITIVE(Class) \
  [](Primitive& p, InputSpan inputs, OutputSpan outputs) { eval(static_cast<Class&>(p), inputs, outputs); },
#include "mlx/ops/primitives.def"
};

class CpuBackend : public Backend {
 public:
  int device_count() const override { return 1; }
  const DeviceInfo& device_info(int) const override {
    static const DeviceInfo* info = new DeviceInfo{{"architecture", std::string(architecture)},
                                                   {"device_name", cpu_name()},
                                                   {"instruction_set", std::string(kernels().level)},
                                                   {"instruction_sets", level_names()}};
    return *info;
  }
  bool uses_host_memory() const override { return true; }
  bool supports(const Primitive&) const override { return true; }

  // Work is over when it has been given.
  void signal(const Stream&, const Event& event) override { event.set(); }

  void evaluate(const Stream& stream, Primitive& primitive, std::span<array> inputs,
                std::span<array> outputs) override {
    EvaluationScope scope(stream);
    if (primitive.kind() >= 0) eval_table[primitive.kind()](primitive, inputs, outputs);
    else evaluate_user_primitive(primitive, inputs, outputs);
  }

 private:
#if defined(__x86_64__)
  static constexpr const char* architecture = "x86_64";
#elif defined(__aarch64__)
  static constexpr const char* architecture = "aarch64";
#else
  static constexpr const char* architecture = "unknown";
#endif

  static std::string cpu_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
      size_t colon = line.find(": ");
      if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "CPU";
  }

  static std::string level_names() {
    std::string names;
    for (std::string_view level : supported_levels()) names += (names.empty() ? "" : " ") + std::string(level);
    return names;
  }
};

}  // namespace
}  // namespace cpu

std::shared_ptr<Backend> make_cpu_backend() { return std::make_shared<cpu::CpuBackend>(); }

}  // namespace mlx::core
