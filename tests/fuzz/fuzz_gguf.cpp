// Loads and evaluates gguf files.

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::MemoryFile file(data, size);
  return fuzz::run([&] {
    auto loaded = mlx::core::load_gguf(file.path());
    for (auto& [name, x] : loaded.first) x.eval();
  });
}
