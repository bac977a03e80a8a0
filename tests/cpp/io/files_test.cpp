// Readers and writers of files: replacing as a whole, permissions, links, faults.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "files.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

mode_t permissions(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// A writer in the manner of std::ofstream: it throws nothing and says afterwards whether all went well.
class QuietWriter : public MemoryWriter {
 public:
  explicit QuietWriter(size_t space) : space_(space) {}
  bool is_open() const override { return open; }
  bool good() const override { return good_; }
  void write(const char* data, size_t n) override {
    good_ = good_ && bytes.size() + n <= space_;
    if (good_) MemoryWriter::write(data, n);
  }
  bool open = true;

 private:
  size_t space_;
  bool good_ = true;
};

class QuietReader : public MemoryReader {
 public:
  using MemoryReader::MemoryReader;
  bool is_open() const override { return open; }
  bool good() const override { return sound; }
  bool open = true, sound = true;
};

void refused(const std::string& text, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no exception: " << text;
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
  }
}

TEST(Streams, WhatAWriterSaysOfItself) {
  for (size_t space : {0, 20, 140}) {
    auto full = std::make_shared<QuietWriter>(space);
    refused("the writer has failed", [&] { save(full, zeros({64})); });
    refused("the writer has failed", [&] { save_safetensors(full, {{"a", zeros({64})}}); });
    EXPECT_EQ(full->commits, 0);
  }
  auto closed = std::make_shared<QuietWriter>(1000);
  closed->open = false;
  refused("the writer is not open", [&] { save(closed, array(1)); });
  refused("the writer is not open", [&] { save_safetensors(closed, {}); });
  auto enough = std::make_shared<QuietWriter>(1000);
  save(enough, zeros({64}));
  EXPECT_EQ(enough->commits, 1);
}

TEST(Streams, WhatAReaderSaysOfItself) {
  auto writer = std::make_shared<MemoryWriter>();
  save(writer, array({1, 2}));
  auto reader = std::make_shared<QuietReader>(writer->bytes);
  reader->open = false;
  refused("the reader is not open", [&] { load(reader); });
  refused("the reader is not open", [&] { load_safetensors(reader); });
  reader->open = true;
  reader->sound = false;
  refused("the reader has failed", [&] { load(reader); });
  reader->sound = true;
  EXPECT_TRUE(array_equal(load(reader), array({1, 2})).item<bool>());
}

TEST(FileWriter, AppearsOnCommitOnly) {
  Folder folder;
  std::string path = folder / "a";
  put_bytes(path, "old");
  {
    io::FileWriter writer(path);
    writer.write("new", 3);
    EXPECT_EQ(bytes_of(path), "old");
  }
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1u);
  {
    io::FileWriter first(path);
    io::FileWriter writer(std::move(first));
    EXPECT_FALSE(first.is_open());
    writer.write("new", 3);
    EXPECT_EQ(writer.tell(), 3u);
    writer.commit();
    EXPECT_EQ(bytes_of(path), "new");
    writer.write(" and more", 9);
    writer.seek(0);
    writer.write("N", 1);
    writer.commit();
  }
  EXPECT_EQ(bytes_of(path), "New and more");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(FileWriter, PermissionsAndLinks) {
  Folder folder;
  mode_t mask = ::umask(027);
  save(folder / "new.npy", array(1.0f));
  ::umask(mask);
  EXPECT_EQ(permissions(folder / "new.npy"), 0640u);
  ::chmod((folder / "new.npy").c_str(), 0604);
  std::filesystem::create_symlink("new.npy", folder / "link.npy");
  std::filesystem::create_symlink(folder / "later.npy", folder / "dangling.npy");
  save(folder / "link.npy", array(2.0f));
  save(folder / "dangling.npy", array(3.0f));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_EQ(permissions(folder / "new.npy"), 0604u);
  EXPECT_EQ(load(folder / "new.npy").item<float>(), 2);
  EXPECT_EQ(load(folder / "later.npy").item<float>(), 3);
  EXPECT_EQ(folder.count(), 4u);
  std::filesystem::create_symlink("loop.npy", folder / "loop.npy");
  runtime_error_of([&] { save(folder / "loop.npy", array(1.0f)); });
}

TEST(FileWriter, LongNames) {
  Folder folder;
  std::string path = folder / (std::string(251, 'x') + ".npy");
  save(path, array(1.0f));
  EXPECT_EQ(load(path).item<float>(), 1);
}

TEST(FileWriter, FaultsNameTheFile) {
  Folder folder;
  std::filesystem::create_directory(folder / "dir.npy");
  ::mkfifo((folder / "pipe.npy").c_str(), 0600);
  for (const char* name : {"none/a.npy", "dir.npy", "pipe.npy", "dir.npy/a/b.npy"}) {
    EXPECT_NE(runtime_error_of([&] { save(folder / name, array(1.0f)); }).find(folder / name), std::string::npos);
  }
  for (const char* name : {"none.npy", "dir.npy", "pipe.npy"}) {
    EXPECT_NE(runtime_error_of([&] { load(folder / name); }).find(folder / name), std::string::npos);
  }
  io::FileWriter closed;
  EXPECT_FALSE(closed.good());
  runtime_error_of([&] { closed.write("x", 1); });
  runtime_error_of([&] { closed.commit(); });
}

// A limit on the size of files stands for a full disk.
TEST(FileWriter, AFullDiskLeavesTheOldFile) {
  Folder folder;
  std::string path = folder / "a.npy";
  save(path, array({1.0f, 2.0f}));
  rlimit old_limit, limit;
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  limit = {1 << 16, old_limit.rlim_max};
  auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::string text = runtime_error_of([&] { save(path, zeros({1 << 20}, float32)); });
  io::FileWriter writer(path);
  std::string block(1 << 17, 'x');
  runtime_error_of([&] { writer.write(block.data(), block.size()); });
  runtime_error_of([&] { writer.commit(); });
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(writer.good());
  EXPECT_NE(text.find("a.npy"), std::string::npos);
  EXPECT_EQ(load(path).size(), 2u);
}

TEST(FileReader, ReadsAndSeeks) {
  Folder folder;
  put_bytes(folder / "a", "0123456789");
  io::ParallelFileReader reader(folder / "a");
  char data[4];
  reader.seek(-3, std::ios_base::end);
  reader.read(data, 3);
  EXPECT_EQ(std::string(data, 3), "789");
  EXPECT_EQ(reader.tell(), 10u);
  reader.read(data, 4, 2);
  EXPECT_EQ(std::string(data, 4), "2345");
  EXPECT_EQ(reader.tell(), 10u);
  EXPECT_EQ(reader.size(), 10u);
  reader.seek(-4, std::ios_base::cur);
  EXPECT_EQ(reader.tell(), 6u);
  EXPECT_NE(runtime_error_of([&] { reader.read(data, 4, 7); }).find("truncated"), std::string::npos);
  runtime_error_of([&] { reader.seek(-1); });
}

TEST(FileReader, SavingOverWhatWasLoaded) {
  Folder folder;
  std::string path = folder / "a.npy";
  array a = counted({1000}, float32);
  save(path, a);
  array loaded = load(path);
  save(path, loaded + array(1.0f));
  save(path, array(0.0f));
  expect_same(loaded, a, "the file that is gone");
}

}  // namespace
