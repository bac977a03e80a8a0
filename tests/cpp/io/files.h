// A folder for a test's files, their bytes, sources and targets in memory, and arrays of every dtype.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mlx/core/error.h"
#include "mlx/io.h"
#include "mlx/ops.h"
#include "mlx/transforms.h"

namespace mlx::core::testing {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "io_test_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  size_t count() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A source in memory.
class MemoryReader : public io::Reader {
 public:
  explicit MemoryReader(std::string bytes) : bytes_(std::move(bytes)) {}
  bool is_open() const override { return true; }
  bool good() const override { return true; }
  size_t tell() override { return at_; }
  void seek(int64_t off, std::ios_base::seekdir way) override {
    at_ = static_cast<size_t>(off) + (way == std::ios_base::end ? bytes_.size() : way == std::ios_base::cur ? at_ : 0);
  }
  void read(char* data, size_t n) override {
    read(data, n, at_);
    at_ += n;
  }
  void read(char* data, size_t n, size_t offset) override {
    if (offset > bytes_.size() || n > bytes_.size() - offset) raise<std::runtime_error>("the source ends");
    std::memcpy(data, bytes_.data() + offset, n);
  }
  std::string label() const override { return "memory"; }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

class MemoryWriter : public io::Writer {
 public:
  bool is_open() const override { return true; }
  bool good() const override { return true; }
  size_t tell() override { return bytes.size(); }
  void seek(int64_t, std::ios_base::seekdir) override { FAIL(); }
  void write(const char* data, size_t n) override { bytes.append(data, n); }
  void commit() override { commits++; }
  std::string label() const override { return "memory"; }

  std::string bytes;
  int commits = 0;
};

inline const std::vector<Dtype>& all_dtypes() {
  static const std::vector<Dtype> dtypes{bool_, uint8, uint16, uint32,  uint64,  int8,     int16,
                                         int32, int64, float16, float32, float64, bfloat16, complex64};
  return dtypes;
}

// Different values in every element, with fractions where the dtype has them.
inline array counted(Shape shape, Dtype dtype) {
  array x = arange(0.0, static_cast<double>(element_count(shape)), 1.0, float32);
  if (dtype == bool_) x = remainder(x, array(2.0f));
  else if (dtype == complex64) x = astype(x, complex64) * array(complex64_t(0.5f, -0.25f));
  else if (issubdtype(dtype, inexact)) x = x * array(0.25f);
  return reshape(astype(x, dtype), std::move(shape));
}

// Shapes and layouts that a format has to keep: row-major, column-major, neither, without elements, repeated.
inline std::vector<array> layouts(Dtype dtype) {
  return {counted({}, dtype),
          counted({5}, dtype),
          counted({0}, dtype),
          counted({3, 0, 2}, dtype),
          counted({1, 7}, dtype),
          counted({7, 1}, dtype),
          counted({2, 3, 4}, dtype),
          transpose(counted({3, 4}, dtype)),
          transpose(counted({2, 3, 4}, dtype), {1, 0, 2}),
          slice(counted({6, 6}, dtype), {1, 1}, {6, 6}, {2, 3}),
          slice(counted({8}, dtype), {7}, {-9}, {-1}),
          broadcast_to(counted({3}, dtype), {2, 3})};
}

// Bit for bit.
inline void expect_same(array a, array b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  ASSERT_EQ(a.dtype(), b.dtype()) << what;
  a = contiguous(a);
  b = contiguous(b);
  eval(a, b);
  EXPECT_EQ(std::string(a.data<char>(), a.nbytes()), std::string(b.data<char>(), b.nbytes())) << what;
}

// The text of the std::runtime_error that the call throws; other exceptions, or none, are failures.
template <typename Call>
std::string runtime_error_of(Call&& call) {
  try {
    call();
  } catch (const std::runtime_error& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception: " << e.what();
    return "";
  }
  ADD_FAILURE() << "no exception";
  return "";
}

}  // namespace mlx::core::testing
