// Streams: ordered queues of work on a device. A Stream is an index; its state lives as long as the process.
#pragma once

#include <vector>

#include "mlx/device.h"

namespace mlx::core {

struct Stream {
  int index;
  Device device;

  explicit Stream(int i, Device where) : index(i), device(where) {}
  bool operator==(const Stream&) const = default;
  bool operator<(const Stream& rhs) const {
    return device != rhs.device ? device < rhs.device : index < rhs.index;
  }
};

// Stands for one stream per thread that uses it.
struct ThreadLocalStream : public Stream {
  using Stream::Stream;
};

// Each thread has its own default stream per device, made on first use.
Stream default_stream(Device d);
void set_default_stream(Stream s);
Stream new_stream(Device d);
Stream new_thread_unsafe_stream(Device d);
ThreadLocalStream new_thread_local_stream(Device d);
Stream stream_from_thread_local_stream(ThreadLocalStream tls);
std::vector<Stream> get_streams();

// Waits until all the work given to the stream so far is done and rethrows its first error, once.
void synchronize();
void synchronize(Stream s);
void synchronize(ThreadLocalStream s);

// Forgets the calling thread's default streams; the next use makes new ones.
void clear_streams();

}  // namespace mlx::core
