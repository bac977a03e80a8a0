// What the fuzzers of the loaders share. A loader may throw std::runtime_error or std::invalid_argument and nothing
// else, and never touch memory that is not its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "mlx/mlx.h"

namespace fuzz {

// The input as a source of bytes.
class MemoryReader : public mlx::core::io::Reader {
 public:
  MemoryReader(const uint8_t* data, size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {}
  bool is_open() const override { return true; }
  bool good() const override { return true; }
  size_t tell() override { return position_; }
  void seek(int64_t offset, std::ios_base::seekdir way) override {
    size_t base = way == std::ios_base::beg ? 0 : way == std::ios_base::cur ? position_ : bytes_.size();
    position_ = base + static_cast<size_t>(offset);
  }
  void read(char* data, size_t n) override {
    read(data, n, position_);
    position_ += n;
  }
  void read(char* data, size_t n, size_t offset) override {
    if (offset > bytes_.size() || n > bytes_.size() - offset) throw std::runtime_error("memory: it ends too early");
    std::memcpy(data, bytes_.data() + offset, n);
  }
  std::string label() const override { return "memory"; }

 private:
  std::string bytes_;
  size_t position_ = 0;
};

// The input as a file, for loaders that take paths.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size) : descriptor_(memfd_create("fuzz", 0)) {
    for (size_t done = 0; done < size;) {
      ssize_t n = write(descriptor_, data + done, size - done);
      if (n <= 0) break;
      done += static_cast<size_t>(n);
    }
  }
  ~MemoryFile() { close(descriptor_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

template <typename Body>
int run(Body&& body) {
  try {
    body();
  } catch (const std::runtime_error&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}

}  // namespace fuzz
