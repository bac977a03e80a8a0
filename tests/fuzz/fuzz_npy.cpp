// Loads and evaluates npy files.

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz::run([&] { mlx::core::load(std::make_shared<fuzz::MemoryReader>(data, size)).eval(); });
}
