// What a CPU primitive enqueues its work with. Evaluation already runs in the order of the stream, on the thread that
// drains it, so the work of eval_cpu runs at once; work dispatched from elsewhere enters the queue of the stream.
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mlx/array.h"
#include "mlx/stream.h"

namespace mlx::core::cpu {

constexpr int DISPATCHES_PER_TASK = 10;

struct CommandEncoder {
  explicit CommandEncoder(Stream stream) : stream_(stream) {}

  // Inputs, outputs and temporaries stay alive during the evaluation in any case; these are for portability.
  void set_input_array(const array&) {}
  void set_output_array(array&) {}
  void add_temporary(array arr) { temporaries_.push_back(std::move(arr)); }
  void add_temporaries(std::vector<array> arrays) {
    for (array& a : arrays) add_temporary(std::move(a));
  }
  std::vector<array>& temporaries() { return temporaries_; }

  template <class F, class... Args>
  void dispatch(F&& f, Args&&... args) {
    if (inside_evaluation()) {
      std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
      return;
    }
    enqueue([f = std::forward<F>(f), ... args = std::forward<Args>(args)]() mutable { std::invoke(f, args...); });
  }

 private:
  bool inside_evaluation() const;
  void enqueue(std::function<void()> task);

  Stream stream_;
  std::vector<array> temporaries_;
};

// The calling thread's encoder of the stream. Throws std::out_of_range for a stream that was never made.
CommandEncoder& get_command_encoder(Stream s);
// All encoders of the calling thread, by the index of their stream; every thread has its own.
std::unordered_map<int, CommandEncoder>& get_command_encoders();
inline std::unordered_map<int, CommandEncoder>& get_global_command_encoders() { return get_command_encoders(); }

}  // namespace mlx::core::cpu
