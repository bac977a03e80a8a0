// Files: reading at offsets, and writing beside the target until all is there.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "mlx/core/error.h"
#include "mlx/core/file.h"

namespace mlx::core::io {

namespace {

// One system call moves less than 2^31 bytes.
constexpr size_t largest_call = size_t{1} << 30;

[[noreturn]] void fail(const char* doing, const std::string& path, const std::string& fault) {
  raise<std::runtime_error>("[", doing, "] '", path, "': ", fault, ".");
}
[[noreturn]] void fail_with_errno(const char* doing, const std::string& path) {
  fail(doing, path, std::strerror(errno));
}

size_t sought(const char* doing, const std::string& path, int64_t off, std::ios_base::seekdir way, size_t position,
              size_t end) {
  size_t from = way == std::ios_base::beg ? 0 : way == std::ios_base::cur ? position : end;
  int64_t to;
  if (__builtin_add_overflow(static_cast<int64_t>(from), off, &to) || to < 0) {
    fail(doing, path, concat("cannot seek by ", off, " from ", from));
  }
  return static_cast<size_t>(to);
}

template <typename Call>
auto uninterrupted(Call&& call) {
  while (true) {
    auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// The file that a path leads to through symbolic links, which need not exist yet.
std::string resolve_links(std::string path) {
  char target[PATH_MAX];
  for (int hops = 0; hops < 40; hops++) {
    ssize_t length = ::readlink(path.c_str(), target, sizeof(target));
    if (length < 0 || length == sizeof(target)) return path;
    std::string next(target, static_cast<size_t>(length));
    size_t slash = path.rfind('/');
    bool relative = next.empty() || next[0] != '/';
    path = relative && slash != std::string::npos ? path.substr(0, slash + 1) + next : next;
  }
  errno = ELOOP;
  fail_with_errno("save", path);
}

// The permissions of the file that is going to be replaced; nothing where there is none.
std::optional<mode_t> old_permissions(const std::string& path, const std::string& target) {
  struct stat status;
  if (::stat(target.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail_with_errno("save", path);
  }
  if (S_ISDIR(status.st_mode)) fail("save", path, "Is a directory");
  if (!S_ISREG(status.st_mode)) fail("save", path, "Is not a regular file");
  if (::access(target.c_str(), W_OK) != 0) fail_with_errno("save", path);
  return status.st_mode & 07777;
}

// A name of our own in the folder of the target: its length does not depend on the target's.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  size_t slash = target.rfind('/');
  std::string folder = slash == std::string::npos ? "" : target.substr(0, slash + 1);
  return concat(folder, ".mlx-", ::getpid(), "-", counter.fetch_add(1), ".tmp");
}

}  // namespace

ParallelFileReader::ParallelFileReader(std::string file_path) : path_(std::move(file_path)) {
  // Opening a pipe would wait for its other end.
  descriptor_ = uninterrupted([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (descriptor_ < 0) fail_with_errno("load", path_);
  struct stat status;
  int result = ::fstat(descriptor_, &status);
  if (result == 0 && S_ISREG(status.st_mode)) return;
  std::string fault = result != 0 ? std::strerror(errno) : S_ISDIR(status.st_mode) ? "Is a directory"
                                                                                 : "Is not a regular file";
  ::close(descriptor_);
  fail("load", path_, fault);
}

ParallelFileReader::~ParallelFileReader() { ::close(descriptor_); }

size_t ParallelFileReader::size() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) fail_with_errno("load", path_);
  return static_cast<size_t>(status.st_size);
}

void ParallelFileReader::seek(int64_t off, std::ios_base::seekdir way) {
  position_ = sought("load", path_, off, way, position_, way == std::ios_base::end ? size() : 0);
}

void ParallelFileReader::read(char* data, size_t n) {
  read(data, n, position_);
  position_ += n;
}

void ParallelFileReader::read(char* data, size_t n, size_t offset) {
  size_t done = 0;
  while (done < n) {
    ssize_t got = uninterrupted([&] {
      return ::pread(descriptor_, data + done, std::min(n - done, largest_call), static_cast<off_t>(offset + done));
    });
    if (got < 0) fail_with_errno("load", path_);
    if (got == 0) fail("load", path_, concat("the file ends before byte ", offset + n, ": it is truncated"));
    done += static_cast<size_t>(got);
  }
}

FileWriter::FileWriter(std::string file_path) : path_(std::move(file_path)), target_(resolve_links(path_)) {
  std::optional<mode_t> permissions = old_permissions(path_, target_);
  do {
    temporary_ = temporary_name(target_);
    // The kernel applies the umask; mkostemp would not.
    descriptor_ =
        uninterrupted([&] { return ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail_with_errno("save", path_);
  // Where another user owns the old file, the new one keeps the permissions that it was made with.
  if (permissions && ::fchmod(descriptor_, *permissions) != 0) errno = 0;
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      position_(other.position_),
      end_(other.end_),
      failed_(other.failed_) {}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileWriter::check_open() const {
  if (!is_open()) fail("save", path_, "the writer has no file");
}

void FileWriter::seek(int64_t off, std::ios_base::seekdir way) {
  check_open();
  position_ = sought("save", path_, off, way, position_, end_);
}

void FileWriter::write(const char* data, size_t n) {
  check_open();
  size_t done = 0;
  while (done < n) {
    ssize_t put = uninterrupted([&] {
      return ::pwrite(descriptor_, data + done, std::min(n - done, largest_call), static_cast<off_t>(position_));
    });
    if (put <= 0) {
      failed_ = true;
      if (put == 0) errno = ENOSPC;
      fail_with_errno("save", path_);
    }
    done += static_cast<size_t>(put);
    position_ += static_cast<size_t>(put);
    end_ = std::max(end_, position_);
  }
}

void FileWriter::commit() {
  check_open();
  if (failed_) fail("save", path_, "a write has failed, the file is not complete");
  // Some file systems cannot sync, and say EINVAL.
  if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0 && errno != EINVAL) fail_with_errno("save", path_);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with_errno("save", path_);
  temporary_.clear();
}

}  // namespace mlx::core::io
