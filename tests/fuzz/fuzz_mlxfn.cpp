// Imports exported functions. The file is parsed as a whole before its hash is looked at.

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::MemoryFile file(data, size);
  return fuzz::run([&] { mlx::core::import_function(file.path()); });
}
