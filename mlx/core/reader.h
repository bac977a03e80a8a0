// Sources and targets of bytes: files, or objects of a host language. Implementations are in io/ and in bindings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ios>
#include <string>

namespace mlx::core::io {

class Reader {
 public:
  virtual bool is_open() const = 0;
  virtual bool good() const = 0;
  virtual size_t tell() = 0;
  virtual void seek(int64_t off, std::ios_base::seekdir way = std::ios_base::beg) = 0;
  // Throw std::runtime_error naming the source when fewer bytes are there. The second form leaves the position alone
  // and may be called from any thread.
  virtual void read(char* data, size_t n) = 0;
  virtual void read(char* data, size_t n, size_t offset) = 0;
  virtual std::string label() const = 0;
  virtual ~Reader() = default;
};

class Writer {
 public:
  virtual bool is_open() const = 0;
  virtual bool good() const = 0;
  virtual size_t tell() = 0;
  virtual void seek(int64_t off, std::ios_base::seekdir way = std::ios_base::beg) = 0;
  virtual void write(const char* data, size_t n) = 0;
  // Everything is written; a writer that holds back what it wrote publishes it now.
  virtual void commit() {}
  virtual std::string label() const = 0;
  virtual ~Writer() = default;
};

}  // namespace mlx::core::io
