// Loads and evaluates safetensors files.

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz::run([&] {
    auto loaded = mlx::core::load_safetensors(std::make_shared<fuzz::MemoryReader>(data, size));
    for (auto& [name, x] : loaded.first) x.eval();
  });
}
