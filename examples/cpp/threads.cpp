// Streams and threads: arrays may be built, evaluated and read on any thread.
#include <iostream>
#include <thread>

#include "check.h"
#include "mlx/mlx.h"
#include "mlx/scheduler.h"

namespace mx = mlx::core;

int main() {
  mx::array x = mx::random::normal({256, 256}, mx::float32, mx::random::key(1));
  mx::array shared = mx::matmul(x, x);  // not evaluated yet

  std::vector<float> sums(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < sums.size(); i++) {
    threads.emplace_back([&, i] {
      // Each thread has its own default stream; whoever comes first evaluates what they share.
      sums[i] = mx::sum(shared).item<float>();
    });
  }
  for (std::thread& t : threads) t.join();
  for (float s : sums) check(s == sums[0], "all threads read the same values");

  // async_eval hands the work over and returns.
  mx::Stream stream = mx::new_stream(mx::Device::cpu);
  mx::array y = mx::add(shared, x, stream);
  mx::async_eval(y);
  mx::scheduler::enqueue(stream, [] { std::cout << "in the order of the stream" << std::endl; });
  mx::synchronize(stream);
  check(y.is_available(), "the stream is done");
  std::cout << "threads: done" << std::endl;
}
