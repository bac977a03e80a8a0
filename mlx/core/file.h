// Readers and writers of files. A file is replaced as a whole or not at all.
#pragma once

#include <string>

#include "mlx/core/reader.h"

namespace mlx::core::io {

// Keeps its file open: what happens to the name afterwards does not matter. Every fault throws std::runtime_error
// naming the file. Reads at an offset may run on several threads at once.
class ParallelFileReader : public Reader {
 public:
  explicit ParallelFileReader(std::string file_path);
  ParallelFileReader(const ParallelFileReader&) = delete;
  ParallelFileReader& operator=(const ParallelFileReader&) = delete;
  ~ParallelFileReader() override;

  bool is_open() const override { return descriptor_ >= 0; }
  bool good() const override { return is_open(); }
  size_t tell() override { return position_; }
  void seek(int64_t off, std::ios_base::seekdir way = std::ios_base::beg) override;
  void read(char* data, size_t n) override;
  void read(char* data, size_t n, size_t offset) override;
  std::string label() const override { return path_; }
  // Bytes in the file now.
  size_t size() const;

 private:
  std::string path_;
  int descriptor_;
  size_t position_ = 0;
};

// Writes to a temporary file in the target's folder. commit() puts it in the target's place; without it the
// destructor removes it, and the old file stays as it was. A symbolic link stays and its target is replaced; an old
// file's permissions are kept.
class FileWriter : public Writer {
 public:
  // Not open: every write throws.
  explicit FileWriter() = default;
  explicit FileWriter(std::string file_path);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter() override;

  bool is_open() const override { return descriptor_ >= 0; }
  bool good() const override { return is_open() && !failed_; }
  size_t tell() override { return position_; }
  void seek(int64_t off, std::ios_base::seekdir way = std::ios_base::beg) override;
  void write(const char* data, size_t n) override;
  std::string label() const override { return path_; }
  // May be called again: later writes go to the file under its new name. After a failed write it throws.
  void commit() override;

 private:
  void check_open() const;

  std::string path_, target_, temporary_;  // as given, with links resolved, empty once committed
  int descriptor_ = -1;
  size_t position_ = 0, end_ = 0;
  bool failed_ = false;
};

}  // namespace mlx::core::io
